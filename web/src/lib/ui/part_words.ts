/** The words of a part of the page, which are loaded with it: nobody else needs them. */
export type Texts = Record<string, string>

export function partWords(texts: Record<string, () => Promise<Texts>>) {
  let spoken: Texts = {}
  return {
    loadWords: async (locale: string) => {
      const file = Object.keys(texts).find((name) => name.endsWith(`/${locale}.json`))
      spoken = await texts[file!]!()
    },
    say: (key: string, values: Record<string, string | number> = {}): string =>
      spoken[key]!.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name])),
  }
}
