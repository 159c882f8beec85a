/** As much Markdown as our rules use, parsed into plain data; nothing is ever inserted as HTML. */

export type Inline =
  | { kind: 'text' | 'bold' | 'italic' | 'code'; text: string }
  | { kind: 'rule'; text: string; id: string }

export interface Block {
  kind: 'heading' | 'paragraph' | 'item' | 'quote' | 'code' | 'table' | 'picture'
  /** Of a heading. */
  level: number
  /** The rules that begin here. */
  ids: string[]
  text: string
  rows: string[][]
  /** Of a picture; its text describes it. */
  source: string
}

const ID = /\b(?:[A-Z]{1,3})-(?:[A-Z]+-?)?\d+(?:\.\d+)*[a-z]?\b/
/** The section of a board, which has letters and no number. */
const BOARD = /[A-Z]-[A-Z]+\b/

const block = (kind: Block['kind'], text: string, more: Partial<Block> = {}): Block => ({
  kind,
  text,
  level: 0,
  rows: [],
  source: '',
  ids: idsOf(kind, text),
  ...more,
})

/** A rule begins where its id opens bold type, or in a heading. */
function idsOf(kind: Block['kind'], text: string): string[] {
  if (kind === 'heading') return new RegExp(`^(?:${ID.source}|${BOARD.source})`).exec(text)?.slice(0, 1) ?? []
  return [...text.matchAll(/\*\*([^*]+)\*\*/g)].flatMap(([, bold]) => {
    const first = ID.exec(bold!)
    return first && (first.index === 0 || bold!.startsWith('RULING')) ? [first[0]] : []
  })
}

const cells = (line: string) =>
  line
    .replace(/^\s*\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|').trim())

export function readMarkdown(source: string): Block[] {
  const found: Block[] = []
  const lines = source.split('\n')
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!
    const heading = /^(#+) (.+)/.exec(line)
    const item = /^(\s*)(?:[-*]|\d+\.) (.+)/.exec(line)
    const picture = /^!\[(.+)\]\((.+)\)$/.exec(line)
    if (!line.trim() || /^---+\s*$/.test(line)) continue
    if (line.startsWith('```')) {
      const code: string[] = []
      while (++i < lines.length && !lines[i]!.startsWith('```')) code.push(lines[i]!)
      found.push(block('code', code.join('\n'), { ids: [] }))
    } else if (heading) found.push(block('heading', heading[2]!, { level: heading[1]!.length }))
    else if (/^\s*\|/.test(line)) {
      const rows: string[][] = []
      for (; i < lines.length && /^\s*\|/.test(lines[i]!); i++)
        if (!/^[\s|:-]+$/.test(lines[i]!)) rows.push(cells(lines[i]!))
      i--
      const text = rows.map((row) => row.join(' ')).join('\n')
      found.push(block('table', text, { rows }))
    } else if (item) found.push(block('item', item[2]!, { level: item[1]!.length >> 1 }))
    else if (picture) found.push(block('picture', picture[1]!, { source: picture[2]!, ids: [] }))
    else if (line.startsWith('>')) found.push(block('quote', line.replace(/^>\s?/, '')))
    else {
      const last = found.at(-1)
      const goesOn = i > 0 && lines[i - 1]!.trim() !== '' && last && ['paragraph', 'item', 'quote'].includes(last.kind)
      if (goesOn) {
        last.text += ` ${line.trim()}`
        last.ids = idsOf(last.kind, last.text)
      } else found.push(block('paragraph', line.trim()))
    }
  }
  return found
}

const INLINE = new RegExp(`\\*\\*([^*]+)\\*\\*|\\*([^*]+)\\*|\`([^\`]+)\`|(${ID.source})`, 'g')

export function readInline(text: string): Inline[] {
  const found: Inline[] = []
  let at = 0
  for (const match of text.matchAll(INLINE)) {
    if (match.index > at) found.push({ kind: 'text', text: text.slice(at, match.index) })
    const [whole, bold, italic, code, id] = match
    if (bold !== undefined) found.push({ kind: 'bold', text: bold })
    else if (italic !== undefined) found.push({ kind: 'italic', text: italic })
    else if (code !== undefined) found.push({ kind: 'code', text: code })
    else found.push({ kind: 'rule', text: id!, id: id! })
    at = match.index + whole.length
  }
  if (at < text.length) found.push({ kind: 'text', text: text.slice(at) })
  return found
}

export const plain = (text: string) => text.replaceAll(/[*`]/g, '')
