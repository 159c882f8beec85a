/** The whole page, and a hand that presses everything on it. */

import { flushSync, mount, unmount } from 'svelte'
import { afterAll, expect, it, vi } from 'vitest'
import App from '../../src/App.svelte'
import { setLocale } from '../../src/lib/ui/locale'
import { prefs } from '../../src/lib/ui/prefs.svelte'
import { route } from '../../src/lib/ui/route.svelte'
import { speak } from '../../src/texts/messages'
import { doings, use } from './device'
import { Tape } from './tape'
import { digest, told } from './told'

const CONTROLS = 'button, input, select, textarea, summary, [role=button], [role=option], .city, .offered'

/** These make a decision; the others only prepare it. */
const DECIDES = '[data-primary], [data-key], [data-scrap]'
/** With this everything in a dialog is gone. */
const CLOSES = 'dialog header button'
/** So many lines are told of what is shown, and of what changes; of others only that they do. */
const [SHOWN, CHANGED] = [250, 50]
/** These set off what takes its time and comes in pieces. */
const LASTS = /^(Start now|Charts|Analysis|Chances|Judge this map|Make one|Link that holds)/
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
      use({})
      await meet()
      const page = new Page(tape)
      await walk(page)
      await page.close()
      return page.text
    }
    walks.set(name, told)
    it(name, async () => expect(await told()).toMatchFileSnapshot(`told/${name.replaceAll(' ', '-')}.txt`))
  }
}

/** Somebody who has never been here. */
async function meet() {
  localStorage.clear()
  document.title = 'High Voltage'
  await speak('en')
  setLocale('en')
  Object.assign(prefs, { theme: 'night', locale: 'en', sound: false, notify: false, colour: null, knownDoubts: [] })
  Object.assign(prefs, { stage: true, remarks: true, coach: false })
  Object.assign(document.documentElement.dataset, { theme: 'night' })
}

export class Page {
  #app: Record<string, unknown> | undefined
  #path = ''
  #known: string[] = []
  readonly #told: string[] = []
  /** Where the page was after the last thing that was done: from elsewhere, one comes back. */
  went = ''

  constructor(readonly tape: Tape) {}

