import { api } from './api'

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Where friends find this server: here, unless this is its own machine. Null if they cannot. */
export async function friendsOrigin(): Promise<string | null> {
  return LOCAL.has(location.hostname) ? (await api.here()).origin : location.origin
}
