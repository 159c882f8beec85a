"""The judge sees planted faults, and finds an official board usual."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from msgspec import structs
from rich.console import Console

from golden.known import played
from highvoltage import bots
from highvoltage.cli.making import judge_map, show_verdict, write_made
from highvoltage.engine.parts.board import load_map
from highvoltage.engine.parts.mapform import Connection, Map
from highvoltage.games import check_map
from highvoltage.mapmaker import judge as judging
from highvoltage.mapmaker import make_map, mending
from highvoltage.mapmaker import spans as measuring
from highvoltage.mapmaker.judge import (
    Figure,
    Sample,
    Tally,
    Verdict,
    Wins,
    added,
    judge,
    judge_further,
    measure,
    play_sample,
    spans,
    spread,
    tally,
    verdict,
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


def test_games_are_added_up() -> None:
    """Each start with how often it was had, and the shares of the victory that came of it."""
    links = (Connection("kiel", "hamburg", 8), Connection("essen", "dortmund", 4))
    board = structs.replace(load_map("germany"), connections=links)
    first = sample(1, ("kiel", "essen"), "kiel")._replace(
        shares=(0.5, 0.5), sold_out=("coal", "oil"), used=frozenset({("kiel", "hamburg")})
    )
    second = sample(0, ("essen", ""), "essen")._replace(
        start_places=(1, 0), sold_out=("coal",), leader_won=0.5
    )
    assert tally([first, second], board) == Tally(
        games=2,
        rounds=20,
        leader_won=1.5,
        seats={"1": Wins(2, 1.5, 1.25), "2": Wins(2, 0.5, 0.25)},
        places={"1": Wins(2, 0.5, 0.25), "2": Wins(2, 1.5, 1.25)},
        cities={"kiel": Wins(1, 0.5, 0.25), "essen": Wins(2, 1.5, 1.25)},
        opened={"kiel": 1, "essen": 1},
        in_play={"northwest": 2, "west": 2},
        entered={"west": 2},
        sold_out={"coal": 2, "oil": 1},
        used={"hamburg kiel": 1},
        possible={"hamburg kiel": 2, "dortmund essen": 2},
    )
    found, unused = measure(tally([first, second, second], board), board)
    assert found["sold_out"] == (1.0, "coal")
    assert found["unused_connections"] == (0.5, "")
    assert unused == (("dortmund", "essen"),)
    assert found["opened_with"] == (2 / 3, "essen")
    assert found["leader_wins"] == (2 / 3, "")
    assert found["loneliest_region"] == (0.0, "northwest")
    assert measure(tally([second._replace(sold_out=())], board), board)[0]["sold_out"] == (0.0, "")


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


# By hand


def test_the_cheapest_way_is_the_one_that_is_used() -> None:
    """Three short connections are cheaper than a long one."""
    links = (("a", "b", 5), ("a", "c", 1), ("c", "d", 1), ("d", "b", 2), ("b", "e", 9))
    near: dict[str, list[tuple[int, str]]] = {name: [] for name in "abcdef"}
    for one, two, cost in links:
        near[one].append((cost, two))
        near[two].append((cost, one))
    assert judging._way(near, {"a"}, "b") == {("a", "c"), ("c", "d"), ("b", "d")}
    assert judging._way(near, {"a", "d"}, "b") == {("b", "d")}
    assert judging._way(near, {"a", "d"}, "e") == {("b", "d"), ("b", "e")}
    assert judging._way(near, {"b"}, "b") == set()
    assert judging._way(near, {"a"}, "f") == set()
    board: Any = SimpleNamespace(connections=[Connection(*link) for link in links])
    built = [(0, "a"), (1, "e"), (0, "b"), (1, "d")]
    every = judging._used(board, built, frozenset("abcde"))
    assert every == {("a", "c"), ("c", "d"), ("b", "d"), ("b", "e")}
    assert judging._used(board, built, frozenset("abde")) == {("a", "b"), ("b", "d"), ("b", "e")}
    assert judging._used(board, built[:2], frozenset("abcde")) == set()


@pytest.mark.parametrize(
    ("sizes", "led"), [((5, 3, 4, 4), 0.0), ((4, 3, 4, 5), 1.0), ((5, 3, 4, 5), 0.5)]
)
def test_what_a_game_says_about_its_map_is_read_from_it(sizes: tuple[int, ...], led: float) -> None:
    """Of ten rounds, where the fourth seat wins; who led is asked after five."""
    game = played("classic-central_europe-4-money-hidden")
    one: tuple[str, ...] = ("brno",)
    cities = {round_: [one] * 4 for round_ in range(1, 11)}
    cities[5] = [one * size for size in sizes]
    found = judging._read(game, cities, ("coal",))
    assert (found.rounds, found.shares, found.leader_won) == (10, (0, 0, 0, 1), led)
    assert found.first_cities == ("nyiregyhaza", "miskolc", "bratislava", "trnava")
    assert found.start_places == (1, 0, 2, 3)
    assert found.opened == "bratislava"
    assert found.regions == ("czechia", "slovakia", "austria", "hungary")
    assert found.entered == {*found.regions}
    assert len(found.used) == 37
    assert found.sold_out == ("coal",)


def test_bots_change_seats_from_game_to_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game tells the cities of every round, as its last phase began, and what was sold out."""
    made: list[tuple[str, str]] = []
    read: list[Any] = []
    make = bots.make

    def clerk(kind: str, seed: str) -> bots.Bot:
        made.append((kind, seed))
        return make("clerk", seed)

    monkeypatch.setattr(bots, "make", clerk)
    monkeypatch.setattr(judging, "_read", lambda *told: read.append(told))
    board = load_map("usa")
    for number in range(2):
        play_sample(board, number, "s")
    kinds = ["engineer", "clerk", "engineer", "clerk"]
    assert made == [
        (kinds[(seat + number) % 4], f"s/{number}/{seat}")
        for number in range(2)
        for seat in range(4)
    ]
    for game, cities, sold_out in read:
        assert game.outcome
        assert [*cities] == [*range(1, game.state.round + 1)]
        last = {row.round: row.phase for row in game.log}
        then, phase, empty = game.after(0), "", set[str]()
        for row in game.log:
            view = then.view()
            if row.phase != phase:
                phase = row.phase
                if phase == last[row.round]:
                    assert cities[row.round] == [tuple(each["cities"]) for each in view["players"]]
                if phase == "building":
                    empty |= {name for name, fuel in view["fuel"].items() if fuel["stock"] == 0}
            then.play(row.move)
        assert {*sold_out} == empty


