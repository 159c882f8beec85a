/** The rules of a table in words. No line is listed here: the message catalogue has those that we know. */
import { m } from '../../texts/messages'
import type { RulesetInfo, RulesetLine } from '../net/protocol'
import { humanize, regionName, translate } from '../ui/words'

/** One figure of a line, and its label, if the line has several. */
export interface Part {
  label: string
  text: string
}

/** Figures that belong together, and their label, if a line has several such rows. */
export interface Row {
  head: string
  parts: Part[]
}

export interface Group {
  id: string
  lines: RulesetLine[]
}

const GROUPS = ['numbers', 'fuel', 'board']
const OPTIONS = 'options'

/** The text of a line, whose key includes the group of the line. */
const textIn = (group: string, name: string) => translate(`ruleset_${group}_${name}`, '')
const groupOf = ({ name, option }: RulesetLine) =>
  option ? OPTIONS : (GROUPS.find((group) => textIn(group, name)) ?? GROUPS.at(-1)!)

/** The name of a line or of a field in one; one of an unknown rulebook keeps its own name. */
export function lineName({ name, option }: Pick<RulesetLine, 'name' | 'option'>): string {
  if (option) return translate(`option_${name}`, humanize(name))
  return GROUPS.map((group) => textIn(group, name)).find(Boolean) ?? humanize(name)
}

export const grouped = (lines: RulesetLine[]): Group[] =>
  [...GROUPS, OPTIONS]
    .map((id) => ({ id, lines: lines.filter((line) => groupOf(line) === id) }))
    .filter((group) => group.lines.length)

type Fields = Record<string, unknown>
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isList = (value: unknown): value is Fields[] => Array.isArray(value) && value.some(isFields)

/** Formats the values of one ruleset, with the names of its places. */
export class Values {
  #cities: Map<string, string>
  #regions: Set<string>

  constructor({ board }: Pick<RulesetInfo, 'board'>) {
    this.#cities = new Map(board?.cities.map(({ id, name }) => [id, name]))
    this.#regions = new Set(board?.regions)
  }

  rows({ name, value }: Pick<RulesetLine, 'name' | 'value'>): Row[] {
    if (isList(value)) return value.flatMap((each) => this.#rows(each, '', name))
    return this.#rows(value, '', name)
  }

  #rows(value: unknown, head: string, line: string): Row[] {
    if (isList(value)) return [{ head, parts: value.flatMap((each) => this.#parts(each, line)) }]
    if (!isFields(value)) return [{ head, parts: [{ label: '', text: this.#text(value, line) }] }]
    if (!Object.values(value).some((each) => isFields(each) || isList(each)))
      return [{ head, parts: this.#parts(value, line) }]
    const below = (key: string) => [head, this.#word(key)].filter(Boolean).join(', ')
    return Object.entries(value).flatMap(([key, each]) => this.#rows(each, below(key), line))
  }

  #parts = (fields: Fields, line: string): Part[] =>
    Object.entries(fields).map(([key, each]) => ({ label: this.#word(key), text: this.#text(each, line) }))

  #text(value: unknown, line: string): string {
    if (Array.isArray(value)) {
      const mark = value.every((each) => typeof each === 'number') ? ' / ' : ', '
      return value.map((each) => this.#text(each, line)).join(mark) || m.ruleset_none()
    }
    if (typeof value === 'boolean') return value ? m.yes() : m.no()
    if (typeof value === 'string') return translate(`choice_${line}_${value}`, '') || this.#name(value) || value
    return value === null ? m.ruleset_none() : String(value)
  }

  /** The meaning of a key: a number, a field that the catalogue knows, a fuel, a place. */
  #word(key: string): string {
    if (/^\d+$/.test(key)) return `${key}:`
    return translate(`ruleset_field_${key}`, '') || this.#name(key) || lineName({ name: key, option: false })
  }

  /** The name of an id of the game, if it is one. */
  #name(id: string): string {
    if (this.#cities.has(id)) return this.#cities.get(id)!
    if (this.#regions.has(id)) return regionName(id)
    return ['fuel', 'ruleset_kind', 'market'].map((kind) => translate(`${kind}_${id}`, '')).find(Boolean) ?? ''
  }
}
