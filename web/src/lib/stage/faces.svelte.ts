/** Cards as they were seen last: one that was sold is still shown for a moment. */
export class Faces<Face extends { card: string }> {
  #known = new Map<string, Face>()

  /** Made while a component is set up. */
  constructor(seen: () => Face[]) {
    $effect.pre(() => {
      for (const face of seen()) this.#known.set(face.card, face)
    })
  }

  get(card: string): Face | undefined {
    return this.#known.get(card)
  }
}
