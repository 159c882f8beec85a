from random import Random
from typing import Any

import pytest

import highvoltage as hv
from atlas.boards import japan
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Build, Move, Nominate, Pass, parse_move
from highvoltage.text.notation import Ambiguous, _begins, by_number, read_move, read_moves
from highvoltage.text.show import places_of, renderer_for, scene_of
from highvoltage.text.show.generic import GenericRenderer, brief, listed_menu
from ours import RULEBOOKS
from positions import position


def read(game: hv.Game, text: str) -> str:
    names = {city: place.name for city, place in places_of(game).items()}
    verbs = [kind.verb for kind in game.rules.moves]
    return str(read_move(text, game.legal_moves, game.parse, verbs, names))


@pytest.fixture
def game() -> hv.Game:
    regions = ["west", "southwest", "south", "east"]
    return hv.new("classic", map="germany", players=4, seed=1, regions=regions)


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("5", "nominate 5 @5"),
        ("nominate 5", "nominate 5 @5"),
        ("n 5", "nominate 5 @5"),
        ("5 9", "nominate 5 @9"),
        ("nominate 5 9", "nominate 5 @9"),
        ("5 @9", "nominate 5 @9"),
        ("NOMINATE 5 @9", "nominate 5 @9"),
        ("nominate 9", "nominate 9 @9"),  # not on offer, but the rules decide that
    ],
)
def test_nominations(game: hv.Game, typed: str, move: str) -> None:
    assert read(game, typed) == move


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("6", "bid 6"),
        ("b 6", "bid 6"),
        ("bid 60", "bid 60"),
        ("60", "bid 60"),
        ("p", "pass"),
        ("pass", "pass"),
    ],
)
def test_bids(game: hv.Game, typed: str, move: str) -> None:
    game.play("nominate 5 @5")
    assert read(game, typed) == move


@pytest.mark.parametrize(
    ("word", "name", "begins"),
    [("1", "13", False), ("13", "13", True), ("13", "13b", True), ("ko", "koeln", True)],
)
def test_a_number_is_meant_as_a_whole(word: str, name: str, begins: bool) -> None:
    assert _begins(word, name) == begins


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("buy coal 3", "buy coal 3"),
        ("buy 3 coal", "buy coal 3"),
        ("b coal 3", "buy coal 3"),
        ("3 c", "buy coal 3"),
        ("c3", "buy coal 3"),
        ("o2", "buy oil 2"),
        ("d", "done"),
        ("b 9 coal", "buy coal 9"),  # no room for so many
        ("c9", "buy coal 9"),
        ("garbage 2", "buy garbage 2"),  # no plant for it
        ("build essen", "build essen"),  # not now
    ],
)
def test_fuel(game: hv.Game, typed: str, move: str) -> None:
    position(game, plants={seat: [5] for seat in range(4)}, phase="fuel")
    assert read(game, typed) == move


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("essen", "build essen"),
        ("build ess", "build essen"),
        ("b ess", "build essen"),
        ("Köln", "build koeln"),
        ("koln", "build koeln"),
        ("KOELN", "build koeln"),
        ("frankfurt am main", "build frankfurt_main"),
        ("b main", "build frankfurt_main"),
        ("build frankfurt_main", "build frankfurt_main"),
        ("build hamburg", "build hamburg"),  # not in play
        ("b hamb", "build hamburg"),
        ("lüb", "build luebeck"),
        ("buy coal 3", "buy coal 3"),  # not now
        ("d", "done"),
        ("do", "done"),
        ("dor", "build dortmund"),
    ],
)
def test_cities(game: hv.Game, typed: str, move: str) -> None:
    position(game, phase="building")
    assert read(game, typed) == move


def test_plants_to_run(game: hv.Game) -> None:
    position(
        game,
        plants={seat: [5, 13] for seat in range(4)},
        fuel={seat: {"coal": 2, "oil": 2} for seat in range(4)},
        phase="bureaucracy",
    )
    assert read(game, "r 13") == "run 13"
    assert read(game, "run nothing") == "run nothing"
    assert read(game, "n") == "run nothing"
    assert read(game, "run 5:coal,oil 13") == "run 5:coal,oil 13"
    with pytest.raises(Ambiguous, match="run 5:coal,coal"):
        read(game, "run 5")


