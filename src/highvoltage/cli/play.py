"""A game at the terminal: people type, bots answer, every move is described in words."""

from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from highvoltage import bots, rules
from highvoltage.bots import BotError, Choice
from highvoltage.cli.saved_table import SavedTable
from highvoltage.cli.thinking import thinking
from highvoltage.engine.errors import HighVoltageError, MoveSyntaxError
from highvoltage.engine.game import Game
from highvoltage.engine.moves import Bid, Move
from highvoltage.games import meta
from highvoltage.judge.advice import HINT_BUDGET, advise
from highvoltage.rules import UnknownRule, player
from highvoltage.table import Refused
from highvoltage.text.bot_names import shown_name
from highvoltage.text.narration import Narrator, won
from highvoltage.text.notation import by_number, fold, read_move, read_moves, split
from highvoltage.text.show import (
    Menu,
    Renderer,
    Scene,
    narrator_for,
    renderer_for,
    scene_of,
    title_of,
)
from highvoltage.text.show.generic import examples, menu_table
from highvoltage.text.show.parts import seat_name
from highvoltage.views import FAMILIES
from highvoltage.words import label, say
from highvoltage.words import sentence as refusal

PROMPT = Text("> ", "bold")
LOG_SHOWN = 20
EXACT = "--exact"

COMMANDS = {  # by the message that says what they do
    "hint": "`hint`",
    "legal": "`legal`",
    "table": "`table`",
    "map": "`map`",
    "log": "`log`, `log 50`",
    "game": "`game`",
    "rules": "`rules`, `rules {rule}`, `rules WORDS`",
    "why": "`why`",
    "exact": "`rules {rule} --exact`, `why --exact`",
    "undo": "`undo`",
    "save": "`save FILE`",
    "quit": "`quit`",
}


class Quit(Exception):  # not an error
    """The player leaves the game."""


