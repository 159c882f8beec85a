import { SCREENS } from '../src/lib/ui/screens.ts'

/** A style sheet with the screens that it names, `@media (--small)`, written out. */
export const named = (css: string): string =>
  Object.entries(SCREENS).reduce((text, [name, query]) => text.replaceAll(`(--${name})`, query), css)
