import { partWords, type Texts } from '../ui/part_words'

/** The words about how people are reached and recognised. */
export const { loadWords, say } = partWords(
  import.meta.glob<Texts>('../../../../src/highvoltage/words/account/*.json', { import: 'default' }),
)
