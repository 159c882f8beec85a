/** The language of the page: the one chosen, else the browser's first that we have, else English. */

export const LOCALES = ['en', 'pl', 'cs', 'sr-Latn', 'de'] as const
export type Locale = (typeof LOCALES)[number]

const KEY = 'PARAGLIDE_LOCALE' // its name from the beginning: the choice of those who play is kept under it

const known = (name: string | null | undefined) => LOCALES.find((each) => each === name)

/** Of pl-PL, our pl. */
const preferred = () =>
  navigator.languages?.map((each) => known(each) ?? known(each.split('-')[0])).find((each) => each !== undefined)

export const getLocale = (): Locale => known(localStorage.getItem(KEY)) ?? preferred() ?? 'en'

export const setLocale = (locale: Locale) => localStorage.setItem(KEY, locale)

const rules: Partial<Record<Locale, Intl.PluralRules>> = {} // creating one takes longer than applying it

/** The form of a sentence with this number: one, few, many or other. */
export function plural(locale: Locale, count: unknown) {
  rules[locale] ??= new Intl.PluralRules(locale)
  return rules[locale].select(Number(count))
}
