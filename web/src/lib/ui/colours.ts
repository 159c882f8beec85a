/** The colours of players: the six are always the same, who has which can be chosen on every screen. */

export const COLOURS = [0, 1, 2, 3, 4, 5]

/** Gives a seat the colour that is wished for, and the seat it belonged to that of the first. */
export function applyColour(seat: number | undefined, colour: number | null) {
  const { style } = document.documentElement
  for (const each of COLOURS) style.removeProperty(`--player-${each}`)
  if (seat === undefined || colour === null) return
  style.setProperty(`--player-${colour}`, `var(--colour-${seat})`)
  style.setProperty(`--player-${seat}`, `var(--colour-${colour})`)
}
