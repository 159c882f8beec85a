/**
 * The picture of a plant, in a frame of 80 by 44, composed of parts. Its fuel determines which parts,
 * its need how many, its capacity how large; its number varies the rest, so that no two plants are
 * alike and each is always the same.
 */
import { seededRandom } from '../ui/random'

export interface Drawing {
  solid: string
  line: string
  smoke: string
  /** In the background, and what shines. */
  far?: string
  light?: string
}

/** The properties of a plant that its picture shows. */
export interface Built {
  number: number
  fuels: string[]
  need: number
  powers?: number
  income?: number
  mine?: number
}

const GROUND = 44
const n = (value: number) => value.toFixed(1).replace(/\.0$/, '')

/** A part of a plant: its width, and its drawing from `x` on. */
interface Part {
  width: number
  draw: (pen: Pen, x: number) => void
}

class Pen {
  solid = ''
  line = ''
  smoke = ''
  light = ''
  far = ''

  block(x: number, width: number, height: number) {
    this.solid += `M${n(x)} ${GROUND}V${n(GROUND - height)}h${n(width)}V${GROUND}Z`
  }
  /** Windows in a wall, some of them lit. */
  windows(x: number, width: number, height: number, chance: () => number) {
    for (let dx = 2.5; dx < width - 3; dx += 4.5)
      if (chance() < 0.6) this.light += `M${n(x + dx)} ${n(GROUND - height + 4)}h2.200v2.600h-2.200Z`
  }
  curl(x: number, y: number, size: number) {
    this.smoke += `M${n(x)} ${n(y)}c${n(size)} ${n(-size * 1.2)} ${n(size * 1.8)} ${n(size * 0.2)} ${n(size * 3)} ${n(-size)}`
  }
}

type Chance = () => number

const hall = (width: number, height: number, roof: number, chance: Chance): Part => ({
  width,
  draw(pen, x) {
    const top = GROUND - height
    pen.block(x, width, height)
    pen.windows(x, width, height, chance)
    if (roof === 0) {
      const tooth = width / 3
      for (let i = 0; i < 3; i++) pen.solid += `M${n(x + i * tooth)} ${n(top)}v-5l${n(tooth)} 5Z`
    } else if (roof === 1) pen.solid += `M${n(x - 1)} ${n(top)}l${n(width / 2 + 1)} -6 ${n(width / 2 + 1)} 6Z`
    else if (roof === 2) pen.solid += `M${n(x)} ${n(top)}a${n(width / 2)} 6 0 0 1 ${n(width)} 0Z`
    else pen.line += `M${n(x + 3)} ${n(top)}v-4h${n(width / 3)}v4`
  },
})

const stack = (height: number, chance: Chance): Part => ({
  width: 5,
  draw(pen, x) {
    const top = GROUND - height
    pen.solid += `M${n(x)} ${GROUND}L${n(x + 1)} ${n(top)}h3l1 ${n(height)}Z`
    pen.line += `M${n(x + 0.6)} ${n(top + 4)}h3.800`
    pen.curl(x + 2.5, top - 1.5, 2 + chance())
  },
})

const heap = (width: number, height: number): Part => ({
  width,
  draw(pen, x) {
    pen.solid += `M${n(x)} ${GROUND}l${n(width * 0.3)} ${n(-height * 0.8)} ${n(width * 0.25)} ${n(-height * 0.2)} ${n(width * 0.45)} ${n(height)}Z`
  },
})

const tank = (width: number, height: number): Part => ({
  width,
  draw(pen, x) {
    pen.solid += `M${n(x)} ${GROUND}v${n(-height)}q${n(width / 2)} -5 ${n(width)} 0v${n(height)}Z`
    pen.line += `M${n(x + 2)} ${n(GROUND - height * 0.55)}h${n(width - 4)}`
  },
})

const derrick = (height: number): Part => ({
  width: 14,
  draw(pen, x) {
    const top = GROUND - height
    pen.line += `M${n(x)} ${GROUND}L${n(x + 7)} ${n(top)}l7 ${n(height)}`
    for (const at of [0.3, 0.6, 0.85]) pen.line += `M${n(x + 7 - 7 * at)} ${n(top + height * at)}h${n(14 * at)}`
    pen.light += `M${n(x + 7)} ${n(top - 7)}q3 4 0 6.500q-3 -2.500 0 -6.500Z`
  },
})

/** The tower over a shaft: two legs, a strut to the engine house, and the wheel. */
const headframe = (height: number): Part => ({
  width: 30,
  draw(pen, x) {
    const top = GROUND - height
    pen.block(x, 11, height * 0.34)
    pen.line += `M${n(x + 15)} ${GROUND}L${n(x + 17)} ${n(top)}h5L${n(x + 24)} ${GROUND}M${n(x + 8)} ${n(GROUND - height * 0.34)}L${n(x + 18)} ${n(top)}`
    for (const at of [0.35, 0.7]) pen.line += `M${n(x + 16)} ${n(top + height * at)}h7`
    pen.line += `M${n(x + 15)} ${n(top - 3)}a4.500 4.500 0 1 1 9 0a4.500 4.500 0 1 1 -9 0M${n(x + 19.5)} ${n(top - 3)}V${GROUND}`
  },
})

