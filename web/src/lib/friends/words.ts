import { partWords, type Texts } from '../ui/part_words'

/** The words about people: their profiles, and whom they know. */
export const { loadWords, say } = partWords(
  import.meta.glob<Texts>('../../../../src/highvoltage/words/friends/*.json', { import: 'default' }),
)
