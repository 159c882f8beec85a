/**
 * Compiles the messages of src/highvoltage/words into src/paraglide. Each language is a module of its own, of which the
 * page loads the one that is spoken.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { compile } from '@inlang/paraglide-js'

const HERE = import.meta.dirname
const OUT = `${HERE}/../src/paraglide`
const SETTINGS = `${HERE}/../project.inlang/settings.json`
const { locales } = JSON.parse(readFileSync(SETTINGS, 'utf-8')) as { locales: string[] }

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
// Texts only need plurals, and creating their rules takes longer than applying them.
writeFileSync(
  `${OUT}/registry.js`,
  `/** @type {Record<string, Intl.PluralRules>} */
const RULES = {}
/** @param {string} locale @param {unknown} input */
export const plural = (locale, input) => (RULES[locale] ??= new Intl.PluralRules(locale)).select(Number(input))
`,
)
process.exit() // the compiler keeps a timer running for half a minute
