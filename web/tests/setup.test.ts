import { afterEach, expect, it, vi } from 'vitest'
import { Setup } from '../src/lib/home/setup.svelte'
import type { GameInfo, GameOption } from '../src/lib/net/protocol'

afterEach(() => vi.unstubAllGlobals())

const remembered = (last: object) =>
  vi.stubGlobal('localStorage', { getItem: (key: string) => (key === 'hv-last-table' ? JSON.stringify(last) : null) })

/** A table of somebody else's game with this option. */
function withOption(option: Partial<GameOption>) {
  const setup = new Setup()
  const [game] = setup.games
  const theirs: GameInfo = { ...game!, options: [{ ...game!.options[0]!, ...option }] }
  setup.catalogue = { ...setup.catalogue, games: [theirs] }
  return setup
}

it('takes a file for the cards of a game, and for nothing else', () => {
  const takes = (name: string, takes_file: boolean) => withOption({ name, takes_file }).takesCards
  expect(takes('cards', true)).toBe(true)
  expect(takes('cards', false)).toBe(false)
  expect(takes('weather', true)).toBe(false)
})

it('is what was made last in this browser, as far as that is known', () => {
  expect([new Setup().isFirst, new Setup().game.name]).toEqual([true, 'classic'])
  remembered({ rulebook: 'cardgame', minutes: 7 })
  const again = new Setup()
  expect([again.isFirst, again.game.name, again.minutes, again.increment]).toEqual([false, 'cardgame', 7, 15])
  remembered({})
  expect([new Setup().isFirst, new Setup().game.name, new Setup().map]).toEqual([false, 'classic', 'germany'])
})

it('sends the options that differ from what the rulebook says, and those only', () => {
  const setup = new Setup()
  setup.chooseGame('cardgame')
  expect(setup.table().options).toEqual({})
  setup.options = { demolition: true, burn_from: 'emptiest' }
  expect(setup.table().options).toEqual({ demolition: true })
  setup.options = { demolition: 'perhaps', burn_from: 'fullest' } // one that is no choice
  expect(setup.table().options).toEqual({ burn_from: 'fullest' })
})
