/**
 * The kinds of screens that a table is laid out for, defined once: styles write `@media (--small)`,
 * code reads `screens.small`. A small screen may be low as well: a phone in landscape.
 */
export const SCREENS = {
  /** A phone: one panel at a time. */
  small: '(max-width: 720px), (max-height: 500px)',
  /** A phone in landscape: the board is left, the panel right. */
  low: '(max-height: 500px) and (min-width: 560px)',
  /** A small phone: there is no room for a map and a panel. */
  short: '(max-width: 559px) and (max-height: 700px)',
  /** Room for everything, but not at full size. */
  tight: '(max-height: 820px) and (min-height: 501px) and (min-width: 721px)',
  /** Not a phone, but not wide enough for all figures of a company. */
  narrow: '(max-width: 1320px) and (min-width: 721px)',
  /** A tablet in portrait. */
  upright: '(max-width: 1000px) and (min-width: 721px) and (min-height: 501px)',
  /** Larger than most: cards and letters grow. */
  large: '(min-width: 1700px) and (min-height: 900px)',
  /** As large as a table. */
  huge: '(min-width: 2200px) and (min-height: 1200px)',
  /** A screen wide enough for a column of players. */
  wide: '(min-width: 1200px) and (min-height: 501px)',
} as const