const sphere = (r: number): Part => ({
  width: r * 2,
  draw(pen, x) {
    const y = GROUND - r - 3
    pen.solid += `M${n(x)} ${n(y)}a${n(r)} ${n(r)} 0 1 1 ${n(r * 2)} 0 ${n(r)} ${n(r)} 0 1 1 ${n(-r * 2)} 0Z`
    pen.line += `M${n(x + r * 0.5)} ${n(y + r * 0.8)}L${n(x + r * 0.3)} ${GROUND}M${n(x + r * 1.5)} ${n(y + r * 0.8)}L${n(x + r * 1.7)} ${GROUND}`
  },
})

const skip = (width: number, height: number): Part => ({
  width,
  draw(pen, x) {
    pen.solid += `M${n(x + 2)} ${GROUND}L${n(x)} ${n(GROUND - height)}h${n(width)}L${n(x + width - 2)} ${GROUND}Z`
    pen.line += `M${n(x + 3)} ${n(GROUND - height)}l3 -7 6 3 3 4`
  },
})

const crane = (height: number): Part => ({
  width: 12,
  draw(pen, x) {
    const top = GROUND - height
    pen.line += `M${n(x + 3)} ${GROUND}V${n(top)}H${n(x + 14)}M${n(x + 3)} ${n(top + 5)}L${n(x + 9)} ${n(top)}M${n(x + 12)} ${n(top)}v7`
    pen.solid += `M${n(x + 9.5)} ${n(top + 7)}h5l-1 4h-3Z`
  },
})

const cooling = (width: number, height: number): Part => ({
  width,
  draw(pen, x) {
    const top = GROUND - height
    const waist = width * 0.17
    pen.solid += `M${n(x)} ${GROUND}Q${n(x + waist * 1.6)} ${n(GROUND - height * 0.55)} ${n(x + waist)} ${n(top)}H${n(x + width - waist)}Q${n(x + width - waist * 1.6)} ${n(GROUND - height * 0.55)} ${n(x + width)} ${GROUND}Z`
    pen.curl(x + width * 0.35, top - 2, width * 0.15)
  },
})

const reactor = (width: number, height: number): Part => ({
  width,
  draw(pen, x) {
    pen.solid += `M${n(x)} ${GROUND}v${n(-height)}a${n(width / 2)} ${n(width / 2)} 0 0 1 ${n(width)} 0V${GROUND}Z`
    pen.light += `M${n(x + width / 2 - 1.5)} ${n(GROUND - height)}h3v3.500h-3Z`
  },
})

const turbine = (height: number, blade: number, turn: number): Part => ({
  width: blade * 1.1,
  draw(pen, x) {
    const [hx, hy] = [x + blade * 0.55, GROUND - height]
    pen.solid += `M${n(hx - 1.6)} ${GROUND}L${n(hx - 0.6)} ${n(hy)}h1.200L${n(hx + 1.6)} ${GROUND}Z`
    for (let i = 0; i < 3; i++) {
      const angle = turn + (i * 2 * Math.PI) / 3
      pen.line += `M${n(hx)} ${n(hy)}l${n(Math.sin(angle) * blade)} ${n(-Math.cos(angle) * blade)}`
    }
  },
})

const panels = (width: number): Part => ({
  width,
  draw(pen, x) {
    pen.solid += `M${n(x)} 40l4 -13h${n(width - 4)}l-4 13Z`
    pen.light += `M${n(x + width * 0.45)} 29.500h3.500l-0.800 2.500h-3.500Z`
    pen.line += `M${n(x + width * 0.4)} 40V${GROUND}`
  },
})

/** Piers with a way across, and water between them. */
const dam = (width: number, height: number): Part => ({
  width,
  draw(pen, x) {
    const step = (width - 5) / 4
    pen.solid += `M${n(x - 2)} ${n(GROUND - height)}h${n(width + 4)}v4h${n(-width - 4)}Z`
    for (let i = 0; i < 5; i++) {
      pen.block(x + i * step, 5, height)
      if (i === 4) break
      for (const dx of [0.35, 0.65])
        pen.smoke += `M${n(x + 5 + i * step + (step - 5) * dx)} ${n(GROUND - height * 0.6)}V${GROUND - 1}`
    }
  },
})

