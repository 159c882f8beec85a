import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import highvoltage as hv
from atlas.boards import japan
from cli.typing_players import WIDTH, Typed, any_entry, sit, type_lines
from highvoltage import bots, words
from highvoltage.bots.director import Budget
from highvoltage.bots.pace import pace_of
from highvoltage.cli import play
from highvoltage.cli.game_spec import ask_one, resume_table
from highvoltage.cli.play import TerminalGame
from highvoltage.cli.saved_table import SavedTable
from highvoltage.games.outpost.moves import Build
from highvoltage.text.show import renderer_for, scene_of
from highvoltage.text.show.generic import examples
from highvoltage.text.show.outpost import OutpostRenderer
from highvoltage.text.show.parts import letter
from outpost.positions import game_at
from positions import position

BOTS_ONLY = {0: "clerk", 1: "clerk", 2: "clerk"}


@pytest.fixture
def alone(tmp_path: Path) -> SavedTable:
    """Ann and two clerks; she is the first to decide."""
    names = ["Ann", "Clerk Ada", "Clerk Ben"]
    game = hv.new("classic", players=names, chance=hv.Scripted(order=[0, 1, 2]))
    return sit(game, tmp_path / "game.txt", {1: "clerk", 2: "clerk"})


def people(tmp_path: Path, **options: str) -> SavedTable:
    game = hv.new("classic", players=["Ann", "Bob"], chance=hv.Scripted(order=[0, 1]), **options)
    return sit(game, tmp_path / "game.txt")


@pytest.mark.long
def test_a_whole_game_can_be_played_by_following_every_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "HINT_BUDGET", Budget(playouts=2))
    game = hv.new("cardgame", players=3, seed=1)
    saved = sit(game, tmp_path / "game.txt", {1: "clerk", 2: "clerk"})
    console = Typed(iter(["hint", "ok"] * 1000))
    assert TerminalGame(saved, console).run()
    assert saved.game.outcome
    assert "has won!" in console.text
    assert hv.replay(saved.file).view() == saved.game.view()


def test_a_hint_is_given_by_the_judge(alone: SavedTable, tmp_path: Path) -> None:
    shown = type_lines(alone, "hint", "help", "quit")
    assert re.search(r"Judge: \w+ ", shown)
    assert "Chance of winning: " in " ".join(shown.split())
    assert "what the Judge would do here" in shown
    cards = sit(hv.new("cardgame", players=2, seed=1), tmp_path / "cards.txt")
    assert "Judge: nominate" in type_lines(cards, "ok", "quit")  # confirmed before it is played
    assert not cards.game.log


def test_before_a_hint_the_terminal_says_who_thinks_and_for_how_long(alone: SavedTable) -> None:
    class Noting(Typed):
        def print(self, *shown: Any, **how: Any) -> None:
            super().print(*shown, **how)
            printed.append((str(shown[0]) if shown else "", terminal.hinted is not None))

    printed: list[tuple[str, bool]] = []
    terminal = TerminalGame(alone, Noting(iter(["hint"])))
    terminal.run()
    lines = [(line, known) for line, known in printed if "Judge" in line]
    assert lines[0] == (
        "The Judge thinks ahead, at most 40 times, which takes a few seconds …",
        False,
    )
    assert [line[:7] for line, known in lines if known] == ["Judge: "]


