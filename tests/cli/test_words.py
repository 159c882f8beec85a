import io
import re
from random import Random
from typing import Any

import pytest
from rich.console import Console

import highvoltage as hv
from highvoltage import bots
from highvoltage.engine.events import Event, Income, Paid, Refilled, Sold, Taken, Turned
from highvoltage.engine.log import Row
from highvoltage.engine.moves import Build, Buy, Done, Move, Pass, Run, Scrap, Start
from highvoltage.text.narration import Narrator, won
from highvoltage.text.notation import _spellings
from highvoltage.text.show import narrator_for, scene_of
from highvoltage.text.show.board import BoardRenderer, fuel_notes
from highvoltage.text.show.outpost import market_table
from highvoltage.words import LANGUAGES, speaking
from ours import RULEBOOKS

WORDS = Narrator(["Ann", "Bob"], {"koeln": "Köln"}, ["coal", "oil", "garbage"])


def row(move: Move, *events: Event, phase: str = "fuel", seat: int = 0) -> Row:
    return Row(1, phase, seat, move, events)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("players", [2, 4])
def test_every_move_and_every_event_of_a_game_has_its_own_words(
    rulebook: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(_: Narrator, event: Event) -> str:
        raise AssertionError(event)

    monkeypatch.setattr(Narrator, "event_unknown", unknown)
    draw = Random(1)
    game = hv.new(rulebook, players=players, seed=1)
    while game.to_move is not None:
        game.play(draw.choice(game.legal_moves.choices))
    words = narrator_for(game)
    sentences = {}
    for language in LANGUAGES:
        with speaking(language):
            sentences[language] = [*words.events(game.setup_events), *words.rows(game.log)]
        assert all(each.endswith(".") for each in sentences[language])
        assert not [
            each for each in sentences[language] if re.search("[_{}]|: (bid|pass|buy)", each)
        ]
    assert len(set(map(len, sentences.values()))) == 1
    assert sentences["pl"][-1] != sentences["en"][-1]


def test_values_are_shown_by_their_names_in_the_current_language() -> None:
    values = {"city": "koeln", "fuels": "coal, oil", "region": "west", "cost": 12}
    with speaking("de"):
        named = WORDS.values(values)
    assert named == {"city": "Köln", "fuels": "Kohle, Öl", "region": "Westen", "cost": 12}


def test_an_unknown_event_is_shown_in_its_notation() -> None:
    class Struck(Event, frozen=True, tag="struck"):
        what = "struck"
        seat: int
        card: str
        amount: int
        items: tuple[str, ...]

    event = Struck(1, "13", 4, ("by_lightning",))
    assert list(WORDS.events([event])) == ["Bob: struck 13 4 by lightning."]


def test_a_turn_of_buying_is_one_sentence() -> None:
    rows = [
        row(Buy("coal", 3), Paid(0, 6)),
        row(Buy("oil", 1), Paid(0, 4)),
        row(Done()),
        row(Done(), seat=1),
    ]
    assert list(WORDS.rows(rows)) == [
        "Ann buys 3 coal, 1 oil for 10 Ɇ.",
        "Bob buys no fuel.",
    ]


def test_each_fuel_is_named_once_in_the_order_of_the_market() -> None:
    rows = [
        row(Buy("garbage", 1), Paid(0, 7)),
        row(Buy("coal", 2), Paid(0, 3)),
        row(Buy("methane", 1), Paid(0, 1)),  # of a market that the narrator does not know
        row(Buy("oil", 1), Paid(0, 3)),
        row(Buy("coal", 1), Paid(0, 2)),
        row(Buy("stored_coal", 2), Paid(0, 8)),
    ]
    assert list(WORDS.rows(rows)) == ["Ann buys 5 coal, 1 oil, 1 garbage, 1 methane for 24 Ɇ."]


def test_a_player_who_has_bought_is_not_said_to_buy_nothing() -> None:
    bought = row(Buy("coal", 3), Paid(0, 6))
    assert list(WORDS.rows([row(Done())], bought)) == []
    assert list(WORDS.rows([row(Done())], row(Done(), seat=1))) == ["Ann buys no fuel."]


def test_who_buys_fuel_cards_is_not_said_to_buy_nothing() -> None:
    game = hv.new("cardgame", players=2, seed=1)
    clerk = bots.make("clerk", 1)
    while game.state.round < 3:
        game.play(bots.ask(clerk, game).move)
    told = [*narrator_for(game).rows(game.log)]
    bought = {(row.round, row.seat) for row in game.log if row.move.verb == "buy"}
    idle = [row for row in game.log if row.phase == "fuel" and row.move.verb == "done"]
    nothing = [each for each in told if "buys no fuel" in each]
    assert len(bought) >= 2
    assert len(nothing) == len([row for row in idle if (row.round, row.seat) not in bought])


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (row(Build("koeln"), Paid(0, 12)), ["Ann connects Köln for 12 Ɇ."]),
        (row(Start("koeln"), Paid(0, 10)), ["Ann starts a new network in Köln for 10 Ɇ."]),
        (row(Pass()), ["Ann passes."]),
        (
            row(Scrap(5, (("coal", 1), ("oil", 2)))),
            ["Ann gives up plant 5 and returns 1 coal, 2 oil."],
        ),
        (
            row(Run(((5, ("coal", "oil")), (13, ()))), Income(0, 33, 2)),
            ["Ann runs 5, 13, powers 2 cities and earns 33 Ɇ."],
        ),
        (row(Run(), Income(0, 10, 0)), ["Ann runs nothing and gets 10 Ɇ."]),
        (
            row(Pass(), Sold(1, "4b", 9), Turned("step3")),
            ["Ann passes.", "Bob buys plant 4b for 9 Ɇ.", "The Step 3 card is turned up."],
        ),
        (
            row(Pass(), Taken(-1, "20"), Refilled((2, 0, 1))),
            [
                "Ann passes.",
                "Cartel takes plant 20.",
                "The fuel market gets 2 coal, 1 garbage.",
            ],
        ),
    ],
)
def test_sentences(entry: Row, expected: list[str]) -> None:
    assert WORDS.row(entry) == expected


