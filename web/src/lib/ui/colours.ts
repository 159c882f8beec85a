/** The colours of players: the six are always the same, each screen can choose who has which. */

export const COLOURS = [0, 1, 2, 3, 4, 5]

/** Gives a seat the chosen colour, and the seat that had it the other one. */
export function applyColour(seat: number | undefined, colour: number | null) {
  const { style } = document.documentElement
  for (const each of COLOURS) style.removeProperty(`--player-${each}`)
  if (seat === undefined || colour === null) return
  style.setProperty(`--player-${colour}`, `var(--colour-${seat})`)
  style.setProperty(`--player-${seat}`, `var(--colour-${colour})`)
}
