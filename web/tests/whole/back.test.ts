/** Finished games are gone through, judged, shared, and played on from a move. */

import { expect } from 'vitest'
import { api } from '../../src/lib/net/api'
import { unpackText } from '../../src/lib/replay/link'
import { doings } from './device'
import { type Page, tell, words } from './page'
import { record, resume } from './tape'

const CLASSIC = record('classic-3-players')
/** The number of moves before each round. */
const STARTS = [...CLASSIC.matchAll(/^round (\d+), (\w+)$/gm)].map(({ index, 1: round, 2: phase }) => ({
  round: Number(round),
  phase: phase!,
  at: [...CLASSIC.slice(0, index).matchAll(/^ {2}\w+: /gm)].length,
}))
const startOf = (round: number) => STARTS.find((each) => each.round === round)!.at

const at = () => Number(words('.slide output')[0]!.split(' / ')[0])
const bar = (name: string) => `.bar [aria-label="${name}"]`

async function open(page: Page, played: string, move: number) {
  const { id } = await api.importRecord(record(played))
  await page.open(`/replay/${id}?move=${move}`)
  return id
}

/** A game of mine that has just ended, as I see it. */
async function finish(page: Page, played: string, moves: number, last: number) {
  const id = await resume(record(played), moves - 1, [last])
  await page.open(`/table/${id}`)
  await page.press('.bar [data-key=d]')
  return id
}

