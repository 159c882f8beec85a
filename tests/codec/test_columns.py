"""Observations of the Card Game and of Outpost, computed anew from the view by docs/machines.md.

`test_board_columns.py` does the same for the board games.
"""

from itertools import accumulate, count
from typing import Any

import numpy as np
import pytest

import highvoltage as hv
from codec.columns import View, differences, in_the_auction, in_turn, one_of, to_bid_above
from highvoltage import bots, codec
from highvoltage.engine.cards import LAST_CARD
from highvoltage.games.outpost.view import card_views

Rows = list[list[float]]
FUELS = ("coal", "gas", "oil", "uranium")
TECHNOLOGIES = (
    *("data_library", "ecoplants", "robots", "hub_module", "colony", "laboratories"),
    "moon_base",
)
HANDS = ("pool", "plants", "habitats")


# The Card Game


def plant(card: View) -> list[float]:
    burns = [float(fuel in card["fuels"]) for fuel in FUELS]
    nothing = float(not card["fuels"])
    return [1, card["number"] / 50, card["need"] / 3, card["income"] / 15, *burns, nothing]


def cards_of(cards: list[View], fuel: str) -> list[float]:
    """How many cards have 1, 2 and 3 units of a fuel."""
    return [
        sum((card["fuel"], card["units"]) == (fuel, units) for card in cards) / 6
        for units in (1, 2, 3)
    ]


def cardgame(view: View) -> dict[str, Any]:
    market, auction, fuel = view["market"], view["auction"], view["fuel"]
    owners = in_turn(view)
    viewer = owners[0]
    decision = {"fuel": "fuel", "bureaucracy": "bureaucracy"}.get(view["phase"]) or (
        "scrap" if auction["scrapping"] is not None else "bid" if auction["card"] else "nominate"
    )
    demolition = view.get("demolition")
    bid, above = to_bid_above(view, viewer["money"])
    scalars = [
        view["round"] / 12,
        view["last"],
        *one_of(decision, "nominate", "bid", "scrap", "fuel", "bureaucracy"),
        market["deck"] / 40,
        (market["above_end"] or 0) / 40,
        market["above_end"] is not None,
        market["end"],
        *one_of(market["back"], "small", "large"),
        auction["sold"] / 6,
        bid / 40,
        above / 40,
        fuel["pile"] / 40,
        fuel["reshuffles"] / 3,
        fuel["column_size"] / 6,
        *one_of(len(owners), 2, 3, 4, 5, 6),
        *([0] * 4 if demolition is None else [1]),
    ]
    if demolition is not None:
        first, later = demolition["stack"][0]
        scalars += [first / 20, later / 20, demolition["paid"]]
    players: Rows = []
    for owner in owners:
        money = owner["money"]
        players.append(
            [
                *(1, 0, money is not None, (money or 0) / 20, (money or 0) / 100),
                *one_of(view["order"].index(owner["seat"]), 0, 1, 2, 3, 4, 5),
                owner["income"] / 40,
                sum(card["income"] for card in owner["plants"]) / 40,
                *(owner["fuel"][name] / 18 for name in FUELS),
                *in_the_auction(view, owner["seat"]),
            ]
        )
    bank = view.get("bank")
    if bank:
        everything = sum(card["income"] for card in bank["plants"]) / 40
        held = [sum(c["units"] for c in bank["store"] if c["fuel"] == name) for name in FUELS]
        players.append([0, 1, *[0] * 10, everything, *(units / 18 for units in held), *[0] * 4])
        owners.append(bank)
    plants = [
        [
            [
                *plant(card),
                owner.get("seat") == auction["scrapping"] is not None
                and card["card"] == auction["card"],
            ]
            for card in owner["plants"]
        ]
        for owner in owners
    ]
    shown = [(card, True) for card in market["current"]]
    shown += [(card, False) for card in market["future"]]
    offered = [
        [
            *plant(card),
            on_offer,
            card["card"] == auction["card"],
            card["card"] == market["discount"],
        ]
        for card, on_offer in shown
    ]
    columns = fuel["columns"]
    by_fuel = [
        [
            viewer["fuel"][name] / 18,
            max(0, viewer["room"][name]) / 18,
            sum(card["fuel"] == name for card in columns[0]) / 12,
            *cards_of(columns[1], name),
            *cards_of(columns[2], name),
            *cards_of(columns[3], name),
            *cards_of(fuel["discard"], name),
            *cards_of(fuel["waiting"], name),
            fuel["singles"][name] / 12,
        ]
        for name in FUELS
    ]
    where = [
        [card["number"] for card, _ in shown],
        [card["number"] for owner in owners for card in owner["plants"]],
        [int("".join(filter(str.isdigit, card))) for card in market["removed"]],
        [int("".join(filter(str.isdigit, card))) for card in market["slid"]],
    ]
    cards = [[numbers.count(number) / 4 for numbers in where] for number in range(51)]
    return {
        "scalars": scalars,
        "players": players,
        "plants": plants,
        "market": offered,
        "fuel": by_fuel,
        "cards": cards,
    }


