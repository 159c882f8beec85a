"""Games as data sets: what is in them, where they come from, and what is refused."""

import asyncio
import json
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from pyarrow import parquet
from typer.testing import CliRunner

import highvoltage as hv
from highvoltage import bots, codec, data
from highvoltage.cli import app
from highvoltage.codec import CodecError
from highvoltage.data.write import CODEC_KEY, JsonLinesWriter, _plain
from highvoltage.engine.errors import HighVoltageError, OptionError, RecordError
from highvoltage.rooms.rows import GameRow, SeatRow
from highvoltage.server.store import SqlStore
from highvoltage.tournament import ResultFile, Tournament, play_one


def played(rulebook: str = "cardgame", players: int = 2, seed: int = 1) -> hv.Game:
    game = hv.new(rulebook, players=players, seed=seed)
    bots.play_game(game, [bots.make("clerk", seat) for seat in range(players)])
    return game


@pytest.fixture(scope="module")
def game() -> hv.Game:
    return played()


@pytest.fixture
def folder(tmp_path: Path, game: hv.Game) -> Path:
    records = tmp_path / "records"
    records.mkdir()
    (records / "one.txt").write_text(str(game.record()))
    (records / "two.json").write_text(game.record().json())
    return records


def export(*words: str | Path) -> str:
    result = CliRunner().invoke(app, ["export", *map(str, words)])
    assert result.exit_code == 0, result.output
    return result.output


def test_one_row_per_decision(folder: Path, game: hv.Game, tmp_path: Path) -> None:
    file = tmp_path / "games.parquet"
    assert f"2 games, {2 * len(game.log)} decisions" in export(folder, "--to", file)
    rows = parquet.read_table(file).to_pylist()
    assert list(rows[0]) == list(data.COLUMNS)
    assert [row["move"] for row in rows[: len(game.log)]] == [str(row.move) for row in game.log]
    assert {row["game"] for row in rows} == {"one", "two"}
    outcome = game.outcome
    assert outcome is not None
    for row in rows:
        assert row["place"] == 1 + [row["seat"] in place for place in outcome.ranking].index(True)
        assert row["won"] == (row["place"] == 1) / len(outcome.winners)


def test_json_lines_have_the_same_content(folder: Path, tmp_path: Path) -> None:
    files = [tmp_path / "games.parquet", tmp_path / "games.jsonl"]
    for file in files:
        export(folder, "--to", file)
    lines = [json.loads(line) for line in files[1].read_text().splitlines()]
    assert lines == parquet.read_table(files[0]).to_pylist()


def test_observations_are_those_of_the_codec(folder: Path, game: hv.Game, tmp_path: Path) -> None:
    file = tmp_path / "games.parquet"
    export(folder / "one.txt", "--to", file, "--observations")
    lessons = data.load(file)
    code = codec.make("cardgame", players=2)
    assert lessons.spec == code.spec
    replayed = game.after(0)
    for at, row in enumerate(game.log):
        view = replayed.view(row.seat)
        assert lessons.action[at] == code.index(view, row.move)
        assert (lessons.legal[at] == code.mask(view, replayed.legal_moves)).all()
        for name, part in code.observe(view).items():
            assert (lessons.observation[name][at] == part).all()
        replayed.play(row.move)


