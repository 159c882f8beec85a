"""The commands and their options. The other modules of this package do the work."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from highvoltage.cli.language import chosen_language, many, system_language
from highvoltage.engine.errors import HighVoltageError, OptionError
from highvoltage.threads import one_thread
from highvoltage.words import say, speaking

if TYPE_CHECKING:
    from rich.console import Console

AUTOSAVE = "last_game.txt"


class Commands(TyperGroup):
    """Turns every error that a user can fix into one clear message."""

    def invoke(self, ctx: Any) -> Any:
        from highvoltage.rules import UnknownRule

        one_thread()
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            typer.echo(f"highvoltage: {where}{error.strerror or error}", err=True)
            ctx.exit(1)
        except (HighVoltageError, UnknownRule) as error:
            typer.echo(f"highvoltage: {error}", err=True)
            ctx.exit(2 if isinstance(error, OptionError) else 1)


app: typer.Typer = typer.Typer(
    cls=Commands,
    name="highvoltage",
    help="Four games of the Power Grid family, against people and bots.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help: the framed one takes half a second to load
    add_completion=False,
)

MapOption = Annotated[
    str | None,
    typer.Option("--map", "-m", help="A map by name, or a map file (.json). To play: random, too."),
]
PlayersOption = Annotated[int | None, typer.Option("--players", "-p", help="How many play.")]
BotsOption = Annotated[
    str,
    typer.Option(
        "--bots",
        "-b",
        help="Bots, weakest first: random, apprentice, clerk, engineer, director, tycoon, or"
        " FILE.py:CLASS; several separated by commas. director:2s thinks for up to two seconds.",
    ),
]
SeedOption = Annotated[
    str | None, typer.Option("--seed", "-s", help="The same seed, the same game.")
]
GameOptions = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option; repeat for more."),
]
RegionsOption = Annotated[
    str | None, typer.Option("--regions", help="Regions, separated by commas; or random, draft.")
]
CardsOption = Annotated[
    Path | None, typer.Option("--cards", help="Your own card faces (.json), where a game has them.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]


def terminal(*, stderr: bool = False) -> "Console":
    """The console to print to. Markup is off, so names and file contents print as they are."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, markup=False)


def version(requested: bool) -> None:
    if requested:
        import highvoltage
        from highvoltage.cli.build import build

        compiled = ", compiled" if build() == "compiled" else ""
        typer.echo(f"highvoltage {highvoltage.__version__}{compiled}")
        raise typer.Exit


