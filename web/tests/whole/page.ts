/** The whole page, and a hand that presses everything on it. */

import { flushSync, mount, unmount } from 'svelte'
import { afterAll, expect, it, vi } from 'vitest'
import App from '../../src/App.svelte'
import { route } from '../../src/lib/ui/route.svelte'
import { Tape } from './tape'
import { digest, told } from './told'

const CONTROLS = 'button, input, select, textarea, summary, [role=button], [role=option], .city, .offered'

/** These make a decision; the others only prepare it. */
const DECIDES = '[data-primary], [data-key], [data-scrap]'
/** So many lines are told of what is shown, and of what changes; of others only that they do. */
const [SHOWN, CHANGED] = [600, 60]
/** These set off what takes its time and comes in pieces. */
const LASTS = /^(Start now|Charts|Analysis|Chances)/
/** So many of those that look alike are pressed. */
const ALIKE = 2

/** What somebody does on the page, by its name: what was told is kept in a file of this name. */
export const walks = new Map<string, () => Promise<string>>()

/** Tests of what is told on each of these walks, by a tape of their own. */
export function tell(file: string, named: [name: string, walk: (page: Page) => Promise<void>][]) {
  const tape = new Tape(`${import.meta.dirname}/${file}.tape`)
  afterAll(() => tape.save())
  for (const [name, walk] of named) {
    const told = async () => {
      tape.begin(name)
      const page = new Page(tape)
      await walk(page)
      await page.close()
      return page.text
    }
    walks.set(name, told)
    it(name, async () => expect(await told()).toMatchFileSnapshot(`told/${name.replaceAll(' ', '-')}.txt`))
  }
}

export class Page {
  #app: Record<string, unknown> | undefined
  #path = ''
  #known: string[] = []
  readonly #told: string[] = []

  constructor(readonly tape: Tape) {}

  async open(path: string) {
    this.#path = path
    history.replaceState(null, '', path)
    route.read()
    document.body.innerHTML = '<div id="app"></div>'
    this.#app = mount(App, { target: document.getElementById('app')! })
    await this.settled()
    const now = told()
    this.#told.push(
      `# ${path}`,
      ...(this.#known.length ? short(difference(this.#known, now), CHANGED) : short(now, SHOWN)),
    )
    this.#known = now
  }

  async #shut() {
    if (this.#app) await unmount(this.#app)
    this.#app = undefined
    this.tape.end()
  }

  async settled() {
    for (let again = 0; again < 2; again++) {
      flushSync()
      await vi.dynamicImportSettled()
      await this.tape.settled()
    }
    flushSync()
  }

  /** Does something, and tells what was sent, and which lines came and went. */
  async after(what: string, act: () => void) {
    this.tape.sent.length = 0
    act()
    await this.settled()
    const now = told()
    this.#told.push(
      '',
      `## ${what}`,
      ...this.tape.sent.map((each) => `> ${each}`),
      ...short(difference(this.#known, now), CHANGED),
    )
    this.#known = now
    const here = location.pathname + location.search
    if (here === this.#path) return
    await this.#shut()
    await this.open(this.#path)
  }

  /** Presses the first of these. */
  async press(what: string) {
    const [found] = document.querySelectorAll<HTMLElement>(what)
    if (found) await this.after(what, () => press(found))
    else this.#told.push('', `## ${what} is not there`)
  }

  async key(key: string) {
    await this.after(`key ${key}`, () =>
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })),
    )
  }

  /** Presses what can be pressed now, one after the other; not what that brings along. */
  async pressAll(within: string, but = DECIDES) {
    const find = () =>
      [...document.querySelectorAll<HTMLElement>(CONTROLS)].filter(
        (each) => each.closest(within) && !each.closest(but || 'nothing') && !LASTS.test(each.textContent.trim()),
      )
    const alike = new Map<string, number>()
    let found = find()
    for (let at = 0; at < found.length; at++) {
      const each = found[at]!
      if (!each.isConnected || each.matches('[disabled], [inert] *')) continue
      const kind = `${each.localName} ${each.className} ${each.parentElement?.className}`
      const came = (alike.get(kind) ?? 0) + 1
      alike.set(kind, came)
      if (came > ALIKE) continue
      const [line] = told(each)
      await this.after(line!.trim().slice(0, 160), () => press(each))
      for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog[open]'))
        if (!dialog.contains(each)) await this.after('the dialog is closed', () => dialog.close())
      if (!each.isConnected && find().length === found.length) found = find()
    }
  }

  async close() {
    await this.#shut()
    this.#told.push('', ...this.tape.unknown.map((each) => `? ${each}`))
  }

  get text() {
    return `${this.#told.join('\n')}\n`
  }
}

function press(element: HTMLElement) {
  const enter = (how: string) => element.dispatchEvent(new Event(how, { bubbles: true }))
  if (element instanceof HTMLSelectElement) {
    element.selectedIndex = (element.selectedIndex + 1) % Math.max(1, element.options.length)
    enter('change')
  } else if (element.matches('textarea, input:not([type=checkbox], [type=radio])')) {
    const field = element as HTMLInputElement
    if (field.type === 'file') return
    field.value = ENTERED[field.type]?.(field.value) ?? 'Zoë 5'
    enter('input')
    enter('change')
  } else element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
}

const ENTERED: Record<string, (value: string) => string> = {
  number: (value) => String(Number(value) + 1),
  range: (value) => String(Number(value) + 1),
  date: () => '2026-12-24',
  'datetime-local': () => '2026-12-24T20:00',
}

const short = (lines: string[], most: number) =>
  lines.length <= most
    ? lines
    : [...lines.slice(0, most), `… ${lines.length - most} more: ${digest(lines.slice(most).join())}`]

/** Lines that are gone, and lines that have come. */
function difference(before: string[], now: string[]): string[] {
  const count = (lines: string[]) =>
    lines.reduce((sum, line) => sum.set(line, (sum.get(line) ?? 0) + 1), new Map<string, number>())
  const left = (lines: string[], known: Map<string, number>, sign: string) =>
    lines.flatMap((line) => {
      const there = known.get(line) ?? 0
      if (there) known.set(line, there - 1)
      return there ? [] : [`${sign}${line}`]
    })
  return [...left(before, count(now), '- '), ...left(now, count(before), '+ ')]
}
