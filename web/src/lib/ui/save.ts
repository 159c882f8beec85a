/** Saves a file of the page, as a download. */
export function saveFile(name: string, content: Blob | string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content]))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
