import { getLocale } from '../ui/locale'

/** A probability as a whole percentage. */
export const percent = (chance: number) => Math.round(100 * chance)
/** The same with its sign, which some languages separate. */
export const percentSign = (chance: number) => new Intl.NumberFormat(getLocale(), { style: 'percent' }).format(chance)

/** Lines of chances, one for each seat, in whole percentages that sum to 100 at every point. */
export function inPercent(curves: number[][]): number[][] {
  const columns = (curves[0] ?? []).map((_, i) => whole(curves.map((curve) => 100 * curve[i]!)))
  return curves.map((_, seat) => columns.map((column) => column[seat]!))
}

/** Rounds shares of 100: first down, then up those that lost most. */
function whole(shares: number[]): number[] {
  const down = shares.map(Math.floor)
  const missing = 100 - down.reduce((all, each) => all + each, 0)
  const byLoss = shares.map((_, i) => i).sort((a, b) => shares[b]! - down[b]! - (shares[a]! - down[a]!))
  for (const i of byLoss.slice(0, Math.max(0, missing))) down[i]!++
  return down
}