@pytest.mark.parametrize("rulebook", ["classic", "recharged", "cardgame", "outpost"])
def test_help_gives_moves_that_are_legal_at_that_moment(rulebook: str, tmp_path: Path) -> None:
    game = hv.new(rulebook, players=["Ann", "Bob", "Cem"], seed=2)
    saved = sit(game, tmp_path / "game.txt", dict.fromkeys(range(3), "clerk"))
    terminal = TerminalGame(saved, Typed(iter(())))
    taught = set()
    while saved.game.state.round < 4:
        scene = scene_of(saved.game, saved.game.to_move)
        menu = renderer_for(scene.view).menu(scene)
        for what, _ in examples(scene, menu, terminal.narrator):
            moves = [terminal.read(text, scene, menu) for text in re.findall("`([^`]+)`", what)]
            assert all(move == moves[0] and len(move) == 1 for move in moves), what
            assert moves[0][0] in scene.legal
            taught.add(moves[0][0].verb)
            assert not re.search(r"\bc\d\d\b", what)  # nobody knows the ids of Outpost's cities
        saved.play_bot()
    shown = type_lines(sit(saved.game, tmp_path / "again.txt"), "help")
    scene = scene_of(saved.game, saved.game.to_move)
    now = shown.partition("Now, for")[2].partition("In the course")[0]
    for what, means in examples(scene, renderer_for(scene.view).menu(scene), terminal.narrator):
        assert what.replace("`", "") in now
        assert means in now
    builds = {"build"} if rulebook != "cardgame" else set()
    assert taught >= {"nominate", "bid", "pass", "done"} | builds


@pytest.mark.parametrize(
    ("rulebook", "players", "played", "options"),
    [
        pytest.param(
            "classic", 3, 0, {"regions": "draft", "map": "central_europe"}, marks=pytest.mark.long
        ),
        pytest.param("classic", 6, 400, {"demolition": True, "map": "usa"}, marks=pytest.mark.long),
        pytest.param("recharged", 2, 0, {"map": "germany"}, marks=pytest.mark.long),
        ("recharged", 4, 0, {"standard_starting_cities": True, "map": "usa"}),
        pytest.param("recharged", 4, 300, {}, marks=pytest.mark.long),
        pytest.param("cardgame", 2, 0, {}, marks=pytest.mark.long),
        pytest.param("cardgame", 5, 100, {}, marks=pytest.mark.long),
        pytest.param("outpost", 2, 0, {}, marks=pytest.mark.long),
        ("outpost", 4, 250, {}),
    ],
)
def test_every_entry_of_every_menu_is_a_move_and_fits_80_columns(
    rulebook: str, players: int, played: int, options: dict[str, object], tmp_path: Path
) -> None:
    game = hv.new(rulebook, players=players, seed=2, **options)  # type: ignore[arg-type]
    saved = sit(game, tmp_path / "game.txt", dict.fromkeys(range(players), "random"))
    while len(saved.game.log) < played:
        saved.play_bot()
    saved.people = [0]
    console = Typed(islice(any_entry(saved, seed=3), 25))
    TerminalGame(saved, console).run()
    assert sum(row.seat == 0 for row in saved.game.log[played:]) >= 25 or saved.game.outcome
    assert all(len(line) <= WIDTH for line in console.text.splitlines())
    assert "…" not in console.text
    assert "plays '" not in console.text


def test_the_menu_says_what_ends_a_turn_of_outpost(tmp_path: Path) -> None:
    game = game_at(3, own={2: "23"}, plants={2: "40"}, humans={2: 1}, order=[0, 1, 2])
    shown = type_lines(sit(game, tmp_path / "game.txt", {0: "clerk", 1: "clerk"}), "quit")
    assert re.search("robot human +ends your turn", shown)
    assert re.search("hire 1 .*then nothing is built or placed", shown)


def test_a_refusal_names_the_rule_and_the_game_goes_on(alone: SavedTable) -> None:
    shown = type_lines(alone, "nominate 7", "why", "nominate 5", "log")
    assert "\nPlant 7 is not on offer" in shown
    assert "(C-4.2.2)" in shown
    assert "C-4.2.2" in shown.partition("> why\n")[2]
    assert "Ann nominates plant 5 for 5 Ɇ." in shown


