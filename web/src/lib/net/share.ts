import { api } from './api'

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether this page was opened on the machine that serves it. */
export const isServingMachine = () => LOCAL.has(location.hostname)

/** The address of this server for friends: this one, unless it is local. Null if they cannot reach it. */
export async function friendsOrigin(): Promise<string | null> {
  return isServingMachine() ? (await api.here()).origin : location.origin
}
