/** The families that the page knows. */
import type { Family } from '../family/family'

const FAMILIES: Record<string, () => Promise<{ default: Family<never> }>> = {
  board: () => import('./board'),
  cardgame: () => import('./cardgame'),
  outpost: () => import('./outpost'),
}

/** The family with this tag, loaded on first use; the plain table for an unknown one. */
export async function familyOf(tag: string): Promise<Family> {
  const load = FAMILIES[tag] ?? (() => import('./plain'))
  return (await load()).default as unknown as Family
}
