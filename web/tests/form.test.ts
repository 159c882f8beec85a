/** The form of a map file: what may be chosen, and what is filled in first. */
import { beforeAll, describe, expect, it } from 'vitest'
import { Form, fieldName, ruleName, type Schema } from '../src/lib/maker/schema'
import { speak } from '../src/texts/messages'

const ROOT: Schema = {
  $defs: {
    Slot: {
      properties: { city: { place: 'city' }, count: { type: 'integer', minimum: 2 }, note: { type: 'string' } },
      required: ['city', 'count'],
    },
    Map: { properties: { slots: { items: { $ref: '#/$defs/Slot' } } } },
  },
}
const form = new Form(ROOT, {
  city: [
    ['ulm', 'Ulm'],
    ['bonn', 'Bonn'],
  ],
  region: [['north', 'The North']],
})
const nowhere = new Form(ROOT, { city: [], region: [] })
const FUELS: Schema = { type: 'string', pattern: '\\A(coal|oil)\\Z' }

beforeAll(() => speak('en'))

it('knows what stands for what', () => {
  const slot = ROOT.$defs!.Slot
  expect(form.resolve({ $ref: '#/$defs/Slot' })).toBe(slot)
  expect(form.resolve({ anyOf: [{ $ref: '#/$defs/Slot' }, { type: 'null' }] })).toBe(slot)
  expect(Object.keys(form.fieldsOf('Map'))).toEqual(['slots'])
})

it.each<[string, Schema, [string, string][] | null]>([
  ['a place', { place: 'region' }, [['north', 'The North']]],
  [
    'one of some words',
    FUELS,
    [
      ['coal', 'coal'],
      ['oil', 'oil'],
    ],
  ],
  ['a word that is no choice', { pattern: '\\A(coal)\\Z' }, null],
  ['a text of a form', { pattern: '\\A[a-z]+\\Z' }, null],
  ['any text', { type: 'string' }, null],
])('offers what may be chosen: %s', (_, schema, choices) => expect(form.choices(schema)).toEqual(choices))

describe('begins', () => {
  it.each<[string, Schema, unknown]>([
    ['a choice with the first', FUELS, 'coal'],
    ['a place with the first', { place: 'city' }, 'ulm'],
    ['a pair with both', { prefixItems: [{ place: 'city' }, { type: 'integer' }] }, ['ulm', 0]],
    ['fields with those that are needed', { $ref: '#/$defs/Slot' }, { city: 'ulm', count: 2 }],
    ['fields of which none is needed with none', { properties: { a: { type: 'string' } } }, {}],
    ['a list with one', { items: { $ref: '#/$defs/Slot' } }, [{ city: 'ulm', count: 2 }]],
    ['a table by number with the second', { additionalProperties: { type: 'integer' } }, { 2: 0 }],
    [
      'a table by choice with the first',
      { propertyNames: FUELS, additionalProperties: { type: 'string' } },
      { coal: '' },
    ],
    ['yes or no with what is not usual', { type: 'boolean', default: true }, false],
    ['yes or no without a usual answer with yes', { type: 'boolean' }, true],
    ['a number with the usual one', { type: 'integer', default: 7, minimum: 1 }, 7],
    ['a number with the least', { type: 'integer', minimum: 3 }, 3],
    ['a number with 0', { type: 'integer' }, 0],
    ['a text empty', { type: 'string', default: 'x' }, ''],
  ])('%s', (_, schema, value) => expect(form.initial(schema)).toEqual(value))

  it('a place that is not there yet empty', () => {
    expect(nowhere.initial({ place: 'city', type: 'string' })).toBe('')
  })
})

it.each<[string, Schema, object, string]>([
  ['the first choice that is free', { propertyNames: FUELS }, { coal: 1 }, 'oil'],
  ['none where all are taken', { propertyNames: FUELS }, { coal: 1, oil: 1 }, ''],
  ['a name of its own', { propertyNames: { pattern: '\\A[a-z]\\w*\\Z' } }, { a: 1 }, 'm2'],
  ['the number after the last', {}, { 3: 1, 5: 1 }, '6'],
  ['2 where there is none', {}, {}, '2'],
])('gives what is added a key: %s', (_, schema, value, key) => {
  expect(form.nextKey(schema, value as Record<string, unknown>)).toBe(key)
})

it('has words for rules and fields, its own where there are none', () => {
  expect([ruleName('no_start'), fieldName('coal'), fieldName('moon_base')]).toEqual([
    ...['Cities where no network starts', 'coal', 'Moon base'],
  ])
})