def test_observations_in_json_lines_name_the_codec(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    export(folder / "one.txt", "--to", file, "--observations")
    first = json.loads(file.read_text().splitlines()[0])
    assert first["codec"] == codec.VERSION
    assert np.array(first["observation"]["plants"]).shape == (6, 4, 10)


def test_numbers_in_json_lines_are_short_and_flags_stay_flags() -> None:
    assert _plain(np.array([0.123456, 1], np.float32)) == [0.1235, 1.0]
    assert _plain(np.array([True, False])) == [True, False]
    assert _plain(np.array([123456], np.int32)) == [123456]
    with pytest.raises(TypeError):
        _plain(object())


def test_a_tournament_is_played_again(tmp_path: Path) -> None:
    cup = Tournament("cardgame", ("clerk", "random"), players=2, games=2)
    stored = ResultFile(tmp_path / "cup.jsonl", cup)
    for number in range(2):
        stored.add(play_one(cup, number))
    file = tmp_path / "games.parquet"
    export("--tournament", stored.path, "--to", file)
    rows = parquet.read_table(file).to_pylist()
    places = [{row["seat"]: row["place"] for row in rows if row["game"] == n} for n in "01"]
    assert [tuple(sorted(each.items())) for each in places] == [
        tuple(enumerate(result.places)) for result in stored.results
    ]
    assert {row["player"] for row in rows} == {"clerk", "random"}


def test_a_tournament_with_other_results_is_refused(tmp_path: Path) -> None:
    cup = Tournament("cardgame", ("clerk", "random"), players=2, games=1)
    result = play_one(cup, 0)
    other = msgspec.structs.replace(result, places=result.places[::-1])
    stored = ResultFile(tmp_path / "cup.jsonl", cup)
    stored.add(other)
    with pytest.raises(HighVoltageError, match="game 0 comes out differently"):
        list(data.tournament_games(stored.path).games)


def test_people_at_a_server_stay_anonymous(tmp_path: Path, game: hv.Game) -> None:
    """Its finished games come in the order in which they were begun."""
    database = f"sqlite:///{tmp_path / 'highvoltage.db'}"
    tables = (("later", "finished", 3), ("begun", "running", 2), ("over", "finished", 1))

    async def serve() -> None:
        store = SqlStore(database)
        await store.open()
        for table, status, created in tables:
            stored = GameRow(table, status, "cardgame", "{}", "", True, "", created=created)
            stored.record = game.record().json()
            sits = enumerate((None, "clerk"))
            await store.create(
                stored, [SeatRow(table, at, "x", "Ann", bot=bot) for at, bot in sits]
            )
        await store.close()

    asyncio.run(serve())
    file = tmp_path / "games.parquet"
    assert "2 games," in export("--server", tmp_path, "--to", file)
    rows = parquet.read_table(file).to_pylist()
    assert [*dict.fromkeys(row["game"] for row in rows)] == ["over", "later"]
    assert {(row["game"], row["seat"], row["player"]) for row in rows} == {
        (table, *who) for table in ("over", "later") for who in ((0, ""), (1, "clerk"))
    }
    assert data.server_games(database).size == 2


def test_a_source_says_how_many_games_it_has(folder: Path) -> None:
    """Those of a folder by name, with its subfolders."""
    (folder / "later").mkdir()
    (folder / "two.json").rename(folder / "later" / "two.json")
    (folder / "about.md").touch()
    found = data.records(folder)
    assert found.size == 2
    assert [game.name for game in found.games] == ["later/two", "one"]
    alone = data.records(folder / "one.txt")
    assert alone.size == 1
    assert [game.name for game in alone.games] == ["one"]


def test_an_unfinished_game_has_no_place(tmp_path: Path) -> None:
    game = hv.new("cardgame", players=2, seed=1)
    game.play(game.legal_moves[0])
    (tmp_path / "begun.txt").write_text(str(game.record()))
    export(tmp_path / "begun.txt", "--to", tmp_path / "games.jsonl")
    row = json.loads((tmp_path / "games.jsonl").read_text())
    assert (row["place"], row["won"]) == (None, None)


def test_only_games_of_one_rulebook(folder: Path, tmp_path: Path) -> None:
    (folder / "board.txt").write_text(str(played("classic").record()))
    output = export(
        folder, "--rulebook", "classic", "--observations", "--to", tmp_path / "a.parquet"
    )
    assert output.startswith("1 game,")
    with pytest.raises(OptionError, match="a data set with observations is of one rulebook"):
        data.export(data.records(folder).games, tmp_path / "b.parquet", observations=True)


def test_a_damaged_record_is_named(folder: Path, game: hv.Game, tmp_path: Path) -> None:
    broken = str(game.record()).replace("run nothing", "run 2", 1).replace("bid", "bad", 1)
    (folder / "zwei.txt").write_text(broken)
    for observations in (False, True):
        first = next(n for n, row in enumerate(game.log, 1) if "bid" in str(row.move))
        named = rf"zwei: move {first}, 'bad" if observations else "zwei: move "
        with pytest.raises(RecordError, match=named):
            data.export(data.records(folder).games, tmp_path / "a.jsonl", observations=observations)


def test_another_result_than_the_moves_lead_to_is_refused(game: hv.Game) -> None:
    record = game.record()
    other = msgspec.structs.replace(record, result=record.result[::-1])
    code = codec.make("cardgame", players=2)
    assert len([*data.observed_rows(data.SourceGame("one", record), code)]) == len(game.log)
    with pytest.raises(RecordError, match="one: the result is not the one that these moves lead"):
        [*data.observed_rows(data.SourceGame("one", other), code)]


def test_a_data_set_of_another_codec_is_refused(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "games.parquet"
    export(folder / "one.txt", "--to", file, "--observations")
    table = parquet.read_table(file)
    spec = codec.spec("cardgame", players=2)
    foreign = msgspec.json.encode(msgspec.structs.replace(spec, version=99))
    parquet.write_table(table.replace_schema_metadata({CODEC_KEY: foreign}), file)
    with pytest.raises(CodecError, match="made for version 99 of the codec"):
        data.load(file)
    export(folder / "one.txt", "--to", file)
    with pytest.raises(OptionError, match="has no observations: export it with --observations"):
        data.load(file)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "Name records or folders of them"),
        (["nowhere"], "There is no nowhere"),
        ([".", "--to", "games.csv"], "neither as .parquet nor as .jsonl"),
        (["--server", "nowhere"], "neither a server's data folder nor an address"),
    ],
)
def test_what_cannot_be_exported_is_refused(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["export", *words])
    assert result.exit_code == 2
    assert message in result.output


