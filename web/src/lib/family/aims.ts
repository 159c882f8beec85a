/** Which elements to click for moves that all rulebooks share, as selectors: the first visible one counts. */

export const PLAY = '.bar [data-primary]'
const PASS = '.bar [data-key="p"]'
const DONE = '.bar [data-key="d"]'

/** The main button once `done` exists, before that what leads to it. */
export const after = (done: string, ...before: string[]) => [`body:has(${done}) ${PLAY}`, ...before]

/**
 * On a small screen the cards are on a tab of this name. A move may name a card by its number,
 * while cards of one number are distinguished by letters.
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
