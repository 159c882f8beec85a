/**
 * The tycoon's network over typed arrays: what `bots/tycoon/network.py` computes with NumPy, for one
 * position at a time. It reads the same file of weights, in the format of safetensors.
 */

interface Entry {
  dtype: string
  shape: number[]
  data_offsets: [number, number]
}

interface Tensor {
  width: number
  values: Float32Array
}

export type Parts = Record<string, Float32Array>
type Outputs = Record<string, Float64Array>

const SMALLEST_VARIANCE = 1e-5

export class Network {
  /** What is said in the file about its weights. */
  readonly about: Record<string, string>
  readonly #weights = new Map<string, Tensor>()

  constructor(file: ArrayBuffer) {
    const size = Number(new DataView(file).getBigUint64(0, true))
    const { __metadata__, ...entries } = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 8, size))) as Record<
      string,
      Entry
    > & { __metadata__: Record<string, string> }
    this.about = __metadata__
    for (const [name, { dtype, shape, data_offsets }] of Object.entries(entries)) {
      const [first, end] = data_offsets
      const bytes = file.slice(8 + size + first, 8 + size + end)
      this.#weights.set(name, { width: shape.at(-1)!, values: numbers(bytes, dtype) })
    }
  }

  /**
   * What each of the last layers says: `plain`, `run` and `value`, those of all cities, and those of
   * what only some maps have. Of an observation `cities` are rows of cities, `starts` a number for
   * each of them, `others` all that every map has beside, and the rest by name what some maps have.
   */
  forward({ cities, others, starts, ...own }: Parts): Outputs {
    const { rows: columns, width } = this.#size('city')
    const rows: Float64Array[] = []
    for (let first = 0; first < cities!.length; first += columns) {
      const row = this.#dense('city', cities!.subarray(first, first + columns))
      if (starts) add(row, this.#dense('city_starts', [starts[rows.length]!]))
      rows.push(cities![first] ? row.map(positive) : new Float64Array(width))
    }
    const present = rows.filter((_, at) => cities![at * columns])
    const seen = this.#dense('layer0', [...others!, ...mean(rows, present.length || 1), ...highest(rows)])
    for (const [name, part] of Object.entries(own)) add(seen, this.#dense(`part_${name}`, part))
    let hidden = this.#normal('layer0', seen)
    for (let at = 1; this.#weights.has(`layer${at}.w`); at += 1) {
      const more = this.#normal(`layer${at}`, this.#dense(`layer${at}`, hidden))
      hidden = hidden.map((value, i) => value + more[i]!)
    }
    const mind = this.#dense('city_mind', hidden)
    const joint = rows.map((row) => this.#dense('city_place', row).map((value, i) => positive(value + mind[i]!)))
    const found: Outputs = {}
    for (const name of ['city_wish', 'city_start'].filter((name) => this.#weights.has(`${name}.w`)))
      found[name] = Float64Array.from(joint, (row) => this.#dense(name, row)[0]!)
    const heads = [...this.#weights.keys()].filter((name) => /^head_.*\.w$/.test(name)).map((name) => name.slice(0, -2))
    for (const name of ['plain', 'run', 'value', ...heads]) found[name] = this.#dense(name, hidden)
    return found
  }

  #size(name: string): { rows: number; width: number } {
    const { width, values } = this.#weights.get(`${name}.w`)!
    return { rows: values.length / width, width }
  }

  #dense(name: string, x: ArrayLike<number>): Float64Array {
    const { width, values } = this.#weights.get(`${name}.w`)!
    const sums = Float64Array.from(this.#weights.get(`${name}.b`)!.values)
    for (let row = 0; row < x.length; row += 1) {
      const factor = x[row]!
      if (!factor) continue // most numbers of an observation are zero
      const first = row * width
      for (let column = 0; column < width; column += 1) sums[column]! += factor * values[first + column]!
    }
    return sums
  }

  #normal(name: string, y: Float64Array): Float64Array {
    const middle = average(y)
    const spread = Math.sqrt(average(y.map((value) => (value - middle) ** 2)) + SMALLEST_VARIANCE)
    const gains = this.#weights.get(`${name}.g`)!.values
    return y.map((value, i) => positive(((value - middle) / spread) * gains[i]!))
  }
}

function add(sums: Float64Array, more: Float64Array) {
  for (let i = 0; i < sums.length; i += 1) sums[i]! += more[i]!
}

const positive = (value: number) => Math.max(value, 0)
const average = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length

function mean(rows: Float64Array[], count: number): Float64Array {
  return rows[0]!.map((_, column) => rows.reduce((sum, row) => sum + row[column]!, 0) / count)
}

function highest(rows: Float64Array[]): Float64Array {
  return rows[0]!.map((_, column) => rows.reduce((most, row) => Math.max(most, row[column]!), 0))
}

function numbers(bytes: ArrayBuffer, dtype: string): Float32Array {
  if (dtype === 'F32') return new Float32Array(bytes)
  if (dtype !== 'F16') throw new Error(`weights of the type ${dtype} cannot be read`)
  const halves = new Uint16Array(bytes)
  const found = new Float32Array(halves.length)
  for (let i = 0; i < halves.length; i += 1) found[i] = half(halves[i]!)
  return found
}

const POWERS = Array.from({ length: 32 }, (_, exponent) => 2 ** (Math.max(1, exponent) - 25))

/** A finite number of 16 bits: sign, 5 bits of exponent, 10 of fraction. */
function half(bits: number): number {
  const exponent = (bits >> 10) & 0x1f
  const fraction = (bits & 0x3ff) + (exponent ? 0x400 : 0)
  return (bits & 0x8000 ? -fraction : fraction) * POWERS[exponent]!
}
