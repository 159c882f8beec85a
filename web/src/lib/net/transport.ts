/** Requests and sockets of the page: to its server, or to the room in this browser. */
import { localRoom, type Socket } from '../local/client.svelte'
import { folder, isStatic, route } from '../ui/route.svelte'
import { server } from './server.svelte'

/** Tables that were made in this browser; a server gives no such names. */
const LOCAL_TABLE = /^\/tables\/here-/
/** Tables that only a server knows. */
const SERVER_TABLE = /^\/tables\/(?!mine$|here-)[^/?]+/
/** What never changes is beside the page on a static host: it is there before the engine. */
const CONSTANT = /^\/(games|words\/[^/]+|rules\/[^/]+|rules\/[^/]+\/player\/[^/]+|pictures\/[^/]+)$/

/** Before a path that is meant for the room in this browser, though there is a server: no path of the protocol begins so. */
export const HERE = '/in-this-browser'

/** Whether a table is in this browser. */
export const isLocalTable = (id: string) => isLocal(`/tables/${id}`)
const isLocal = (path: string) => isStatic || LOCAL_TABLE.test(path)
/** Whether what is sent there goes over the network. */
export const isRemote = (path: string) => !isLocal(path)
/** Whether the room in this browser can stand in for a server that is gone. */
const canStandIn = (path: string) => localRoom.exists && !SERVER_TABLE.test(path)

/** Left where a page of a server has had tables of its own. */
const LEFT_HERE = 'hv-here'
export const hasLocalTables = () => localRoom.exists && !isStatic && localStorage.getItem(LEFT_HERE) !== null

function standIn(method: string, path: string, body: string | null): Promise<Response> {
  if (method === 'POST') localStorage.setItem(LEFT_HERE, 'yes')
  return localRoom.request(method, `/api${path}`, body)
}

/** Asks for a path of the protocol; rejects if there is nobody to ask. */
export async function request(method: string, path: string, body: string | null, kind: string): Promise<Response> {
  if (path.startsWith(`${HERE}/`)) return standIn(method, path.slice(HERE.length), body)
  if (isLocal(path)) {
    localRoom.start()
    if (CONSTANT.test(path) && !localRoom.ready) {
      const found = await fetch(`${folder}api${path}.txt`).catch(() => null)
      if (found?.ok) return found // else there is no network, and the engine has it, too
    }
    return localRoom.request(method, `/api${path}`, body)
  }
  if (server.gone && canStandIn(path)) return standIn(method, path, body)
  const headers = body === null ? undefined : { 'content-type': kind }
  // A game in a frame of another site neither sends cookies nor takes any.
  const credentials = route.path.startsWith('/embed/') ? 'omit' : 'same-origin'
  const answer = await fetch(`/api${path}`, { method, credentials, body, headers }).catch(() => null)
  if (answer && server.answered(answer)) return answer
  if (canStandIn(path) && (await server.isGone())) return standIn(method, path, body)
  throw new Error('The server does not answer.')
}

export function openSocket(path: string): Socket {
  if (isLocal(path)) return localRoom.connect(`/api${path}`)
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  return new WebSocket(`${scheme}://${location.host}/api${path}`)
}
