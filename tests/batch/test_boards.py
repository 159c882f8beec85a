"""Which boards the twin covers, and that it deals their decks as the engine does."""

from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

from highvoltage import batch
from highvoltage.batch.board_comparing import cards_in
from highvoltage.batch.codes import CARDS
from highvoltage.batch.dealing import deal
from highvoltage.batch.exchange import TwinChance, codes_by_card, codes_of
from highvoltage.batch.lockstep import Checker
from highvoltage.batch.reading import jit_fast
from highvoltage.batch.setup import ChanceRanks, draw_chance
from highvoltage.batch.state import IN_DECK, WAITING
from highvoltage.batch.tables import COVERED_RULES, Tables
from highvoltage.engine.errors import OptionError
from highvoltage.engine.game import Game
from highvoltage.games import meta
from highvoltage.games.classic.state import BoardState
from highvoltage.testing import Setting
from spread import some

PAGE = Path(__file__).parents[2] / "docs" / "batch.md"
BOARDS = [(name, board) for name in ("classic", "recharged") for board in meta(name).maps]


def refusal(rulebook: str, board: str, players: int) -> str:
    """Why the twin does not play this; empty if it does."""
    try:
        batch.make(rulebook, board, players)
    except OptionError as error:
        return str(error)
    return ""


def covered(rulebook: str) -> list[str]:
    """The boards that the twin plays with any number of players; none only with some."""
    found = []
    for board in meta(rulebook).maps:
        refused = {refusal(rulebook, board, players) for players in range(2, 7)}
        assert len(refused) == 1, (board, refused)
        found += [board] * (refused == {""})
    return found


@pytest.mark.parametrize("rulebook", ["classic", "recharged"])
def test_the_page_lists_the_boards_that_are_covered(rulebook: str) -> None:
    title = {"classic": "Classic", "recharged": "Recharged"}[rulebook]
    names = ", ".join(f"`{board}`" for board in sorted(covered(rulebook)))
    assert f"- {title}: {names}." in PAGE.read_text("utf-8")


def test_the_page_lists_the_map_rules_that_are_covered() -> None:
    text = PAGE.read_text("utf-8")
    assert all(f"`{rule}`" in text for rule in COVERED_RULES)


DEALT = [(name, board) for name, board in BOARDS if not refusal(name, board, 3)]
IN_EVERY_RUN = [  # the others are long
    *(("classic", "russia"), ("recharged", "russia"), ("classic", "europe")),
    *(("classic", "brazil"), ("recharged", "france"), ("classic", "spain_portugal")),
]


@pytest.mark.parametrize(("rulebook", "board"), some(*IN_EVERY_RUN, of=DEALT))
def test_the_deck_is_dealt_as_in_the_engine(rulebook: str, board: str) -> None:
    for players in (2, 4):
        tables = Tables(rulebook, board, players, {})
        chances, deals = drawn_deals(tables)
        for at in range(8):
            chance = jax.tree.map(lambda leaf, at=at: np.asarray(leaf[at]), chances)
            market, pile = (np.asarray(part[at]) for part in deals)
            compare_deal(tables, chance, market, pile)


def drawn_deals(tables: Tables) -> tuple[ChanceRanks, Any]:
    def one(key: Any) -> tuple[ChanceRanks, Any]:
        chance = draw_chance(tables, key)
        return chance, deal(tables, chance)

    drawn: tuple[ChanceRanks, Any] = jit_fast(jax.vmap(one))(jax.random.split(jax.random.key(3), 8))
    return drawn


def compare_deal(tables: Tables, chance: Any, market: Any, pile: Any) -> None:
    game = Game(tables.rules, TwinChance(tables, chance), list("abcdef"[: tables.players]))
    assert isinstance(game.state, BoardState)
    theirs = game.state.market
    ours = cards_in(pile.tobytes(), IN_DECK)
    assert ours["deck"] == theirs.deck
    assert ours["aside"] == sorted(theirs.aside)
    codes = codes_by_card(tables, ())
    assert market.tolist() == codes_of(codes, theirs.cards, tables.market)
    assert [card for card, at in zip(CARDS, pile, strict=True) if at == WAITING] == [
        *theirs.waiting
    ]


@pytest.mark.long
@pytest.mark.parametrize(("rulebook", "board"), DEALT)
def test_a_game_agrees_with_the_engine(rulebook: str, board: str) -> None:
    tally = Checker(Setting(rulebook, board, 3), batch=7).run(7)
    assert tally.games == 7
    assert tally.exchanges > 0
