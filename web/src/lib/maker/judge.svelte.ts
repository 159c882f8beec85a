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

  /** Whether the figures are those of another map. */
  isStale = (map: MapFile) => this.found !== null && this.#judged !== playedOn(map)

  async begin(map: MapFile) {
    if (this.isStale(map)) this.found = null
    this.#judged = playedOn(map)
    this.problem = ''
    this.running = true
    try {
      do {
        this.found = await api.judgeMap(map, this.found?.so_far)
      } while (this.running && this.found.games < this.found.of)
    } catch (error) {
      this.problem = problemWords(error)
    }
    this.running = false
  }

  stop() {
    this.running = false
  }
}
