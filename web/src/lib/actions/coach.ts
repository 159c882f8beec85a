import type { Table } from '../net/table.svelte'

/** Whether I am the only person at this table: a coach is never in games between people. */
export const mayBeCoached = ({ info, you }: Pick<Table, 'info' | 'you'>): boolean =>
  you !== null &&
  info?.status === 'running' &&
  !info.rated &&
  !info.cup &&
  info.seats.filter(({ kind }) => kind === 'person').length === 1
