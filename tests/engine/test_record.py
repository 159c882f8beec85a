"""A record is verified: any change to it is found and reported."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

import highvoltage as hv
from highvoltage.engine.record import Line, read_record

CORPUS = Path(__file__).parents[1] / "corpus"
RECORD, _ = read_record((CORPUS / "recharged-decided-by-cities.txt").read_text("utf-8"))
LAST = len(RECORD.moves)


def changed(**fields: Any) -> hv.Record:
    return msgspec.structs.replace(RECORD, **fields)


def drawn(**events: tuple[object, ...]) -> hv.Record:
    return changed(drawn={**RECORD.drawn, **events})


def move(number: int, **fields: Any) -> hv.Record:
    moves = list(RECORD.moves)
    moves[number - 1] = msgspec.structs.replace(moves[number - 1], **fields)
    return changed(moves=tuple(moves))


def failure(record: hv.Record | str) -> hv.RecordError:
    with pytest.raises(hv.RecordError) as caught:
        hv.replay(record)
    return caught.value


def test_the_record_itself_is_good() -> None:
    assert hv.replay(RECORD).record() == RECORD
    assert RECORD.moves[2] == Line(1, "auction", 1, "pass", ("11",))  # what is changed below


BEFORE_THE_GAME = [
    (
        changed(rulebook="chess"),
        f"There is no rulebook 'chess'. Rulebooks: {', '.join(hv.games())}.",
    ),
    (changed(names=RECORD.names[:2]), "'order' should be an arrangement of [0, 1]"),
    (
        changed(options={**RECORD.options, "money": "lent"}),
        "Option 'money' is 'open' or 'hidden', not 'lent'.",
    ),
    (drawn(order=(0, 0, 1)), "'order' should be an arrangement of [0, 1, 2]"),
]


@pytest.mark.parametrize("written", ["classic", "classic two", "classic 2 3", "classic 1234567"])
def test_a_rulebook_is_written_with_its_version(written: str) -> None:
    text = str(RECORD).replace(f"{RECORD.rulebook} {RECORD.version}", written, 1)
    assert str(failure(text)) == "line 2: a rulebook is written 'rulebook: NAME VERSION'"


@pytest.mark.parametrize(("record", "message"), BEFORE_THE_GAME)
def test_a_game_that_cannot_be_set_up(record: hv.Record, message: str) -> None:
    error = failure(record)
    assert str(error) == message
    assert error.game is None


def test_regions_that_nobody_can_draw() -> None:
    message = str(failure(drawn(regions=("midwest", "south", "atlantis"))))
    assert message.startswith("'regions' should be one of [('northwest', 'southwest', 'midwest'),")


TURN = "move 3, 'pass': it is Bob's move, round 1, auction"
RESULT = "the result is not the one that these moves lead to"
TAMPERED = [
    (drawn(order=(1, 0, 2)), 0, "move 1, 'nominate 4 @4': it is Bob's move, round 1, auction"),
    (changed(turned=RECORD.turned[::-1]), 0, "at set-up 3 4 7 8 9 10 12 15 is turned up"),
    (move(3, round=2), 2, TURN),
    (move(3, phase="fuel"), 2, TURN),
    (move(3, seat=0), 2, TURN),
    (move(3, move="bid 4"), 2, "move 3, 'bid 4': The next bid is at least 5. (R-4.3.1)"),
    (move(3, turned=()), 2, "move 3, 'pass': turns up nothing by the record, 5 by the rules"),
    (move(3, turned=("4",)), 2, "move 3, 'pass': turns up 4 by the record, 5 by the rules"),
    (
        move(3, turned=("11", "5")),
        2,
        "move 3, 'pass': turns up 11 5 by the record, 11 by the rules",
    ),
    (
        changed(moves=(*RECORD.moves, RECORD.moves[-1])),
        LAST,
        f"move {LAST + 1}, 'done': the game was over before",
    ),
    (changed(moves=RECORD.moves[:-1]), LAST - 1, RESULT),
    (changed(top="plug"), LAST, "the deck shows '' on top, not 'plug'"),
    (changed(result=RECORD.result[::-1]), LAST, RESULT),
    (changed(result=(), scores=()), LAST, RESULT),
    (
        changed(scores=RECORD.scores[::-1]),
        LAST,
        "the scores are not those that these moves lead to",
    ),
]


@pytest.mark.parametrize(("record", "read", "message"), TAMPERED)
def test_one_changed_field_is_found(record: hv.Record, read: int, message: str) -> None:
    error = failure(record)
    assert str(error) == message
    assert error.game is not None
    assert [str(row.move) for row in error.game.log] == [line.move for line in record.moves[:read]]


def test_an_error_in_the_text_form_names_the_line() -> None:
    lines = str(RECORD).splitlines()
    at = next(number for number, line in enumerate(lines, 1) if line == "  Bob: pass | 11")
    lines[at - 1] = "  Bob: bid 4"
    error = failure("\n".join(lines))
    assert str(error) == f"line {at}: move 3, 'bid 4': The next bid is at least 5. (R-4.3.1)"


@pytest.mark.parametrize(
    ("first", "message"),
    [
        ("Power Grid record 1", "a record starts with 'High Voltage record 1', not with {!r}"),
        ("High Voltage record", "a record starts with 'High Voltage record 1', not with {!r}"),
        ("High Voltage record 2", "this program reads format 1, not {!r}"),
    ],
)
def test_a_record_names_its_format(first: str, message: str) -> None:
    lines = str(RECORD).splitlines()
    error = failure("\n".join([first, *lines[1:]]))
    assert str(error) == f"line 1: {message.format(first)}"


def test_an_unknown_version_is_read_as_far_as_our_rules_go() -> None:
    newest = hv.games()["recharged"].versions[-1]
    error = failure(changed(version=newest + 1))
    assert str(error) == (
        f"it was played by version {newest + 1} of the rules of recharged; this program has"
        f" versions 1 to {newest}, and by the newest of them it can be read up to move {LAST}"
        f" of {LAST}"
    )
    assert error.game is not None
    assert error.game.outcome is not None
    other = msgspec.structs.replace(move(3, move="bid 4"), version=newest + 1)
    assert str(failure(other)).endswith(f"up to move 2 of {LAST}")
    unknown = changed(version=newest + 1, options={"new": True})
    assert failure(unknown).game is None


def test_an_option_is_read_by_its_former_name() -> None:
    game = hv.new("classic", map="central_europe", players=3, seed=1, map_rules=False)
    now = str(game.record())
    assert "option map_rules: false" in now
    then = now.replace("option map_rules:", "option central_europe_rules:")
    assert str(hv.replay(then).record()) == now
    assert hv.replay(then).view(0) == game.view(0)


def test_a_running_game_continues_with_the_version_it_names() -> None:
    """Version 1 skips a player who cannot pay, with hidden money too (C-4.4.5)."""
    record, _ = read_record((CORPUS / "classic-money-hidden.txt").read_text("utf-8"))
    assert record.version == 1
    game = hv.replay(msgspec.structs.replace(record, moves=(), result=(), scores=()))
    assert (game.rules.version, game.rules.asks_everybody) == (1, False)
    for line in record.moves:
        game.play(line.move, seat=line.seat)
        if line.turned:
            break
    assert game.record().version == 1
    assert not hv.replay(str(game.record())).rules.asks_everybody
