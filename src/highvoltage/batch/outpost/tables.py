"""The numbers of Outpost for one setting as arrays, from the game's own tables, cards and planet.

A card is its place in the deck sorted by number, twins as in the card file; LAST and NONE come
behind. What is printed on the cards is looked up in small tables, which end with LAST and NONE.

A company is a seat, or the Syndicate behind those of two players.
"""

from typing import Any

import jax.numpy as jnp
import numpy as np

from highvoltage import codec
from highvoltage.batch.codes import Table
from highvoltage.batch.state import Array
from highvoltage.codec.outpost import layout
from highvoltage.engine.cards import LAST_CARD, number_of, rank_of
from highvoltage.engine.errors import OptionError
from highvoltage.engine.parts.ladder import Ladder  # a parameter's type
from highvoltage.engine.rulebook import MapSpec
from highvoltage.games import rulebook
from highvoltage.games.outpost import tables
from highvoltage.games.outpost.board import CENTRE, SMALL, Board
from highvoltage.games.outpost.cards import shipped_cards
from highvoltage.games.outpost.rulebook import Outpost

COVERED_OPTIONS = {"area", "money", "seasonal", "syndicate_takes"}
PLACES = tables.PLACES
CURRENT = tables.CURRENT_SIZE
SPACES = tables.SPACES
KINDS = len(tables.KINDS)
NO_KIND = KINDS  # of cards without a space, and of cities that are not in play
FAR = 10_000  # more than anybody can pay
LONGEST_WAY = 9_999  # that money can be compared with

