/** What to press for a move, as selectors. */
import { after, PLAY, sharedAims } from '../../family/aims'

export function aims(move: string): string[] {
  const [verb = '', what = '', count = ''] = move.split(' ')
  if (verb === 'build' || verb === 'start')
    return after(`.city[data-city="${what}"] .ghost`, `.city[data-city="${what}"]`)
  if (verb !== 'buy') return sharedAims(move, 'plants')
  const shelf = `.shelf[data-fuel="${what}"]`
  const fewer = Array.from({ length: Number(count) }, (_, n) => `${shelf}[data-basket="${n}"] .more:not(:disabled)`)
  return [...fewer, `body:has(${shelf}) ${PLAY}`, '#tab-fuel']
}