def test_limits_on_buying_fuel_are_shown() -> None:
    view: Any = {"step": 2, "max_price": 7, "tokens_a_turn": 3}
    assert fuel_notes(view) == ["In Step 2 up to 7 only · Tokens in a turn: 3"]
    del view["max_price"]
    assert fuel_notes(view) == ["Tokens in a turn: 3"]
    del view["tokens_a_turn"]
    assert fuel_notes(view) == []


@pytest.mark.parametrize(
    ("winners", "told"), [(["Ann"], "Ann has won!"), (["Ann", "Bob"], "Shared victory: Ann, Bob")]
)
def test_who_has_won_is_told(winners: list[str], told: str) -> None:
    assert won(winners) == told


def test_only_moves_with_a_place_are_spelled_by_its_name_too() -> None:
    places = {"koeln": "Köln am Rhein"}
    assert len(_spellings(Buy("coal", 3), places)) == 1
    assert _spellings(Build("koeln"), places)[1:] == [["build", "koln", "am", "rhein"]]


def test_the_step_3_card_is_shown_at_the_end_of_outposts_market() -> None:
    view: Any = hv.new("outpost", players=3, seed=1).view()
    shown = []
    for step3 in (False, True):
        view["market"]["step3"] = step3
        console = Console(width=100, file=io.StringIO())
        with console.capture() as capture:
            console.print(market_table(view))
        shown.append(capture.get().splitlines())
    without, with_it = (lines[1].rstrip() for lines in shown)
    assert with_it == f"{without}   Step 3"


def test_on_a_map_only_the_connections_wrap_and_are_dim() -> None:
    game = hv.new("classic", players=3, seed=1)
    columns = BoardRenderer().map(scene_of(game, 0)).columns  # type: ignore[union-attr]
    assert [column.no_wrap for column in columns] == [True, True, False]
    assert [column.style for column in columns] == ["", "", "dim"]
