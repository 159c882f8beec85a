"""Puzzles over HTTP: the position of a seat, its answer judged, and no solution too early."""

from typing import Any

import pytest

from highvoltage import puzzles
from highvoltage.puzzles import Puzzle
from serving import Person
from shells import in_the_browser_too  # noqa: F401  # the fixture `server`


@pytest.fixture
def puzzle() -> Puzzle:
    return puzzles.shipped()[0]


def test_the_list_reveals_no_answer(ann: Person) -> None:
    found = ann.get("/api/puzzles").json()
    assert [each["name"] for each in found["puzzles"]] == [each.name for each in puzzles.shipped()]
    assert found["daily"] in {each.name for each in puzzles.shipped()}
    assert {key for each in found["puzzles"] for key in each} == {
        *("name", "rulebook", "map", "players", "round", "theme", "level", "found")
    }


def test_a_position_is_that_of_the_seat_to_move(ann: Person, puzzle: Puzzle) -> None:
    state = ann.get(f"/api/puzzles/{puzzle.name}").json()
    game = puzzle.game()
    assert state["you"] == state["view"]["to_move"] == puzzle.seat
    assert state["view"] == game.view(puzzle.seat)
    assert len(state["log"]) == len(game.log)
    assert [seat["mine"] for seat in state["table"]["seats"]].index(True) == puzzle.seat
    never = ("public", "seeded", "rated", "host", "auto")
    assert [state["table"][key] for key in never] == [False] * len(never)
    for seat in state["table"]["seats"]:
        assert (seat["online"], seat["left"], seat["would_end"]) == (True, False, False)
    assert ann.get("/api/tables/mine").json() == []  # the table belongs to nobody


def test_moves_are_previewed_judged_and_explained(ann: Person, puzzle: Puzzle) -> None:
    here = f"/api/puzzles/{puzzle.name}"
    seq = ann.get(here).json()["seq"]
    right = puzzle.answers[0]
    wrong = next(each.move for each in puzzle.tried if each.move not in puzzle.answers)
    request = {"type": "preview", "seq": seq, "moves": [right], "ref": 3}
    preview = ann.post(f"{here}/preview", json=request).json()
    assert preview["ref"] == 3
    assert [each["move"] for each in preview["moves"]] == [right]
    assert _verdict(ann, here, right) == {"right": True}
    assert _verdict(ann, here, wrong) == {"right": False}
    solution = ann.get(f"{here}/solution").json()
    assert solution["answers"] == [*puzzle.answers]
    assert solution["why"]["text"] == str(puzzle.why)
    assert solution["margin"] == puzzle.margin
    assert [each["move"] for each in solution["tried"]] == [each.move for each in puzzle.tried]


def test_what_is_not_an_answer_is_refused(ann: Person, puzzle: Puzzle) -> None:
    here = f"/api/puzzles/{puzzle.name}"
    assert ann.post(f"{here}/attempt", json={"moves": ["run nothing"]}).status_code == 400
    assert ann.post(f"{here}/attempt", json={"moves": ["dance"]}).status_code == 400
    assert ann.post(f"{here}/attempt", json={"moves": []}).status_code == 400
    stale = {"type": "preview", "seq": 0, "moves": []}
    assert ann.post(f"{here}/preview", json=stale).json()["code"] == "refused"
    assert ann.get("/api/puzzles/chess-1").status_code == 404
    assert ann.get("/api/puzzles/..%2Findex/solution").status_code == 404


def _verdict(person: Person, here: str, move: str) -> dict[str, Any]:
    found: dict[str, Any] = person.post(f"{here}/attempt", json={"moves": [move]}).json()
    return found
