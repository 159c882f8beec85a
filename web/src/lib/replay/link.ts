/**
 * Links that hold a whole game: its record, compressed, in the fragment of the address. No browser
 * sends a fragment to a server, so such a link opens on any copy of this page.
 */

/** As large as a record may be that a server reads; a map is smaller. */
const MAX_TEXT_BYTES = 1_000_000
/** A whole game takes 1,000 to 4,000 characters, and some more with a map of its own. */
export const MAX_CODE_LENGTH = 200_000

/** A link that was cut off, changed or made by something else. */
export class BrokenLink extends Error {}

export interface GameLink {
  /** The record, compressed. */
  code: string
  /** The move to show; null for the last one. */
  move: number | null
}

/** The game in the fragment of an address, if there is one: `#game=CODE`, `#game=CODE&move=41`. */
export function readFragment(hash: string): GameLink | null {
  const found = /^#game=([^&]*)(?:&move=(\d{1,6}))?$/.exec(hash)
  return found && { code: found[1]!, move: found[2] === undefined ? null : Number(found[2]) }
}

export function writeFragment({ code, move }: GameLink): string {
  return `#game=${code}${move === null ? '' : `&move=${move}`}`
}

export async function packText(text: string): Promise<string> {
  const packed = await read(through(new TextEncoder().encode(text), new CompressionStream('deflate-raw')))
  let binary = ''
  for (const byte of packed) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The text of a code; BrokenLink if it holds none, or more than anybody should unpack. */
export async function unpackText(code: string): Promise<string> {
  if (code.length > MAX_CODE_LENGTH) throw new BrokenLink('too long')
  try {
    const binary = atob(code.replaceAll('-', '+').replaceAll('_', '/'))
    const packed = Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
    const text = await read(through(packed, new DecompressionStream('deflate-raw')))
    return new TextDecoder('utf-8', { fatal: true }).decode(text)
  } catch (error) {
    throw new BrokenLink(String(error))
  }
}

function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream) {
  return new Blob([bytes]).stream().pipeThrough(stream)
}

/** All bytes of a stream, which is given up as soon as there are too many. */
async function read(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const reader = stream.getReader()
  const parts: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > MAX_TEXT_BYTES) {
      await reader.cancel()
      throw new BrokenLink('too large')
    }
    parts.push(value)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
