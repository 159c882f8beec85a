"""Lists of rulebooks, their options, bots and maps."""

from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

import highvoltage as hv
from highvoltage import bots
from highvoltage.cli.language import many
from highvoltage.engine.parts.board import Map, known_maps, load_map
from highvoltage.engine.parts.mapform import REGIONS_IN_PLAY as PLAYERS
from highvoltage.games import check_map
from highvoltage.games.meta import Option
from highvoltage.mapmaker.layout import faults_of, lay_out, write_layout
from highvoltage.text.narration import in_language, region_name
from highvoltage.text.show import places_on
from highvoltage.words import find, label, say, spoken


def show_games(console: Console) -> None:
    for meta in hv.games().values():
        title, about = label(f"game_{meta.name}", meta.name), find(f"about_{meta.name}", {})
        console.print(Text.assemble((meta.name, "bold"), f"  {title}"))
        console.print(Text(f"  {about or ''}"))
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(style="dim", no_wrap=True)
        most = say("players_range", low=min(meta.players), high=max(meta.players))
        table.add_row(f"  {say('players')}", most)
        if meta.maps:
            table.add_row(f"  {say('map')}", ", ".join(meta.maps))
        for option in meta.options:
            table.add_row(f"  {option.name}", about_option(option))
        console.print(table)
        console.print()
    show_boards(console)
    console.print()
    show_bots(console)


def about_option(option: Option) -> str:
    """The description of an option, with its choices as they are typed and what they mean."""
    about = label(f"option_{option.name}", option.name)
    if option.takes_file:
        return f"{about}. {say('cards_own_about')}"
    choices = []
    for choice in option.choices:
        typed = ("on" if choice else "off") if isinstance(choice, bool) else str(choice)
        means = find(f"choice_{option.name}_{choice}", {})
        choices.append(f"{typed} ({means})" if means and means != typed else typed)
    return f"{about}: {' | '.join(choices)}"


def show_bots(console: Console) -> None:
    """The bots, weakest first: how each plays and how often it wins."""
    console.print(Text(say("opponent_kind"), "bold"))
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    for name in bots.names():
        table.add_row(f"  {name}", bots.about(name))
    console.print(table)


LEVELS = {1: "easy", 2: "medium", 3: "hard"}


def show_boards(console: Console) -> None:
    """The boards with a description: how hard they are, what is special."""
    console.print(Text(say("terminal_boards"), "bold"))
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    for name in known_maps():
        board = load_map(name)
        if board.about:
            players = say("board_players", least=min(PLAYERS), most=max(PLAYERS))
            level = say(f"board_{LEVELS[board.difficulty]}") if board.difficulty else ""
            facts = ", ".join(
                filter(None, (in_language(board.names) or board.name, players, level))
            )
            low = dict.fromkeys(each.rule for each in board.doubts if each.confidence == "low")
            doubts = f" {say('board_doubt', rules=', '.join(low))}" if low else ""
            doubts += "".join(
                f"\n{say('board_variant', name=name, about=in_language(each.names))}"
                for name, each in board.variants.items()
            )
            table.add_row(
                f"  {name}",
                f"{facts}. {board.about.get(spoken()[:2], board.about.get('en', ''))}{doubts}",
            )
    console.print(table)


def games_json() -> str:
    return msgspec.json.format(msgspec.json.encode(hv.games()), indent=2).decode()


def show_maps(console: Console) -> None:
    table = Table.grid(padding=(0, 2, 0, 0))
    for name in known_maps():
        board = load_map(name)
        table.add_row(Text(name, "bold"), _printed(board), ", ".join(board.regions))
    console.print(table)


def _printed(board: Map) -> str:
    return ", ".join(filter(None, (board.name, board.edition)))


def show_map(source: str, console: Console) -> None:
    """Every city of a map by region, with its connections."""
    board = load_map(source)
    places = places_on(board, board.connections_by(board.rules))
    console.print(Text(_printed(board), "bold"))
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(style="dim")
    for region in board.regions:
        table.add_row(
            Text(region_name(region, board.region_names), "bold"),
            board.region_colours.get(region, ""),
        )
        for place in places.values():
            if place.region == region:
                links = (f"{places[other].name} {cost}" for other, cost in place.links)
                table.add_row(f"  {place.name}", ", ".join(links))
    console.print(table)


def export_file(name: str, file: Path, console: Console) -> bool:
    """Write the file of an installed map; an existing file is not overwritten."""
    load_map(name)  # refuses a name that is not known
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(known_maps()[name].path.read_text("utf-8"))
    except OSError as error:
        console.print(
            Text(say("terminal_map_unwritten", file=str(file), reason=error.strerror), "red")
        )
        return False
    console.print(say("terminal_map_written", file=str(file)))
    return True


def check_file(file: Path, console: Console) -> bool:
    """Print every problem of a map file; returns whether it can be played."""
    problems = check_map(file)
    if problems:
        console.print(Text(f"{file} cannot be played:", "bold red"))
        for problem in problems:
            console.print(Text(f"  {problem}"))
        return False
    board = load_map(file)
    cities = many(len(board.cities), "city", "cities")
    links = many(len(board.connections), "connection", "connections")
    console.print(f"{file} is fine: {board.name}, {cities}, {links}.")
    return True


def lay_out_file(file: Path, console: Console) -> bool:
    """Put positions of the cities into a map file; returns whether the layout has no faults."""
    if not check_file(file, console):
        return False
    board = load_map(file)
    found = lay_out(board)
    write_layout(file, found)
    console.print(f"Its {len(found.cities)} cities are laid out on {found.canvas[0]} by", end=" ")
    console.print(f"{found.canvas[1]} pixels; the file has the positions now.")
    close, touching, crossing = faults_of(board, found)
    for a, b in close:
        console.print(f"  {a} and {b} are close to each other")
    for city, a, b in touching:
        console.print(f"  {city} is close to the connection {a}-{b}")
    for a, b, c, d in crossing:
        console.print(f"  the connections {a}-{b} and {c}-{d} cross")
    return not (close or touching or crossing)
