/** Makes the page an app that starts without a network, when nothing more urgent is being loaded. */
import { localRoom } from './local/client.svelte'
import { isStatic } from './ui/route.svelte'
import { service } from './ui/service.svelte'

const QUIET = 10_000 // milliseconds after which a served page has what it needs

export async function becomeApp() {
  if (isStatic) await localRoom.opened()
  else await new Promise((go) => setTimeout(go, QUIET))
  await service.start().catch(() => undefined) // a browser that refuses one plays all the same
  if (localRoom.exists && 'serviceWorker' in navigator) await service.keepEngine()
}
