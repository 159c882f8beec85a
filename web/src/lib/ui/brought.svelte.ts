/** What other packages say on the server: messages in the form of the catalogue, put together here. */
import { plural } from '../../paraglide/registry.js'
import { getLocale } from '../../paraglide/runtime.js'

export type Values = Record<string, unknown>
interface Variants {
  declarations: string[]
  match: Record<string, string>
}
export type Brought = Record<string, string | Variants[]>

let brought = $state.raw<Brought>({})

export const learnWords = (told: Brought) => {
  brought = told
}

/** The text of a message that another package has brought, with its values. */
export function broughtWords(key: string, values: Values): string | undefined {
  const message = brought[key]
  const text = typeof message === 'object' ? formOf(message[0]!, values) : message
  return text?.replace(/{(\w+)}/g, (whole, name: string) => String(values[name] ?? whole))
}

/** The text for the numbers among the values; the last one where none was made for them. */
function formOf({ declarations, match }: Variants, values: Values): string {
  const held = declarations
    .map((declared) => /^local (\w+) = (\w+): plural$/.exec(declared))
    .filter((found) => found !== null)
    .map(([, name, value]) => `${name}=${plural(getLocale(), values[value!])}`)
  const fits = ([wanted]: [string, string]) => wanted.split(', ').every((each) => held.includes(each))
  const texts = Object.entries(match)
  return (texts.find(fits) ?? texts.at(-1)!)[1]
}
