/** Messages of other packages on the server, in the form of the catalogue, formatted here. */
import { getLocale, plural } from './locale'

export type Values = Record<string, unknown>
interface Variants {
  declarations: string[]
  match: Record<string, string>
}
export type PackageMessages = Record<string, string | Variants[]>

let packageMessages = $state.raw<PackageMessages>({})

export const setPackageMessages = (messages: PackageMessages) => {
  packageMessages = messages
}

/** The text of another package's message, with its values. */
export function packageText(key: string, values: Values): string | undefined {
  const message = packageMessages[key]
  const text = typeof message === 'object' ? formOf(message[0]!, values) : message
  return text?.replace(/{(\w+)}/g, (whole, name: string) => String(values[name] ?? whole))
}

/** The variant for the numbers among the values; the last one if none matches. */
function formOf({ declarations, match }: Variants, values: Values): string {
  const held = declarations
    .map((declared) => /^local (\w+) = (\w+): plural$/.exec(declared))
    .filter((found) => found !== null)
    .map(([, name, value]) => `${name}=${plural(getLocale(), values[value!])}`)
  const fits = ([wanted]: [string, string]) => wanted.split(', ').every((each) => held.includes(each))
  const texts = Object.entries(match)
  return (texts.find(fits) ?? texts.at(-1)!)[1]
}
