"""Which boards the twin covers, and that it deals their decks as the engine does."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import highvoltage as hv
from highvoltage import batch, bots
from highvoltage.batch import auction, reading
from highvoltage.batch.auction import on_offer
from highvoltage.batch.board_comparing import cards_in
from highvoltage.batch.codes import CARDS
from highvoltage.batch.decks import pile_of
from highvoltage.batch.exchange import TwinChance, codes_by_card, codes_of, fields_of, reach_of
from highvoltage.batch.fuelmarket import affordable, put_back, refill
from highvoltage.batch.lockstep import Checker
from highvoltage.batch.mines import sell_at_the_end
from highvoltage.batch.play import change_market
from highvoltage.batch.reading import compiled, filled, jit_fast
from highvoltage.batch.reading_deck import raise_card
from highvoltage.batch.setup import ChanceRanks, blocked_cities, draw_chance, lay_out
from highvoltage.batch.sites import prices
from highvoltage.batch.state import IN_DECK, USED, WAITING
from highvoltage.batch.tables import COVERED_RULES, UNREACHABLE, Tables
from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.errors import OptionError
from highvoltage.engine.game import Game
from highvoltage.engine.moves import Buy
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


@pytest.mark.parametrize("rulebook", some("classic", of=["classic", "recharged"]))
def test_the_page_lists_the_boards_that_are_covered(rulebook: str) -> None:
    title = {"classic": "Classic", "recharged": "Recharged"}[rulebook]
    names = ", ".join(f"`{board}`" for board in sorted(covered(rulebook)))
    assert f"- {title}: {names}." in PAGE.read_text("utf-8")


def test_the_page_lists_the_map_rules_that_are_covered() -> None:
    text = PAGE.read_text("utf-8")
    assert all(f"`{rule}`" in text for rule in COVERED_RULES)


def test_one_card_that_fits_comes_on_top_and_the_others_stay_in_their_order() -> None:
    assert raise_card([1, 2, 3, 4], lambda card: card % 2 == 0) == [2, 1, 3, 4]
    assert raise_card([1, 3], lambda card: card % 2 == 0) == [1, 3]


@pytest.mark.parametrize(
    ("rulebook", "board"), some(("recharged", "russia"), ("classic", "brazil"), of=BOARDS)
)
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
        state = lay_out(tables, chance)
        return chance, (state.market, state.pile)

    drawn: tuple[ChanceRanks, Any] = jit_fast(jax.vmap(one))(jax.random.split(jax.random.key(3), 8))
    return drawn


def compare_deal(tables: Tables, chance: Any, market: Any, pile: Any) -> None:
    game = Game(tables.rules, TwinChance(tables, chance), list("abcdef"[: tables.players]))
    assert isinstance(game.state, BoardState)
    theirs = game.state.market
    ours = cards_in(pile.tobytes(), USED if tables.plant_market.three_stages else IN_DECK)
    assert ours["deck"] == theirs.deck
    assert ours["aside"] == sorted(theirs.aside)
    codes = codes_by_card(tables, ())
    assert market.tolist() == codes_of(codes, theirs.cards, tables.market)
    assert ours["beside"] == sorted(theirs.waiting)


@pytest.mark.long
@pytest.mark.parametrize(("rulebook", "board"), BOARDS)
def test_a_game_agrees_with_the_engine(rulebook: str, board: str) -> None:
    tally = Checker(Setting(rulebook, board, 3), batch=7).run(7)
    assert tally.games == 7
    assert tally.exchanges > 0


# Positions of the engine as states of the twin, for what is computed from one position


@cache
def tables_of(board: str, rulebook: str = "classic") -> Tables:
    return Tables(rulebook, board, 3, {})


def position(board: str, phase: str, moves: int, rulebook: str = "classic") -> Any:
    """A game that is in this phase after some random moves; its tables, and its state as a twin."""
    tables = tables_of(board, rulebook)
    game = Setting(rulebook, board, 3).new(5)
    rng = np.random.default_rng(5)
    while len(game.log) < moves or game.state.phase_name != phase:
        legal = game.legal_moves
        game.play(legal[int(rng.integers(len(legal)))])
    return game, tables, state_of(tables, game.state)


def state_of(tables: Tables, s: Any, **more: Any) -> Any:
    """A position of the engine as a state of the twin, without the deck."""
    fields = fields_of(tables, s) | {"reach": reach_of(tables, s)} | more
    fields = {name: value for name, value in fields.items() if "." not in name}
    _, form, _ = compiled(tables)
    shaped = {name: np.reshape(value, getattr(form, name).shape) for name, value in fields.items()}
    return filled(form, shaped)


PRICED = ["uk_ireland", "japan", "bremen", "baden_wuerttemberg", "manhattan"]


@pytest.mark.parametrize("board", some("japan", "manhattan", of=PRICED))
def test_a_house_costs_what_it_costs_in_the_engine(board: str) -> None:
    game, tables, state = position(board, "building", 150)
    price = jit_fast(partial(prices, tables))
    different = set()
    for seat in range(3):
        view = game.view(seat)
        costs = np.asarray(price(state, np.arange(3) == seat)).tolist()
        area = tables.areas[int(state.area)]
        found = {
            city: cost for city, cost in zip(area.cities, costs, strict=False) if cost < UNREACHABLE
        }
        assert found == view["connect"]
        different |= {*found.values()}
    assert len(different) > 4


@pytest.mark.parametrize("board", some("japan", of=["japan", "south_africa", "bremen"]))
def test_a_view_is_read_while_regions_are_chosen(board: str) -> None:
    drafting = Setting("classic", board, 3, {"regions": "draft"})
    game, tables = drafting.new(5), Tables("classic", board, 3, {"regions": "draft"})
    game.play(game.legal_moves[0])
    read = reading.board(tables, game.view(0))
    assert isinstance(game.state, BoardState)
    theirs = fields_of(tables, game.state)
    assert read.keys() >= {"slots"} | ({"starts"} & theirs.keys())
    for name, value in read.items():
        assert np.array_equal(value, np.reshape(theirs[name], np.shape(value))), name


@pytest.mark.rule("A-UKI-7")
def test_a_deck_that_keeps_its_lowest_cards_apart_is_read_whole() -> None:
    game: Any = hv.new("classic", map="uk_ireland", players=4, seed=3)
    clerk = bots.make("clerk", 1)
    while LAST_CARD in game.state.market.deck or game.phase != "building":
        game.play(bots.ask(clerk, game).move)
    env: Any = batch.make("classic", "uk_ireland")
    for key in jax.random.split(jax.random.key(4), 6):
        read = env.to_game(env.from_view(game.view(0), key))
        assert len(read.state.market.deck) == len(game.state.market.deck)


@pytest.mark.parametrize("board", some("korea", of=["korea", "india", "europe"]))
def test_as_much_fuel_can_be_paid_as_in_the_engine(board: str) -> None:
    game, tables, state = position(board, "fuel", 40)
    if "trade" in game.view(0):
        game.play(game.legal_moves[1])
        state = replace(state, trade=np.int8(1))
    seat = game.to_move
    count = jit_fast(partial(affordable, tables))
    for money in (0, 7, 30, 500):
        game.state.players[seat].money = money
        game.state.players[seat].cards = (5, 20, 30, 39)  # room for every fuel
        most = np.asarray(count(state, np.int16(money), np.int8(0))).tolist()
        rooms = game.view(seat)["players"][seat]["room"].values()
        theirs = dict.fromkeys(tables.ruleset.fuels, 0)
        for move in game.state.rules.phases[game.state.phase].legal(game.state, seat).plain:
            if isinstance(move, Buy):
                theirs[move.fuel] = max(theirs[move.fuel], move.count)
        limit = tables.tokens_a_turn or 99
        assert [min(each) for each in zip(most, rooms, [limit] * 4, strict=True)] == [
            *theirs.values()
        ]


@pytest.mark.parametrize("board", some("benelux", of=["benelux", "russia", "china"]))
def test_as_many_plants_are_on_offer_as_in_the_engine(board: str) -> None:
    tables, sizes = tables_of(board), set()
    count = jit_fast(lambda state: jnp.sum(on_offer(tables, state)))
    for moves in range(0, 200, 20):
        game, _, state = position(board, "auction", moves)
        sizes.add(offered := len(game.view(0)["market"]["current"]))
        assert count(state) == offered
    assert len(sizes) > 1


def test_mines_sell_as_in_the_engine() -> None:
    game, tables, state = position("australia", "bureaucracy", 100)
    assert isinstance(game.state, BoardState)
    state = replace(state, mines=np.array([[True, False, True, False, False]] * 3))
    for player in game.state.players:
        player.mines = (11, 28)
    game.state.mine_stock = 7
    after = jit_fast(partial(sell_at_the_end, tables))(
        replace(state, mine_stock=np.int8(7)), np.bool_(True)
    )
    market = game.state.rules.mine_market
    assert market is not None
    for seat in reversed(game.state.order):
        market.sell(game.state, seat)
    assert after.money.tolist() == [player.money for player in game.state.players]
    assert after.mine_stock == game.state.mine_stock == 12


def test_cities_are_blocked_as_in_the_engine() -> None:
    tables = tables_of("manhattan")
    draw, _, _ = compiled(tables)
    for seed in range(3):
        chance = jax.device_get(draw(jax.random.key(seed)))
        game = Game(tables.rules, TwinChance(tables, chance), list("abc"))
        assert isinstance(game.state, BoardState)
        blocked = np.asarray(blocked_cities(tables, chance.blocked))
        names = {city.id for city, is_ in zip(tables.rules.map.cities, blocked, strict=True) if is_}
        assert names == game.state.blocked


def with_short_decks(board: str, rulebook: str, phase: str, moves: int) -> Iterator[Any]:
    """A position, with so many cards as are left, so that the deck ends now or soon."""
    game, tables, _ = position(board, phase, moves, rulebook)
    ranks = np.random.default_rng(moves).permutation(len(CARDS) + 1).astype(np.uint8)
    rank = jnp.asarray(ranks)
    chance = ChanceRanks(rank, rank, rank, rank, rank, later=rank[::-1])
    for left in range(6):
        s = game.state.copy()
        s.chance = TwinChance(tables, chance)
        if tables.plant_market.steps_by_deck and s.step == 1:
            s.step2_pending = left % 2 == 1
        deck = s.market.deck
        last = deck.index(LAST_CARD) if LAST_CARD in deck else len(deck)
        s.market.deck = deck[:left] + deck[max(left, last) :]
        s.market.aside = s.market.aside + deck[left:last]
        pile = pile_of(CARDS, s.market.deck, s.market.aside)
        pile[[CARDS.index(card) for card in s.market.pile]] = WAITING
        more = {"pile": pile, "shuffle": ranks[:-1]}
        more |= {"later": ranks[::-1][:-1]} if tables.plant_market.steps_by_deck else {}
        yield s, state_of(tables, s, **more)


@pytest.mark.long
@pytest.mark.parametrize(
    ("board", "rulebook"),
    [*product(("middle_east", "manhattan"), ("classic", "recharged"))],
)
def test_a_deck_that_ends_changes_the_market_as_in_the_engine(board: str, rulebook: str) -> None:
    """A-MEA-4 to A-MEA-7, A-MAN-7 to A-MAN-9: at the end of an auction, and of phase 5."""
    tables, seen = tables_of(board, rulebook), Counter[Any]()
    no, yes = jnp.zeros((), bool), jnp.ones((), bool)
    ends = {
        "auction": lambda s: auction.end(tables, s, yes),
        "bureaucracy": lambda s: change_market(tables, s, no, no, no, yes),
    }
    for phase, end in ends.items():
        run = jit_fast(jax.vmap(end))
        pairs = [
            pair
            for moves in range(0, 161, 20)
            for pair in with_short_decks(board, rulebook, phase, moves)
        ]
        theirs, states = zip(*pairs, strict=True)
        after = jax.device_get(run(jax.tree.map(lambda *leaves: np.stack(leaves), *states)))
        for at, s in enumerate(theirs):
            s.rules.phases[s.phase].end(s)
            ours = jax.tree.map(lambda leaf, at=at: leaf[at], after)
            fields = fields_of(tables, s)
            for name in CHANGED & fields.keys():
                assert np.array_equal(getattr(ours, name), fields[name]), (phase, at, name)
            found = cards_in(ours.pile.tobytes(), int(ours.last))
            assert found["deck"] == s.market.deck
            assert found["beside"] == sorted(s.market.pile)
            seen[s.step, s.market.stage, s.step2_pending] += 1
    assert len(seen) > 2


CHANGED = {"market", "token", "last", "pending", "called", "stage", "step", "supply", "shifts"}


@pytest.mark.rule("A-ZAF-4")
def test_fuel_that_leaves_plants_goes_where_it_goes_in_the_engine() -> None:
    game, tables, state = position("south_africa", "fuel", 40)
    found = put_back(tables, state, jnp.array([1, 2, 3, 1], jnp.int8))
    for fuel, count in enumerate((1, 2, 3, 1)):
        game.state.rules.fuel_market.put_back(game.state, fuel, count)
    theirs = fields_of(tables, game.state)
    for name in ("supply", "storage"):
        assert np.asarray(getattr(found, name)).tolist() == np.ravel(theirs[name]).tolist(), name


def test_oil_gets_cheaper_as_in_the_engine() -> None:
    """A-MEA-3: tokens that a refill lacks shift the prices, until the market is empty."""
    game, tables, state = position("middle_east", "bureaucracy", 60)
    fill = jit_fast(partial(refill, tables))
    count = jit_fast(partial(affordable, tables))
    s, market = game.state, game.state.rules.fuel_market
    for shifts, stock, supply in ((0, 4, 1), (2, 9, 0), (3, 0, 2), (20, 22, 0)):
        s.shifts, s.stock[1], s.supply[1] = (0, shifts, 0, 0), stock, supply
        changed = replace(
            state,
            shifts=np.array(s.shifts, np.int8),
            stock=np.array(s.stock, np.int8),
            supply=np.array(s.supply, np.int8),
        )
        changed = fill(changed, np.bool_(True))
        market.refill(s)
        cap = tables.shifting
        assert cap is not None
        assert changed.shifts.tolist() == np.minimum(s.shifts, cap).tolist()
        assert changed.stock.tolist() == s.stock
        player = s.players[0]
        for player.money in (3, 10, 40):
            most = len(market.buys(s, player, 1, 24))
            assert int(count(changed, np.int16(player.money), np.int8(0))[1]) == most


@pytest.mark.parametrize("board", some("korea", of=list(meta("classic").maps)))
def test_a_decision_can_be_made_on_every_board(board: str) -> None:
    """What only some boards have has a form of its own: two markets, storages, islands, mines."""
    env = batch.make("classic", board, 4)
    begun = jax.eval_shape(env.init, jax.random.key(0))
    assert jax.eval_shape(env.step, begun, jnp.int32(0)) == begun