@pytest.mark.parametrize(
    "typed", ["", "   ", "xyzzy", "bid", "buy", "nominate x", "1 2 3 4", "@", "é"]
)
def test_what_is_not_a_move_is_refused(game: hv.Game, typed: str) -> None:
    with pytest.raises(hv.HighVoltageError):
        read(game, typed)


def test_a_text_that_fits_several_moves_names_them(game: hv.Game) -> None:
    position(game, phase="building")
    with pytest.raises(Ambiguous, match=r"could be .*'build dortmund', .*'build dresden'"):
        read(game, "b d")


@pytest.mark.rule("A-JPN-4")
def test_a_city_alone_never_starts_a_network() -> None:
    game = japan(3, cities={0: ["kobe"]}, money=12)
    assert read(game, "start osaka") == read(game, "s osa") == "start osaka"
    assert read(game, "build osaka") == "build osaka"  # too dear, which the rules will say
    with pytest.raises(Ambiguous, match=r"^“osaka” could be 'start osaka'\.$"):
        read(game, "osaka")
    rich = japan(3, cities={0: ["kobe"]})
    with pytest.raises(Ambiguous, match="could be 'build osaka', 'start osaka'"):
        read(rich, "osaka")
    assert read(rich, "kyoto") == "build kyoto"


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_everything_written_in_the_notation_is_read_back(rulebook: str) -> None:
    draw = Random(5)
    game = hv.new(rulebook, players=3, seed=5)
    while game.to_move is not None:
        for move in draw.sample(game.legal_moves.choices, k=1):
            assert read(game, str(move)) == str(move)
            game.play(move)


def test_a_move_is_meant_by_its_number_with_or_without_its_verb() -> None:
    keys: dict[str, Move] = {"1": Build("essen"), "2": Build("kiel"), "p": Pass()}
    for typed, move in (("2", keys["2"]), ("b 2", keys["2"]), ("P", keys["p"])):
        assert by_number(typed, keys) == move
    for typed in ("3", "x 2", "build", ""):
        assert by_number(typed, keys) is None


def test_moves_that_are_only_listed_are_called_by_card_or_number_and_the_last_come_last() -> None:
    moves: list[Move] = [Nominate(13, 15), Pass(), Build("essen"), Build("kiel")]
    menu = listed_menu([(move, "") for move in moves])
    assert [entry.key for entry in menu.entries] == ["13", "1", "2", "pass"]
    assert [entry.move for entry in menu.entries] == [moves[0], *moves[2:], moves[1]]


def test_data_of_a_game_that_is_not_known_is_told_on_one_line() -> None:
    plant = {"card": "13", "powers": 1}
    assert brief(plant) == "13"
    assert brief({"card": 7, "of_mine": [], "held": {"coal": 2}}) == "card 7 held coal 2"
    assert brief([plant, [], 3]) == "13 - 3"
    assert brief(None) == "hidden"
    view = {"rulebook": "new", "round": 2, "to_move": 0, "names": ["Ann"], "seq": 4}
    shown = GenericRenderer().rest(view | {"fuel": {"coal": 0, "oil": 3}, "left": [], "sold": None})
    assert [str(line) for line in shown] == ["fuel: oil 3"]


def test_what_is_left_out_of_a_move_is_that_of_the_first_on_the_line() -> None:
    legal = Moves([Build("essen"), Build("kiel"), Build("bremen")])

    def read(text: str) -> Move:
        return parse_move(text, (Build,))

    assert read_moves("build kiel, essen, bremen", legal, read, {}) == [
        *(Build("kiel"), Build("essen"), Build("bremen"))
    ]


def test_only_the_connections_of_a_city_of_outpost_go_on_in_a_second_line() -> None:
    scene = scene_of(hv.new("outpost", players=3, seed=1), None)
    cities: Any = renderer_for(scene.view).map(scene)
    assert [column.no_wrap for column in cities.columns] == [True, True, True, False]
    assert [column.style for column in cities.columns] == ["", "", "", "dim"]