def test_a_game_speaks_polish(tmp_path: Path) -> None:
    saved = people(tmp_path)
    position(saved.game, phase="building", money=80, cities={0: ["koeln"]})
    with words.speaking("pl"):
        shown = " ".join(type_lines(saved, "build koeln", "build essen", "undo").split())
    assert "Twoja kolej: przyłącz miasta. Masz 80." in shown
    assert "Köln" in shown.partition("> build koeln")[2].partition("(C-7.3.6)")[0]
    assert "przyłącza miasto Essen za" in shown
    assert "Cofnięto: build essen" in shown


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "The first player picks a plant of the upper row"),
        ("pl", "Pierwszy gracz wskazuje elektrownię z górnego rzędu"),
    ],
)
def test_why_is_answered_from_the_players_rulebook_in_their_language(
    alone: SavedTable, language: str, expected: str
) -> None:
    with words.speaking(language):
        shown = type_lines(alone, "nominate 7", "why", "why --exact")
    _, explained, exactly = shown.split("> why")
    assert expected in " ".join(explained.split())
    with words.speaking(language):
        assert words.say("terminal_exact_shows", command="why", rule="C-4.2.2") in explained
    assert "C-4.2.2 Current market: in Steps 1 and 2" in exactly


def test_a_verb_that_may_not_be_played_now_is_refused_by_its_rule(alone: SavedTable) -> None:
    assert "(C-4" in type_lines(alone, "p")  # Passau is on the map and is not meant


def test_input_that_is_not_a_move_is_refused(alone: SavedTable) -> None:
    shown = type_lines(alone, "xyzzy", "nominate")
    assert "“xyzzy” is no move" in shown
    assert "“nominate” could be 'nominate 3 @3'" in shown
    assert not alone.game.log


