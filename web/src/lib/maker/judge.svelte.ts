/** The verdict on a map: bots play on it, some games at a time, until there are enough or somebody stops them. */
import type { MapFile } from '../map/file'
import { api } from '../net/api'
import { problemWords } from '../net/problem'
import type { MapVerdict } from '../net/protocol'

/** What matters to the games: neither names nor positions. */
const playedOn = ({ layout, name, region_names, ...map }: MapFile) =>
  JSON.stringify({ ...map, cities: map.cities.map(({ id, region, cost }) => [id, region, cost]) })

export class MapJudge {
  found = $state.raw<MapVerdict | null>(null)
  running = $state(false)
  problem = $state('')
  #judged = $state('')
  #run = 0

  /** Whether the figures are those of another map. */
  isStale = (map: MapFile) => this.found !== null && this.#judged !== playedOn(map)

  async begin(map: MapFile) {
    if (this.isStale(map)) this.found = null
    this.#judged = playedOn(map)
    this.problem = ''
    this.running = true
    const run = ++this.#run
    try {
      do {
        const found = await api.judgeMap(map, this.found?.so_far)
        if (run !== this.#run) return
        this.found = found
      } while (this.found.games < this.found.of)
    } catch (error) {
      if (run !== this.#run) return
      this.problem = problemWords(error)
    }
    this.running = false
  }

  /** The map with costs by which it plays more like an official board; null if that fails. */
  async mended(map: MapFile): Promise<MapFile | null> {
    this.problem = ''
    try {
      return await api.mendMap(map, this.found!.so_far)
    } catch (error) {
      this.problem = problemWords(error)
      return null
    }
  }

  /** Games that are being played are not waited for. */
  stop() {
    this.#run += 1
    this.running = false
  }
}
