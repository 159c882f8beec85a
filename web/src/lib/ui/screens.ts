/**
 * The kinds of screens a table is laid out for, told once: styles say `@media (--small)`, code asks
 * `screens.small`. Whoever is small may be low as well: a phone on its side.
 */
export const SCREENS = {
  /** A phone: one panel at a time. */
  small: '(max-width: 720px), (max-height: 500px)',
  /** A phone on its side: what is played on is left, the panel right. */
  low: '(max-height: 500px) and (min-width: 560px)',
  /** Room for everything, but not for everything in full size. */
  tight: '(max-height: 820px) and (min-height: 501px) and (min-width: 721px)',
  /** No phone, but not broad enough for all figures of a company. */
  narrow: '(max-width: 1320px) and (min-width: 721px)',
  /** A tablet that is held upright. */
  upright: '(max-width: 1000px) and (min-width: 721px) and (min-height: 501px)',
  /** As large as a table. */
  huge: '(min-width: 2200px) and (min-height: 1200px)',
  /** A desk broad enough for the players to have a side of their own. */
  wide: '(min-width: 1200px) and (min-height: 501px)',
} as const
