/** What the map files say of their boards: names, and what is special about them. */
import covers from '../../maps/stamps/covers.json'
import { getLocale } from '../../paraglide/runtime.js'

export interface Cover {
  names: Record<string, string>
  about?: Record<string, string>
  difficulty?: number
  section?: string
  doubts?: string[]
}

export const coverOf = (map: string): Cover | undefined => (covers as Record<string, Cover>)[map]

/** In the language of the page, or else in English. */
export const inWords = (words: Record<string, string> | undefined): string =>
  words?.[getLocale().slice(0, 2)] ?? words?.en ?? ''