# Outpost


def outpost_card(card: View) -> list[float]:
    kinds = one_of(card["kind"], "plant", "habitat", "technology")
    numbers = [card["workers"] / 7, card["energy"] / 8, card["places"] / 6]
    return [1, card["number"] / 50, *kinds, *numbers]


def outpost_decision(view: View) -> str:
    if view["phase"] == "auction":
        return "bid" if view["auction"]["card"] else "nominate"
    if view["phase"] == "company":
        return "syndicate" if view["choices"] else str(view["stage"])
    return "set up" if view["phase"] == "syndicate" else str(view["phase"])


def near(price: int | None) -> float:
    return 0 if price is None else max(0, 1 - price / 60)


def outpost(view: View, deck: list[View]) -> dict[str, Any]:
    market, auction, labour = view["market"], view["auction"], view["labour"]
    owners = in_turn(view)
    viewer, rows = owners[0], {owner["seat"]: at for at, owner in enumerate(owners)}
    saves = 5 * ("data_library" in [card["technology"] for card in viewer["pool"]])
    bid, above = to_bid_above(view, viewer["money"] + saves)
    prices = [price / 100 for price in accumulate(labour["prices"][:8])]
    scalars = [
        view["round"] / 20,
        *one_of(view["step"], 1, 2, 3),
        *one_of(outpost_decision(view), "set up", "syndicate", "nominate", "bid"),
        *one_of(outpost_decision(view), "building", "board", "hired", "bureaucracy"),
        view["forced"],
        market["deck"] / 45,
        market["step3"],
        *one_of(market["back"], "plug", "socket"),
        auction["sold"] / 6,
        bid / 100,
        above / 100,
        max(owner["network"] for owner in owners) / 18,
        view["step_2_cities"] / 18,
        view["end_cities"] / 18,
        labour["workers"] / 50,
        view["robots"] / 9,
        *prices,
        *[1] * (8 - len(prices)),
        *one_of(len(owners), 2, 3, 4, 5, 6),
    ]
    syndicate = view["syndicate"]
    everybody = [*owners, syndicate] if syndicate else owners
    players: Rows = []
    for owner in everybody:
        seat = owner.get("seat")
        money = owner["money"]
        owned = [card["technology"] for hand in HANDS for card in owner[hand]]
        place = view["order"].index(seat) if seat is not None else None
        players.append(
            [
                *(seat is not None, seat is None, seat is not None and money is not None),
                *((money or 0) / 50, (money or 0) / 250),
                *one_of(place, 0, 1, 2, 3, 4, 5),
                *(owner["network"] / 18, owner["stations"] / 18),
                *(owner["spaces"]["plant"] / 4, owner["spaces"]["habitat"] / 4),
                *(owner["beds"] / 25, owner["need"] / 25, owner["humans"] / 25),
                *(owner["robots"] / 9, owner["busy"] != "", owner["energy"] / 25),
                owner["powered"] / 18,
                *([0] * 4 if seat is None else in_the_auction(view, seat)),
                *(name in owned for name in TECHNOLOGIES),
            ]
        )
    empty = [0.0] * 8
    boards = []
    for owner in everybody:
        board = [empty] * 8
        for first, hand in ((0, "plants"), (4, "habitats")):
            for at, card in enumerate(owner[hand]):
                board[first + at] = outpost_card(card)
        boards.append(board)
    places = [(place, True) for place in market["current"]]
    places += [(place, False) for place in market["future"]]
    offered = [
        [
            *outpost_card(place["card"]),
            on_offer,
            on_offer and place["card"]["card"] == auction["card"],
            place["minimum"] / 50,
            sum(place["tokens"]) / 15,
            len(place["below"]) / 3,
        ]
        for place, on_offer in places
    ]
    cities = []
    for name, city in view["cities"].items():
        links = [link["cost"] for link in view["connections"] if name in (link["a"], link["b"])]
        here = {rows.get(seat, "syndicate") for seat in city["stations"]}
        costs = view["connect"].get(name, {})
        cities.append(
            [
                *(1, len(city["stations"]) / 3),
                *one_of(city["slot"], "plant", "habitat"),
                *(city["building"] is None, city["building"] == view["seat"]),
                name in view["choices"],
                *(at in here for at in (0, 1, 2, 3, 4, 5, "syndicate")),
                *(near(costs.get("station")), near(costs.get(city["slot"]))),
                *(len(links) / 6, sum(1 / (1 + cost) for cost in links)),
            ]
        )
    on_boards = [c["card"] for o in everybody for h in ("plants", "habitats") for c in o[h]]
    owned_by = [[card["card"] for hand in HANDS for card in owner[hand]] for owner in everybody]
    cards = [
        [
            *outpost_card(card),
            card["card"] in [place["card"]["card"] for place in market["current"]],
            card["card"] in [place["card"]["card"] for place in market["future"]],
            card["card"] in [below["card"] for place, _ in places for below in place["below"]],
            card["card"] in market["removed"],
            card["card"] in market["slid"],
            card["card"] in on_boards,
            *(at < len(owned_by) and card["card"] in owned_by[at] for at in range(6)),
        ]
        for card in deck
    ]
    return {
        "scalars": scalars,
        "players": players,
        "boards": boards,
        "market": offered,
        "cities": cities,
        "cards": cards,
    }


