import { named } from './scripts/screens.ts'

export default {
  compilerOptions: { runes: true },
  preprocess: [{ style: ({ content }) => ({ code: named(content) }) }],
}
