from random import Random

import pytest

import highvoltage as hv
from highvoltage.cli.show import words_of
from highvoltage.cli.words import Words
from highvoltage.engine.events import Event, Income, Paid, Refilled, Sold, Taken, Turned
from highvoltage.engine.log import Row
from highvoltage.engine.moves import Build, Buy, Done, Move, Pass, Run, Scrap, Start
from ours import RULEBOOKS

WORDS = Words(["Ann", "Bob"], {"koeln": "Köln"}, ["coal", "oil", "garbage"], "the cartel")


def row(move: Move, *events: Event, phase: str = "fuel", seat: int = 0) -> Row:
    return Row(1, phase, seat, move, events)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
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
        "Ann buys 3 coal for 6 and 1 oil for 4.",
        "Bob buys no fuel.",
    ]


def test_who_has_bought_before_is_not_told_to_buy_nothing() -> None:
    bought = row(Buy("coal", 3), Paid(0, 6))
    assert list(WORDS.rows([row(Done())], bought)) == []
    assert list(WORDS.rows([row(Done())], row(Done(), seat=1))) == ["Ann buys no fuel."]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (row(Build("koeln"), Paid(0, 12)), ["Ann connects Köln for 12."]),
        (row(Start("koeln"), Paid(0, 10)), ["Ann starts a network in Köln for 10."]),
        (row(Pass()), ["Ann passes."]),
        (
            row(Scrap(5, (("coal", 1), ("oil", 2)))),
            ["Ann gives up plant 5 and returns 1 coal and 2 oil."],
        ),
        (
            row(Run(((5, ("coal", "oil")), (13, ()))), Income(0, 33, 2)),
            ["Ann runs plants 5 with 1 coal and 1 oil and 13, powers 2 cities and earns 33."],
        ),
        (row(Run(), Income(0, 10, 0)), ["Ann runs nothing and earns 10."]),
        (
            row(Pass(), Sold(1, "4b", 9), Turned("step3")),
            ["Ann passes.", "Bob buys plant 4b for 9.", "The Step 3 card is turned up."],
        ),
        (
            row(Pass(), Taken(-1, "20"), Refilled((2, 0, 1))),
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
