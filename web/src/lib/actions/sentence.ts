/** One sentence that says whose turn it is and what is expected. */
import { m } from '../../texts/messages'
import type { Narrator } from '../family/family'
import type { GameView, TableInfo } from '../net/protocol'
import { lotAt } from '../stage/lots'
import { incomeIn } from '../stage/payday'
import type { Playhead } from '../stage/playhead'
import { phaseName, sentenceCase, translate } from '../ui/words'

/** The question of an auction, or the name of another phase. */
export function question(view: GameView): string {
  if (view.phase !== 'auction') return view.phase
  if (view.auction.scrapping !== null) return 'scrap'
  return view.auction.card === null ? 'nominate' : 'bid'
}

/** The scene that is being shown; nothing while the table only waits for somebody else. */
export function sceneWords(playhead: Playhead, info: TableInfo, view: GameView): string {
  const { rows, at, moving, announces, lit } = playhead
  const row = rows[at - 1]
  if (!moving || !row) return ''
  if (typeof lit === 'number') return m.stage_ending()
  if (announces) return phaseName(row.phase)
  if (incomeIn(row)) return m.stage_payday()
  const lot = lotAt(rows, at, view)
  const isMine = info.seats.some((seat) => seat.mine && seat.seat === view.to_move)
  if (lot?.sold) return isMine ? m.stage_sold_you() : m.stage_sold({ name: view.names[lot.sold.seat]! })
  if (lot && !isMine && view.to_move !== row.seat) return ''
  return lot ? m.stage_auction({ card: lot.card }) : phaseName(row.phase)
}

export function sentence({ family, places }: Narrator, info: TableInfo, view: GameView, myTurn: boolean): string {
  if (view.outcome) {
    const winners = view.outcome.ranking[0]!.map((seat) => view.names[seat]!)
    const mine = info.seats.filter((seat) => seat.mine)
    const alone = winners.length === 1 && mine.length === 1 ? mine[0]!.seat : null
    if (alone === view.outcome.ranking[0]![0]) return m.turn_you_won()
    return winners.length > 1 ? m.turn_tied({ names: winners.join(', ') }) : m.turn_won({ name: winners[0]! })
  }
  if (view.to_move === null || info.status === 'broken') return m.turn_broken_off()
  if (info.status === 'failed' && !myTurn) return m.turn_failed()
  const key = family.question(view)
  const values = { card: places.card(view.auction.card ?? ''), bid: view.auction.bid }
  const mine = info.seats.filter((seat) => seat.mine).length
  const name = view.names[view.to_move]!
  const what = sentenceCase(translate(`turn_you_${key}`, phaseName(view.phase), values))
  if (myTurn) return mine < 2 ? what : m.turn_at_screen({ name, what })
  return translate(`turn_${key}`, phaseName(view.phase), { ...values, name })
}
