import { partWords, type Texts } from '../ui/part_words'

/** The words of the map maker. */
export const { loadWords, say } = partWords(
  import.meta.glob<Texts>('../../../../src/highvoltage/words/maker/*.json', { import: 'default' }),
)
