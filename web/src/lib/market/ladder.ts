/** A ladder of prices: what can be bought, cheapest first. */

export interface Rung {
  price: number
  /** For each place its content: 0 is the next to be bought; null where it is empty. */
  places: (number | null)[]
}

/** The places of a ladder by price, cheapest left; the stock fills the expensive end. */
export function rungs(ladder: number[], stock: number, together = ladder.length > 12): Rung[] {
  const found: Rung[] = []
  ladder.forEach((price, place) => {
    const token = place - (ladder.length - stock)
    const rung = found.at(-1)?.price === price && together ? found.at(-1)! : null
    if (rung) rung.places.push(token >= 0 ? token : null)
    else found.push({ price, places: [token >= 0 ? token : null] })
  })
  return found
}
