/**
 * Compiles the messages of src/highvoltage/words into src/texts: a module for each language, of which the page loads
 * the one that is spoken, with a function for each message. A message is in English where it is not translated.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { LOCALES } from '../src/lib/ui/locale.ts'

/** The forms of a sentence by a number in it: `local countPlural = count: plural`. */
interface Forms {
  declarations: string[]
  match: Record<string, string>
}
type Message = string | [Forms]

const HERE = import.meta.dirname
const OUT = `${HERE}/../src/texts`
const VALUE = /{(\w+)}/g
const PLURAL = /^local (\w+) = (\w+): plural$/

const read = (locale: string): Record<string, Message> =>
  JSON.parse(readFileSync(`${HERE}/../../src/highvoltage/words/${locale}.json`, 'utf-8'))

/** A text as a template of JavaScript, with the values that a call gives. */
const template = (text: string) =>
  `\`${text.replace(/[\\`$]/g, '\\$&').replace(VALUE, (_, name) => `\${i?.${name}}`)}\``

/** The form that fits the number; the last one if none does. */
function choice({ declarations, match }: Forms): string {
  const [, local, value] = declarations.map((declared) => PLURAL.exec(declared)).find((found) => found !== null)!
  const forms = Object.entries(match).map(([form, text]) => `${form.replace(`${local}=`, '')}: ${template(text)}`)
  const last = template(Object.values(match).at(-1)!)
  return `({ ${forms.join(', ')} })[plural(LOCALE, i?.${value})] ?? ${last}`
}

const compiled = (message: Message) => (typeof message === 'string' ? template(message) : choice(message[0]))

/** The values that a message has in any of its forms. */
const valuesOf = (message: Message) => {
  const texts = typeof message === 'string' ? [message] : Object.values(message[0].match)
  return new Set(texts.flatMap((text) => [...text.matchAll(VALUE)].map(([, name]) => name)))
}

const english = read('en')
rmSync(OUT, { recursive: true, force: true })
mkdirSync(OUT, { recursive: true })
for (const locale of LOCALES) {
  const messages = Object.entries({ ...english, ...read(locale) })
  const lines = messages.map(([id, message]) => `export const ${id} = (i) => ${compiled(message)}`)
  const head = `import { plural } from '../lib/ui/locale.ts'\nconst LOCALE = '${locale}'`
  writeFileSync(`${OUT}/${locale}.js`, [head, ...lines, ''].join('\n'))
}
const types = Object.entries(english).map(([id, message]) => {
  const values = [...valuesOf(message)].map((name) => `${name}: NonNullable<unknown>`)
  return `  ${id}: (${values.length ? `values: { ${values.join('; ')} }` : ''}) => string`
})
writeFileSync(
  `${OUT}/messages.ts`,
  `import type { Locale } from '../lib/ui/locale.ts'
interface Messages {
${types.join('\n')}
}
const LOADS: Record<Locale, () => Promise<unknown>> = {
${LOCALES.map((locale) => `  '${locale}': () => import('./${locale}.js'),`).join('\n')}
}
/** All texts, in the language that was loaded last. */
export let m: Messages
export const speak = async (locale: Locale) => {
  m = (await LOADS[locale]()) as Messages
}
`,
)
