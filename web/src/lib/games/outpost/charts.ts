import { m } from '../../../texts/messages'
import type { Chart } from '../../family/family'
import type { OutpostView, Row } from '../../net/protocol'
import { total } from '../../replay/charts'

export function charts(views: OutpostView[], rows: Row[]): Chart[] {
  const seats = views[0]!.players.map(({ seat }) => seat)
  const each = <T>(of: (player: OutpostView['players'][number]) => T): T[][] =>
    seats.map((seat) => views.map((view) => of(view.players[seat]!)))
  const paid = (seat: number, verb: string) => total(rows, 'paid', seat, ({ move }) => move.startsWith(verb))
  return [
    { title: m.chart_cities_by_round(), lines: each(({ network }) => network) },
    { title: m.chart_energy(), lines: each(({ energy }) => energy) },
    { title: m.chart_money(), lines: each(({ money }) => money) },
    { title: m.chart_workers(), lines: each(({ humans, robots }) => humans + robots) },
    {
      title: m.chart_spending(),
      parts: [m.chart_cards(), m.chart_buildings(), m.chart_wages()],
      bars: seats.map((seat) => [total(rows, 'sold', seat), paid(seat, 'build'), paid(seat, 'hire')]),
    },
  ]
}
