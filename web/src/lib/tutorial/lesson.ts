/**
 * A lesson is data: where its game starts, and steps with conditions on the view. `docs/lessons.md` says how to write
 * one; the texts are in `src/highvoltage/words/lessons`.
 */
import type { GameView, NewTable } from '../net/protocol'

type Literal = string | number | boolean | null
/** A value, one of several values, a range, or anything but a value. */
export type Test = Literal | Literal[] | { min?: number; max?: number } | { not: Literal }
export type Conditions = Record<string, Test>

export interface Step {
  id: string
  /** Conditions by expression; all must hold, and every value must exist. */
  when?: Conditions
  /** What the step speaks of, as selectors: the first visible one counts. They may contain values. */
  at?: string[]
  /** It goes on when the first of these is pressed. */
  tap?: true
  /** It is a question: it goes on when this is pressed, which is lit after another answer. */
  ask?: string
  /** Values of the text, as expressions. */
  values?: Record<string, string>
  /** It is about a decision of mine: the coach adds what it would do, and why. */
  decide?: true
  /** The lesson is over once this has been read. */
  end?: true
}

export interface Lesson {
  rulebook: string
  /** A new game, or one that goes on from its record. */
  start: Omit<NewTable, 'rulebook'> | { record: string[]; seat: number; bot: string }
  /** A file of steps that several lessons share: answers to decisions, and decisions. */
  with?: string
  steps: Step[]
}

/** What the conditions and values of a step can refer to. */
export type Facts = Record<string, unknown>

/** A move in words that conditions can name: `decided.verb`, `decided.0`. */
function parts(move: string): Facts {
  const [verb = '', ...rest] = move.split(' ')
  return { move, verb, ...rest.map((each) => each.replace('@', '')) }
}

/** A decision that was made although the coach advised another, in the position before it. */
export interface Otherwise {
  advised: string
  decided: string
  before: GameView
}

export function factsOf(view: GameView, you: number | null, mine: boolean, otherwise: Otherwise | null): Facts {
  return {
    ...view,
    mine,
    me: view.players[you ?? 0],
    ...(otherwise && {
      otherwise: true,
      advised: parts(otherwise.advised),
      decided: parts(otherwise.decided),
      before: otherwise.before,
    }),
  }
}

const REDUCE: Record<string, (numbers: number[]) => number> = {
  most: (numbers) => Math.max(...numbers),
  least: (numbers) => Math.min(...numbers),
  sum: (numbers) => numbers.reduce((sum, each) => sum + each, 0),
}

const whereLeast = (from: Record<string, number>) => Object.entries(from).sort(([, a], [, b]) => a - b)[0]?.[0]

/** One part of a path: a field, an element of a list (`0`, `card=8`), all of them (`*`), or their `sum`. */
function part(from: unknown, name: string): unknown {
  if (from === null || from === undefined) return undefined
  if (name === '*') return Object.values(from)
  if (name === 'where_least') return whereLeast(from as Record<string, number>)
  if (!Array.isArray(from)) return (from as Facts)[name]
  if (name in REDUCE) return from.length ? REDUCE[name]!(from.map(Number)) : undefined
  if (name === 'last') return from.at(-1)
  const [key, wanted] = name.split('=')
  if (wanted !== undefined) return from.find((each) => String((each as Facts)[key!]) === wanted)
  return name === 'length' ? from.length : from[Number(name)]
}

/** `players.*.cities.length.most` */
function read(facts: Facts, path: string): unknown {
  let found: unknown = facts
  let each = false
  for (const name of path.split('.')) {
    const many: boolean = each && !(name in REDUCE)
    found = many ? (found as unknown[]).map((one) => part(one, name)) : part(found, name)
    each = name === '*' || many
  }
  return found
}

/** A path, or a sum of paths and numbers: `me.money - auction.bid`. Braces hold a part of a path: `payment.{me.size}`. */
export function evaluate(facts: Facts, expression: string): unknown {
  const whole = expression.replace(/\{([^{}]+)\}/g, (_, inner: string) => String(evaluate(facts, inner)))
  const [first = '', ...rest] = whole.split(/ ([+-]) /)
  const value = (term: string) => (/^\d+$/.test(term) ? Number(term) : read(facts, term))
  if (!rest.length) return value(first)
  let sum = Number(value(first))
  for (let at = 0; at < rest.length; at += 2) sum += (rest[at] === '+' ? 1 : -1) * Number(value(rest[at + 1]!))
  return Number.isNaN(sum) ? undefined : sum
}

function holds(value: unknown, test: Test): boolean {
  const found = value === undefined ? null : value
  if (Array.isArray(test)) return test.includes(found as Literal)
  if (test === null || typeof test !== 'object') return found === test
  if ('not' in test) return found !== test.not
  return typeof found === 'number' && found >= (test.min ?? found) && found <= (test.max ?? found)
}

/** What a plant burns, as a text: `2 coal oil`. */
function needs(value: unknown): unknown {
  const { fuels, need } = (value ?? {}) as { fuels?: string[]; need?: number }
  return fuels ? [need, ...fuels].join(' ') : value
}

/** The values of a step's text, or null if it cannot be said now. */
export function valuesOf(step: Step, facts: Facts): Record<string, string | number> | null {
  if (!Object.entries(step.when ?? {}).every(([path, test]) => holds(evaluate(facts, path), test))) return null
  const found: Record<string, string | number> = {}
  for (const [name, expression] of Object.entries(step.values ?? {})) {
    const value = needs(evaluate(facts, expression))
    if (typeof value !== 'string' && typeof value !== 'number') return null
    found[name] = value
  }
  return found
}

/** It answers a decision other than the advised one. */
export const isAnswer = (step: Step) => !!step.when?.otherwise

/** Whether a decision is another one than was advised; fuel and bids may be divided among several moves. */
export function isOtherwise(advised: string, decided: string): boolean {
  const [verb, first] = advised.split(' ')
  const [other, second] = decided.split(' ')
  if (verb !== other) return true
  if (verb === 'run' || verb === 'power') return advised !== decided
  return verb !== 'buy' && verb !== 'bid' && first !== second
}

export interface Said {
  step: Step
  values: Record<string, string | number>
}

/** The first step that can be said now and has not been: decisions and answers are said as often as they occur. */
export function sayNow(steps: Step[], facts: Facts, done: string[]): Said | undefined {
  for (const step of steps) {
    const again = step.decide || isAnswer(step)
    const values = again || !done.includes(step.id) ? valuesOf(step, facts) : null
    if (values) return { step, values }
  }
  return undefined
}

/** A text with its values filled in. */
export const fill = (text: string, values: Record<string, string | number>) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
