"""The standings of a cup.

Points come first; then first places; then the points of those one has met, each meeting counted.
Whoever is equal in all of these has the same rank.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple


class SeatResult(NamedTuple):
    """How a game ended for a seat; `player` is None for a bot."""

    player: int | None
    place: int  # from 1; those who tie have the same
    left: bool  # before the end, or never there


class Standing(NamedTuple):
    """A line of the standings."""

    player: int
    rank: int
    points: float
    wins: int
    opponents: float  # their points
    games: int


def seat_points(table: Sequence[SeatResult], points: Sequence[int]) -> list[Fraction]:
    """The points of each seat. Those who tie share theirs; whoever has left gets none.

    >>> tie = [SeatResult(1, 1, False), SeatResult(2, 1, False), SeatResult(None, 3, False)]
    >>> [float(each) for each in seat_points(tie, [5, 2, 1])]
    [3.5, 3.5, 1.0]
    """
    found = []
    for seat in table:
        tied = sum(not other.left and other.place == seat.place for other in table)
        shared = points[seat.place - 1 : seat.place - 1 + tied]
        found.append(Fraction(0) if seat.left else Fraction(sum(shared), tied))
    return found


def standings(
    players: Sequence[int], tables: Sequence[Sequence[SeatResult]], points: Sequence[int]
) -> list[Standing]:
    """The standings after these tables, the best first."""
    won: dict[int, Fraction] = dict.fromkeys(players, Fraction(0))
    wins, games = dict.fromkeys(players, 0), dict.fromkeys(players, 0)
    met: dict[int, list[int]] = {player: [] for player in players}
    for table in tables:
        people = [seat.player for seat in table if seat.player is not None]
        for seat, gained in zip(table, seat_points(table, points), strict=True):
            if seat.player is None:
                continue
            won[seat.player] += gained
            wins[seat.player] += seat.place == 1 and not seat.left
            games[seat.player] += 1
            met[seat.player] += [player for player in people if player != seat.player]

    def merit(player: int) -> tuple[Fraction, int, Fraction]:
        others = sum((won[other] for other in met[player]), Fraction(0))
        return won[player], wins[player], others

    merits = {player: merit(player) for player in players}
    order = sorted(players, key=merits.__getitem__, reverse=True)
    ranks: dict[int, int] = {}
    for n, player in enumerate(order):
        ties = n > 0 and merits[player] == merits[order[n - 1]]
        ranks[player] = ranks[order[n - 1]] if ties else n + 1
    return [
        Standing(
            player,
            ranks[player],
            float(merits[player][0]),
            wins[player],
            float(merits[player][2]),
            games[player],
        )
        for player in order
    ]
