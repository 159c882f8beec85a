/** A map file (docs/maps.md): the part of it that the page uses. */

export type Point = [number, number]

export interface MapFile {
  id: string
  name: string
  called?: string
  regions: string[]
  cities: { id: string; name: string; region: string; lon: number; lat: number; cost?: number }[]
  connections: [string, string, number][]
  transit_cost?: number
  region_names?: Record<string, Record<string, string>>
  names?: Record<string, string>
  about?: Record<string, string>
  difficulty?: number
  section?: string
  doubts?: object[]
  variants?: Record<string, { names: Record<string, string>; rule?: string; players?: number[] }>
  layout?: Layout
  countries?: string[]
}

export interface Layout {
  canvas: Point
  projection?: string
  cities: Record<string, Point>
  /** The land as an SVG path, where no projection says what to draw. */
  outline?: string
}
