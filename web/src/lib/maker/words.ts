/** The words of the map maker, loaded with it: nobody else needs them. */
type Texts = Record<string, string>
const TEXTS = import.meta.glob<Texts>('../../../../src/highvoltage/words/maker/*.json', { import: 'default' })

let texts: Texts = {}

export async function loadWords(locale: string) {
  texts = await TEXTS[`../../../../src/highvoltage/words/maker/${locale}.json`]!()
}

export const say = (key: string, values: Record<string, string | number> = {}): string =>
  texts[key]!.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
