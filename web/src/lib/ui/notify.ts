import { m } from '../../paraglide/messages.js'

/** Phones let only a worker notify, so it does everywhere; without a safe connection there is none. */
export const canNotify = () => 'serviceWorker' in navigator && 'Notification' in window

export async function worker(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register(`/worker.js?${new URLSearchParams({ turn: m.notify_turn() })}`)
  return navigator.serviceWorker.ready
}

/** Whether the user lets the page notify; browsers ask only after a click. */
export const askToNotify = async () => (await Notification.requestPermission()) === 'granted'

export const mayNotify = () => canNotify() && Notification.permission === 'granted'

/** Says that it is my turn to whoever does not see the page. */
export async function notifyTurn(table: string, title: string) {
  if (!document.hidden || !mayNotify()) return
  const shown = await worker()
  if (document.hidden) await shown.showNotification(m.notify_turn(), { body: title, ...about(table) })
}

/** It is no longer my turn, or I have come to see. */
export async function clearNotification(table: string) {
  const known = canNotify() && (await navigator.serviceWorker.getRegistration())
  if (known) for (const old of await known.getNotifications({ tag: table })) old.close()
}

const about = (table: string) => ({ tag: table, data: `/table/${table}`, icon: '/favicon.svg' })
