"""The data set for the hub: what others' readers find in it, and that it can be made again."""

import subprocess
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

import highvoltage as hv
from highvoltage import data
from highvoltage.cli import app
from highvoltage.data import DataSet, dataset, make_dataset
from highvoltage.data.card import Counts, card_text, head
from highvoltage.data.dataset import LEVELS, RULEBOOKS, Shards, play_deal, settings_of
from highvoltage.engine.errors import OptionError
from highvoltage.games import meta
from learn import imitate

ABOUT = DataSet(games=24, seed="7")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("made") / "set"
    counts = make_dataset(ABOUT, made)
    assert sum(counts.games.values()) == ABOUT.games
    return made


@pytest.mark.long
def test_datasets_loads_every_rulebook_by_the_card(folder: Path, tmp_path: Path) -> None:
    import datasets  # type: ignore[import-untyped]  # noqa: PLC0415  # it takes a second to load

    found = 0
    for rulebook in RULEBOOKS:
        splits = datasets.load_dataset(str(folder), rulebook, cache_dir=str(tmp_path))
        assert {*splits} <= {"train", "validation", "test"}
        for rows in splits.values():
            assert set(rows["rulebook"]) == {rulebook}
            assert set(rows["player"]) <= {*LEVELS}
            found += len(set(rows["game"]))
    assert found == ABOUT.games


@pytest.mark.long
def test_polars_finds_every_game_whole_and_in_one_split(folder: Path) -> None:
    splits = Counter[str]()
    for file in folder.glob("data/*/*.parquet"):
        for (game,), rows in pl.read_parquet(file).group_by("game"):
            splits[str(game)] += 1
            assert sorted(rows["seq"]) == list(range(len(rows)))
            won = dict(zip(rows["seat"], rows["won"], strict=True))
            assert sum(won.values()) == pytest.approx(1)
    assert set(splits.values()) == {1}
    assert len(splits) == ABOUT.games


@pytest.mark.long
def test_a_game_of_the_set_can_be_played_again(folder: Path) -> None:
    deal = ABOUT.deal(0)
    file = next(folder.glob(f"data/{deal.setting.rulebook}/{deal.split}-*.parquet"))
    rows = pl.read_parquet(file).filter(pl.col("game") == deal.name).sort("seq")
    setting = deal.setting
    game = hv.new(setting.rulebook, map=setting.map, players=setting.players, seed=deal.seed)
    for move in rows["move"]:
        game.play(move)
    assert game.outcome is not None
    assert {rows["player"][at] for at in range(len(rows))} <= {*deal.levels}


@pytest.mark.long
def test_the_same_seed_gives_the_same_bytes_in_any_number_of_processes(
    folder: Path, tmp_path: Path
) -> None:
    again = tmp_path / "again"
    make_dataset(ABOUT, again, jobs=2)
    files = sorted(file.relative_to(folder) for file in folder.rglob("*") if file.is_file())
    assert files == sorted(file.relative_to(again) for file in again.rglob("*") if file.is_file())
    assert all((folder / file).read_bytes() == (again / file).read_bytes() for file in files)
    assert ABOUT.deal(3) != DataSet(games=24, seed="8").deal(3)


@pytest.mark.long
def test_the_checksums_hold(folder: Path) -> None:
    check = ["sha256sum", "--check", "--quiet", "SHA256SUMS"]
    assert subprocess.run(check, cwd=folder, check=False).returncode == 0
    assert (folder / "SHA256SUMS").read_text().count("\n") == len([*folder.rglob("*.*")])


@pytest.mark.long
def test_the_card_has_what_the_folder_has(folder: Path) -> None:
    card = (folder / "README.md").read_text()
    rows = sum(pl.read_parquet(file).height for file in folder.glob("data/*/*.parquet"))
    assert card.startswith("---\nlicense: mit\n")
    assert f"24 whole games of the Power Grid family with {rows:,} decisions" in card
    assert "highvoltage dataset FOLDER --games 24 --seed 7\n" in card
    assert all(f"| `{name}` |" in card for name in (*data.COLUMNS, *LEVELS))


@pytest.mark.long
def test_observations_are_added_and_load(tmp_path: Path) -> None:
    made = tmp_path / "seen"
    words = ["dataset", str(made), "--games", "4", "--observations", "--jobs", "1"]
    shown = CliRunner().invoke(app, words).stdout
    assert shown.startswith("4 games, ")
    for file in made.glob("data/*/*.parquet"):
        lessons = data.load(file)
        assert lessons.legal[range(len(lessons.action)), lessons.action].all()


