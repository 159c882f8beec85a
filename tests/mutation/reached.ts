/** Keeps which faults each test of the page without a browser reaches, for page.py. */
import { appendFileSync } from 'node:fs'
import { afterEach, beforeEach, type TestContext } from 'vitest'

interface Switch {
  currentTestId?: string | undefined
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> }
}
const faults: Switch = ((globalThis as { __stryker__?: Switch }).__stryker__ ??= {})

const nameOf = ({ name, suite }: TestContext['task']): string => (suite?.name ? `${nameOf(suite as never)} ${name}` : name)

let began = process.cpuUsage()
beforeEach(({ task }) => {
  began = process.cpuUsage()
  faults.currentTestId = nameOf(task)
})
afterEach(({ task }) => {
  const { user, system } = process.cpuUsage(began)
  const name = nameOf(task)
  faults.currentTestId = undefined
  const { static: loading = {}, perTest = {} } = faults.mutantCoverage ?? {}
  const reached = Object.keys({ ...loading, ...perTest[name] }).map(Number)
  if (process.env.REACHED)
    appendFileSync(process.env.REACHED, `${JSON.stringify([name, (user + system) / 1e6, reached])}\n`)
})