class TerminalGame:
    """The dialogue with the players of one table."""

    def __init__(self, saved: SavedTable, console: Console) -> None:
        self.saved = saved
        self.console = console
        # in a resumed game, the moves after the latest one of a person were not shown yet
        self.rows_printed: int = saved.latest or 0
        self.shown: tuple[int, str] | None = None  # round and phase of the latest full table
        self.at_keyboard: int | None = None
        self.refusal: Refused | None = None
        self.hinted: Move | None = None
        self.commands: dict[str, Callable[[str], None]] = {
            "help": self.do_help,
            "?": self.do_help,
            "hint": self.do_hint,
            "ok": self.do_ok,
            "legal": self.do_legal,
            "table": self.do_table,
            "map": self.do_map,
            "max": self.do_max,
            "log": self.do_log,
            "game": self.do_game,
            "rules": self.do_rules,
            "why": self.do_why,
            "undo": self.do_undo,
            "save": self.do_save,
            "quit": self.do_quit,
            "exit": self.do_quit,
        }

    @property
    def game(self) -> Game:
        return self.saved.game

    @property
    def narrator(self) -> Narrator:
        return narrator_for(self.game)

    @property
    def adviser(self) -> str:
        """Who gives hints in this game: the judge, or a bot where it knows nothing of the game."""
        known = self.game.view()["family"] in FAMILIES
        return "judge" if known else meta(self.game.rules.name).adviser.partition(":")[0]

    @property
    def adviser_title(self) -> str:
        return label(f"bot_{self.adviser}", self.adviser)

    # The course of the game

    def run(self) -> bool:
        """Play until the game is over (True) or the player leaves."""
        self.saved.save()
        self.console.print(Text(title_of(self.game), "bold"))
        self.console.print(Text(say("terminal_help"), "dim"))
        try:
            while (seat := self.game.to_move) is not None:
                if seat in self.saved.people:
                    self.turn(seat)
                else:
                    self.saved.play_bot()
        except (Quit, EOFError, KeyboardInterrupt):
            return False
        self.print_news()
        self.show_end()
        return True

    def turn(self, seat: int) -> None:
        """One decision of a person."""
        self.hand_over(seat)
        self.print_news()
        scene = scene_of(self.game, seat)
        show = renderer_for(scene.view)
        menu = show.menu(scene)
        self.show_turn(seat, scene, show, menu)
        before = len(self.game.log)
        while len(self.game.log) == before:
            self.handle(self.console.input(PROMPT).strip(), scene, menu)

    def hand_over(self, seat: int) -> None:
        """Clear the screen between players if they see different things."""
        if seat == self.at_keyboard:
            return
        if self.at_keyboard is not None and hides_something(self.game, self.at_keyboard, seat):
            self.wipe()
            self.print_news()
            asked = say("terminal_hand_over", name=shown_name(self.game.names[seat]))
            self.console.input(Text(f"\n{asked} "))
            self.wipe()
        self.at_keyboard = seat
        self.shown = None

    def wipe(self) -> None:
        """Clear the screen and its scrollback."""
        self.console.clear()
        if self.console.is_terminal:
            self.console.file.write("\x1b[3J")

    def show_turn(self, seat: int, scene: Scene, show: Renderer, menu: Menu) -> None:
        console = self.console
        console.print()
        now = self.game.state.round, self.game.phase
        if now != self.shown:
            console.print(show.position(scene))
            self.shown = now
        elif focus := show.focus(scene):
            console.print(focus)
            console.print()
        ask = Text.assemble(seat_name(scene.view["names"], seat), f"  {show.prompt(scene)}")
        console.print(ask)
        console.print(menu.shown)
        if menu.hint:
            console.print(Text(menu.hint, "dim"))

    def print_news(self) -> None:
        """Print what has happened since the last time."""
        log = self.game.log
        before = log[self.rows_printed - 1] if self.rows_printed else None
        for sentence in self.narrator.rows(log[self.rows_printed :], before):
            self.console.print(Text(f"· {sentence}"))
        self.rows_printed = len(self.game.log)

    def show_end(self) -> None:
        scene = scene_of(self.game, None)
        show = renderer_for(scene.view)
        outcome = self.game.outcome
        assert outcome is not None
        self.console.print()
        self.console.print(show.position(scene))
        self.console.print(Text(won([scene.name(seat) for seat in outcome.winners]), "bold"))
        self.console.print(show.result(scene))

    # What is typed

    def handle(self, text: str, scene: Scene, menu: Menu) -> None:
        """Run a command or play moves; an error is printed, and the game goes on."""
        word, _, rest = text.partition(" ")
        command = self.command(word or "table", scene)
        try:
            if command:
                command(rest.strip())
            else:
                self.play_all(self.read(text, scene, menu))
        except Refused as error:
            self.refusal = error
            self.print_error(error, say("terminal_why") if error.rule else "")
        except MoveSyntaxError as error:
            self.print_error(error, say("terminal_syntax"))
        except (HighVoltageError, UnknownRule, OSError) as error:
            self.print_error(error)

    def print_error(self, error: Exception, advice: str = "") -> None:
        self.console.print(Text.assemble((str(error), "red"), (f"  {advice}", "dim")))

    def command(self, word: str, scene: Scene) -> Callable[[str], None] | None:
        """A command by name or prefix, unless a legal move starts with that prefix."""
        word = fold(word)
        if word in self.commands:
            return self.commands[word]
        if any(move.verb.startswith(word) for move in scene.legal.choices):
            return None
        near = {self.commands[name] for name in self.commands if name.startswith(word)}
        return near.pop() if len(near) == 1 and len(word) < 4 else None

    def read(self, text: str, scene: Scene, menu: Menu) -> list[Move]:
        keys = {entry.key: entry.move for entry in menu.entries}
        names = {city: place.name for city, place in scene.places.items()}
        verbs = [kind.verb for kind in self.game.rules.moves]

        def read_one(part: str) -> Move:
            listed = by_number(part, keys)
            return listed or read_move(part, scene.legal, self.game.parse, verbs, names)

        return read_moves(text, scene.legal, read_one, keys, names)

    def play_all(self, moves: list[Move]) -> None:
        """Play all of the moves, or none if the preview shows that one of them is illegal."""
        if len(moves) > 1:
            self.check_preview(list(map(str, moves)))
        seat = self.game.to_move
        for move in moves:
            if self.game.to_move == seat:
                self.play(move)

    def check_preview(self, moves: list[str]) -> None:
        """Raise if one of the moves is refused or would come after the end of the turn."""
        assert self.game.to_move is not None
        table = self.saved.table
        ahead = table.preview(self.game.to_move, table.seq, moves)
        if (refused := ahead.refused) is not None:
            why = self.explained(refused.code, refused.message, refused.rule, refused.values)
            message = say("terminal_nothing_done", move=refused.move, why=why)
            raise Refused(refused.code, message, refused.rule, refused.values)
        if ahead.stop == "turn" and len(ahead.moves) < len(moves):
            last = ahead.moves[-1].move
            raise MoveSyntaxError(say("terminal_turn_ends", move=last))

    def play(self, move: Move) -> None:
        try:
            self.saved.play(move)
        except Refused as error:
            message = self.explained(error.code, str(error), error.rule, error.values)
            raise Refused(error.code, message, error.rule, error.values) from None
        self.hinted = self.refusal = None
        self.print_news()

    def explained(
        self, code: str, message: str, rule: str | None, values: dict[str, object]
    ) -> str:
        """The message of a refusal, with names for ids; one without a rule stays as it is."""
        if rule is None:
            return message
        named = self.narrator.values(values)
        return f"{refusal(f'refused_{code}', code, named, self.game.rules.name)} ({rule})"

    # Commands

    def do_help(self, _: str) -> None:
        scene = scene_of(self.game, self.game.to_move)
        show = renderer_for(scene.view)
        typed, now = say("terminal_help_typed"), examples(scene, show.menu(scene), self.narrator)
        parts = [
            say("terminal_help_now"),
            table_of(typed, say("terminal_help_then"), now),
            say("terminal_help_course"),
            table_of(typed, say("terminal_help_means"), show.syntax_help(scene)),
            say("terminal_help_always"),
            table_of(say("terminal_help_command"), "", self.commands_help(scene, show)),
            show.legend(scene),
        ]
        self.console.print(Markdown("\n\n".join(parts)))

    def commands_help(self, scene: Scene, show: Renderer) -> list[tuple[str, str]]:
        """The commands, in Markdown, and what they do."""
        rule, adviser = example_rule(self.game.rules.name), self.adviser_title
        typed = {name: text.format(rule=rule) for name, text in COMMANDS.items()}
        typed["table"] += f", {say('terminal_help_enter')}"
        if show.map(scene) is None:
            del typed["map"]
        return [
            (text, say(f"terminal_help_{name}", adviser=adviser)) for name, text in typed.items()
        ]

    def do_max(self, text: str) -> None:
        words = split(text)
        on_sale = self.game.view().get("auction", {}).get("card")
        if len(words) == 1 and on_sale:
            words = [on_sale, *words]
        if len(words) != 2 or not words[1].isdecimal():
            raise MoveSyntaxError(say("terminal_max_syntax"))
        card, limit = words[0], int(words[1])
        bids = [each.bid for each in self.game.legal_moves.choices if isinstance(each, Bid)]
        if card == on_sale and bids and limit < bids[0]:
            too_low = say("refused_bid_too_low", minimum=bids[0])
            raise MoveSyntaxError(f"{too_low} {say('terminal_pass_leaves')}")
        self.saved.bid_up_to(card, limit)
        self.console.print(say("terminal_max", limit=limit, card=card))
        self.print_news()

    def do_hint(self, _: str) -> None:
        assert self.game.to_move is not None
        try:
            with thinking(self.console, f"{self.adviser}:{HINT_BUDGET.playouts}"):
                choice = self.advice()
        except Exception as error:
            said = say("terminal_no_advice", adviser=self.adviser_title, error=repr(error))
            raise BotError(said) from error
        self.hinted = choice.move
        self.console.print(
            Text.assemble(
                f"{self.adviser_title}: ",
                (self.narrator.notation(str(choice.move)), "bold"),
                f". {self.narrator.reason(choice.why, self.game.rules.name)}",
                (f"  {say('terminal_ok')}", "dim"),
            )
        )

    def advice(self) -> Choice:
        """What is recommended to the seat to move."""
        game, seed = self.game, str(len(self.game.log))
        if self.adviser != "judge":
            return bots.ask(bots.make(meta(game.rules.name).adviser, seed), game)
        players = [seat.bot for seat in self.saved.table.seats]
        view = game.view(game.to_move, history=True)
        return advise(view, game.legal_moves, players=players, budget=HINT_BUDGET, seed=seed)

    def do_ok(self, _: str) -> None:
        if self.hinted is None:
            self.do_hint("")
        else:
            self.play(self.hinted)

    def do_legal(self, _: str) -> None:
        scene = scene_of(self.game, self.game.to_move)
        self.console.print(menu_table(renderer_for(scene.view).menu(scene).entries))

    def do_table(self, _: str) -> None:
        assert self.game.to_move is not None
        self.shown = None
        scene = scene_of(self.game, self.game.to_move)
        show = renderer_for(scene.view)
        self.show_turn(self.game.to_move, scene, show, show.menu(scene))

    def do_map(self, _: str) -> None:
        scene = scene_of(self.game, self.game.to_move)
        self.console.print(renderer_for(scene.view).map(scene) or say("terminal_no_map"))

    def do_log(self, count: str) -> None:
        shown = int(count) if count.isascii() and count.isdigit() else LOG_SHOWN
        for sentence in [*self.narrator.rows(self.game.log)][-shown:]:
            self.console.print(Text(f"· {sentence}"))

    def do_game(self, _: str) -> None:
        from highvoltage.cli.ruleset import show_ruleset

        show_ruleset(self.game.rules.ruleset, self.console)

    def do_rules(self, text: str) -> None:
        from highvoltage.cli.reading import show_query

        words, exact = without_exact(text)
        rulebook = self.game.rules.name
        show_query(self.console, words or rulebook, rulebook, exact=exact, command="rules")

    def do_why(self, text: str) -> None:
        from highvoltage.cli.reading import show_rule

        if self.refusal is None or self.refusal.rule is None:
            self.console.print(say("terminal_nothing_refused"))
        else:
            _, exact = without_exact(text)
            show_rule(self.console, self.refusal.rule, exact=exact, command="why")

    def do_undo(self, _: str) -> None:
        undone = self.saved.undo()
        if undone is None:
            self.console.print(say("refused_no_undo"))
            return
        self.rows_printed = len(self.game.log)
        self.shown = self.hinted = None
        self.console.print(say("terminal_undone", move=undone))

    def do_save(self, file: str) -> None:
        path = Path(file).expanduser() if file else self.saved.file
        self.saved.save(path)
        self.console.print(say("terminal_saved", file=path))

    def do_quit(self, _: str) -> None:
        raise Quit


def example_rule(rulebook: str) -> str:
    """An example of a rule to look up: one that the player's rulebook explains.

    >>> example_rule("classic")
    'C-1.2.1'
    """
    known = rules.ids(rulebook)
    return next((name for name in known if player.passages_on(name, "en")), known[0])


def table_of(what: str, means: str, typed: list[tuple[str, str]]) -> str:
    """What can be typed and its meaning, as a table in Markdown."""
    rows = [(what, means), ("---", "---"), *typed]
    return "\n".join(f"| {what} | {meaning} |" for what, meaning in rows)


def without_exact(text: str) -> tuple[str, bool]:
    """The text without `--exact`, and whether that was in it.

    >>> without_exact("C-4.5.2 --exact"), without_exact("step 3")
    (('C-4.5.2', True), ('step 3', False))
    """
    words = text.split()
    return " ".join(word for word in words if word != EXACT), EXACT in words


def hides_something(game: Game, one: int, other: int) -> bool:
    """Whether two seats have different views of the players."""
    return bool(game.view(one)["players"] != game.view(other)["players"])
