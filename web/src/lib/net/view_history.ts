/** The latest views, with the number of log rows at that time. */
export class ViewHistory<V> {
  #views: { rows: number; view: V }[] = []

  constructor(private readonly most = 80) {}

  /** Views of as many or more rows are dropped: those rows have been undone. */
  add(rows: number, view: V) {
    this.#views = [...this.#views.filter((each) => each.rows < rows), { rows, view }].slice(-this.most)
  }

  /** The view after so many rows of the log, if it was recorded. */
  at(rows: number): V | undefined {
    return this.#views.findLast((each) => each.rows <= rows)?.view
  }
}
