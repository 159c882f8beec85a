/** Cards as they were last shown: a sold one stays visible for a moment. */
export class Faces<Face extends { card: string }> {
  #known = new Map<string, Face>()

  /** Create it while a component is set up. */
  constructor(current: () => Face[]) {
    $effect.pre(() => {
      for (const face of current()) this.#known.set(face.card, face)
    })
  }

  get(card: string): Face | undefined {
    return this.#known.get(card)
  }
}
