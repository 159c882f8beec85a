"""Positions of the 2018 edition."""

from collections.abc import Mapping, Sequence
from typing import Any

import highvoltage as hv
from highvoltage.engine.cards import parse_card
from highvoltage.games.classic.tables import URANIUM
from highvoltage.games.recharged.state import MARK, Cartel, RechargedState
from positions import position

FUELS = ("coal", "oil", "garbage", "uranium")
PLAYERS = (2, 3, 4, 5, 6)
WEST = ("northwest", "west", "southwest")


def state(game: hv.Game) -> RechargedState:
    assert isinstance(game.state, RechargedState)
    return game.state


def cartel(game: hv.Game) -> Cartel:
    third = state(game).cartel
    assert third is not None
    return third


def recharged(
    players: int = 3,
    *,
    map: str = "germany",  # noqa: A002  # the word of the game
    regions: str | Sequence[str] = "random",
    chance: hv.Chance | None = None,
    options: Mapping[str, Any] | None = None,
    houses: Mapping[str, tuple[int, ...]] | None = None,
    plants_of_cartel: Sequence[int] = (),
    reserve: int = 10,
    **fields: Any,
) -> hv.Game:
    """A position of the 2018 edition; `houses` are those of the cartel, and marks."""
    game = hv.new(
        "recharged",
        map=map,
        players=players,
        seed=1,
        regions=regions,
        chance=chance,
        **(options or {}),
    )
    s = state(game)
    for city, stands in (houses or {}).items():
        s.houses[s.area.index[city]] = stands
        s.supply[URANIUM] -= stands.count(MARK)
    if s.cartel:
        s.cartel.cards = tuple(plants_of_cartel)
        s.cartel.reserve = reserve
    s.market.discount = None
    position(game, **fields)
    aside = s.market.aside  # where `position` puts cards that no player owns
    aside[:] = [card for card in aside if card not in plants_of_cartel]
    return game


def stocks(game: hv.Game) -> list[int]:
    return [game.view()["fuel"][kind]["stock"] for kind in FUELS]


def supplies(game: hv.Game) -> list[int]:
    return [game.view()["fuel"][kind]["supply"] for kind in FUELS]


def money(game: hv.Game, seat: int) -> int:
    return state(game).players[seat].money


def owned(game: hv.Game, seat: int) -> tuple[int, ...]:
    return state(game).players[seat].cards


def removed(game: hv.Game) -> list[int]:
    return list(map(parse_card, game.view()["market"]["removed"]))


def begin_round(game: hv.Game) -> hv.Game:
    """Play the choices at set-up, taking the first option each time, up to the first auction."""
    while game.phase in {"regions", "cartel", "marks"}:
        game.play(game.legal_moves[0])
    return game
