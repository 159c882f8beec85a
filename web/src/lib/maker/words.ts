import { partWords } from '../ui/part_words'

/** The words of the map maker. */
export const { loadWords, say } = partWords(
  import.meta.glob('../../../../src/highvoltage/words/maker/*.json', { import: 'default' }),
)
