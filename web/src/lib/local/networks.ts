/** The networks of the tycoon, loaded when it first thinks about a game of their rulebook. */
import type { PyCallable, PyProxy } from 'pyodide/ffi'
import { Network, type Parts } from './network'
import type { Python } from './python'

/** What of a question matters here (`ChooseRequest` in rooms/thinking.py). */
interface Task {
  bot?: string
  rulebook?: string
}

export class Networks {
  readonly #known = new Map<string, Promise<boolean>>()

  constructor(
    private readonly python: Python,
    /** The address of our package; the weights are in a folder beside it. */
    private readonly wheel: string,
  ) {}

  /** Waits until the bot of a task has its network. Where there is none it says so with its move. */
  async provide(task: string): Promise<void> {
    const { bot = '', rulebook = '' } = JSON.parse(task) as Task
    if (bot.split(':')[0] !== 'tycoon') return
    const loading = this.#known.get(rulebook) ?? this.#loadAll(rulebook)
    this.#known.set(rulebook, loading)
    if (!(await loading)) this.#known.delete(rulebook) // perhaps there is a network connection later
  }

  async #loadAll(rulebook: string): Promise<boolean> {
    const networks = this.python.runPython(
      'from highvoltage.bots.tycoon.evaluation import NETWORKS\nNETWORKS',
    ) as PyProxy
    const names = networks.toJs({ dict_converter: Object.fromEntries }) as Record<string, string[]>
    const found = await Promise.all((names[rulebook] ?? []).map((name) => this.#load(name)))
    return found.every(Boolean)
  }

  async #load(name: string): Promise<boolean> {
    try {
      const answer = await fetch(new URL(`weights/${name}.safetensors`, this.wheel).href)
      if (!answer.ok) return false
      const network = new Network(await answer.arrayBuffer())
      const add = this.python.runPython(
        'from highvoltage.bots.tycoon.plain import add_network\nadd_network',
      ) as PyCallable
      add(name, { forward: this.#forward(network) }, this.python.toPy(network.about))
      return true
    } catch {
      return false
    }
  }

  #forward = (network: Network) => (given: PyProxy) => {
    const parts = given.toJs({ dict_converter: Object.fromEntries }) as Parts
    const found = Object.entries(network.forward(parts)).map(([name, values]) => [name, [...values]])
    return this.python.toPy(Object.fromEntries(found)) as unknown
  }
}
