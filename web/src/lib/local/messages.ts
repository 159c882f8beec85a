/** What pages and the room worker that leads send each other, over a channel that all tabs share. */

/** Where the engine is, and what is kept under which name. */
export interface Setup {
  /** This page, among the tabs. */
  tab: string
  /** The channel to the pages that this worker may answer. */
  channel: string
  /** The lock of the leader, and the database: one for each folder of a host. */
  name: string
  /** Whether this tab shares no channel with others, for browsers that give tabs no locks. */
  alone: boolean
  /** The address of the folder with Python. */
  python: string
  /** The address of our own package. */
  wheel: string
  /** The size of all that, unpacked. */
  bytes: number
  /** The cache of this version of the page. */
  cache: string
}

/** Whether games outlive the page: in the browser's storage; or in memory only, since it has none for us. */
export type Keeping = 'stored' | 'memory'

export type Ask =
  | { tab: string; type: 'hello' }
  | { tab: string; type: 'request'; id: number; method: string; path: string; body: string | null }
  | { tab: string; type: 'connect'; connection: number; path: string }
  | { tab: string; type: 'receive'; connection: number; text: string }
  | { tab: string; type: 'disconnect'; connection: number }

export type Answer =
  /** How much of the engine is loaded, from 0 to 1. */
  | { type: 'loading'; loaded: number }
  | { type: 'failed'; why: string }
  /** Which worker leads, and whether it keeps games. */
  | { type: 'leads'; leader: string; keeping: Keeping }
  | { type: 'response'; tab: string; id: number; status: number; kind: string; text: string }
  | { type: 'opened'; tab: string; connection: number }
  | { type: 'message'; tab: string; connection: number; text: string }
  | { type: 'closed'; tab: string; connection: number; code: number }

/** The name of the lock that a tab holds as long as it lives. */
export const tabLock = (name: string, tab: string) => `${name} ${tab}`
