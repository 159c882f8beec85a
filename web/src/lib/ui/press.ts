/** Enter and Space press what is a button only now and then, or in a drawing. */
export const onActivationKeys = (press: (() => void) | undefined) => (event: KeyboardEvent) => {
  if (!press || (event.key !== 'Enter' && event.key !== ' ')) return
  event.preventDefault()
  press()
}
