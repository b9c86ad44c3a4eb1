// Shows push messages, and opens what they are about. It answers no requests and caches nothing.

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('push', (event) => {
  const { id, title, body, link, image } = event.data.json()
  const look = { body, tag: id, icon: image ?? '/icon-192.png', badge: '/icon-192.png', data: { link } }
  event.waitUntil(self.registration.showNotification(title, look))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(new URL(event.notification.data.link, self.location.origin).href))
})

/** In a tab that shows it already, else in one that is open, else in a new one. */
async function open(address) {
  const { pathname, search, hash } = new URL(address)
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const tab = tabs.find(({ url }) => url === address) ?? tabs[0]
  if (!tab) return self.clients.openWindow(address)
  if (tab.url !== address) tab.postMessage({ open: pathname + search + hash })
  return tab.focus()
}
