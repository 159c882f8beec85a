import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { api } from '../src/lib/net/api'
import { setPackageMessages } from '../src/lib/ui/package_words.svelte'
import { botAbout, botLevel, botName, fuelNeeds, levelName, personName, translate } from '../src/lib/ui/words'
import { speak } from '../src/texts/messages'

const PLANTS = [
  { fuels: ['gas', 'oil'], need: 3 },
  { fuels: ['coal'], need: 2 },
  { fuels: [], need: 0 },
  { fuels: ['coal'], need: 1 },
]

describe('words in another language', () => {
  beforeAll(() => speak('de'))

  it('exist for bots and guests, and for nobody else', () => {
    expect(personName('Clerk 2')).toBe('Sachbearbeiter 2')
    expect(personName('Guest 309')).toBe('Gast 309')
    expect(personName('Ann')).toBe('Ann')
    expect(personName('clerk')).toBe('clerk')
    expect(personName('Clerk bold 2')).toBe('Berta 2')
    expect(personName('Clerk about')).toBe('Sachbearbeiter about')
  })

  it('say how a character plays, and what a kind of bot does with its budget', () => {
    expect(botAbout('clerk:miser')).toContain('vier Fünfteln')
    expect(botAbout('director:2s')).toBe(botAbout('director'))
  })

  it('describe what plants burn, including a choice of fuels', () => {
    expect(fuelNeeds(PLANTS)).toBe('3 Gas / Öl, 3 Kohle')
  })

  it('are those of another package where we have none, with their values', () => {
    const declarations = ['input wanted', 'local wantedPlural = wanted: plural']
    const match = { 'wantedPlural=one': 'nicht {wanted} Stein', 'wantedPlural=other': 'nicht {wanted} Steine' }
    setPackageMessages({ refused_none: [{ declarations, match }], game_own: 'Eigenes', bot_clerk: 'Fremder' })
    expect(translate('refused_none', '', { wanted: 1 })).toBe('nicht 1 Stein')
    expect(translate('refused_none', '', { wanted: 7 })).toBe('nicht 7 Steine')
    expect(translate('game_own', '')).toBe('Eigenes')
    expect(translate('bot_clerk', '')).toBe('Sachbearbeiter')
    expect(translate('nobody_says_this', 'otherwise')).toBe('otherwise')
  })

  it('are asked of the server, and are our own where it does not answer', async () => {
    vi.stubGlobal('fetch', async (path: string) => new Response(JSON.stringify({ game_asked: `from ${path}` })))
    await api.words('de')
    expect(translate('game_asked', '')).toBe('from /api/words/de')
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
    await api.words('de')
    expect(translate('game_asked', 'our own')).toBe('our own')
    vi.unstubAllGlobals()
  })
})

describe('amounts of fuel in a language with cases', () => {
  beforeAll(() => speak('pl'))

  it('need no case', () => {
    expect(fuelNeeds(PLANTS)).toBe('3 × gaz / olej, 3 × węgiel')
  })
})

describe('levels', () => {
  const measured = [...readFileSync('../docs/bots.md', 'utf8').matchAll(/`(\w+:\w+)` \((\w+)\) \| \d+ \| ([\d.]+) %/g)]

  it.each(measured.map((found) => found.slice(1)))('are as was measured: %s', (bot, name, won) => {
    const share = Number(won)
    expect(botName(bot!)).toBe(name)
    expect(botLevel(bot!)).toBe(levelName(share < 20 ? 1 : share < 50 ? 2 : share < 75 ? 3 : 4))
  })

  it('are there for seven tempers and all that a tycoon can be', () => expect(measured).toHaveLength(14))
})