def test_commands_answer_without_touching_the_game(
    alone: SavedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = [
        "help",
        "?",
        "legal",
        "l",
        "table",
        "",
        "map",
        "log",
        "log 3",
        "game",
        "why",
        "rules C-4.2.1",
    ]
    monkeypatch.setenv("LC_ALL", "en")
    queries = ["rules", "rules hybrid", "rules --exact", "rules hybrid --exact", "rules Q-1"]
    shown = type_lines(alone, *commands, *queries, "undo")
    assert not alone.game.log
    assert "burns 2 coal or oil" in shown
    assert "Nothing was refused" in shown
    assert "  Money at the start " in shown.partition("> game")[2]
    assert " C-2.2 " in shown.partition("> game")[2]
    explained, exactly = shown.split("> rules --exact")
    assert "Power Grid (2004): how to play" in explained
    by_word = explained.partition("> rules hybrid")[2]
    assert "classic, What a plant card says" in by_word
    assert "cardgame" not in explained  # which also has hybrids
    assert "Power Grid, classic edition (2004): the rules" in exactly
    assert "C-6.2.3 " in exactly.partition("> rules hybrid --exact")[2]
    assert "there is no Q-1" in shown.replace("\n", " ")
    assert "This can no longer be taken back." in shown


@pytest.mark.parametrize("rulebook", ["classic", "recharged", "cardgame", "outpost"])
def test_help_is_about_the_game_that_is_played(rulebook: str, tmp_path: Path) -> None:
    game = hv.new(rulebook, players=["Ann", "Bob"], seed=1)
    verbs = [kind.verb for kind in game.rules.moves]
    scene = scene_of(game, game.to_move)
    show = renderer_for(scene.view)
    terminal = TerminalGame(sit(game, tmp_path / "game.txt"), Typed(iter(())))
    typed = re.findall("`([^`]+)`", " ".join(what for what, _ in show.syntax_help(scene)))
    used = {text.split()[0] for text in typed if text.split()[0] in verbs}
    for text in typed:
        if text.split()[0] in used:
            terminal.read(text, scene, show.menu(scene))  # or it raises
    shown = " ".join(type_lines(terminal.saved, "help").split())
    assert all(f"{letter(fuel)} {fuel}" in shown for fuel in show.narrator(scene.view, {}).fuels)
    assert used <= set(verbs)
    assert used >= {"outpost": {"hire", "power", "place"}}.get(rulebook, {"buy", "run"})
    assert ("coal" in shown) == (rulebook != "outpost")
    assert ("the cities in play" in shown) == (rulebook != "cardgame")


@pytest.mark.rule("A-JPN-4")
def test_start_and_connection_of_a_starting_city_are_in_the_menu_with_their_costs(
    tmp_path: Path,
) -> None:
    game = japan(3, cities={0: ["kobe"]})
    shown = type_lines(sit(game, tmp_path / "game.txt"), "help", "start osaka")
    assert re.search(r"\d Ōsaka 13 .*new network", shown, re.DOTALL)
    assert re.search(r"new network .* \d+ Ōsaka 10", shown)
    assert "start a new network there" in shown
    assert "starts a new network in Ōsaka for 10 Ɇ." in shown


def test_one_worker_makes_and_two_make_energy() -> None:
    card = {"kind": "plant", "energy": 2}
    texts = [OutpostRenderer().card_words({**card, "workers": workers}) for workers in (1, 2)]
    assert texts == ["1 worker makes 2 energy", "2 workers make 2 energy"]


@pytest.mark.parametrize(
    ("typed", "moves"),
    [
        ("build essen duisburg", ["build essen", "build duisburg"]),
        ("build essen, duisburg", ["build essen", "build duisburg"]),
        ("b ess; dui, done", ["build essen", "build duisburg", "done"]),
        ("essen and frankfurt main", ["build essen", "build frankfurt_main"]),
        ("1 2", ["build flensburg", "build kiel"]),
        ("build 1", ["build flensburg"]),
        ("build 1 2, 3", ["build flensburg", "build kiel", "build hamburg"]),
        ("essen,", ["build essen"]),
    ],
)
def test_several_moves_in_one_line(tmp_path: Path, typed: str, moves: list[str]) -> None:
    saved = people(tmp_path)
    position(saved.game, phase="building", money=80)
    type_lines(saved, typed)
    assert [str(row.move) for row in saved.game.log] == moves


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("build essen, xyz", "Nothing is done, for “build xyz” is not possible: There is no city"),
        ("essen essen", "You already have a house in Essen. (C-7.3.6)"),
        ("done, essen", "Nothing is done, for your turn ends with “done”."),
        ("build essen xyz", "“essen xyz” is no city. Several are written 'build CITY, CITY'."),
        ("build d, essen", "“build d” could be 'build duisburg', 'build dortmund', 'build d"),
    ],
)
def test_no_move_of_a_line_is_made_if_one_is_not_possible(
    tmp_path: Path, typed: str, expected: str
) -> None:
    saved = people(tmp_path)
    position(saved.game, phase="building", money=80)
    shown = " ".join(type_lines(saved, typed).split())
    assert expected in shown
    assert not saved.game.log


def test_several_kinds_of_fuel_in_one_line(tmp_path: Path) -> None:
    saved = people(tmp_path)
    position(saved.game, phase="fuel", plants={0: [4, 3], 1: [4, 3]})
    type_lines(saved, "c2 o1", "c1, 1 oil")
    assert [str(row.move) for row in saved.game.log] == [
        "buy coal 2",
        "buy oil 1",
        "buy coal 1",
        "buy oil 1",
    ]


def test_numbers_of_the_list_take_precedence_over_other_meanings(tmp_path: Path) -> None:
    game = hv.new("cardgame", players=3, seed=5)
    saved = sit(game, tmp_path / "game.txt", dict.fromkeys(range(3), "clerk"))
    while saved.game.phase != "fuel":
        saved.play_bot()
    scene = scene_of(saved.game, saved.game.to_move)
    terminal = TerminalGame(saved, Typed(iter(())))
    menu = renderer_for(scene.view).menu(scene)
    listed = {entry.key: entry.move for entry in menu.entries}
    assert terminal.read("1 2", scene, menu) == [listed["1"], listed["2"]]
    assert terminal.read("buy 1", scene, menu) == [listed["1"]]
    assert terminal.read("buy 1, 2", scene, menu) == [listed["1"], listed["2"]]


