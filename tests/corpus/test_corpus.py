"""The corpus: finished games that must replay forever, however the program changes."""

import re
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

import highvoltage as hv
from corpus.make_corpus import FOLDER, features, file_name
from highvoltage.engine.record import Line, read_record
from highvoltage.games.aliases import OPTIONS
from ours import our_settings

FILES = sorted(FOLDER.glob("*.txt"))

COUNTS = {f"{count} players" for count in range(2, 7)}
SHOWN = {
    "classic": COUNTS
    | {"regions random", "regions draft", "money open", "money hidden"}
    | {"map_rules True", "map_rules False"}
    | {"demolition True", "demolition False"}
    | {"last card in Step 1, auction", "last card in Step 2, auction"}
    | {"last card in Step 1, building", "last card in Step 2, building"}
    | {"last card in Step 1, bureaucracy", "last card in Step 2, bureaucracy"}
    | {"last card with Step 2, building", "last card never"}
    | {"decided by supplied", "decided by money", "decided by cities", "victory shared"},
    "recharged": COUNTS
    | {"regions random", "regions draft", "money open", "money hidden"}
    | {"standard_starting_cities True", "standard_starting_cities False"}
    | {"demolition True", "demolition False"}
    | {"last card in Step 1, auction", "last card in Step 2, auction"}
    | {"last card in Step 1, bureaucracy", "last card in Step 2, bureaucracy"}
    | {"last card with Step 2, building", "last card never"}
    | {"decided by supplied", "decided by money", "decided by cities"},
    "cardgame": COUNTS
    | {"money open", "money hidden", "demolition True", "demolition False"}
    | {"single_stock unlimited", "single_stock printed"}
    | {"burn_from emptiest", "burn_from fullest"}
    | {"last card in Step 1, auction", "last card in Step 1, bureaucracy"}
    | {"decided by points", "decided by money", "decided by plant"},
    "outpost": COUNTS
    | {"area random", "area north", "area south", "money open", "money hidden"}
    | {"last card in Step 1, auction", "last card in Step 2, auction"}
    | {"last card in Step 1, bureaucracy", "last card in Step 2, bureaucracy"}
    | {"last card with Step 2, company", "last card never"}
    | {"decided by powered", "decided by money"},
}


EVENTS = {"cannot_buy", "income", "order", "paid", "removed", "shuffled", "slid", "sold", "turned"}
HAPPENS = {
    "classic": {"demolished", "refilled", "step"},
    "recharged": {"demolished", "refilled", "step", "placed", "stocked", "taken"},
    "cardgame": {"demolished", "end_resolved", "surplus", "taken"},
    "outpost": {"hired", "labour", "placed", "step", "taken"},
}
VERBS = {
    "classic": "region nominate bid pass scrap market buy build start run done",
    "recharged": "region place mark nominate bid pass scrap market buy build start run done",
    "cardgame": "nominate bid pass scrap buy run done",
    "outpost": "nominate bid pass build settle place swap hire robot syndicate power done",
}
LEAST = 200


@cache
def replayed(path: Path) -> hv.Game:
    return hv.replay(path)


def in_short(line: Line) -> Line:
    """As older games of Outpost write it: a card for sale by its number alone."""
    return replace(line, move=re.sub(r"^(nominate \d+)[b-z]", r"\1", line.move))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_finished_game_replays_and_shows_what_its_name_says(path: Path) -> None:
    then, _ = read_record(path.read_text("utf-8"))
    now = replayed(path).record()
    assert then.result
    assert (now.result, now.scores) == (then.result, then.scores)
    assert [in_short(line) for line in now.moves] == list(then.moves) or now.moves == then.moves
    name = path.stem
    for former, new in OPTIONS.items():
        name = name.replace(former, new)
    shown = [file_name(now.rulebook, {each}) for each in features(replayed(path))]
    assert any(re.match(rf"{name}[-.]", each) for each in shown)  # some names include the version


@pytest.mark.parametrize("rulebook", SHOWN)
def test_the_corpus_shows_every_kind_of_end_and_every_route_to_it(rulebook: str) -> None:
    files = [path for path in FILES if path.name.startswith(rulebook)]
    shown = {feature for path in files for feature in features(replayed(path))}
    about = hv.games()[rulebook]
    verbs = {f"move {verb}" for verb in VERBS[rulebook].split()}
    events = {f"event {what}" for what in EVENTS | HAPPENS[rulebook]}
    maps = {f"map {about.maps[each.map]}" for each in our_settings(rulebook) if each.map}
    versions = {f"version {version}" for version in about.versions}
    rare = {"two cards removed at once", "several cannot buy"}
    assert SHOWN[rulebook] | verbs | events | maps | versions | rare <= shown
    for option in about.options:
        choices = {f"{option.name} {each}" for each in option.choices if each not in (None, ())}
        assert choices <= shown


@pytest.mark.rule("A-JPN-4")
@pytest.mark.parametrize("rulebook", ["classic", "recharged"])
def test_somebody_connects_a_starting_city_and_starts_a_network_later(rulebook: str) -> None:
    game = replayed(FOLDER / f"{rulebook}-move-start.txt")
    starts = ("fukuoka", "kobe", "osaka", "sapporo", "tokyo", "yokohama")
    moves = [(row.seat, *str(row.move).split()) for row in game.log if row.phase == "building"]
    bob = [(verb, *city) for seat, verb, *city in moves if seat == 1]
    first, *later = [move for move in bob if move[0] == "start" or move[-1] in starts]
    assert first[0] == "build"
    assert [verb for verb, _ in later].index("build") < [verb for verb, _ in later].index("start")


def test_the_corpus_is_large() -> None:
    assert len(FILES) >= LEAST
    assert all(path.stat().st_size < 20_000 for path in FILES)
