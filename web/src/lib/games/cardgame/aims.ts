/** What to press for a move, as selectors. */
import { after, sharedAims } from '../../family/aims'

export function aims(move: string): string[] {
  const [verb = '', ...fuelPick] = move.split(' ')
  if (verb !== 'buy') return sharedAims(move, 'plants')
  const card = `.fuelcard[data-fuel-pick="${fuelPick.join(' ')}"]`
  return after(`${card}.chosen`, `${card}.offered`, '#tab-fuel')
}
