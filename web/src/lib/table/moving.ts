/** Moves a game between the server and this browser: its record and its seats. */
import { localRoom } from '../local/client.svelte'
import { api } from '../net/api'
import type { TableInfo } from '../net/protocol'
import { server } from '../net/server.svelte'
import { isLocalTable } from '../net/transport'
import { isStatic } from '../ui/route.svelte'

/** Where a game can be moved to; null if it has to stay, for others sit there or there is nowhere else. */
export function destination(table: TableInfo): 'here' | 'server' | null {
  const others = table.seats.some((seat) => seat.kind === 'person' && !seat.mine && !seat.left)
  if (isStatic || server.missing || !table.host || others || table.status !== 'running') return null
  if (isLocalTable(table.id)) return 'server'
  return localRoom.exists ? 'here' : null
}

/** The table at which the game goes on. The old one is deleted once the new one is kept. */
export async function moveGame(table: TableInfo, to: 'here' | 'server'): Promise<string> {
  const record = await api.record(table.id)
  const seats = table.seats.map(({ kind, bot }) =>
    kind === 'bot' ? { kind: 'bot' as const, bot } : { kind: 'me' as const },
  )
  const { id } = await api.resume({ record, seats }, to === 'here')
  await api.deleteTable(table.id)
  return id
}
