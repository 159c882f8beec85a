import { beforeAll, describe, expect, it } from 'vitest'
import { fuelNeeds, personName } from '../src/lib/ui/words'
import { speak } from '../src/paraglide/messages.js'

const PLANTS = [
  { fuels: ['gas', 'oil'], need: 3 },
  { fuels: ['coal'], need: 2 },
  { fuels: [], need: 0 },
  { fuels: ['coal'], need: 1 },
]

describe('words in another language', () => {
  beforeAll(() => speak('de'))

  it('are found for bots and guests, and for nobody else', () => {
    expect(personName('Clerk 2')).toBe('Sachbearbeiter 2')
    expect(personName('Guest 309')).toBe('Gast 309')
    expect(personName('Ann')).toBe('Ann')
    expect(personName('clerk')).toBe('clerk')
  })

  it('tell what plants burn, a choice of fuels too', () => {
    expect(fuelNeeds(PLANTS)).toBe('3 Gas / Öl, 3 Kohle')
  })
})

describe('amounts of fuel in a language with cases', () => {
  beforeAll(() => speak('pl'))

  it('need no case', () => {
    expect(fuelNeeds(PLANTS)).toBe('3 × gaz / olej, 3 × węgiel')
  })
})
