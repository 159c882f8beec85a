/**
 * Tells what is wrong with the labels of maps as the page draws them: `node scripts/labels.ts FILE…`,
 * or all maps that come with the package. A map needs a layout (`highvoltage map layout FILE`).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { runnerImport } from 'vite'
import type { City } from '../src/lib/map/chart'

interface MapFile {
  name: string
  cities: { id: string; name: string; region: string }[]
  connections: [string, string, number][]
  layout?: { canvas: [number, number]; cities: Record<string, [number, number]> }
}

const HERE = import.meta.dirname
const MAPS = `${HERE}/../../src/highvoltage/maps`
const { module } = await runnerImport<typeof import('../src/lib/map/faults')>(`${HERE}/../src/lib/map/faults.ts`)

const shipped = () =>
  readdirSync(MAPS)
    .filter((name) => name.endsWith('.json'))
    .map((name) => `${MAPS}/${name}`)

for (const path of process.argv.length > 2 ? process.argv.slice(2) : shipped()) {
  const map = JSON.parse(readFileSync(path, 'utf-8')) as MapFile
  const { layout } = map
  if (!layout) {
    console.log(`${map.name}: no layout; highvoltage map layout makes one`)
    process.exitCode = 1
    continue
  }
  const cities = map.cities.map((city): City => {
    const [x, y] = layout.cities[city.id]!
    return { ...city, x, y }
  })
  const faults = module.labelFaults({ cities, connections: map.connections, canvas: layout.canvas })
  for (const fault of faults) console.log(`${map.name}: ${fault}`)
  if (faults.length) process.exitCode = 1
}
