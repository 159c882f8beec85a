/** Where the coach points. */

/** The first of these that is visible. */
export function firstVisible(selectors: string[]): Element | null {
  for (const selector of selectors) {
    const found = [...document.querySelectorAll(selector)].find((each) => each.getClientRects().length)
    if (found) return found
  }
  return null
}
