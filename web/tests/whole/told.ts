/** A page in words, one line for each part that says, names or does something. */

/** What Svelte calls the styles of a component, and what browsers count up. */
const OWN = /\bsvelte-\w+|\s+$/g
const QUIET = ['class', 'id', 'aria-controls', 'aria-labelledby', 'aria-describedby', 'for', 'name']

/** What has been entered or chosen is no attribute. */
function entered(element: Element): string[] {
  const { value, checked, type, disabled, open } = element as HTMLInputElement & { open?: boolean }
  const tag = element.localName
  const found: string[] = []
  if (['input', 'select', 'textarea'].includes(tag))
    found.push(type === 'checkbox' || type === 'radio' ? `checked=${checked}` : `is=${value}`)
  if (tag === 'progress' || tag === 'meter') found.push(`at=${value}`)
  if (disabled) found.push('disabled')
  if (open) found.push('open')
  return found
}

/** A few letters that differ for drawings that differ. */
export function digest(text: string): string {
  let sum = 0
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0
  return (sum >>> 0).toString(36)
}

/** An address that is made up differs each time; a long value is told by a few letters. */
function named(value: string): string {
  const plain = value.replace(/#[\w-]*|blob:[\w:-]+/g, (made) => (made.startsWith('#') ? '#' : 'blob:'))
  return plain.length > 90 ? `#${digest(plain)}` : plain
}

const attributesOf = (element: Element) =>
  [...element.attributes]
    .filter(
      ({ name, value }) =>
        !QUIET.includes(name) &&
        !name.startsWith('on') &&
        !['value', 'open', 'disabled'].includes(name) &&
        (value || name !== 'style'),
    )
    .filter(({ name, value }) => name !== 'title' || value !== element.getAttribute('aria-label'))
    .map(({ name, value }) => (value ? `${name}=${named(value)}` : name))
    .sort() // their order is the compiler's

const classesOf = (element: Element) =>
  (element.getAttribute('class') ?? '')
    .replace(OWN, '')
    .split(/\s+/)
    .filter(Boolean)
    .map((each) => `.${each}`)
    .join('')

const words = (element: Element) =>
  [...element.childNodes]
    .map((node) => (node.nodeType === 3 ? (node.textContent ?? '') : node.nodeType === 1 ? '·' : ''))
    .join('')
    .replace(/\s+/g, ' ')
    .replace(/^[·\s]+|[·\s]+$/g, '')

/** Everything of a drawing that is only drawn. */
function drawn(element: Element): string {
  const own = `${element.localName}${classesOf(element)} ${attributesOf(element).join(' ')} ${words(element)}`
  return [own, ...[...element.children].map(drawn)].join('\n')
}

const speaks = (element: Element) =>
  element.matches('[role], [aria-label], title') && !element.closest('[aria-hidden=true]')

export function told(element: Element = document.body): string[] {
  if (element.matches('script, style, template, .link')) return []
  const own = [element.localName + classesOf(element), ...attributesOf(element), ...entered(element)]
  const inDrawing = element.namespaceURI?.endsWith('svg') ?? false
  if (inDrawing) {
    const parts = [...element.querySelectorAll('*')].filter(speaks)
    const lines = [...own.filter((part) => !part.startsWith('d=')), `drawing=${digest(drawn(element))}`].join(' ')
    return [
      lines,
      ...parts.map((part) => `  ${part.localName}${classesOf(part)} ${attributesOf(part).join(' ')} ${words(part)}`),
    ]
  }
  const text = words(element)
  const line =
    text || own.length > 1 || classesOf(element) ? [[...own, text && `“${text}”`].filter(Boolean).join(' ')] : []
  const indent = line.length ? '  ' : ''
  return [...line, ...[...element.children].flatMap((child) => told(child)).map((each) => indent + each)]
}
