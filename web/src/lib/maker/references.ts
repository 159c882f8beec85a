/** Where a map file names a city besides its list of cities. */
import type { MapFile } from '../map/file'

export type Rules = Record<string, unknown>

interface Referring extends MapFile {
  rules?: Rules
  rulebooks?: Record<string, Rules>
}

type Named = (city: string) => string | null

/** The map with another id for a city in everything that names it; null: without what names it. */
export function referring(map: MapFile, id: string, fresh: string | null): MapFile {
  const named: Named = (city) => (city === id ? fresh : city)
  const { rules, rulebooks, variants } = map as Referring
  const found: Referring = { ...map, connections: connectionsIn(map.connections, named) }
  if (rules) found.rules = rulesIn(rules, named)
  if (rulebooks) found.rulebooks = each(rulebooks, (of) => rulesIn(of, named))
  if (variants) found.variants = each(variants, (variant) => variantIn(variant, named))
  return found
}

const each = <T>(of: Record<string, T>, change: (one: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(of).map(([key, one]) => [key, change(one)]))

function connectionsIn<T extends [string, string, ...unknown[]]>(connections: T[], named: Named): T[] {
  return connections.flatMap(([a, b, ...rest]) => {
    const [from, to] = [named(a), named(b)]
    return from === null || to === null ? [] : [[from, to, ...rest] as T]
  })
}

const listed = (cities: unknown, named: Named) =>
  (cities as string[]).map(named).filter((city): city is string => city !== null)

function rulesIn(rules: Rules, named: Named): Rules {
  const { no_start, slots, discounts, networks, ...rest } = rules
  const found: Rules = { ...rest }
  if (no_start) found.no_start = listed(no_start, named)
  if (slots) {
    const entries = Object.entries(slots).map(([city, own]): [string | null, unknown] => [named(city), own])
    found.slots = Object.fromEntries(entries.filter(([city]) => city !== null))
  }
  if (discounts)
    found.discounts = (discounts as { city: string }[])
      .map((discount) => ({ ...discount, city: named(discount.city) }))
      .filter(({ city }) => city !== null)
  if (networks) {
    const { starts, ...others } = networks as { starts?: string[] }
    found.networks = starts ? { ...others, starts: listed(starts, named) } : others
  }
  return found
}

interface Variant {
  rules?: Rules
  connections?: [string, string, number][]
  no_connections?: [string, string][]
}

function variantIn<T extends object>(variant: T, named: Named): T {
  const { rules, connections, no_connections } = variant as Variant
  const found: Variant = { ...variant }
  if (rules) found.rules = rulesIn(rules, named)
  if (connections) found.connections = connectionsIn(connections, named)
  if (no_connections) found.no_connections = connectionsIn(no_connections, named)
  return found as T
}
