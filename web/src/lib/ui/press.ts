/** Enter and Space activate elements that are not always buttons, or are part of a drawing. */
export const onActivationKeys = (press: (() => void) | undefined) => (event: KeyboardEvent) => {
  if (!press || (event.key !== 'Enter' && event.key !== ' ')) return
  event.preventDefault()
  press()
}
