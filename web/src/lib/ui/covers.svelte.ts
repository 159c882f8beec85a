/** Descriptions of maps: names, and what is special about them. */
import drawn from '../../maps/stamps/covers.json'
import type { MapCover } from '../net/schema'
import { getLocale } from './locale'

type Words = Record<string, string>

/** Those that the page was built with, and those from the server. */
let covers = $state.raw(drawn as Record<string, MapCover>)
let regions = $state.raw<Record<string, Words>>({})

export const setCovers = (received: Record<string, MapCover>) => {
  covers = { ...covers, ...received }
}
export const setRegionNames = (received: Record<string, Words>) => {
  regions = { ...regions, ...received }
}

export const coverOf = (map: string): MapCover | undefined => covers[map]
/** The board that a section of the rules is about, with its id, if it has open points. */
export function coverOfSection(section: string): { map: string; cover: MapCover } | undefined {
  const map = Object.keys(covers).find((name) => section && covers[name]!.section === section)
  return map !== undefined && covers[map]!.doubts?.length ? { map, cover: covers[map]! } : undefined
}
export const regionWords = (region: string): string => localized(regions[region])

/** In the language of the page, or else in English. */
export const localized = (words: Words | undefined): string => words?.[getLocale().slice(0, 2)] ?? words?.en ?? ''