  /** Opens a page, and waits for this on it. */
  async open(path: string, shows = '') {
    this.#path = path
    history.replaceState(null, '', path)
    route.read()
    document.body.innerHTML = '<div id="app"></div>'
    this.#app = mount(App, { target: document.getElementById('app')! })
    if (shows) await this.tape.shows(shows)
    await this.settled()
    this.#path = here() // a page may lead to another one
    const now = everything()
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

  /** Does something, and tells what was sent and done, and which lines came and went. */
  async after(what: string, act: () => unknown) {
    this.tape.sent.length = doings.length = 0
    await act()
    await this.settled()
    const done = await Promise.all(doings.map(async (each) => `! ${shortened(await each)}`))
    const now = everything()
    this.#told.push(
      '',
      `## ${what}`,
      ...this.tape.sent.map((each) => `> ${each}`),
      ...done,
      ...short(difference(this.#known, now), CHANGED),
    )
    this.#known = now
    this.went = here()
    if (this.went === this.#path) return
    this.#told.push(`! goes to ${this.went}`)
    await this.#shut()
    await this.open(this.#path)
  }

  /** Some time passes. */
  async wait(seconds: number) {
    await this.after(`${seconds} s later`, () => this.tape.wait(seconds))
  }

  /** Follows a link, or what leads elsewhere, and stays there. */
  async follow(what: string) {
    const [found] = document.querySelectorAll<HTMLElement>(what)
    press(found!)
    await this.settled()
    const there = here()
    await this.#shut()
    await this.open(there)
  }

  /** Presses the first of these. */
  async press(what: string) {
    const [found] = document.querySelectorAll<HTMLElement>(what)
    if (found) await this.after(what, () => press(found))
    else this.#told.push('', `## ${what} is not there`)
  }

  /** Presses the first control that is called so, and waits for this. */
  async pressNamed(name: string, within = 'body', shows = '') {
    const found = [...document.querySelectorAll<HTMLElement>(CONTROLS)].find(
      (each) =>
        each.closest(within) &&
        [each.getAttribute('aria-label'), each.textContent.trim()].some((text) => text?.startsWith(name)),
    )
    if (found)
      await this.after(`press ${name}`, () => {
        press(found)
        return shows && this.tape.shows(shows)
      })
    else this.#told.push('', `## ${name} is not there`)
  }

  /** Presses the first control that is called so; it has to be there. */
  async click(name: string, within = 'body') {
    const found = named(
      name,
      within,
      `${CONTROLS.replace('input, select, textarea, ', '')}, [type=checkbox], [type=radio]`,
    )
    await this.after(`press ${name}`, () => press(found))
  }

  /** Enters or chooses this in the field that is called so; a file is given with its content. */
  async fill(name: string, value: string | File, within = 'body') {
    const field = named(name, within, 'input, select, textarea') as HTMLInputElement
    await this.after(`${name}: ${value instanceof File ? value.name : value}`, () => {
      if (value instanceof File) Object.defineProperty(field, 'files', { value: [value], configurable: true })
      else field.value = value
      field.dispatchEvent(new Event('input', { bubbles: true }))
      field.dispatchEvent(new Event('change', { bubbles: true }))
    })
  }

  /** Enters a text in the first of these. */
  async enter(what: string, text: string) {
    const [field] = document.querySelectorAll<HTMLInputElement>(what)
    await this.after(`enter ${text} in ${what}`, () => {
      field!.value = text
      field!.dispatchEvent(new Event('input', { bubbles: true }))
      field!.dispatchEvent(new Event('change', { bubbles: true }))
    })
  }

  /** Presses a key where the focus is, or on the first of these. */
  async key(key: string, on?: string, more: KeyboardEventInit = {}) {
    const target = (on && document.querySelector(on)) || document.activeElement || document.body
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })
    await this.after(`key ${[...Object.keys(more), key].join(' ')}`, () => dispatch(event, target))
  }

  /** Something is done with a mouse or a finger, at these pixels. */
  async point(kind: string, on: string, x: number, y: number, more: PointerEventInit & WheelEventInit = {}) {
    const target = document.querySelector(on) ?? document.body
    const made = kind === 'wheel' ? WheelEvent : PointerEvent
    const at = { clientX: x, clientY: y, pointerId: 1, bubbles: true, cancelable: true, ...more }
    await this.after(`${kind} at ${x} ${y}`, () => dispatch(new made(kind, at), target))
  }

  /** Presses what can be pressed now, one after the other; not what that brings along. */
  async pressAll(within: string, but = DECIDES) {
    const find = () =>
      [...document.querySelectorAll<HTMLElement>(CONTROLS)].filter(
        (each) =>
          each.closest(within) &&
          !each.closest(`${CLOSES}, ${but || 'nothing'}`) &&
          !LASTS.test(each.textContent.trim()),
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
      await this.after((line ?? each.textContent).trim().slice(0, 160), () => press(each))
      for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog[open]'))
        if (!dialog.contains(each)) await this.after('the dialog is closed', () => dialog.close())
      if (!each.isConnected && find().length === found.length) found = find()
    }
  }

  /** The moves that were sent. */
  get moves(): string[] {
    return this.tape.sent.flatMap((each) => /"type":"move".*"move":"([^"]*)"/.exec(each)?.[1] ?? [])
  }

  async close() {
    await this.#shut()
    this.#told.push('', ...this.tape.unknown.map((each) => `? ${each}`))
  }

  get text() {
    return `${this.#told.join('\n')}\n`
  }
}

/** What each of these says. */
export const words = (what: string) =>
  [...document.querySelectorAll(what)].map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim())

/** The first of these that is called so, by itself or by the label around it. */
function named(name: string, within: string, what: string): HTMLElement {
  const found = [...document.querySelectorAll<HTMLElement>(what)].find(
    (each) =>
      each.closest(within) &&
      [each.getAttribute('aria-label'), each.textContent, each.closest('label')?.textContent].some((text) =>
        text?.trim().startsWith(name),
      ),
  )
  if (!found) throw new Error(`${name} is not there`)
  return found
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

/** A browser does nothing of its own with what the page has taken. */
function dispatch(event: Event, target: Element) {
  if (!target.dispatchEvent(event)) doings.push('the page takes it')
}

const ENTERED: Record<string, (value: string) => string> = {
  number: (value) => String(Number(value) + 1),
  range: (value) => String(Number(value) + 1),
  date: () => '2026-12-24',
  'datetime-local': () => '2026-12-24T20:00',
}

const here = () => location.pathname + location.search

/** All that can be seen, and what the browser shows or keeps around it. */
function everything(): string[] {
  const { activeElement: focus, title, documentElement } = document
  const kept = Object.keys(localStorage).map((key) => `kept ${key}=${shortened(localStorage.getItem(key) ?? '')}`)
  const has = focus && focus !== document.body ? told(focus)[0]!.trim().slice(0, 160) : ''
  const { theme, turn } = documentElement.dataset
  return [...told(), `title ${title}`, `theme ${theme} ${turn ?? ''}`, `focus ${has}`, ...kept.sort()]
}

const shortened = (text: string) => (text.length > 200 ? `${text.slice(0, 60)}… ${digest(text)}` : text)

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
