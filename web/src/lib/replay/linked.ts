/** The games of links that this browser has opened. */
import { api, Problem } from '../net/api'
import { unpackText } from './link'

const KEY = 'hv-links'
const MAX_KNOWN = 20

/** The table that shows the game of a link. Opening a link again leads to the same table. */
export async function openLink(code: string): Promise<string> {
  const known = readKnown()
  const before = known.find((each) => each.code === code)
  if (before && (await exists(before.table))) return before.table
  const { id } = await api.importRecord(await unpackText(code))
  const others = known.filter((each) => each !== before)
  try {
    localStorage.setItem(KEY, JSON.stringify([{ code, table: id }, ...others].slice(0, MAX_KNOWN)))
  } catch {
    // The storage is full or refused: the next time the game is imported again.
  }
  return id
}

interface Opened {
  code: string
  table: string
}

function readKnown(): Opened[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]') as Opened[]
  } catch {
    return []
  }
}

async function exists(table: string): Promise<boolean> {
  try {
    await api.table(table)
    return true
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return false
    throw error
  }
}
