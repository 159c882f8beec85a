import { m } from '../../../texts/messages'
import type { Chart } from '../../family/family'
import type { CardGameView, Row } from '../../net/protocol'
import { total } from '../../replay/charts'
import { incomeOf } from './running'

export function charts(views: CardGameView[], rows: Row[]): Chart[] {
  const seats = views[0]!.players.map(({ seat }) => seat)
  const rounds = [...new Set(rows.map(({ round }) => round))]
  const paid = new Set(rows.filter(({ move }) => move.startsWith('run')).map(({ round }) => round)) // not the last
  return [
    {
      title: m.chart_income(),
      lines: seats.map((seat) =>
        rounds.map((round) => (paid.has(round) ? total(rows, 'income', seat, (row) => row.round === round) : null)),
      ),
    },
    {
      title: m.chart_plants_income(),
      lines: seats.map((seat) => views.map((view) => incomeOf(view.players[seat]!.plants))),
    },
    { title: m.chart_money(), lines: seats.map((seat) => views.map((view) => view.players[seat]!.money)) },
    {
      title: m.chart_spending(),
      parts: [m.chart_plants(), m.chart_fuel_cardgame()],
      bars: seats.map((seat) => [total(rows, 'sold', seat), total(rows, 'paid', seat)]),
    },
  ]
}