FACES = shipped_cards().faces
CARDS = tuple(sorted(FACES, key=rank_of))
LAST, NONE = len(CARDS), len(CARDS) + 1
TWINS = max(card // 100 for card in CARDS) + 1
INDEX = {card: at for at, card in enumerate(CARDS)} | {LAST_CARD: LAST}


def printed(values: list[int], last: int = 0, none: int = 0) -> Table:
    """[card] a table of what is printed on the cards."""
    return np.array([*values, last, none], np.int8)


NUMBERS: Table = printed([number_of(card) for card in CARDS], 99, 127)
WORKERS: Table = printed([FACES[card].workers for card in CARDS])
ENERGY: Table = printed([FACES[card].energy for card in CARDS])
BEDS: Table = printed([FACES[card].places for card in CARDS])
PLUGS: Table = np.array([FACES[card].back == tables.PLUG for card in CARDS])
TECHNOLOGY = {name: INDEX[shipped_cards().technologies[name][0]] for name in tables.TECHNOLOGIES}
COLONIES = tuple(INDEX[card] for card in shipped_cards().technologies["colony"])
KIND: Table = printed(
    [
        tables.KINDS.index(FACES[card].kind) if FACES[card].kind in tables.KINDS else NO_KIND
        for card in CARDS
    ],
    *(NO_KIND, NO_KIND),
)
MAY_LIE: Table = np.stack([KIND[: len(CARDS)] == kind for kind in range(KINDS)])  # [kind, card]
MAY_LIE[:, TECHNOLOGY["moon_base"]] = True  # O-11.8.1
DISTINCT = sorted({number_of(card) for card in CARDS})
BITS_FOR_TWINS = TWINS.bit_length()
IN_WORD = 31 // BITS_FOR_TWINS  # so many numbers are counted in a word
OF_NUMBER: Table = np.array(  # [word, card] what counts a card; the highest numbers come first
    [
        [
            1 << BITS_FOR_TWINS * (at % IN_WORD) if at // IN_WORD == word else 0
            for at in (DISTINCT.index(number_of(card)) for card in CARDS)
        ]
        for word in reversed(range(-(-len(DISTINCT) // IN_WORD)))
    ],
    np.int32,
)
SPACE_KIND: Table = np.arange(KINDS * SPACES) // SPACES  # [space of a company board]
RANK: Table = np.arange(len(CARDS), dtype=np.int8)


class Tables:
    """What never changes in games of one planet, number of players and choice of options."""

    def __init__(self, name: str, where: MapSpec, players: int, options: dict[str, Any]) -> None:
        rules = rulebook(name, players, where, options)
        assert isinstance(rules, Outpost)
        self.rules: Outpost = rules
        self.id: str = f"highvoltage_{rules.name}"
        self.players = players
        self.check_options()
        self.spec: codec.Spec = codec.make(name, where, players, **options).spec
        self.heads: dict[str, codec.Head] = {head.name: head for head in self.spec.heads}
        self.actions: int = self.spec.num_actions
        self.syndicate: bool = players == 2
        self.companies: int = players + self.syndicate
        self.stations: Table = np.full(self.companies, tables.STATIONS, np.int8)
        self.stations[players:] = tables.SYNDICATE_STATIONS
        self.asks_everybody: bool = bool(rules.asks_everybody)
        self.hidden_money: bool = rules.options["money"] == "hidden"
        self.exact_hires: bool = rules.options["seasonal"] == "exact"
        self.takes_on_nomination: bool = rules.options["syndicate_takes"] == "nomination"
        removed = tables.REMOVED[players]
        plugs_left = int(PLUGS.sum()) - removed[tables.PLUG]
        sockets_left = int((~PLUGS).sum()) - removed[tables.SOCKET]
        self.left: Table = np.where(PLUGS, plugs_left, sockets_left)  # [card] of those of its back
        self.workers: int = rules.labour.size
        self.hire_costs: Table = np.stack([costs_of(rules.labour), costs_of(rules.cheap_labour)])
        self.settle_map(rules.map)

    def settle_map(self, board: Board) -> None:
        """The cities and connections of every area that chance may choose."""
        small = tables.SMALL_AREAS[self.players]
        chosen = self.rules.options["area"]
        choices = [SMALL[:small]]
        if small == 1:
            choices = [(name,) for name in (SMALL if chosen == "random" else (chosen,))]
        self.areas: tuple[tuple[str, ...], ...] = tuple((CENTRE, *some) for some in choices)
        inside = [[city for city in board.cities if city.area in area] for area in self.areas]
        self.names: list[list[str]] = [[city.id for city in some] for some in inside]
        self.cities: int = max(map(len, inside))
        self.city_kind: Table = np.full((len(inside), self.cities), NO_KIND, np.int8)
        self.ends: Table = np.zeros((len(inside), len(board.edges), 2), np.int8)
        self.linked: Table = np.zeros((len(inside), len(board.edges)), bool)  # OR-08
        for at, some in enumerate(inside):
            self.city_kind[at, : len(some)] = [tables.KINDS.index(city.slot) for city in some]
            index = {city.id: n for n, city in enumerate(some)}
            for n, edge in enumerate(board.edges):
                if edge.a in index and edge.b in index:
                    self.linked[at, n] = True
                    self.ends[at, n] = index[edge.a], index[edge.b]
        self.tokens: Table = np.array(board.tokens, np.int16)
        longest = sum(sorted(board.tokens)[-(self.cities - 1) :])
        if longest > LONGEST_WAY:
            raise OptionError(
                f"{board.id} may have a way of cost {longest}; at most {LONGEST_WAY}."
            )
        self.way_type: type = np.uint8 if longest < 256 else np.int16
        at_end = [self.ends[..., end, None] == np.arange(self.cities) for end in (0, 1)]
        self.at_end: Table = np.stack(at_end, axis=1) & self.linked[:, None, :, None]
        self.touches: Table = np.any(self.at_end, axis=1)  # [area, connection, city]

    def check_options(self) -> None:
        """Refuse an option that is not carried out here."""
        for option in self.rules.ruleset.options:
            if option.changed and option.name not in COVERED_OPTIONS:
                raise OptionError(
                    f"Batched games lack the option '{option.name}'; play it with highvoltage.new."
                )


def of_area(table: Table, area: Array) -> Array:
    """The part of a table that belongs to the area in play."""
    return jnp.asarray(table[0]) if len(table) == 1 else jnp.asarray(table)[area]


def costs_of(ladder: Ladder) -> Table:
    """[workers left, count] what the next workers cost; FAR where there are not so many."""
    costs = np.full((ladder.size + 1, layout.HIRES), FAR, np.int16)
    for left in range(ladder.size + 1):
        for count in range(min(left, layout.HIRES - 1) + 1):
            costs[left, count] = ladder.cost(left, count)
    return costs