@pytest.mark.long
def test_the_baseline_learns_from_it(tmp_path: Path) -> None:
    make_dataset(DataSet(games=8, seed="2", observations=True), tmp_path)
    lessons = imitate.read(tmp_path, "cardgame", "train")
    weights = imitate.train(lessons, epochs=4)
    right = imitate.first_guesses(weights, lessons)
    chance = (1 / lessons.legal.sum(1)).mean()
    assert right.mean() > 1.3 * chance
    assert imitate.table(right, lessons)[-1] == (
        f"| all | {len(right):,} | {right.mean():.1%} | {chance:.1%} |"
    )


def test_a_folder_with_something_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").touch()
    with pytest.raises(OptionError, match="is not empty"):
        make_dataset(ABOUT, tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]


def test_a_game_without_an_end_has_no_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    deal = ABOUT.deal(0)
    whole = dataset.play_deal(ABOUT, deal)
    monkeypatch.setattr(dataset, "MAX_DECISIONS", len(whole))
    assert dataset.play_deal(ABOUT, deal) == whole
    monkeypatch.setattr(dataset, "MAX_DECISIONS", len(whole) - 1)
    assert dataset.play_deal(ABOUT, deal) == []


def test_observed_games_are_played_on_boards_of_the_usual_parts() -> None:
    every, usual = (settings_of("classic", usual_parts=usual) for usual in (False, True))
    assert not any(each.options for each in every)
    assert {each.players for each in usual} == {each.players for each in every} == {*range(2, 7)}
    boards = {each.map for each in usual}
    assert {"germany", "brazil"} <= boards
    assert {each.map for each in every} - boards >= {"korea", "japan", "india"}


def test_the_card_counts_games_decisions_seats_and_victories() -> None:
    deal = ABOUT.deal(0)
    rows = play_deal(ABOUT, deal)
    counts = Counts(Counter(), Counter(), Counter(), Counter())
    for _ in range(2):
        dataset.add(counts, deal, rows)
    game = deal.setting.rulebook, deal.split
    assert counts.games == {game: 2}
    assert counts.decisions == {game: 2 * len(rows)}
    assert counts.seats == {
        (deal.setting.rulebook, level): 2 * number for level, number in Counter(deal.levels).items()
    }
    assert sum(counts.wins.values()) == pytest.approx(2)


