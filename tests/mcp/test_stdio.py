"""A scripted model plays over standard input and output, with the client of the SDK."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

import highvoltage as hv
from highvoltage import rules
from highvoltage.cli.model_tables import SavedTables
from highvoltage.engine.errors import OptionError
from highvoltage.mcp import Tools, model_server, tools
from highvoltage.mcp.tables import check_choices
from mcp import Client, StdioServerParameters
from mcp_models import Ask, choices, play_game
from ours import RULEBOOKS


@asynccontextmanager
async def asking(client: Client) -> AsyncIterator[Ask]:
    async with client:

        async def ask(tool: str, *, refused: bool = False, **arguments: Any) -> str:
            answer = await client.call_tool(tool, arguments)
            (content,) = answer.content
            assert answer.is_error is refused, content
            assert answer.structured_content is None
            return str(content.text)  # type: ignore[union-attr]

        yield ask


def over_stdio(folder: Path, *options: str) -> Client:
    command = ["-m", "highvoltage", "mcp", "--games", str(folder), *options]
    return Client(StdioServerParameters(command=sys.executable, args=command))


def in_process(folder: Path, seed: str = "3") -> Client:
    tables = SavedTables(folder, "Model", seed)
    return Client(model_server(Tools(tables), tables.tables))


@pytest.mark.long
def test_a_whole_game_over_stdio(tmp_path: Path) -> None:
    async def play() -> str:
        async with asking(over_stdio(tmp_path, "--name", "Ann", "--seed", "1")) as ask:
            return await play_game(ask, 1, rulebook="cardgame", players=2)

    assert "Places: " in asyncio.run(play())
    (file,) = tmp_path.iterdir()
    game = hv.replay(file)
    assert (game.names[0], game.outcome is None) == ("Ann", False)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("players", [2, pytest.param(4, marks=pytest.mark.long)])
def test_whole_games_of_all_rulebooks(rulebook: str, players: int, tmp_path: Path) -> None:
    async def play() -> str:
        async with asking(in_process(tmp_path)) as ask:
            return await play_game(ask, 1, rulebook=rulebook, players=players)

    assert "the game is over." in asyncio.run(play())
    assert hv.replay(tmp_path / "1.txt").outcome is not None


def run(folder: Path, *calls: tuple[str, dict[str, Any]]) -> list[str]:
    """The answers to some calls, refused or not."""

    async def all_answers() -> list[str]:
        async with in_process(folder) as client:
            found = [await client.call_tool(tool, arguments) for tool, arguments in calls]
        return [("refused: " if each.is_error else "") + each.content[0].text for each in found]  # type: ignore[union-attr]

    return asyncio.run(all_answers())


def test_a_refused_move_names_its_rule_and_changes_nothing(tmp_path: Path) -> None:
    before, refused, after = run(
        tmp_path,
        ("new_game", {"players": 3}),
        ("play", {"move": "bid 2"}),
        ("look", {}),
    )[:3]
    assert refused.startswith("refused: ")
    assert "The next bid is at least 6. (C-4.4.1)\n**C-4.4.1** With two or more" in refused
    assert before == f"Table 1.\n{after}"


def test_why(tmp_path: Path) -> None:
    answers = run(
        tmp_path,
        ("new_game", {"players": 3}),
        ("why", {"move": "bid 2"}),
        ("why", {"move": "bid 7"}),
        ("why", {"move": "dance"}),
    )
    assert "at least 6. (C-4.4.1)\n**C-4.4.1**" in answers[1]
    assert answers[2] == "This move is legal now."
    assert "“dance” is no move" in answers[3]


def test_what_is_left_out_has_a_default(tmp_path: Path) -> None:
    made, seen, brief_one = run(
        tmp_path, ("new_game", {}), ("look", {}), ("look", {"whole": False})
    )
    assert made == f"Table 1.\n{seen}"
    assert seen == brief_one
    game = hv.replay(tmp_path / "1.txt")
    assert game.rules.name == "classic"
    assert game.names == ("Model", "Clerk Ada", "Clerk Ben", "Clerk Cleo")


def test_a_game_is_saved_before_its_first_move(tmp_path: Path) -> None:
    tables = SavedTables(tmp_path, "Model", "1")
    asyncio.run(tables.new_game("cardgame", 2, "", "clerk", {}))
    (seen,) = run(tmp_path, ("history", {"table": "1"}))
    assert seen == "Nothing has happened yet."


def test_a_rule_that_just_fits_is_shown_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    text = rules.rule("C-12.3.6").text
    monkeypatch.setattr(tools, "RULE_BYTES", len(text))
    assert tools.rules_text("Vienna garbage").startswith(f"{text}\n\n")
    monkeypatch.setattr(tools, "RULE_BYTES", len(text) - 1)
    assert tools.rules_text("Vienna garbage").startswith(f"{text[:-1]} ...\n\n")


def test_of_many_rules_some_are_shown_and_others_named(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [each.id for each in rules.search("plant")]
    monkeypatch.setattr(tools, "RULES_SHOWN", 2)
    monkeypatch.setattr(tools, "MORE_RULES", 3)
    assert len(found) > 5
    *shown, more = tools.rules_text("plant").split("\n\n")
    assert [text.partition(" ")[0].strip("*") for text in shown] == found[:2]
    assert more == f"Also: {', '.join(found[2:5])}"
    monkeypatch.setattr(tools, "RULES_SHOWN", len(found))
    assert "Also: " not in tools.rules_text("plant")


def test_rules_by_words_and_by_id(tmp_path: Path) -> None:
    words, by_id, nothing, many = run(
        tmp_path,
        ("rules", {"words": "Vienna garbage"}),
        ("rules", {"words": "c-4.5.1"}),
        ("rules", {"words": "xylophone"}),
        ("rules", {"words": "plant"}),
    )
    assert words.startswith("**C-12.3.6 Vienna.**")
    assert by_id.startswith("**C-4.5.1** The winner pays")
    assert "No rule contains all of these words: xylophone" in nothing
    assert "\n\nAlso: " in many
    assert len(many) < 5_000


def test_history_and_map(tmp_path: Path) -> None:
    _, history, board, whole = run(
        tmp_path,
        ("new_game", {"players": 3}),
        ("history", {"last": 1}),
        ("map", {}),
        ("look", {"whole": True}),
    )
    assert history == "Round 1, auction:\n- Clerk Ben: bid 5"
    assert "leipzig (east): halle 0, dresden 13" in board.splitlines()
    assert json.loads(whole)["family"] == "board"


def test_a_later_run_goes_on_with_a_game(tmp_path: Path) -> None:
    started = run(tmp_path, ("new_game", {"players": 3}), ("play", {"move": "bid 6"}))
    assert "Model: bid 6" in started[1]
    listed, latest, seen = run(tmp_path, ("tables", {}), ("look", {}), ("history", {"table": "1"}))
    assert listed.startswith("1: classic, Model, Clerk Ada, Clerk Ben, ")
    assert "There is no game yet. Start one with new_game, or see tables." in latest
    assert "- Model: bid 6" in seen


def test_forced_moves_are_played_in_a_game_that_goes_on_as_in_a_new_one(tmp_path: Path) -> None:
    new, later = (SavedTables(tmp_path, "Model", "1") for _ in range(2))
    asyncio.run(new.new_game("classic", 2, "", "clerk", {}))
    assert [tables._find("1").table.auto for tables in (new, later)] == [True, True]


def test_a_game_is_listed_from_its_start(tmp_path: Path) -> None:
    model_begins = SavedTables(tmp_path, "Model", seed="1")
    asyncio.run(model_begins.new_game("classic", 2, "", "clerk", {}))
    assert run(tmp_path, ("tables", {})) == ["1: classic, Model, Clerk Ada, 0 decisions so far"]


def test_every_game_has_its_own_file(tmp_path: Path) -> None:
    run(tmp_path, ("new_game", {}), ("new_game", {"rulebook": "outpost"}))
    run(tmp_path, ("new_game", {"rulebook": "cardgame"}))
    assert {file.name for file in tmp_path.iterdir()} == {"1.txt", "2.txt", "3.txt"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": 9}, "is for 2 to 6 players, not 9"),
        ({"rulebook": "chess"}, "chess"),
        ({"map": "/etc/passwd"}, "There is no map '/etc/passwd' for classic. Maps: germany,"),
        ({"rulebook": "cardgame", "options": {"cards": "x.json"}}, "no option 'cards' here"),
        ({"options": {"seed": 3}}, "There is no option 'seed' here. Options: regions, money,"),
        ({"options": {"money": "lots"}}, "'open' or 'hidden'"),
        ({"opponents": "oracle"}, "There is no bot 'oracle'"),
        ({"opponents": "mine.py:Greedy"}, "There is no bot 'mine.py:Greedy'. Bots: random,"),
        ({"opponents": " "}, "Name one bot for all other seats"),
    ],
)
def test_what_cannot_be_played_is_refused(
    arguments: dict[str, Any], message: str, tmp_path: Path
) -> None:
    (answer,) = run(tmp_path, ("new_game", arguments))
    assert answer.startswith("refused: ")
    assert message in answer
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("players", "opponents", "seated"),
    [
        (2, "clerk", ("clerk",)),
        (4, "clerk", ("clerk",) * 3),
        (4, " clerk , random,", ("clerk", "random", "clerk")),
        (3, "director:500ms,random", ("director:500ms", "random")),
    ],
)
def test_bots_take_all_other_seats_by_turns(
    players: int, opponents: str, seated: tuple[str, ...]
) -> None:
    assert check_choices("classic", players, "germany", opponents, {"money": "hidden"}) == seated


def test_there_are_no_more_bots_than_other_seats() -> None:
    with pytest.raises(OptionError, match="Name one bot for all other seats"):
        check_choices("classic", 3, "", "clerk,random,clerk", {})
    with pytest.raises(OptionError, match=r"There is no map 'usa' for cardgame. Maps: it has none"):
        check_choices("cardgame", 3, "usa", "clerk", {})


def test_a_table_that_is_not_there_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("x")
    for table in ("7", "secret", "../1"):
        (answer,) = run(tmp_path, ("look", {"table": table}))
        assert f"There is no table '{table}'" in answer


def test_nothing_can_be_played_after_the_end(tmp_path: Path) -> None:
    async def play() -> list[str]:
        async with asking(in_process(tmp_path)) as ask:
            last = await play_game(ask, 1, rulebook="cardgame", players=2)
            return [last, await ask("play", refused=True, move="pass"), await ask("legal_moves")]

    last, refused, moves = asyncio.run(play())
    assert "over" in refused
    assert moves in last
    head, places = moves.splitlines()
    assert head.endswith("the game is over.")
    assert places.startswith("Places: ")


def test_the_scripted_model_reads_every_line() -> None:
    listed = (
        "Your legal moves:\nnominate 4 @BID, BID 4 to 50: put it up\n"
        "buy coal NUMBER: 1 for 2, 2 for 4\n"
        "run 4: income 1\nor, earning no more: run nothing; run 5"
    )
    moves = ["nominate 4 @4", "buy coal 1", "buy coal 2", "run 4", "run nothing", "run 5"]
    assert choices(listed) == moves
