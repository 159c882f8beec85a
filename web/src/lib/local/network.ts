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

  /** Logits: plain ones, of all cities, of runs by plant and mix; then the values of the seats. */
  forward(others: Float32Array, cities: Float32Array): Float64Array {
    const columns = this.#weights.get('city.w')!.values.length / this.#weights.get('city.w')!.width
    const rows: Float64Array[] = []
    for (let first = 0; first < cities.length; first += columns) {
      const row = cities.subarray(first, first + columns)
      rows.push(row[0] ? this.#dense('city', row).map(positive) : new Float64Array(this.#weights.get('city.w')!.width))
    }
    const present = rows.filter((_, at) => cities[at * columns])
    let hidden = this.#layer('layer0', [...others, ...mean(rows, present.length || 1), ...highest(rows)])
    for (let at = 1; this.#weights.has(`layer${at}.w`); at += 1) {
      const more = this.#layer(`layer${at}`, hidden)
      hidden = hidden.map((value, i) => value + more[i]!)
    }
    const mind = this.#dense('city_mind', hidden)
    const wishes = rows.map((row) => {
      const joint = this.#dense('city_place', row).map((value, i) => positive(value + mind[i]!))
      return this.#dense('city_wish', joint)[0]!
    })
    const [plain, run, value] = ['plain', 'run', 'value'].map((name) => this.#dense(name, hidden)) as Float64Array[]
    return Float64Array.of(...plain!, ...wishes, ...run!, ...value!)
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

  #layer(name: string, x: ArrayLike<number>): Float64Array {
    const y = this.#dense(name, x)
    const middle = average(y)
    const spread = Math.sqrt(average(y.map((value) => (value - middle) ** 2)) + SMALLEST_VARIANCE)
    const gains = this.#weights.get(`${name}.g`)!.values
    return y.map((value, i) => positive(((value - middle) / spread) * gains[i]!))
  }
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
