/** Compiles messages/*.json into src/paraglide, after checking that every language says everything. */
import { readFileSync } from 'node:fs'
import { compile } from '@inlang/paraglide-js'

const HERE = import.meta.dirname
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
  outdir: `${HERE}/../src/paraglide`,
  strategy: ['localStorage', 'preferredLanguage', 'baseLocale'],
})
process.exit() // the compiler keeps a timer running for half a minute