tell('back', [
  [
    'moves and rounds of a game',
    async (page) => {
      await open(page, 'classic-3-players', 150)
      expect(words('.slide output')).toEqual(['150 / 409'])
      const { round } = STARTS.findLast((each) => each.at < 150)!
      const last = STARTS.at(-1)!.round
      const go = async (name: string) => page.press(bar(name))
      const key = async (name: string, more?: KeyboardEventInit) => page.key(name, 'body', more)
      const steps: [() => Promise<void>, number][] = [
        [() => go('Forward one move'), 151],
        [() => go('Back one move'), 150],
        [() => go('Forward one round'), startOf(round + 1)],
        [() => go('Forward one round'), startOf(round + 2)],
        [() => go('Back one round'), startOf(round + 1)],
        [() => go('Forward one move'), startOf(round + 1) + 1],
        [() => go('Back one round'), startOf(round + 1)],
        [() => key('Home'), 0],
        [() => key('ArrowLeft'), 0],
        [() => go('Back one round'), 0],
        [() => key('ArrowRight', { shiftKey: true }), startOf(2)],
        [() => key('ArrowRight'), startOf(2) + 1],
        [() => key('End'), 409],
        [() => key('ArrowRight'), 409],
        [() => key('ArrowRight', { shiftKey: true }), 409],
        [() => key('ArrowLeft', { shiftKey: true }), startOf(last)],
        [() => page.key('ArrowLeft', '.bar select'), startOf(last)],
      ]
      for (const [nth, [act, there]] of steps.entries()) {
        await act()
        expect([nth, at()]).toEqual([nth, there])
      }
      await page.fill('Move', '23', '.bar')
      expect(at()).toBe(23)
    },
  ],
  [
    'a game that plays by itself',
    async (page) => {
      await open(page, 'cardgame-3-players', 140)
      await page.fill('Speed', '2')
      await page.press('.bar .primary')
      expect(document.querySelector('.bar .pause')).not.toBeNull()
      await page.wait(1)
      expect(at()).toBeGreaterThan(141)
      await page.press('.bar .primary')
      const stopped = at()
      await page.wait(2)
      expect(at()).toBe(stopped)
      await page.fill('Speed', '8')
      await page.key(' ', 'body')
      await page.wait(3)
      expect(words('.slide output')).toEqual(['147 / 147'])
      expect(document.querySelector('.bar .pause')).toBeNull()
      await page.after('begun again and stopped at once', () => {
        for (let again = 0; again < 2; again++) document.querySelector<HTMLElement>('.bar .primary')!.click()
      })
      expect(at()).toBeLessThan(6)
    },
  ],
  [
    'a game is shared',
    async (page) => {
      const id = await open(page, 'cardgame-3-players', 40)
      const text = await api.record(id, null)
      const soFar = await api.record(id, 40)
      await page.after('share', () => {
        document.querySelector<HTMLElement>('[title="Share"]')?.click()
        return page.tape.shows('dialog .link input')
      })
      const links = [...document.querySelectorAll<HTMLInputElement>('dialog .link input')].map(({ value }) => value)
      const codeIn = (url: string) => /#game=([^&]*)/.exec(url)![1]!
      expect(links[0]).toMatch(new RegExp(`/replay/${id}\\?move=40$`))
      expect(await unpackText(codeIn(links[1]!))).toBe(text)
      expect(links[1]).toMatch(/&move=40$/)
      expect(await unpackText(codeIn(links[2]!))).toBe(soFar)
      expect(links[2]).not.toContain('move=')
      expect(links[3]).toMatch(new RegExp(`<iframe src="[^"]*/embed/${id}\\?move=40" width="960" height="600">`))
      for (const nth of [0, 1]) {
        await page.after(`copy ${nth}`, () =>
          document.querySelectorAll<HTMLElement>('dialog .link button')[nth]!.click(),
        )
        expect(doings).toContain(`copied ${links[nth]}`)
        expect(words('dialog .link button')[nth]).toBe('Copied')
      }
      await page.press('dialog header button')
      await page.press(bar('Download the record'))
    },
  ],
  [
    'a game is played on',
    async (page) => {
      const id = await open(page, 'cardgame-3-players', 75)
      await page.press(bar('Play on from here'))
      expect([...document.querySelectorAll('dialog select')].map((each) => (each as HTMLSelectElement).value)).toEqual(
        [0, 1, 2].map((seat) => (seat === page.tape.view?.to_move ? 'me' : expect.any(String))),
      )
      await page.fill('Ann', 'me', 'dialog')
      await page.fill('Bob', 'engineer', 'dialog')
      await page.fill('Cyd', 'me', 'dialog')
      await page.click('Play on from here', 'dialog form')
      const [sent] = page.tape.sent.filter((each) => each.startsWith('POST /api/resume'))
      expect(JSON.parse(sent!.slice(sent!.indexOf('{')))).toMatchObject({
        record: await api.record(id, 75),
        seats: [{ kind: 'me' }, { kind: 'bot', bot: 'engineer' }, { kind: 'me' }],
      })
    },
  ],
  [
    'my game is judged',
    async (page) => {
      const id = await finish(page, 'cardgame-3-players', 147, 1)
      await page.open(`/replay/${id}`)
      await page.pressNamed('Analysis')
      await page.click('Analyse')
      const running = () => !document.querySelector('.analysis ol') || document.querySelector('.analysis progress')
      await page.after('until it is judged', async () => {
        for (let again = 0; again < 120 && running(); again++) await page.tape.wait(1)
      })
      const { found } = await api.analysis(id)
      const mistakes = found!.decisions.filter(({ best, played }) => best !== played)
      const mine = mistakes.filter(({ seat }) => seat === 1)
      expect(document.querySelectorAll('.analysis ol button')).toHaveLength(Math.min(3, mine.length))
      await page.click("Everybody's")
      expect(document.querySelectorAll('.analysis ol button')).toHaveLength(mistakes.length)
      for (const [nth, judged] of mistakes.slice(0, 2).entries()) {
        const button = document.querySelectorAll<HTMLElement>('.analysis ol button')[nth]!
        expect(button.textContent).toContain(found!.names[judged.seat])
        await page.after(`mistake ${nth}`, () => button.click())
        expect(at()).toBe(judged.move)
        expect(button.getAttribute('aria-current')).toBe('step')
        const [chances] = words('.bar .chances')
        expect(chances).toContain(String(Math.round(100 * judged.best_chance)))
        expect(chances).toContain(String(Math.round(100 * judged.chance)))
      }
      await page.open(`/table/${id}`)
      await page.wait(2)
      expect(words('.moments h3').at(-1)).toBe('The three moves that cost you most, and why')
      await page.tape.as('Bob', async () => {
        await api.me()
        await page.open(`/table/${id}`)
        await page.wait(2)
        expect(words('.moments h3').at(-1)).toBe('The costliest moves')
      })
    },
  ],
])