/** A star that is held in a ring. */
const fusion: Part = {
  width: 56,
  draw(pen, x) {
    pen.block(x, 10, 14)
    pen.block(x + 46, 10, 14)
    pen.line += `M${n(x + 10)} 26a18 15 0 1 1 36 0 18 15 0 1 1 -36 0Z`
    pen.light += `M${n(x + 28)} 15l3 8 8 3 -8 3 -3 8 -3 -8 -8 -3 8 -3Z`
  },
}

const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

type Make = (size: number, need: number, chance: Chance, number: number) => Part[]

const MAKES: Record<string, Make> = {
  coal: (size, need, chance) => [
    hall(16 + size * 1.2, 12 + size, 0, chance),
    ...times(need, (i) => stack(20 + size * 1.6 - i * 3, chance)),
    heap(13, 6 + need * 2),
  ],
  oil: (size, need, chance) => [
    ...times(need, (i) => tank(12 + size * 0.5, 11 + size + (i % 2) * 4)),
    derrick(22 + size * 1.4),
    ...(size > 3 ? [hall(12, 9 + size, 3, chance)] : []),
  ],
  hybrid: (size, need, chance) => [
    hall(15 + size, 12 + size, 1, chance),
    ...times(Math.max(1, need - 1), (i) => stack(22 + size * 1.4 - i * 4, chance)),
    tank(14 + size * 0.6, 12 + size * 0.7),
    heap(10, 7),
  ],
  gas: (size, need, chance) => [
    hall(13 + size, 11 + size, 3, chance),
    stack(21 + size * 1.3, chance),
    ...times(need, (i) => sphere(6.5 + size * 0.35 - i * 0.8)),
  ],
  garbage: (size, need, chance) => [
    hall(14 + size, 13 + size * 0.8, 1, chance),
    stack(22 + size * 1.5, chance),
    ...times(need, () => skip(13, 9 + size * 0.5)),
    ...(size > 3 ? [crane(22 + size)] : []),
  ],
  uranium: (size, need, chance) => [
    ...times(need + (size > 3 ? 1 : 0), (i) => cooling(17 + size, 23 + size * 1.2 - i * 5)),
    reactor(11 + size * 0.8, 6 + size),
    ...(size > 5 ? [hall(11, 10, 3, chance)] : []),
  ],
  mine: (size) => [headframe(20 + size * 1.6), heap(13, 5 + size * 1.2), heap(10, 4 + size)],
  eco(size, _, chance, number) {
    if (number >= 50) return [fusion]
    const turn = (number * 3) % 7 // wind, sun and water by turns
    if (turn === 0 || turn === 2 || turn === 3) return [dam(44 + size * 3, 16 + size * 2)]
    if (turn > 4) return [...times(Math.min(3, size), () => panels(20)), ...(size > 3 ? [turbine(26, 9, 0.7)] : [])]
    return times(Math.min(4, 1 + size), (i) =>
      turbine(27 - (i % 2) * 7 - size, 13 - size * 0.9 - (i % 2) * 2, chance() * 2),
    )
  },
}

const cache = new Map<string, Drawing>()

export function drawingOf(plant: Built): Drawing {
  const key = JSON.stringify([plant.number, plant.fuels, plant.need, plant.powers, plant.income, plant.mine])
  const known = cache.get(key)
  if (known) return known
  const drawing = draw(plant)
  cache.set(key, drawing)
  return drawing
}

/** The size of a plant, from 1 to 7: by its capacity, or by its income. */
const sizeOf = ({ powers, income = 0, mine }: Built) =>
  Math.max(1, Math.min(7, mine ?? powers ?? Math.round(income / 2)))

function draw(plant: Built): Drawing {
  const { number, fuels, need } = plant
  const chance = seededRandom(number * 7919 + 13)
  chance() // the first number is small for all small seeds
  const kind = plant.mine === undefined ? (fuels[0] ?? 'eco') : 'mine'
  const make = MAKES[fuels.length > 1 ? 'hybrid' : kind] ?? MAKES.eco!
  const parts = make(sizeOf(plant), need, chance, number)
  if (chance() < 0.5) parts.reverse()
  const full = parts.reduce((sum, { width }) => sum + width, 0)
  const gap = Math.min(5, (74 - full) / Math.max(1, parts.length - 1))
  const pen = new Pen()
  let x = 40 - (full + gap * (parts.length - 1)) / 2
  for (const part of parts) {
    part.draw(pen, x)
    x += part.width + gap
  }
  pen.line += `M3 ${GROUND}H77`
  const [left, right] = [8 + chance() * 14, 46 + chance() * 16]
  pen.far = `M2 ${GROUND}L${n(left)} ${n(24 + chance() * 10)} ${n(left + 20)} ${GROUND}ZM${n(right - 16)} ${GROUND}L${n(right)} ${n(22 + chance() * 10)} 78 ${GROUND}Z`
  const { solid, line, smoke, light, far } = pen
  return { solid, line, smoke, light, far }
}
