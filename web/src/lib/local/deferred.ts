/** A promise that is settled from outside. */
export class Deferred<T> {
  resolve!: (value: T) => void
  reject!: (why: Error) => void
  readonly promise = new Promise<T>((resolve, reject) => {
    this.resolve = resolve
    this.reject = reject
  })
}
