from random import Random

import pytest

import highvoltage as hv
from highvoltage.cli.show import words_of
from highvoltage.cli.words import Words
from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.game import Row
from highvoltage.engine.moves import Build, Buy, Done, Move, Pass, Run, Scrap
from highvoltage.engine.state import Event

WORDS = Words(["Ann", "Bob"], {"koeln": "Köln"}, ["coal", "oil", "garbage"], "the cartel")


def row(move: Move, *events: Event, phase: str = "fuel", seat: int = 0) -> Row:
    return Row(1, phase, seat, move, events)


@pytest.mark.parametrize("rulebook", list(hv.games()))
@pytest.mark.parametrize("players", [2, 4])
def test_every_move_and_every_event_of_a_game_has_words_of_its_own(
    rulebook: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(_: Words, event: Event) -> str:
        raise AssertionError(event)

    monkeypatch.setattr(Words, "tell_unknown", unknown)
    draw = Random(1)
    game = hv.new(rulebook, players=players, seed=1)
    while game.to_move is not None:
        game.play(draw.choice(game.legal_moves.choices))
    words = words_of(game)
    told = [*words.events(game.setup_events), *words.rows(game.log)]
    assert all(each.endswith(".") and "_" not in each for each in told)
    assert not [each for each in told if "plays '" in each]


def test_an_unknown_event_is_told_as_it_is_written() -> None:
    event = Event("struck", seat=1, card=13, amount=4, items=("by_lightning",))
    assert list(WORDS.events([event])) == ["Bob: struck 13 4 by lightning."]


def test_a_turn_of_buying_is_one_sentence() -> None:
    rows = [
        row(Buy("coal", 3), Event("paid", seat=0, amount=6)),
        row(Buy("oil", 1), Event("paid", seat=0, amount=4)),
        row(Done()),
        row(Done(), seat=1),
    ]
    assert list(WORDS.rows(rows)) == [
        "Ann buys 3 coal for 6 and 1 oil for 4.",
        "Bob buys no fuel.",
    ]


def test_who_has_bought_before_is_not_told_to_buy_nothing() -> None:
    bought = row(Buy("coal", 3), Event("paid", seat=0, amount=6))
    assert list(WORDS.rows([row(Done())], bought)) == []
    assert list(WORDS.rows([row(Done())], row(Done(), seat=1))) == ["Ann buys no fuel."]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (row(Build("koeln"), Event("paid", seat=0, amount=12)), ["Ann connects Köln for 12."]),
        (row(Pass()), ["Ann passes."]),
        (
            row(Scrap(5, (("coal", 1), ("oil", 2)))),
            ["Ann gives up plant 5 and returns 1 coal and 2 oil."],
        ),
        (
            row(Run(((5, ("coal", "oil")), (13, ()))), Event("income", 0, amount=33, items=(2,))),
            ["Ann runs plants 5 with 1 coal and 1 oil and 13, supplies 2 cities and earns 33."],
        ),
        (row(Run(), Event("income", 0, amount=10, items=(0,))), ["Ann runs nothing and earns 10."]),
        (
            row(Pass(), Event("sold", seat=1, card=104, amount=9), Event("turned", card=LAST_CARD)),
            ["Ann passes.", "Bob buys plant 4b for 9.", "The Step 3 card is turned up."],
        ),
        (
            row(Pass(), Event("taken", seat=-1, card=20), Event("refilled", items=(2, 0, 1))),
            [
                "Ann passes.",
                "The cartel takes plant 20.",
                "New on the fuel market: 2 coal and 1 garbage.",
            ],
        ),
    ],
)
def test_sentences(told: Row, expected: list[str]) -> None:
    assert WORDS.row(told) == expected
