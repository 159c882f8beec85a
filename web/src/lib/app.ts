/** Makes the page an app that starts without a network, when nothing more urgent is being loaded. */
import { localRoom } from './local/client.svelte'
import { isStatic } from './ui/route.svelte'
import { service } from './ui/service.svelte'

const QUIET = 8_000 // milliseconds after which a page has loaded what it needs

export async function becomeApp() {
  if (isStatic) await localRoom.opened()
  await new Promise((go) => setTimeout(go, QUIET))
  if (!localRoom.exists || !('serviceWorker' in navigator)) return
  await service.start()
  await service.keep()
}
