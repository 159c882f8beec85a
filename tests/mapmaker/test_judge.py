"""The judge sees planted faults, and finds an official board usual."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec import structs
from rich.console import Console

from highvoltage.cli.making import judge_map, show_verdict, write_made
from highvoltage.engine.parts.board import load_map
from highvoltage.engine.parts.mapform import Connection, Map
from highvoltage.games import check_map
from highvoltage.mapmaker import make_map
from highvoltage.mapmaker import spans as measuring
from highvoltage.mapmaker.judge import (
    Sample,
    Verdict,
    Wins,
    added,
    judge,
    measure,
    play_sample,
    spans,
    spread,
    tally,
)
from highvoltage.mapmaker.mending import mend, mend_costs

SIZES = ((35, 5), (42, 6), (49, 7))  # cities and regions


def with_costs(board: Map, cost: "Cost") -> Map:
    """The same board with other costs."""
    region = {city.id: city.region for city in board.cities}
    links = [
        Connection(link.a, link.b, cost(link, region[link.a], region[link.b]))
        for link in board.connections
    ]
    return structs.replace(board, connections=tuple(links))


@dataclass
class Cost:
    """What a planted fault makes of a connection."""

    region: str
    inside: int | None = None
    border: int | None = None

    def __call__(self, link: Connection, a: str, b: str) -> int:
        if self.inside is not None and (a, b) == (self.region, self.region):
            return self.inside
        if self.border is not None and (a == self.region) != (b == self.region):
            return self.border
        return link.cost


def sample(winner: int, firsts: tuple[str, str], opened: str) -> Sample:
    shares = tuple(float(seat == winner) for seat in range(2))
    regions = ("northwest", "west")
    return Sample(
        10, shares, firsts, (0, 1), opened, regions, frozenset({"west"}), frozenset(), 1.0, ()
    )


def test_figures_are_counted_from_the_games() -> None:
    samples = [
        sample(0, ("essen", "kiel"), "essen"),
        sample(1, ("kiel", "essen"), "kiel"),
        sample(0, ("essen", "bremen"), "essen"),
        sample(0, ("essen", "kiel"), "essen"),
    ]
    germany = load_map("germany")
    games = added(tally(samples[:1], germany), tally(samples[1:], germany))
    assert games == tally(samples, germany)
    found, unused = measure(games, germany)
    assert found["rounds"] == (10.0, "")
    assert found["opened_with"] == (0.75, "essen")
    assert found["loneliest_region"] == (0.0, "northwest")
    assert found["leader_wins"] == (1.0, "")
    assert (found["seat"][1], found["turn_order"][1]) == ("1", "1")  # as people count
    # Whoever starts in Essen wins, and nobody else: half away from par, less what chance explains.
    assert found["first_city"][1] == "essen"
    assert found["first_city"][0] == pytest.approx(((8 * 0.25 - 3 * 0.25) / 8) ** 0.5)
    assert ("duesseldorf", "essen") in unused
    assert found["unused_connections"][0] == 1.0


def test_chance_alone_is_no_spread() -> None:
    assert spread({name: Wins(400, 100.0, 100.0) for name in "0123"})[0] < 0.01
    skewed = {name: Wins(400, 400.0, 400.0) if name == "2" else Wins(400, 0, 0) for name in "0123"}
    found, top = spread(skewed)
    assert top == "2"
    assert found == pytest.approx(0.433, abs=0.01)


@pytest.mark.long
def test_an_isolated_region_is_seen_and_mended() -> None:
    isolated = isolated_region()
    found = judge(isolated, 24)
    (figure,) = [each for each in found.figures if each.name == "loneliest_region"]
    assert (figure.where, figure.usual) == ("south", False)
    mended = mend_costs(isolated, found)
    costs = {link.cost for link in mended.connections}
    assert {87, 57} <= costs
    assert not {90, 60} & costs


def rich_corner() -> Map:
    """In the north-west connections cost nothing; all others are dear, those into it above all."""
    germany = load_map("germany")
    home = {city.id: city.region for city in germany.cities}
    corner = Cost("northwest", inside=0, border=90)
    dear = tuple(
        Connection(link.a, link.b, link.cost + 25)
        if "northwest" not in {home[link.a], home[link.b]}
        else link
        for link in with_costs(germany, corner).connections
    )
    return structs.replace(germany, connections=dear)


def deciding_city() -> Map:
    """The same, where only who starts in Hamburg has the corner."""
    board = rich_corner()
    closed = tuple(
        city.id for city in board.cities if city.region == "northwest" and city.id != "hamburg"
    )
    return structs.replace(board, rules=structs.replace(board.rules, no_start=closed))


def isolated_region() -> Map:
    return with_costs(load_map("germany"), Cost("south", border=90, inside=60))


@pytest.mark.long
@pytest.mark.parametrize("board", ["germany", "usa", "italy"])
def test_an_official_board_has_no_fault(board: str) -> None:
    assert judge(board, 100).good


@pytest.mark.long
@pytest.mark.parametrize(
    ("fault", "figure", "where"),
    [
        (rich_corner, "first_region", "northwest"),
        (deciding_city, "first_city", "hamburg"),
        (isolated_region, "loneliest_region", "south"),
    ],
)
def test_planted_faults_stand_out(fault: Callable[[], Map], figure: str, where: str) -> None:
    found = {each.name: each for each in judge(fault(), 100).figures}
    assert (found[figure].where, found[figure].usual) == (where, False)


@pytest.mark.long
@pytest.mark.parametrize("ten", range(20))
def test_two_hundred_made_maps_are_mended_until_they_play_like_official_boards(ten: int) -> None:
    for seed in range(10 * ten, 10 * ten + 10):
        tries: list[Verdict] = []
        mend(make_map(str(seed), *SIZES[seed % 3]), on_try=tries.append)
        assert tries[-1].good, seed


@pytest.mark.long
def test_a_map_is_judged_by_command(tmp_path: Path) -> None:
    console = Console(record=True, width=120)
    file = tmp_path / "made.json"
    write_made(make_map("5", 35, 5), file, mended=False, console=console)
    assert check_map(file) == []
    with pytest.raises(FileExistsError):
        write_made(make_map("6", 35, 5), file, mended=False, console=console)
    show_verdict(judge_map(str(file), 20, 1, console), str(file), console)
    shown = console.export_text()
    assert "35 cities in 5 regions" in shown
    assert "after 20 games" in shown
    low, high = spans()["rounds"]
    assert f"{low:.1f} to {high:.1f}" in shown


def test_the_figures_of_a_board_are_measured_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measuring, "KEPT", tmp_path / "build" / "spans")
    first = measuring.measure_board("usa", 2)
    board = load_map("usa")
    found, _ = measure(tally((play_sample("usa", n, "spans") for n in range(2)), board), board)
    assert first == {figure: value for figure, (value, _) in found.items()}
    monkeypatch.delattr(measuring, "play_sample")
    assert measuring.measure_board("usa", 2) == first
