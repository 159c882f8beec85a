"""A card has one name: in the notation of moves, in views, in events, and by `label`."""

from collections.abc import Iterator
from typing import Any

import pytest

import highvoltage as hv
from highvoltage import bots
from highvoltage.engine.events import Slid, Sold
from highvoltage.engine.moves import Bid, Move, Nominate, Run

CARDS = ("card", "old", "new")  # the fields of moves that hold a card


def cards_of(move: Move) -> list[int]:
    if isinstance(move, Run):
        return [card for card, _ in move.plants]
    return [getattr(move, field) for field in CARDS if hasattr(move, field)]


def shown(view: object) -> Iterator[str]:
    """Every card that a view shows, wherever it is."""
    if isinstance(view, dict):
        if isinstance(card := view.get("card"), str):
            yield card
        yield from view.get("colonies", ())
        for part in view.values():
            yield from shown(part)
    elif isinstance(view, list):
        for part in view:
            yield from shown(part)


def owned(player: dict[str, Any]) -> set[str]:
    parts = (player.get(part, []) for part in ("plants", "habitats", "pool"))
    return {card["card"] for part in parts for card in part}


@pytest.mark.parametrize("rulebook", ["classic", "recharged", "cardgame", "outpost"])
@pytest.mark.parametrize("players", [2, 3])
def test_a_card_has_one_name_everywhere(rulebook: str, players: int) -> None:
    game = hv.new(rulebook, players=players, seed=2)
    programs = [bots.make("clerk", seat) for seat in range(players)]
    named = ""  # under the hammer
    while (seat := game.to_move) is not None:
        view = game.view(seat)
        seen = set(shown(view))
        for move in game.legal_moves.choices:
            names = [hv.label(card) for card in cards_of(move)]
            words = str(move).replace(":", " ").split()
            assert set(names) <= set(words), f"{move!r} is written {move}"
            assert set(names) <= seen, f"{move} names what the view does not show"
            assert [hv.parse_card(name) for name in names] == cards_of(move)
        choice = bots.ask(programs[seat], game).move
        if isinstance(choice, Nominate):
            named = hv.label(choice.card)
        elif isinstance(choice, Bid):
            assert view["auction"]["card"] == named
        for event in game.play(choice):
            if isinstance(event, Sold):
                assert event.card == named
                assert event.card in owned(game.view()["players"][event.seat])
            elif isinstance(event, Slid):
                after = game.view()  # where it may have been turned up again
                assert event.card in {*after["market"]["slid"], *shown(after)}


def test_games_with_twins_are_among_them() -> None:
    """Otherwise the test above would prove little."""
    for rulebook in ("cardgame", "outpost"):
        game = hv.new(rulebook, players=3, seed=2)
        bots.play_game(game, [bots.make("clerk", seat) for seat in range(3)])
        nominated = [row.move.card for row in game.log if isinstance(row.move, Nominate)]
        assert any(card > 100 for card in nominated)