def test_only_what_is_for_sale_can_be_sold_out() -> None:
    fuel = {"coal": {"stock": 0, "ladder": [1]}, "gas": {"stock": 0, "ladder": []}, "wind": {}}
    assert [name for name, _ in judging._fuels({"fuel": fuel})] == ["coal"]


@pytest.mark.parametrize(
    ("name", "value", "games", "margin", "usual"),
    [
        ("rounds", 8.0, 400, 0.1, True),  # of single games they vary by 1
        ("rounds", 7.9, 400, 0.1, True),
        ("rounds", 7.89, 400, 0.1, False),
        ("rounds", 11.1, 400, 0.1, True),
        ("rounds", 11.11, 400, 0.1, False),
        ("seat", 0.0, 100, 0.05, True),
        ("opened_with", 0.5, 25, 0.2, True),  # a share of about a half
        ("opened_with", 0.7, 25, 0.2, True),
        ("opened_with", 0.8, 25, 0.2, False),
        ("sold_out", 0.0, 100, 0.08, False),
    ],
)
def test_a_figure_is_usual_within_what_chance_explains(
    name: str,
    value: float,
    games: int,
    margin: float,
    usual: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = {
        "rounds": (8.0, 11.0),
        "seat": (0.0, 0.03),
        "opened_with": (0.1, 0.5),
        "sold_out": (0.2, 1.0),
    }
    monkeypatch.setattr(judging, "spans", lambda: known)
    found = judging._figure(name, value, "here", games)
    assert found.margin == pytest.approx(margin)
    assert found == Figure(name, value, *known[name], found.margin, "here", usual)


def test_more_games_are_played_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of fifty, or of what two seconds last, up to as many as are asked for."""
    numbers: list[int] = []

    def play(_map: Any, number: int, seed: str) -> Sample:
        assert seed == "s"
        numbers.append(number)
        return sample(number % 2, ("essen", "kiel"), "essen")

    ticks = count()
    monkeypatch.setattr(judging, "play_sample", play)
    monkeypatch.setattr(judging, "monotonic", lambda: 0.03 * next(ticks))
    board = load_map("germany")
    content = msgspec.to_builtins(board, str_keys=True)
    first, said = judge_further(content, Tally(), 70, "s")
    assert (first.games, said.games, numbers) == (50, 50, [*range(50)])
    total, said = judge_further(content, first, 70, "s")
    assert (total.games, numbers) == (70, [*range(70)])
    assert said == verdict(total, board)
    monkeypatch.setattr(judging, "monotonic", lambda: 0.5 * next(ticks))
    slow, _ = judge_further(content, total, 90, "s")
    assert slow.games == 75  # the fifth is the first to end after more than two seconds


def test_what_is_out_of_the_usual_is_mended() -> None:
    """By three for each figure, and never below nothing."""
    links = [
        Connection("kiel", "essen", 9),
        Connection("kiel", "hamburg", 9),
        Connection("kiel", "bremen", 2),
        Connection("essen", "dortmund", 9),
    ]
    board = structs.replace(load_map("germany"), connections=tuple(links))
    region = {city.id: city.region for city in board.cities}
    home = region["kiel"]
    assert region["hamburg"] == region["bremen"] == home != region["essen"] == region["dortmund"]

    def costs(name: str, where: str, *unused: tuple[str, str], usual: bool = False) -> list[int]:
        figure = Figure(name, 0.0, 0.0, 0.0, 0.0, where, usual)
        mended = mend_costs(board, Verdict(1, (figure,), unused))
        assert [(each.a, each.b) for each in mended.connections] == [(x.a, x.b) for x in links]
        return [each.cost for each in mended.connections]

    assert costs("first_city", "hamburg") == [9, 12, 2, 9]
    assert costs("opened_with", "essen") == [12, 9, 2, 12]
    assert costs("first_region", home) == [9, 12, 5, 9]
    assert costs("loneliest_region", home) == [6, 6, 0, 9]
    assert costs("unused_connections", "", ("hamburg", "kiel")) == [9, 6, 2, 9]
    assert costs("rounds", "kiel") == [9, 9, 2, 9]
    assert costs("first_city", "hamburg", usual=True) == [9, 9, 2, 9]
    assert costs("first_city", "hamburg", ("hamburg", "kiel")) == [9, 12, 2, 9]


@pytest.mark.parametrize(
    ("odd", "tried", "best"),
    [
        ([2, 1, 0, 0], 3, 2),
        ([0], 1, 0),
        ([2, 1, 1, 2, 3, 3, 3, 3, 0], 8, 1),
    ],
)
def test_a_map_is_mended_until_nothing_is_odd_or_for_a_while(
    odd: list[int], tried: int, best: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first with the least that is out of the usual is returned."""
    asked: list[tuple[Any, int, str]] = []

    def told(board: Any, games: int, seed: str) -> Any:
        wrong = odd[len(asked)]
        asked.append((board, games, seed))
        return SimpleNamespace(
            figures=[SimpleNamespace(usual=at >= wrong) for at in range(4)], nth=len(asked)
        )

    monkeypatch.setattr(mending, "judge", told)
    monkeypatch.setattr(mending, "mend_costs", lambda board, _: board + 1)
    seen: list[Any] = []
    board: Any = 0
    mended: Any = mend(board, on_try=seen.append)
    assert mended == best
    assert asked == [(number, 100, f"mend/{number}") for number in range(tried)]
    assert [each.nth for each in seen] == [*range(1, tried + 1)]


@pytest.mark.parametrize(("words", "games"), [([], 400), (["7", "8"], 7)])
def test_the_spans_of_the_official_boards_are_written(
    words: list[str], games: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The least and the most of each figure; of four hundred games, unless more are asked for."""
    found = {"usa": (9.0, 0.123456), "italy": (8.0, 0.2), "france": (8.5, 0.3)}

    def measured(name: str, number: int) -> dict[str, float]:
        assert number == games
        return dict(zip(("rounds", "seat"), found[name], strict=True))

    monkeypatch.setattr(measuring, "known_maps", lambda: [*found])
    monkeypatch.setattr(measuring, "measure_board", measured)
    monkeypatch.setattr(measuring, "__file__", str(tmp_path / "spans.py"))
    monkeypatch.setattr("sys.argv", ["spans", *words])
    measuring.main()
    text = '{\n  "rounds": [8.0, 9.0],\n  "seat": [0.1235, 0.3]\n}\n'
    assert (tmp_path / "spans.json").read_text("utf-8") == text
