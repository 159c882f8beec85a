/** Texts for ids of the server. */
import { m } from '../../texts/messages'
import { isCharacter } from './characters'
import { coverOf, localized, regionWords } from './covers.svelte'
import { packageText } from './package_words.svelte'

type Values = Record<string, string | number>
type Texts = Record<string, ((values?: Values) => string) | undefined>

/** The text of a key that is composed at run time, ours or another package's, or a fallback. */
export const translate = (key: string, otherwise: string, values: Values = {}): string =>
  (m as unknown as Texts)[key]?.(values) ?? packageText(key, values) ?? otherwise

/** The same, in the words of one rulebook if it has its own. */
export const translateIn = (rulebook: string, key: string, otherwise: string, values: Values = {}): string =>
  translate(`${key}_${rulebook}`, '', values) || translate(key, otherwise, values)

export const sentenceCase = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)
export const humanize = (id: string) => sentenceCase(id.replaceAll('_', ' '))

/** Fuel in a storage has the name of its kind: `stored_coal`. */
export const kindOf = (fuel: string) => fuel.replace('stored_', '')
export const fuelName = (fuel: string): string =>
  fuel === kindOf(fuel) ? translate(`fuel_${fuel}`, fuel) : m.fuel_stored({ fuel: fuelName(kindOf(fuel)) })
export const regionName = (region: string) => regionWords(region) || translate(`region_${region}`, humanize(region))
export const mapName = (map: string) => localized(coverOf(map)?.names) || translate(`map_${map}`, humanize(map))
export const marketName = (market: string) => translate(`market_${market}`, humanize(market))
export const phaseName = (phase: string) => translate(`phase_${phase}`, humanize(phase))
export const gameName = (game: string) => translate(`game_${game}`, humanize(game))
/** What can be chosen of an option. */
export const choiceName = (option: string, choice: unknown): string =>
  typeof choice === 'boolean' ? (choice ? m.yes() : m.no()) : translate(`choice_${option}_${choice}`, String(choice))

interface Named {
  title: string
  rulebook: string
  map: string | null
}
/** The name of a table; and its game, if the name does not contain it. */
export const tableName = ({ title, rulebook }: Named) => title || gameName(rulebook)
export const tableGame = ({ title, rulebook, map }: Named) =>
  [title && gameName(rulebook), map && mapName(map)].filter(Boolean).join(' · ')

/** `clerk:bold` is somebody; `director:2s` is a director that takes its time. */
const botKey = (bot: string) => (isCharacter(bot) ? bot.replace(':', '_') : bot)
export const botName = (bot: string) => translate(`bot_${botKey(bot)}`, humanize(bot))
/** How a bot plays and how often it wins, if it is one of ours. */
export const botAbout = (bot: string) => translate(`bot_${botKey(bot).split(':')[0]}_about`, '')

/** How hard something is: 1 is easy, 4 is very hard. */
export const levelName = (level: number) => translate(`level_${level}`, '')
/** By the games that each wins at a table with three clerks: fewer than 20 of 100, than 50, than 75, or more. */
const LEVELS: Record<string, number> = {
  random: 1,
  apprentice: 1,
  'clerk:bold': 1,
  'clerk:hoarder': 1,
  'clerk:blocker': 1,
  clerk: 2,
  engineer: 3,
  director: 4,
  'tycoon:easy': 2,
  'tycoon:medium': 3,
  tycoon: 4,
}
/** "easy" and so on, if the bot is one of ours. */
export const botLevel = (bot: string) => levelName(LEVELS[bot] ?? LEVELS[bot.split(':')[0]!] ?? 0)

/** A name for display: bots and guests have names in the language of the page. */
export function personName(name: string): string {
  const [first = '', ...rest] = name.split(' ')
  const character = `${first.toLowerCase()}:${rest[0]}`
  if (first === humanize(first) && isCharacter(character)) return [botName(character), ...rest.slice(1)].join(' ')
  const known =
    first === 'Guest' ? m.guest() : first === humanize(first) ? translate(`bot_${first.toLowerCase()}`, first) : first
  return [known, ...rest].join(' ')
}

/** A view with all its names for display. */
export const withNames = <T extends { names: string[] }>(view: T): T => ({ ...view, names: view.names.map(personName) })
export const withSeatNames = <T extends { seats: { name: string }[] }>(table: T): T => ({
  ...table,
  seats: table.seats.map((seat) => ({ ...seat, name: personName(seat.name) })),
})

/** "3 coal", "2 coal / oil": languages with cases write "3 × węgiel", so the first fuel has a form for numbers. */
export const fuelAmount = (count: number, ...fuels: string[]) => {
  const counted = (fuel: string) => translate(`fuel_of_${kindOf(fuel)}`, fuelName(fuel))
  return `${count} ${fuels.map((fuel, nth) => (nth ? fuelName(fuel) : counted(fuel))).join(' / ')}`
}

/** "2 coal, 3 gas / oil": what plants burn in one run. */
export function fuelNeeds(plants: { fuels: string[]; need: number }[]): string {
  const sums = new Map<string, { fuels: string[]; need: number }>()
  for (const { fuels, need } of plants) {
    const kinds = fuels.join()
    if (need) sums.set(kinds, { fuels, need: need + (sums.get(kinds)?.need ?? 0) })
  }
  return [...sums.values()].map(({ fuels, need }) => fuelAmount(need, ...fuels)).join(', ')
}

/** "3 coal, 2 oil" */
export const fuelList = (fuel: Record<string, number>) =>
  Object.entries(fuel)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => fuelAmount(count, kind))
    .join(', ')

export const plantName = (card: string) => (card === 'step3' ? m.step3_card() : card)
