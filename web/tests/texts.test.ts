import { describe, expect, it } from 'vitest'
import { LOCALES, plural } from '../src/lib/ui/locale'
import { m, speak } from '../src/texts/messages'

const CARDS = {
  en: ['1 card in the deck', '22 cards in the deck', '5 cards in the deck'],
  pl: ['1 karta w stosie', '22 karty w stosie', '5 kart w stosie'],
  cs: ['1 karta v balíčku', '22 karet v balíčku', '5 karet v balíčku'],
  'sr-Latn': ['1 karta u špilu', '22 karte u špilu', '5 karata u špilu'],
  de: ['1 Karte im Stapel', '22 Karten im Stapel', '5 Karten im Stapel'],
}

describe('compiled texts', () => {
  it.each(LOCALES)('take the form that a number has in %s', async (locale) => {
    await speak(locale)
    expect([1, 22, 5].map((count) => m.deck_size({ count }))).toEqual(CARDS[locale])
  })

  it('hold values as they are', async () => {
    await speak('en')
    expect(m.money({ amount: '$`{1}\\' })).toBe('$`{1}\\ Ɇ')
    expect(plural('pl', '3')).toBe('few')
  })
})