def test_what_is_counted_is_what_was_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In this process, unless more are asked for."""
    monkeypatch.delattr(dataset, "workers")
    about = DataSet(games=2, seed="7")
    so_far: list[int] = []
    counts = make_dataset(about, tmp_path, progress=so_far.append)
    assert so_far == [1, 2]
    assert sum(counts.games.values()) == 2
    rows = sum(pl.read_parquet(file).height for file in tmp_path.glob("data/*/*.parquet"))
    assert sum(counts.decisions.values()) == rows > 0
    card = (tmp_path / "README.md").read_text("utf-8")
    assert card.startswith("---\nlicense: mit\n")
    assert f"2 whole games of the Power Grid family with {rows:,} decisions" in card
    assert "\nhighvoltage dataset FOLDER --games 2 --seed 7\n" in card
    files = sorted(file for file in tmp_path.rglob("*.*"))
    assert [str(file.relative_to(tmp_path)) for file in files] == [
        "README.md",
        *sorted(
            f"data/{deal.setting.rulebook}/{deal.split}-00000-of-00001.parquet"
            for deal in map(about.deal, range(2))
        ),
    ]
    assert (tmp_path / "SHA256SUMS").read_text("utf-8") == "".join(
        f"{sha256(file.read_bytes()).hexdigest()}  {file.relative_to(tmp_path)}\n" for file in files
    )


def test_the_card_tells_what_there_is_of_each_game_and_program() -> None:
    """Splits in their order, without those that are empty; shares of what each program won."""
    train, check, other = ("classic", "train"), ("classic", "test"), ("outpost", "train")
    counts = Counts(
        Counter({check: 2, train: 1_500, other: 3}),
        Counter({check: 70, train: 110_000, other: 30}),
        Counter({("classic", "clerk"): 1_000, ("outpost", "clerk"): 1_000}),
        Counter({("classic", "clerk"): 300, ("outpost", "clerk"): 325}),
    )
    card = card_text(1_505, "9", counts, observations=False)
    assert "1,505 whole games of the Power Grid family with 110,100 decisions, one row" in card
    rows = [line for line in card.splitlines() if line.startswith(("| classic", "| outpost"))]
    assert rows == [
        "| classic | train | 1,500 | 110,000 |",
        "| classic | test | 2 | 70 |",
        "| outpost | train | 3 | 30 |",
    ]
    assert "| `clerk` | rules of thumb | 2,000 | 31.2% |" in card
    assert "| `random` | draws any legal move | 0 |  |" in card
    assert f"rules of classic {meta('classic').version}, rules of outpost" in card
    assert "observation" not in card
    seen = card_text(1_505, "9", counts, observations=True)
    assert "\nhighvoltage dataset FOLDER --games 1505 --seed 9 --observations\n" in seen
    for column in ("`action`", "`legal`", "`observation.…`"):
        assert f"| {column} | " in seen
    assert head(["classic", "outpost"], counts)[-12:] == [
        "- 100K<n<1M",
        "configs:",
        "- config_name: classic",
        "  data_files:",
        *("  - split: train", "    path: data/classic/train-*.parquet"),
        *("  - split: test", "    path: data/classic/test-*.parquet"),
        *("- config_name: outpost", "  data_files:"),
        *("  - split: train", "    path: data/outpost/train-*.parquet"),
    ]


@pytest.mark.parametrize(
    ("decisions", "size"),
    [
        *[(999, "n<1K"), (1_000, "1K<n<10K"), (10_000, "10K<n<100K")],
        *[(999_999, "100K<n<1M"), (1_000_000, "1M<n<10M")],
    ],
)
def test_the_card_names_the_size_as_the_hub_does(decisions: int, size: str) -> None:
    counts = Counts(Counter(), Counter({("classic", "train"): decisions}), Counter(), Counter())
    assert f"- {size}" in head([], counts)


def test_rows_that_wait_are_written_when_there_are_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deals = [*map(ABOUT.deal, range(3))]
    rows = play_deal(ABOUT, deals[2])
    monkeypatch.setattr(dataset, "ROWS_PER_CHUNK", len(rows) - 1)
    shards = Shards(ABOUT, tmp_path, [deals[2]] * 2)
    for _ in range(2):
        shards.write(deals[2], rows)
    shards.close()
    (file,) = tmp_path.rglob("*.parquet")
    assert len(pl.read_parquet(file)) == 2 * len(rows)


@pytest.mark.parametrize(("games", "size", "held"), [(3, 2, [2, 1]), (4, 2, [2, 2]), (2, 3, [2])])
def test_a_shard_has_so_many_games_and_says_how_many_shards_there_are(
    games: int, size: int, held: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal = ABOUT.deal(2)
    rows = play_deal(ABOUT, deal)[:3]
    monkeypatch.setattr(dataset, "GAMES_PER_SHARD", size)
    shards = Shards(ABOUT, tmp_path, [deal] * games)
    for _ in range(games):
        shards.write(deal, rows)
    shards.close()
    files = sorted(tmp_path.rglob("*.parquet"))
    assert [file.name for file in files] == [
        f"{deal.split}-{number:05}-of-{len(held):05}.parquet" for number in range(len(held))
    ]
    assert [len(pl.read_parquet(file)) for file in files] == [3 * some for some in held]


def test_two_splits_of_a_rulebook_lie_in_one_folder(tmp_path: Path) -> None:
    shards = Shards(ABOUT, tmp_path, [*map(ABOUT.deal, range(ABOUT.games))])
    for split in ("train", "test"):
        shards._begin(("classic", split), 0).close()
    assert len([*tmp_path.glob("data/classic/*.parquet")]) == 2


def test_one_job_begins_no_other_process(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []

    def pool(jobs: int) -> ThreadPoolExecutor:
        begun.append(jobs)
        return ThreadPoolExecutor(jobs)

    monkeypatch.setattr(dataset, "workers", pool)
    few = DataSet(games=1, seed="7")
    alone = [*dataset.played(few, 1)]
    assert begun == []
    assert [*dataset.played(few, 2)] == alone
    assert begun == [2]


def test_processes_end_with_the_games_or_with_whoever_waits_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And begin nothing more: four games at a time, and what is left of them."""
    asked: list[range] = []
    ended: list[dict[str, bool]] = []

    def some(_about: DataSet, numbers: range) -> list[list[int]]:
        asked.append(numbers)
        return [[number] for number in numbers]

    pool = SimpleNamespace(map=map, shutdown=lambda **how: ended.append(how))
    monkeypatch.setattr(dataset, "play_some", some)
    monkeypatch.setattr(dataset, "workers", lambda _: pool)
    rows: Any = dataset.played(DataSet(games=6), 2)
    assert next(rows) == [0]
    rows.close()
    assert ended == [{"cancel_futures": True}]
    assert asked == [range(4)]
    for jobs in (1, 2):
        again: list[Any] = [*dataset.played(DataSet(games=6), jobs)]
        assert again == [[number] for number in range(6)]
        assert asked[-2:] == [range(4), range(4, 6)]
    assert len(ended) == 2
