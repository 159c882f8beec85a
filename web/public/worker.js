// Shows what is told while nobody looks. Nothing is kept here: the page comes from the server.

self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(bringForward(event.notification.data))
})

/** The page at this path, or a new one where there is none any more. */
async function bringForward(path) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = pages.find(({ url }) => new URL(url).pathname === path)
  await (page ? page.focus() : self.clients.openWindow(path))
}