def test_buildings_of_outpost_are_named_by_their_cities(tmp_path: Path) -> None:
    saved = sit(game_at(3, order=[0, 1, 2]), tmp_path / "game.txt")
    scene = scene_of(saved.game, saved.game.to_move)
    first, second = [
        scene.places[move.city].name for move in scene.legal if isinstance(move, Build)
    ][:2]
    type_lines(saved, f"build station {first}, {second}")
    assert [row.move.verb for row in saved.game.log] == ["build", "build"]


def test_maximum_bids_settle_a_duel_in_one_line_each(tmp_path: Path) -> None:
    saved = people(tmp_path)
    shown = type_lines(saved, "max", "max 99 5", "4", "max 4", "max 20", "max 10")
    assert "'max 30' bids up to 30" in shown
    assert "There is no card “99” in the market." in shown
    assert "The next bid is at least 5" in shown
    assert "the table bids up to 20 for 4" in shown
    assert "Bob buys plant 4 for 11 Ɇ." in shown


def test_undo_also_takes_back_the_bots_moves_since(alone: SavedTable) -> None:
    shown = type_lines(alone, "4", "undo")
    assert "Clerk" in shown.partition("Ann nominates plant 4")[2]
    assert "Taken back: nominate 4 @4" in shown
    assert not alone.game.log


def test_among_people_only_moves_that_revealed_nothing_can_be_taken_back(tmp_path: Path) -> None:
    saved = people(tmp_path)
    shown = type_lines(saved, "4", "undo", "4", "p", "undo")
    assert "Taken back: nominate 4 @4" in shown
    assert "This can no longer be taken back" in shown.replace("\n", " ")
    assert [str(row.move) for row in saved.game.log] == ["nominate 4 @4", "pass"]


def test_the_game_is_saved_whenever_it_is_left(alone: SavedTable) -> None:
    type_lines(alone, "4")  # then there is no more input
    again = resume_table(alone.file, [], [], alone.file)
    assert again.people == [0]
    assert again.game.view() == alone.game.view()
    type_lines(again, "hint", "ok", "save " + str(alone.file.with_name("copy.txt")), "quit")
    copy = hv.replay(alone.file.with_name("copy.txt"))
    assert len(copy.log) > len(alone.game.log)
    assert hv.replay(alone.file).view() == copy.view()


@pytest.mark.long
def test_a_game_of_recharged_with_its_open_deck_can_be_resumed_too(tmp_path: Path) -> None:
    game = hv.new("recharged", players=["Ann", "Clerk Ada", "Clerk Ben"], seed=4)
    saved = sit(game, tmp_path / "game.txt", {1: "clerk", 2: "clerk"})
    type_lines(saved, *["hint", "ok"] * 3)
    again = resume_table(saved.file, [], [], saved.file)
    assert again.game.view() == saved.game.view()
    assert again.game.log


def test_ctrl_c_leaves_a_game_that_can_be_resumed(alone: SavedTable) -> None:
    def lines() -> Iterator[str]:
        yield "4"
        raise KeyboardInterrupt

    console = Typed(lines())
    assert not TerminalGame(alone, console).run()
    assert hv.replay(alone.file).view() == alone.game.view()


def test_hidden_money_is_never_on_the_screen_of_another_player(tmp_path: Path) -> None:
    saved = people(tmp_path, money="hidden")
    saved.game.state.players[0].money = 41
    saved.game.state.players[1].money = 47
    shown = type_lines(saved, "4", "", "table")
    ann, bob = shown.split("Hand the keyboard to")
    assert "41" in ann
    assert "47" not in ann
    assert "Bob, then press Enter" in bob
    assert "47" in bob
    assert "41" not in bob


