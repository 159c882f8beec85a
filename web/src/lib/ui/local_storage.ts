/** Gives the page a `localStorage` that lasts as long as it does, where the browser refuses one. */

const PROBE = 'hv-probe'

class Memory implements Storage {
  readonly #values = new Map<string, string>();
  [name: string]: unknown
  get length() {
    return this.#values.size
  }
  key = (at: number) => [...this.#values.keys()][at] ?? null
  getItem = (key: string) => this.#values.get(key) ?? null
  setItem = (key: string, value: string) => void this.#values.set(key, value)
  removeItem = (key: string) => void this.#values.delete(key)
  clear = () => this.#values.clear()
}

try {
  localStorage.setItem(PROBE, '')
  localStorage.removeItem(PROBE)
} catch {
  Object.defineProperty(window, 'localStorage', { value: new Memory() })
}
