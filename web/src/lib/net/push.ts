import { mayNotify, worker } from '../ui/notify'
import { api } from './api'

/** Lets the server reach this browser when the page is closed, where the server can and the browser may. */
export async function subscribe() {
  const key = mayNotify() && (await api.pushKey()).key
  if (!key) return
  const { pushManager } = await worker()
  const wish = { userVisibleOnly: true, applicationServerKey: key }
  const made = await pushManager.subscribe(wish).catch(async () => {
    await (await pushManager.getSubscription())?.unsubscribe() // it was made with another key
    return pushManager.subscribe(wish)
  })
  const { endpoint, keys } = made.toJSON()
  await api.subscribe({ endpoint: endpoint!, key: keys!.p256dh!, auth: keys!.auth! })
}

/** Whoever uses this browser now is told nothing any more when the page is closed. */
export async function unsubscribe() {
  const known = await navigator.serviceWorker?.getRegistration()
  const made = await known?.pushManager.getSubscription()
  if (!made) return
  await api.unsubscribe(made.endpoint)
  await made.unsubscribe()
}
