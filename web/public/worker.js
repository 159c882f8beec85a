// Shows push notifications while the page is closed. Nothing is cached: the page comes from the server.

self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(bringForward(event.notification.data))
})

// A push message from the server while the page is closed; its text comes with the address of this file.
self.addEventListener('push', (event) => event.waitUntil(tell(event.data.json())))

async function tell({ table, about }) {
  const path = `/table/${table}`
  const pages = await pagesAt(path)
  if (pages.some(({ visibilityState }) => visibilityState === 'visible')) return
  const turn = new URL(self.location.href).searchParams.get('turn')
  await self.registration.showNotification(turn, { body: about, tag: table, data: path, icon: '/favicon.svg' })
}

async function pagesAt(path) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  return pages.filter(({ url }) => new URL(url).pathname === path)
}

/** The page at this path, or a new one where there is none any more. */
async function bringForward(path) {
  const [page] = await pagesAt(path)
  await (page ? page.focus() : self.clients.openWindow(path))
}
