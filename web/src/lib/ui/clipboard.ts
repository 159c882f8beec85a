/** Copies a text to the clipboard, also where a browser restricts the modern API to secure addresses. */
export async function copy(text: string) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}
