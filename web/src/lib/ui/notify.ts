import { m } from '../../texts/messages'
import { folder, link } from './route.svelte'
import { leaveWords, service } from './service.svelte'

/** Phones only let a service worker notify, so it is used everywhere; it requires a secure connection. */
export const canNotify = () => 'serviceWorker' in navigator && 'Notification' in window

export async function worker(): Promise<ServiceWorkerRegistration> {
  await leaveWords()
  await service.start()
  return navigator.serviceWorker.ready
}

/** Whether the user allows notifications; browsers ask only after a click. */
export const askToNotify = async () => (await Notification.requestPermission()) === 'granted'

export const mayNotify = () => canNotify() && Notification.permission === 'granted'

/** Notifies the user that it is their turn, while the page is hidden. */
export async function notifyTurn(table: string, title: string) {
  if (!document.hidden || !mayNotify()) return
  const shown = await worker()
  if (document.hidden) await shown.showNotification(m.notify_turn(), { body: title, ...about(table) })
}

/** Removes the notification: it is no longer my turn, or the page is visible. */
export async function clearNotification(table: string) {
  const known = canNotify() && (await navigator.serviceWorker.getRegistration())
  if (known) for (const old of await known.getNotifications({ tag: table })) old.close()
}

const about = (table: string) => ({ tag: table, data: link(`/table/${table}`), icon: `${folder}favicon.svg` })
