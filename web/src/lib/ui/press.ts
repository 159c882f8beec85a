/**
 * Enter and Space activate elements that are not always buttons, or are part of a drawing. On what is chosen already,
 * Enter is left to the bar, which plays it.
 */
export const onActivationKeys =
  (press: (() => void) | undefined, chosen = false) =>
  (event: KeyboardEvent) => {
    if (!press || (event.key !== ' ' && (event.key !== 'Enter' || chosen))) return
    event.preventDefault()
    press()
  }
