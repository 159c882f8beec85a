/**
 * Compiles messages/*.json into src/paraglide, after checking that every language says everything.
 * Each language is a module of its own, of which the page loads the one that is spoken.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { compile } from '@inlang/paraglide-js'

const HERE = import.meta.dirname
const OUT = `${HERE}/../src/paraglide`
const read = (path: string): object => JSON.parse(readFileSync(`${HERE}/../${path}`, 'utf-8')) as object

const { baseLocale, locales } = read('project.inlang/settings.json') as {
  baseLocale: string
  locales: string[]
}
const wanted = Object.keys(read(`messages/${baseLocale}.json`))
for (const locale of locales) {
  const known = new Set(Object.keys(read(`messages/${locale}.json`)))
  const missing = wanted.filter((key) => !known.has(key))
  const extra = [...known].filter((key) => !wanted.includes(key))
  if (missing.length) console.warn(`messages/${locale}.json lacks: ${missing.join(', ')}`)
  if (extra.length) console.warn(`messages/${locale}.json says too much: ${extra.join(', ')}`)
}

await compile({
  project: `${HERE}/../project.inlang`,
  outdir: OUT,
  outputStructure: 'locale-modules',
  strategy: ['localStorage', 'preferredLanguage', 'baseLocale'],
})
const loads = locales.map((locale) => `  '${locale}': () => import('./messages/${locale}.js'),`)
writeFileSync(
  `${OUT}/messages.js`,
  `const LOADS = {
${loads.join('\n')}
}
/** All texts, in the language that was loaded last. @type {typeof import('./messages/_index.js')} */
export let m
/** @param {import('./runtime.js').Locale} locale */
export const speak = async (locale) => {
  m = await LOADS[locale]()
}
`,
)
// Plurals are all that texts ask of it, and to make their rules takes longer than to ask them.
writeFileSync(
  `${OUT}/registry.js`,
  `/** @type {Record<string, Intl.PluralRules>} */
const RULES = {}
/** @param {string} locale @param {unknown} input */
export const plural = (locale, input) => (RULES[locale] ??= new Intl.PluralRules(locale)).select(Number(input))
`,
)
process.exit() // the compiler keeps a timer running for half a minute
