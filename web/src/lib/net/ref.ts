/** What this page calls a write, so that it can be repeated without being done twice. */
export function newRef(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12)) // also where the page does not come by HTTPS
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
