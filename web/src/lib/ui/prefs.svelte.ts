import './local_storage'
import { speak } from '../../texts/messages'
import { api } from '../net/api'
import { COLOURS } from './colours'
import { getLocale, type Locale, setLocale } from './locale'

const THEMES = ['night', 'day'] as const
export type Theme = (typeof THEMES)[number]
type Switch = 'sound' | 'notify' | 'stage' | 'remarks' | 'coach'

const read = (key: string) => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
const write = (key: string, value: string) => {
  try {
    localStorage.setItem(key, value)
  } catch {
    // A browser that stores nothing asks again next time.
  }
}

class Prefs {
  theme = $state<Theme>(
    THEMES.find((each) => each === read('hv-theme')) ??
      (matchMedia('(prefers-color-scheme: light)').matches ? 'day' : 'night'),
  )
  locale = $state<Locale>(getLocale())
  sound = $state(read('hv-sound') === 'on')
  /** Notify me when it is my turn and the page is hidden. */
  notify = $state(read('hv-notify') === 'on')
  /** Stage what happens; otherwise the table only shows the present. */
  stage = $state(read('hv-stage') !== 'off')
  /** Bots say something at telling moments. */
  remarks = $state(read('hv-remarks') !== 'off')
  /** A coach speaks at tables where I play alone against bots. */
  coach = $state(read('hv-coach') === 'on')
  /** My colour, if it is not that of my seat. */
  colour = $state(COLOURS.find((each) => String(each) === read('hv-colour')) ?? null)

  /** Boards whose note on open points has been read. */
  knownDoubts = $state.raw((read('hv-doubts') ?? '').split(' '))

  constructor() {
    this.#apply()
  }

  /** The press is painted first: changing all colours of a page takes longer. */
  setTheme(theme: Theme) {
    this.theme = theme
    write('hv-theme', theme)
    requestAnimationFrame(() => setTimeout(() => this.#apply()))
  }

  async setLocale(locale: Locale) {
    void api.words(locale)
    await speak(locale)
    setLocale(locale)
    this.locale = locale
    this.#apply()
  }

  setSwitch(name: Switch, on: boolean) {
    this[name] = on
    write(`hv-${name}`, on ? 'on' : 'off')
  }

  setColour(colour: number) {
    this.colour = colour
    write('hv-colour', String(colour))
  }

  learnDoubts(map: string) {
    this.knownDoubts = [...this.knownDoubts, map]
    write('hv-doubts', this.knownDoubts.join(' '))
  }

  #apply() {
    document.documentElement.dataset.theme = this.theme
    document.documentElement.lang = this.locale
  }
}

export const prefs = new Prefs()
