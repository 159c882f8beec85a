"""The usual moves of a company: use the best cards, hire the fewest who power the most."""

from collections.abc import Sequence

from highvoltage.engine.moves import Done, Move
from highvoltage.games.outpost import company
from highvoltage.games.outpost.cards import Card
from highvoltage.games.outpost.moves import Hire, PlaceCard, Power, Robot, Swap
from highvoltage.games.outpost.state import Company, OutpostState


def choose(s: OutpostState, seat: int, moves: Sequence[Move]) -> Move | None:
    """The usual one among legal moves with the same verb, if there is one."""
    player = s.players[seat]
    match moves[0]:
        case PlaceCard():
            return max(moves, key=lambda move: worth(s, move))
        case Swap():
            better = (move for move in moves if better_in_every_way(s, move))
            return next(better, None)
        case Hire():
            return choose_hire(s, player, moves)
        case Robot() | Power() | Done():
            return moves[0]
    return None


def worth(s: OutpostState, move: Move) -> tuple[int, int, int]:
    assert isinstance(move, PlaceCard)
    return strengths(s.rules.faces[move.card])


def better_in_every_way(s: OutpostState, move: Move) -> bool:
    assert isinstance(move, Swap)
    old, new = (strengths(s.rules.faces[card]) for card in (move.old, move.new))
    return all(b >= a for a, b in zip(old, new, strict=True))


def strengths(face: Card) -> tuple[int, int, int]:
    return face.energy, face.places, -face.workers


def choose_hire(s: OutpostState, player: Company, moves: Sequence[Move]) -> Move | None:
    best = max(moves, key=lambda move: (powered(s, player, move), -hired(move)))
    of_use = not hired(best) or powered(s, player, best) > s.rules.most_powered(player)
    return best if of_use else None


def hired(move: Move) -> int:
    assert isinstance(move, Hire)
    return move.count


def powered(s: OutpostState, player: Company, move: Move) -> int:
    """The number of cities that the company can power after this hire."""
    seasonal = hired(move)
    _, empty = company.missing_workers(s, player)
    then = player.copy()
    then.humans += seasonal + min(s.labour - seasonal, max(0, empty))
    return s.rules.most_powered(then)
