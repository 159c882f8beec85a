/** Makes what the page is built from beside its code, side by side: drawn maps and compiled texts. */
import { fork } from 'node:child_process'
import { once } from 'node:events'

const done = ['geo.ts', 'texts.ts'].map((script) => once(fork(`${import.meta.dirname}/${script}`), 'exit'))
for (const [code] of await Promise.all(done)) if (code !== 0) process.exit(1)
