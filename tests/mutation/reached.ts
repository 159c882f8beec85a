/** Keeps which faults each file of tests of the page reaches, for page.py. */
import { appendFileSync } from 'node:fs'
import { afterAll, expect } from 'vitest'

type Switch = { mutantCoverage?: { static: Record<string, number> } }

afterAll(() => {
  const { __stryker__: faults } = globalThis as { __stryker__?: Switch }
  const reached = Object.keys(faults?.mutantCoverage?.static ?? {})
  if (process.env.REACHED)
    appendFileSync(process.env.REACHED, `${JSON.stringify([expect.getState().testPath, reached])}\n`)
})
