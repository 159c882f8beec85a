import { mayNotify, worker } from '../ui/notify'
import { api } from './api'

/** Lets the server notify this browser when the page is closed, if both allow it. */
export async function subscribe() {
  const key = mayNotify() && (await api.pushKey()).key
  if (!key) return
  const { pushManager } = await worker()
  const options = { userVisibleOnly: true, applicationServerKey: key }
  const made = await pushManager.subscribe(options).catch(async () => {
    await (await pushManager.getSubscription())?.unsubscribe() // it was created with another key
    return pushManager.subscribe(options)
  })
  const { endpoint, keys } = made.toJSON()
  await api.subscribe({ endpoint: endpoint!, key: keys!.p256dh!, auth: keys!.auth! })
}

/** Stops notifications to this browser when the page is closed. */
export async function unsubscribe() {
  const known = await navigator.serviceWorker?.getRegistration()
  const made = await known?.pushManager.getSubscription()
  if (!made) return
  await api.unsubscribe(made.endpoint)
  await made.unsubscribe()
}