def test_with_hidden_money_a_bot_keeps_its_pace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[float] = []
    monkeypatch.setattr("time.monotonic", lambda: 0.0)
    monkeypatch.setattr("time.sleep", held.append)
    for money in ("hidden", "open"):
        game = hv.new("classic", players=3, chance=hv.Scripted(order=[1, 2, 0]), money=money)
        kept = sit(game, tmp_path / f"{money}.txt", {1: "clerk", 2: "director:1"})
        kept.play_bot()
        kept.play_bot()
        nobody = sit(hv.new("classic", players=3, money=money), tmp_path / "n.txt", BOTS_ONLY)
        nobody.play_bot()  # for nobody to see
    assert held == [pace_of("clerk"), pace_of("director:1")]


def test_open_money_needs_no_hand_over(tmp_path: Path) -> None:
    assert "Hand the keyboard" not in type_lines(people(tmp_path), "4", "p")


def test_a_bot_that_fails_is_named_and_the_game_is_saved(tmp_path: Path) -> None:
    own = tmp_path / "mine.py"
    own.write_text(
        "class Broken:\n"
        "    def __init__(self, rng): pass\n"
        "    def choose(self, view, legal): raise RuntimeError('no idea')\n"
    )
    game = hv.new("classic", players=["Ann", "Broken Ada"], chance=hv.Scripted(order=[0, 1]))
    saved = sit(game, tmp_path / "game.txt", {1: f"{own}:Broken"})
    with pytest.raises(hv.HighVoltageError, match=r"Broken Ada failed.*no idea"):
        type_lines(saved, "4")
    assert len(hv.replay(saved.file).log) == 1


def test_moves_of_bots_are_printed_as_sentences(alone: SavedTable) -> None:
    clerk = bots.make("clerk", 1)
    console = Typed(str(bots.ask(clerk, alone.game).move) for _ in range(60))
    TerminalGame(alone, console).run()
    lines = [line for line in console.text.splitlines() if line.startswith("· ")]
    assert any(re.fullmatch(r"· Clerk \w+ buys \d+ \w+ for \d+ Ɇ\.", line) for line in lines)
    assert any(re.match(r"· Clerk \w+ connects \S+ for \d+", line) for line in lines)
    assert any("earns" in line for line in lines)


def test_moves_of_an_unknown_family_are_offered_with_their_costs() -> None:
    game = hv.new("classic", players=3, seed=1)
    clerk = bots.make("clerk", 1)
    while game.view()["phase"] != "fuel":
        game.play(bots.ask(clerk, game).move)
    scene = scene_of(game, game.to_move)
    scene = scene._replace(view=scene.view | {"family": "from elsewhere"})
    entries = renderer_for(scene.view).menu(scene).entries
    assert [(str(entry.move), entry.note) for entry in entries] == [
        *((str(move), f"costs {game.cost(move)}") for move in game.legal_moves[:-1]),
        ("done", ""),
    ]
    assert len(entries) > 2


@pytest.mark.parametrize(
    ("typed", "chosen"),
    [
        (["1"], "clerk"),
        (["3"], "engineer"),
        (["0", "4", "2"], "director"),  # there are three
        (["d"], "director"),
        (["CLE"], "clerk"),
        ([""], "engineer"),
        (["x", "clerk"], "clerk"),
    ],
)
def test_a_choice_is_made_by_number_or_by_its_beginning(typed: list[str], chosen: str) -> None:
    console = Typed(iter(typed))
    choices = dict.fromkeys(("clerk", "director", "engineer"), "a bot")
    assert ask_one(console, "Bots?", choices, "engineer") == chosen
    assert console.text.count("Bots?") == len(typed)
    rows = ["  1  clerk     a bot", "  2  director  a bot", "  3  engineer  a bot"]
    assert [line.rstrip() for line in console.text.splitlines()[:3]] == rows


def test_what_may_mean_two_choices_is_asked_again_and_one_choice_is_not_asked() -> None:
    console = Typed(iter(["ger", "germany"]))
    assert ask_one(console, "Map?", {"germany": "", "germany_north": ""}) == "germany"
    assert console.text.count("Map?") == 2
    assert ask_one(console, "Game?", {"outpost": ""}) == "outpost"
    assert "Game?" not in console.text
