// The service worker: keeps the page and its engine for a start without a network, and shows push
// notifications while the page is closed.

// These three lines are filled in when the page is built (scripts/seal.py).
const VERSION = 'development'
const SERVED = true
const FILES = []

const FOLDER = new URL('./', self.location.href)
const OURS = `highvoltage ${FOLDER.pathname} `
const CACHE = OURS + VERSION
const WORDS = `${OURS}words`
const START = 'index.html'
const GONE = [502, 503, 504] // what a proxy answers for a server that is not there

const addressOf = (file) => new URL(file, FOLDER).href
/** Named by its content: under this address it never changes. */
const isNamed = (file) => file.startsWith('engine/') || file.startsWith('assets/')

// At first the page needs the network for itself, and asks for the rest later. A new version is whole.
self.addEventListener('install', (event) => event.waitUntil(keep(self.registration.active ? FILES : [])))

self.addEventListener('activate', (event) => event.waitUntil(takeOver()))

self.addEventListener('message', (event) => {
  if (event.data === 'update') self.skipWaiting()
  if (event.data === 'keep') event.waitUntil(keep(FILES))
})

async function keep(files) {
  const cache = await caches.open(CACHE)
  const missing = [...files]
  const lane = async () => {
    for (let file = missing.pop(); file; file = missing.pop()) {
      const address = addressOf(file)
      if (await cache.match(address)) continue
      const known = isNamed(file) && (await caches.match(address)) // of an older version
      const answer = known || (await fetch(address, { cache: isNamed(file) ? 'default' : 'reload' }))
      if (!answer.ok) throw new Error(`${address}: ${answer.status}`)
      await cache.put(address, answer)
    }
  }
  await Promise.all(Array.from({ length: 6 }, lane))
}

/** The version before this one stays, for tabs that still show it. */
async function takeOver() {
  const versions = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== WORDS && name !== CACHE)
  await Promise.all(versions.slice(0, -1).map((name) => caches.delete(name)))
  await self.clients.claim()
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== FOLDER.origin || !pathname.startsWith(FOLDER.pathname)) return
  const file = pathname.slice(FOLDER.pathname.length)
  if (request.mode === 'navigate') {
    if (SERVED) event.respondWith(fromServer(request))
    else if (file === '' || file === START) event.respondWith(fromCache(START))
  } else if (FILES.includes(file)) {
    event.respondWith(fromCache(file))
  } else if (isNamed(file)) {
    event.respondWith(onUse(request)) // of another version, or read so rarely that it is kept on first use
  }
})

async function fromCache(file) {
  const cache = await caches.open(CACHE)
  return (await cache.match(addressOf(file))) ?? fetch(addressOf(file))
}

async function onUse(request) {
  const known = await caches.match(request.url)
  if (known) return known
  const answer = await fetch(request)
  const copy = answer.clone()
  if (answer.ok) void caches.open(CACHE).then((cache) => cache.put(request.url, copy))
  return answer
}

/** The page comes from its server, which may have a newer one; without the server it starts from the cache. */
async function fromServer(request) {
  const answer = await fetch(request).catch(() => null)
  return answer && !GONE.includes(answer.status) ? answer : fromCache(START)
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(bringForward(event.notification.data))
})

// A push message from the server while the page is closed; the page has left its words in a cache.
self.addEventListener('push', (event) => event.waitUntil(notify(event.data.json())))

async function notify({ table, about, by, round }) {
  const path = `/table/${table}`
  const pages = await pagesAt(path)
  if (pages.some(({ visibilityState }) => visibilityState === 'visible')) return
  const words = await (await caches.open(WORDS)).match(addressOf(by ? 'invited' : round ? 'round' : 'turn'))
  const name = by ?? String(round ?? '')
  const title = words ? (await words.text()).replace('{name}', name) : name // an older page left none
  await self.registration.showNotification(title, {
    body: about,
    tag: table,
    data: path,
    icon: addressOf('favicon.svg'),
  })
}

async function pagesAt(path) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  return pages.filter(({ url }) => url === addressOf(path))
}

/** The page at this path, or a new one where there is none any more. */
async function bringForward(path) {
  const [page] = await pagesAt(path)
  await (page ? page.focus() : self.clients.openWindow(path))
}
