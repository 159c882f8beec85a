/** Which bots a person has beaten in this browser, by game. */
import { readStored, store } from './stored'

const KEY = 'hv-beaten'
type Beaten = Record<string, string[]>

const all = (): Beaten => readStored<Beaten>(KEY) ?? {}

export const beaten = (rulebook: string): string[] => all()[rulebook] ?? []

/** A game was won against these. */
export function rememberBeaten(rulebook: string, bots: string[]) {
  store(KEY, { ...all(), [rulebook]: [...new Set([...beaten(rulebook), ...bots])] })
}
