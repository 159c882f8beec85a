import { readdirSync, readFileSync } from 'node:fs'
import { deflateRawSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { BrokenLink, MAX_CODE_LENGTH, packText, readFragment, unpackText, writeFragment } from '../src/lib/replay/link'

const CORPUS = new URL('../../tests/corpus/', import.meta.url)
const records = readdirSync(CORPUS)
  .filter((name) => name.endsWith('.txt'))
  .map((name) => readFileSync(new URL(name, CORPUS), 'utf-8'))

/** What messengers still recognise as one link. */
const PASTABLE = 4_000

it('holds every game of the corpus in a link that can be pasted', async () => {
  expect(records.length).toBeGreaterThan(100)
  for (const record of records) {
    const fragment = writeFragment({ code: await packText(record), move: null })
    expect(fragment.length).toBeLessThan(PASTABLE)
    expect(fragment).toMatch(/^#game=[\w-]+$/)
    expect(await unpackText(readFragment(fragment)!.code)).toBe(record)
  }
})

it('names the move to show', () => {
  expect(readFragment('#game=abc&move=41')).toEqual({ code: 'abc', move: 41 })
  expect(writeFragment({ code: 'abc', move: 41 })).toBe('#game=abc&move=41')
  expect(readFragment('#game=abc')).toEqual({ code: 'abc', move: null })
})

it.each(['', '#key=abc', '#game', '#games=abc', '#game=abc&move=x', '#game=abc&move=1&more'])(
  'finds no game in %j',
  (hash) => expect(readFragment(hash)).toBeNull(),
)

it('keeps names in any script', async () => {
  const record = 'player: Žofie Łukasz Ђорђе 電力\n'
  expect(await unpackText(await packText(record))).toBe(record)
})

const pack = (bytes: Uint8Array | string) => deflateRawSync(bytes).toString('base64url')

it('refuses what is cut off, changed or no text', async () => {
  const code = await packText(records[0]!)
  for (const broken of [
    '',
    code.slice(0, -20),
    code.slice(0, 40) + code.slice(60),
    `${code}!`,
    'not deflate at all',
    pack(Uint8Array.of(255, 254, 253)),
  ])
    await expect(unpackText(broken)).rejects.toThrow(BrokenLink)
})

it('unpacks no more than a record may have', async () => {
  expect(await unpackText(pack('a'.repeat(1_000_000)))).toHaveLength(1_000_000)
  await expect(unpackText(pack('a'.repeat(1_000_001)))).rejects.toThrow('too large')
  await expect(unpackText('A'.repeat(MAX_CODE_LENGTH + 1))).rejects.toThrow('too long')
})