def test_rulebooks_of_the_same_columns_are_not_mixed_either(tmp_path: Path) -> None:
    for rulebook in ("classic", "recharged"):
        record = played(rulebook, 3).record()
        (tmp_path / f"{rulebook}.txt").write_text(str(record))
    specs = [codec.spec(rulebook, players=3) for rulebook in ("classic", "recharged")]
    assert specs[0].parts == specs[1].parts
    with pytest.raises(OptionError, match="recharged is of recharged, and others are of classic"):
        data.export(data.records(tmp_path).games, tmp_path / "a.jsonl", observations=True)


def test_a_closed_file_takes_no_rows(tmp_path: Path) -> None:
    writer = JsonLinesWriter(tmp_path / "a.jsonl", None)
    writer.close()
    with pytest.raises(ValueError, match="closed file"):
        writer.write([("row",)])


def test_there_is_a_column_for_every_action(folder: Path, tmp_path: Path) -> None:
    """Even where the last of them is legal."""
    file = tmp_path / "games.parquet"
    export(folder / "one.txt", "--to", file, "--observations")
    table = parquet.read_table(file)
    last = codec.spec("cardgame", players=2).num_actions - 1
    legal = table["legal"].to_pylist()
    legal[0] = [last]
    at = table.schema.get_field_index("legal")
    field = table.schema.field(at)
    table = table.set_column(at, field, pa.array(legal, field.type))
    parquet.write_table(table, file)
    lessons = data.load(file)
    assert lessons.legal.shape == (len(legal), last + 1)
    assert lessons.legal[0].nonzero()[0].tolist() == [last]


def test_games_with_more_actions_may_come_later(tmp_path: Path) -> None:
    """For two players, who have four plants, there are more ways to run them."""
    for players in (3, 2):
        (tmp_path / f"{9 - players}.txt").write_text(str(played("classic", players).record()))
    file = tmp_path / "games.parquet"
    data.export(data.records(tmp_path).games, file, observations=True)
    most = max(map(max, parquet.read_table(file)["legal"].to_pylist()))
    assert most >= codec.spec("classic", players=3).num_actions
    assert data.load(file).legal.shape[1] == most + 1


def test_nothing_makes_no_file(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="There is no game to export here"):
        data.export(iter(()), tmp_path / "a.jsonl")
    assert not [*tmp_path.iterdir()]


def test_many_rows_are_written_in_several_parts(
    folder: Path, game: hv.Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    data.export(data.records(folder).games, whole)
    monkeypatch.setattr("highvoltage.data.write.ROWS_PER_CHUNK", len(game.log))
    data.export(data.records(folder).games, parts)
    assert parts.read_bytes() == whole.read_bytes()
    assert whole.read_bytes().count(b"\n") == 2 * len(game.log)
