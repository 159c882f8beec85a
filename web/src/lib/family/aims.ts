/** What to press for the moves that all rulebooks know, as selectors: the first that can be seen. */

export const PLAY = '.bar [data-primary]'
const PASS = '.bar [data-key="p"]'
const DONE = '.bar [data-key="d"]'

/** The main button once something is there, and before that what leads to it. */
export const after = (done: string, ...before: string[]) => [`body:has(${done}) ${PLAY}`, ...before]

/**
 * The cards lie on a tab of this name where the screen is small. A move may name a card by its number,
 * where cards of one number are told apart by letters.
 */
export function sharedAims(move: string, tab: string): string[] {
  const [verb = '', card = ''] = move.split(' ')
  if (verb === 'nominate') {
    const named = `:is(${['', 'b', 'c', 'd', 'e'].map((letter) => `[data-card="${card}${letter}"]`).join()})`
    return after(`.card.chosen${named}`, `.card.offered${named}`, `#tab-${tab}`)
  }
  if (verb === 'scrap') return [`.bar [data-scrap="${card}"]`]
  if (verb === 'pass') return [PASS]
  return verb === 'done' ? [DONE] : [PLAY]
}
