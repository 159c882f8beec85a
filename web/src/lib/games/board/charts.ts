import { m } from '../../../texts/messages'
import type { Chart } from '../../family/family'
import type { BoardView, Row } from '../../net/protocol'
import { total } from '../../replay/charts'

export function charts(views: BoardView[], rows: Row[]): Chart[] {
  const seats = views[0]!.players.map(({ seat }) => seat)
  const rounds = [...new Set(rows.map(({ round }) => round))]
  const each = <T>(of: (view: BoardView, seat: number) => T): T[][] =>
    seats.map((seat) => views.map((view) => of(view, seat)))
  return [
    { title: m.chart_cities_by_round(), lines: each((view, seat) => view.players[seat]!.cities.length) },
    {
      title: m.chart_capacity(),
      lines: each((view, seat) => view.players[seat]!.plants.reduce((sum, { powers }) => sum + powers, 0)),
    },
    { title: m.chart_money(), lines: each((view, seat) => view.players[seat]!.money) },
    {
      title: m.chart_income(),
      lines: seats.map((seat) => rounds.map((round) => total(rows, 'income', seat, (row) => row.round === round))),
    },
    {
      title: m.chart_spending(),
      parts: [m.chart_plants(), m.chart_fuel(), m.chart_cities()],
      bars: seats.map((seat) => [
        total(rows, 'sold', seat),
        total(rows, 'paid', seat, ({ move }) => move.startsWith('buy')),
        total(rows, 'paid', seat, ({ move }) => /^(build|start) /.test(move)),
      ]),
    },
  ]
}
