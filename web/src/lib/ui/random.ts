/** Pseudo-random numbers between 0 and 1, the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let last = seed
  return () => {
    last = (last * 16_807) % 2_147_483_647
    return last / 2_147_483_647
  }
}