GAMES: dict[str, list[tuple[int, dict[str, Any]]]] = {
    "cardgame": [(2, {"demolition": True}), (6, {}), (4, {"money": "hidden"})],
    "outpost": [(2, {}), (6, {}), (4, {"money": "hidden"})],
}
SELDOM = {
    *("players_3", "players_5", "waiting_1", "hired", "technology"),
    *("owns_colony", "owns_ecoplants"),
}
"""Columns that these games may leave at 0; no technology is ever on a board."""


@pytest.mark.parametrize("rulebook", GAMES)
def test_every_column_is_what_the_docs_say(rulebook: str) -> None:
    used: dict[str, Any] = {}
    for players, options in GAMES[rulebook]:
        game = hv.new(rulebook, players=players, seed=6, **options)
        code = codec.make(rulebook, None, players, **options)
        columns = {part.name: part.columns for part in code.spec.parts}
        seated = [
            bots.make(("clerk", "engineer", "random")[seat % 3], seat) for seat in range(players)
        ]
        for at in count():
            if game.to_move is None:
                break
            if at % 3 == 1:
                view: Any = game.view(game.to_move if at % 2 else at // 6 % players)
                found = code.observe(view)
                expected = computed(game, view)
                assert found.keys() == expected.keys()
                for part, array in found.items():
                    wrong = differences(part, array, expected[part], columns[part])
                    assert wrong == [], f"{game.phase} of round {game.state.round}: {wrong[:5]}"
                    seen = np.reshape(array != 0, (-1, len(columns[part]))).any(0)
                    used[part] = used.get(part, False) | seen
            game.play(bots.ask(seated[game.to_move], game).move)
    # Nothing else is compared as 0 with 0 throughout.
    unused = {str(name) for part, seen in used.items() for name in np.array(columns[part])[~seen]}
    assert unused <= SELDOM


def computed(game: hv.Game, view: View) -> dict[str, Any]:
    if view["rulebook"] == "cardgame":
        return cardgame(view)
    rules: Any = game.rules
    faces = card_views(rules, tuple(card for card in rules.faces if card != LAST_CARD))
    deck: list[Any] = sorted(faces, key=lambda face: (face["number"], face["card"]))
    return outpost(view, deck)
