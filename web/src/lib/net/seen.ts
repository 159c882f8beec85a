/** What was seen lately, with how much had happened then. */
export class Seen<V> {
  #views: { rows: number; view: V }[] = []

  constructor(private readonly most = 80) {}

  /** What was seen when as much or more had happened has been taken back. */
  keep(rows: number, view: V) {
    this.#views = [...this.#views.filter((each) => each.rows < rows), { rows, view }].slice(-this.most)
  }

  /** What lay there after so many rows of the log, as far as that was seen. */
  at(rows: number): V | undefined {
    return this.#views.findLast((each) => each.rows <= rows)?.view
  }
}
