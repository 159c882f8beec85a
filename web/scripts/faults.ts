/**
 * Puts every small fault into the sources of a copy of the page, each behind a switch, and lists them:
 * `node scripts/faults.ts COPY`, where COPY/web/src is such a copy. `make mutants ROOMS=web` runs it.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { Instrumenter } from '@stryker-mutator/instrumenter'

/**
 * Not tried: what workers run, where no switch reaches; what draws the maps when the page is built, millions of times;
 * what scripts have written.
 */
const OTHERS = /^(texts|maps|lib\/local)\/|^lib\/map\/(draw|faults|labels|layout)\.ts$|^lib\/net\/schema\.ts$|\.d\.ts$/
/** Types know where there may be nothing. */
const UNTRIED = ['OptionalChaining']

const src = `${process.argv[2]}/web/src`
const quiet = { isDebugEnabled: () => false, debug() {}, info() {}, warn() {} }
const instrumenter = new Instrumenter(quiet as never)
const hidden: string[] = []

const put = (text: string) => `hidden${hidden.push(text) - 1}_`

/** What the build reads as text, and what the instrumenter misreads in templates, patterns and objects, is left alone. */
const hide = (name: string, code: string) =>
  (name.endsWith('.svelte') ? hideBraces(code) : code).replace(/import\.meta\.glob<[^(]*>\([^)]*\)/g, put)

function hideBraces(code: string): string {
  const opening = /\{(@const\s+)(?=[[{])|(?:=\{|\{#each\s+)(?=\{)/g
  let out = ''
  let from = 0
  for (let found = opening.exec(code); found; found = opening.exec(code)) {
    const start = found.index + found[0].length
    const end = found[1] ? closing(code, found.index) : closing(code, start) + 1
    const name = put(code.slice(start, end))
    out += code.slice(from, start) + (found[1] ? `${name} = 0` : name)
    from = opening.lastIndex = end
  }
  return out + code.slice(from)
}

/** Where the brace that opens here is closed. */
function closing(code: string, open: number): number {
  let depth = 0
  for (let at = open; at < code.length; at++) {
    if (code[at] === '{') depth++
    else if (code[at] === '}' && --depth === 0) return at
  }
  throw new Error(`an open brace: ${code.slice(open, open + 80)}`)
}

const show = (code: string) => code.replace(/hidden(\d+)_( = 0)?/g, (_, nth) => hidden[Number(nth)]!)

const names = globSync('**/*.{ts,svelte}', { cwd: src }).filter((name) => !OTHERS.test(name))
const sources = new Map(names.sort().map((name) => [name, readFileSync(`${src}/${name}`, 'utf-8')]))
const files = [...sources].map(([name, code]) => ({
  name,
  mutate: true,
  content: hide(name, code),
}))
const options = { plugins: null, excludedMutations: UNTRIED, ignorers: [] }
const made = await instrumenter.instrument(files, options)
for (const { name, content } of made.files) writeFileSync(`${src}/${name}`, show(content))

const lines = new Map(files.map(({ name, content }) => [name, content.split('\n')]))
const faults = made.mutants
  .filter(({ status }) => status !== 'Ignored')
  .map(({ id, fileName, mutatorName, replacement, location: { start, end } }) => {
    const text = lines.get(fileName)!.slice(start.line, end.line + 1)
    text[text.length - 1] = text.at(-1)!.slice(0, end.column)
    text[0] = text[0]!.slice(start.column)
    return {
      number: Number(id),
      path: `web/src/${fileName}`,
      line: start.line + 1,
      place: mutatorName,
      before: show(text.join('\n')),
      after: show(replacement),
    }
  })
  // Texts without values in them are names of classes and keys.
  .filter(({ place, before }) => place !== 'StringLiteral' || before.startsWith('`'))
writeFileSync(`${process.argv[2]}/faults.json`, JSON.stringify(faults))