@app.callback()
def start(
    context: typer.Context,
    lang: Annotated[
        str | None,
        typer.Option(
            "--lang",
            envvar="HIGHVOLTAGE_LANG",
            help="The language: en, pl, cs, sr-Latn, de; else that of your system.",
        ),
    ] = None,
    _version: Annotated[
        bool, typer.Option("--version", callback=version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that lacks our symbols can still play
    context.with_resource(speaking(chosen_language(lang or system_language())))


@app.command()
def play(
    rulebook: Annotated[
        str | None, typer.Argument(help="classic, … (see highvoltage games)")
    ] = None,
    map_: MapOption = None,
    players: PlayersOption = None,
    you: Annotated[
        list[str] | None, typer.Option("--you", "-y", help="Your name; repeat for more people.")
    ] = None,
    hotseat: Annotated[
        bool, typer.Option("--hotseat", help="People in every seat, at one keyboard.")
    ] = False,
    bots: BotsOption = "",
    seed: SeedOption = None,
    regions: RegionsOption = None,
    cards: CardsOption = None,
    option: GameOptions = None,
    save: Annotated[
        Path | None, typer.Option("--save", help="Where to save the game after every move.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", help="Go on with a saved game.")
    ] = None,
) -> None:
    """Play at the terminal, against bots or with friends.

    Friends sit at one keyboard. Without any option on a terminal, the game asks what to play.
    Type help during the game.
    """
    from highvoltage.cli import game_spec
    from highvoltage.cli.play import TerminalGame

    console = terminal()
    kinds = tuple(split(bots))
    people = tuple(you or ())
    autosave = Path(typer.get_app_dir("highvoltage")) / AUTOSAVE
    given = typed_options(option, regions, cards)
    specified = any((rulebook, map_, players, you, hotseat, bots, seed, given, save))
    if not specified and not resume and sys.stdin.isatty():
        resume = game_spec.ask_resume(console, autosave)
    if resume:
        table = game_spec.resume_table(resume, people, kinds, save or resume)
    else:
        if specified or not sys.stdin.isatty():
            spec = game_spec.game_spec(
                rulebook or "classic", map_, players, people, kinds, given, seed, hotseat=hotseat
            )
        else:
            spec = game_spec.ask_game_spec(console)
        table = game_spec.new_table(spec, save or autosave)
    over = TerminalGame(table, console).run()
    if over:
        said = say("terminal_record", file=table.file)
    else:
        said = say("terminal_resume", command=table.resume_command)
    console.print(f"\n{said}", soft_wrap=True)


def typed_options(option: list[str] | None, regions: str | None, cards: Path | None) -> list[str]:
    """All game options as NAME=VALUE, including those given by their own flags."""
    flags = {"regions": regions, "cards": cards}
    return [*(option or []), *(f"{name}={value}" for name, value in flags.items() if value)]


def split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


@app.command()
def simulate(
    rulebook: Annotated[str, typer.Argument(help="classic, … (see highvoltage games)")] = "classic",
    map_: MapOption = None,
    players: PlayersOption = None,
    bots: BotsOption = "clerk",
    games: Annotated[int, typer.Option("--games", "-g", min=1, help="How many games.")] = 100,
    seed: Annotated[str, typer.Option("--seed", "-s", help="The same seed, the same games.")] = "1",
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", min=1, help="Processes; else one per core."),
    ] = None,
    regions: RegionsOption = None,
    cards: CardsOption = None,
    option: GameOptions = None,
    records: Annotated[
        Path | None, typer.Option("--records", help="A folder for the record of every game.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Let bots play many games.

    A list with fewer bots than seats is repeated. The bots change seats with every game.
    The same seed gives the same games, however many processes play them.
    """
    from highvoltage.cli import game_spec
    from highvoltage.cli import simulate as runs
    from highvoltage.cli.seats import repeated
    from highvoltage.cli.series import Series
    from highvoltage.games import meta as about

    meta = about(rulebook)
    given = typed_options(option, regions, cards)
    seats = repeated(split(bots) or ["clerk"], players or max(4, len(split(bots))))
    series = Series(
        rulebook, map_, tuple(seats), game_spec.read_options(meta, given), seed, records
    )
    series.check()
    found = runs.simulate(series, games, jobs or os.cpu_count() or 1, terminal(stderr=True))
    if as_json:
        typer.echo(runs.as_json(found))
    else:
        runs.show_summary(found, terminal())


@app.command()
def tournament(
    rulebook: Annotated[str, typer.Argument(help="classic, … (see highvoltage games)")] = "classic",
    bots: Annotated[
        str, typer.Option("--bots", "-b", help="The line-up: engineer,clerk*3.")
    ] = "engineer,clerk*3",
    bot: Annotated[
        list[str] | None,
        typer.Option("--bot", help="One more bot: FILE.py:CLASS or 'cmd:PROGRAM …'; repeat it."),
    ] = None,
    map_: MapOption = None,
    players: PlayersOption = None,
    games: Annotated[int, typer.Option("--games", "-g", min=1, help="How many games.")] = 100,
    seed: Annotated[str, typer.Option("--seed", "-s", help="The same seed, the same games.")] = "1",
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.01, help="Time for one decision of a bot.")
    ] = 10.0,
    memory: Annotated[
        int, typer.Option("--memory", min=16, help="Memory for a bot's process, in megabytes.")
    ] = 1024,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", min=1, help="Processes; else one per core."),
    ] = None,
    ray: Annotated[
        str | None, typer.Option("--ray", help="Play on a Ray cluster: its address, or local.")
    ] = None,
    option: GameOptions = None,
    file: Annotated[
        Path | None,
        typer.Option("--file", "-f", help="Keeps the results, to go on later."),
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", help="Write a report with plots: an HTML file.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Let bots compete: ratings, games won, places, time.

    Every bot plays in a process of its own; a clerk moves for one that fails or is late.
    All with 95 % intervals. Seats: as many as --players, or as there are bots. With
    more bots than seats every combination of them plays. Each deal is played in every rotation
    of the seats.
    """
    from highvoltage.cli import game_spec
    from highvoltage.cli import tournament as cups
    from highvoltage.extras import extra
    from highvoltage.games import meta as about
    from highvoltage.tournament import Limits, Tournament, entrants

    with extra("tournament"):  # before anything is played
        import openskill  # noqa: F401
    line_up = (*entrants(bots), *(bot or ()))
    cup = Tournament(
        rulebook,
        line_up,
        map_,
        players or min(len(line_up), max(about(rulebook).players)),
        games,
        seed,
        game_spec.read_options(about(rulebook), option or []),
        Limits(seconds, memory),
    )
    workers = jobs or os.cpu_count() or 1
    table = cups.hold(cup, jobs=workers, ray=ray, file=file, console=terminal(stderr=True))
    if report:
        cups.write_report(table, report)
    if as_json:
        typer.echo(cups.as_json(table))
    else:
        cups.show(table, terminal())


@app.command()
def bench(
    rulebook: Annotated[
        list[str] | None, typer.Option("--rulebook", "-r", help="Only this one; repeat for more.")
    ] = None,
    games: Annotated[int, typer.Option("--games", "-g", min=1, help="Games in each repeat.")] = 200,
    repeats: Annotated[int, typer.Option("--repeats", min=1, help="The best of so many.")] = 5,
    as_json: JsonOption = False,
) -> None:
    """Measure the engine on this machine.

    One core, 4 players, the first map of each rulebook, random legal play. Random legal play
    draws each move from legal_moves.choices, all equally likely: a bid is listed once, at its
    lowest. Times are process times (time.process_time), the best of several repeats. The ratio
    compares decisions/s with the first rulebook.
    """
    import highvoltage as hv
    from highvoltage.cli import bench as figures
    from highvoltage.games import meta as about

    names = rulebook or list(hv.games())
    for name in names:
        about(name)
    with terminal(stderr=True).status("measuring …"):
        found = figures.bench(names, games, repeats)
    if as_json:
        typer.echo(figures.as_json(found))
    else:
        figures.show_bench(found, terminal())


@app.command()
def export(
    source: Annotated[
        list[Path] | None, typer.Argument(help="Records, or folders of records.")
    ] = None,
    to: Annotated[
        Path, typer.Option("--to", "-t", help="What to write: a .parquet or a .jsonl file.")
    ] = Path("games.parquet"),
    tournament: Annotated[
        Path | None, typer.Option("--tournament", help="The file of a tournament (its --file).")
    ] = None,
    server: Annotated[
        str | None,
        typer.Option("--server", help="A server's data folder, or the address of its database."),
    ] = None,
    rulebook: Annotated[
        str | None, typer.Option("--rulebook", "-r", help="Only games by this one.")
    ] = None,
    observations: Annotated[
        bool, typer.Option("--observations", help="Add what the seat saw and what was legal.")
    ] = False,
) -> None:
    """Write games as a data set, one row per decision.

    docs/machines.md describes its fields. Every game is verified. People at a server stay unnamed.
    """
    from highvoltage.extras import extra

    with extra("rl" if observations else "data"):
        from highvoltage.cli import export as exports

    found = exports.sources(source or [], tournament, server)
    console = terminal(stderr=True)
    counts = exports.write(found, rulebook, to, observations=observations, console=console)
    games = many(counts.games, "game", "games")
    decisions = many(counts.decisions, "decision", "decisions")
    terminal().print(f"{games}, {decisions}: {to}", soft_wrap=True)


@app.command()
def dataset(
    folder: Annotated[Path, typer.Argument(help="What to make: a new folder.")],
    games: Annotated[int, typer.Option("--games", "-g", min=1, help="How many games.")] = 1_000,
    seed: Annotated[str, typer.Option("--seed", "-s", help="The same seed, the same bytes.")] = "1",
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", min=1, help="Processes; else one per core."),
    ] = None,
    observations: Annotated[
        bool, typer.Option("--observations", help="Add what the seat saw and what was legal.")
    ] = False,
) -> None:
    """Make a data set of games that bots of mixed strength play.

    A folder as the Hugging Face hub expects it: Parquet shards by rulebook and split, a card,
    checksums.
    """
    from highvoltage.extras import extra

    with extra("data"):
        from highvoltage.cli.export import make_dataset
        from highvoltage.data import DataSet

    about = DataSet(games, seed, observations)
    counts = make_dataset(about, folder, jobs or os.cpu_count() or 1, terminal(stderr=True))
    played = many(sum(counts.games.values()), "game", "games")
    decisions = many(sum(counts.decisions.values()), "decision", "decisions")
    terminal().print(f"{played}, {decisions}: {folder}", soft_wrap=True)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A record, as text or JSON.")],
    at: Annotated[
        int | None, typer.Option("--at", help="The position after so many moves.")
    ] = None,
    step: Annotated[bool, typer.Option("--step", help="Move by move, at your pace.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Verify a record move by move and show the game.

    A damaged or foreign record is shown as far as it can be read, and refused with the
    line and the reason.
    """
    from highvoltage.cli import replaying
    from highvoltage.engine.errors import RecordError
    from highvoltage.text.position import show_position

    console = terminal()
    try:
        game = replaying.load(file)
    except RecordError as error:
        if error.game and error.game.log and at is None and not as_json:
            replaying.show_game(error.game, console)
        raise
    then = game if at is None else replaying.position(game, at)
    if as_json:
        typer.echo(replaying.as_json(then))
    elif step:
        replaying.step_through(game, at or 0, console)
    elif at is None:
        replaying.show_game(game, console)
        console.print(say("terminal_record_valid", count=len(game.log)), style="green")
    else:
        show_position(then, console)


@app.command()
def analyse(
    file: Annotated[Path, typer.Argument(help="A record, as text or JSON.")],
    budget: Annotated[
        str, typer.Option("--budget", help="For each decision: playouts, 500ms or 2s.")
    ] = "8",
    most: Annotated[int, typer.Option("--most", min=1, help="How many differences to show.")] = 12,
    seed: Annotated[
        str, typer.Option("--seed", "-s", help="The same seed, the same result.")
    ] = "1",
    as_json: JsonOption = False,
) -> None:
    """Judge each decision of a game: what cost most, who was ahead.

    The costliest decisions come first, each with a margin; then the chance to win of every player,
    round by round. In every round they sum to 100 %.
    """
    from highvoltage.cli import analyse as analysis
    from highvoltage.cli import replaying

    game = replaying.load(file)
    found = analysis.analyse(game, budget, seed, terminal(stderr=True))
    if as_json:
        typer.echo(analysis.as_json(found))
    else:
        analysis.show(found, game, most, terminal())


@app.command()
def games(
    rulebook: Annotated[
        str | None, typer.Argument(help="Show what a game of this one is played by.")
    ] = None,
    map_: MapOption = None,
    players: PlayersOption = None,
    regions: RegionsOption = None,
    cards: CardsOption = None,
    option: GameOptions = None,
    as_json: JsonOption = False,
) -> None:
    """List the rulebooks with their players, maps and options.

    With a rulebook, a map, players or options: every value that such a game is played by, where it
    comes from (the rulebook, the map or an option) and its rule.
    """
    from highvoltage.cli import listing
    from highvoltage.cli import ruleset as rulesets

    given = typed_options(option, regions, cards)
    if any((rulebook, map_, players, given)):
        found = rulesets.ruleset_for(rulebook or "classic", map_, players, given)
        if as_json:
            typer.echo(rulesets.ruleset_json(found))
        else:
            rulesets.show_ruleset(found, terminal())
    elif as_json:
        typer.echo(listing.games_json())
    else:
        listing.show_games(terminal())


@app.command()
def rules(
    words: Annotated[
        list[str] | None, typer.Argument(help="A rulebook, a rule or words: classic, C-4.5.2.")
    ] = None,
    search: Annotated[
        str | None, typer.Option("--search", help="Find the passages with all these words.")
    ] = None,
    exact: Annotated[
        bool, typer.Option("--exact", help="The specification, not the player's rulebook.")
    ] = False,
    summary: Annotated[
        bool, typer.Option("--summary", help="Only the page to keep at the table.")
    ] = False,
    language: Annotated[
        str | None, typer.Option("--language", help="en, pl, cs, sr-Latn, de; else yours.")
    ] = None,
) -> None:
    """Read the rules: a rulebook, a rule by its id, or a search.

    In everyday words and your language; with --exact the specification itself.
    """
    from highvoltage.cli import reading

    console = terminal()
    query = search or " ".join(words or [])
    if summary:
        reading.show_summary(console, query or "classic", language)
    elif not query:
        reading.show_rulebooks(console)
    else:
        raise typer.Exit(not reading.show_query(console, query, language=language, exact=exact))
