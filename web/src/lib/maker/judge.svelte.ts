/** The verdict on a map: bots play on it, some games at a time, until there are enough or somebody stops them. */
import type { MapFile } from '../map/file'
import { api } from '../net/api'
import { problemWords } from '../net/problem'
import type { MapTrial, MapVerdict } from '../net/protocol'
import type { MapDraft } from './draft.svelte'

/** Games by which a new map is judged, and how often its costs are changed: as `highvoltage map make` does. */
export const QUICK_GAMES = 100
export const TRIES = 8

/** What matters to the games: neither names nor positions. */
const playedOn = ({ id, layout, name, region_names, ...map }: MapFile) =>
  JSON.stringify({ ...map, cities: map.cities.map(({ id, region, cost }) => [id, region, cost]) })

export const oddFigures = ({ figures }: MapVerdict) => figures.filter(({ usual }) => !usual).length

/** A map that is mended until it is a usual one. */
interface Mending {
  draft: MapDraft
  current: MapFile
  best: { map: MapFile; found: MapVerdict } | null
}

/** Whoever goes on drawing has the map as it is. */
const hasChanged = ({ draft, current }: Mending) => playedOn(draft.file()) !== playedOn(current)

export class MapJudge {
  found = $state.raw<MapVerdict | null>(null)
  running = $state(false)
  /** While a map is mended: which try this is, from 1. */
  attempt = $state(0)
  problem = $state('')
  #judged = $state('')
  #run = 0
  #mending: Mending | null = null

  /** Whether the figures are those of another map. */
  isStale = (map: MapFile) => this.found !== null && this.#judged !== playedOn(map)

  async begin(map: MapFile) {
    await this.#attend(async (run) => void (await this.#play(run, map)))
  }

  /** Judges a map by few games and changes its costs, until nothing is odd. */
  async mendUntilUsual(draft: MapDraft) {
    await this.#attend(async (run) => {
      const mending: Mending = { draft, current: draft.file(), best: null }
      this.#mending = mending
      for (this.attempt = 1; this.attempt <= TRIES; this.attempt += 1) {
        this.found = null
        const seed = `mend/${this.attempt - 1}` // the games of the command
        const found = await this.#play(run, mending.current, { games: QUICK_GAMES, seed })
        if (!found) return
        const { current, best } = mending
        if (!best || oddFigures(found) < oddFigures(best.found)) mending.best = { map: current, found }
        if (!oddFigures(found)) return
        const mended = await api.mendMap(current, found.so_far)
        if (run !== this.#run || hasChanged(mending)) return
        draft.takeCosts(mended)
        mending.current = draft.file()
      }
    })
  }

  /** Stopped when the task is done or fails. */
  async #attend(task: (run: number) => Promise<void>) {
    this.stop()
    this.problem = ''
    this.running = true
    const run = this.#run
    try {
      await task(run)
    } catch (error) {
      if (run === this.#run) this.problem = problemWords(error)
    }
    if (run === this.#run) this.stop()
  }

  /** What the wanted games show; null if somebody stopped them or changed the map that is mended. */
  async #play(run: number, map: MapFile, wish: Pick<MapTrial, 'games' | 'seed'> = {}): Promise<MapVerdict | null> {
    if (this.isStale(map)) this.found = null
    this.#judged = playedOn(map)
    for (;;) {
      const found = await api.judgeMap({ ...wish, map, so_far: this.found?.so_far ?? {} })
      if (run !== this.#run) return null
      this.found = found
      if (this.#mending && hasChanged(this.#mending)) return null
      if (found.games >= (wish.games ?? found.of)) return found
    }
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

  /** Games that are being played are not waited for; of the maps that were tried, the best is kept. */
  stop() {
    this.#run += 1
    this.running = false
    this.attempt = 0
    const mending = this.#mending
    this.#mending = null
    if (!mending?.best || hasChanged(mending)) return
    mending.draft.takeCosts(mending.best.map)
    mending.draft.settle()
    this.found = mending.best.found
    this.#judged = playedOn(mending.draft.file())
  }
}
