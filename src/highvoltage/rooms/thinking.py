"""Questions that take time to answer, and the answers: a bot receives the view of a seat.

Of a running game only the view of a seat is sent
here; of a finished one the record is, to judge its decisions. Users' files are
read here, too.
"""

from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct

import highvoltage as hv
from highvoltage import bots
from highvoltage.analysis import Judged, JudgeTask, judge_decision
from highvoltage.coaching import review, weigh
from highvoltage.engine.errors import HighVoltageError
from highvoltage.engine.parts.board import read_map
from highvoltage.engine.record import read_record
from highvoltage.games import check_map, edition
from highvoltage.judge import advise
from highvoltage.judge.advice import HINT_BUDGET
from highvoltage.mapmaker import make_map
from highvoltage.mapmaker.judge import GAMES, judge_further, verdict
from highvoltage.mapmaker.mending import mend_costs
from highvoltage.rooms.files import check_setup, check_size, read_game
from highvoltage.rooms.messages import MapTrial, MapVerdict, MapWish, Problem, StoredSetup
from highvoltage.rooms.problems import malformed, problem_of, status_of
from highvoltage.table import Entry, Offer, Seat, journal_of, moves_of
from highvoltage.views import Reason

BOT_CACHE_SIZE = 256
"""Bots in memory; one that is evicted is created again, without what it remembered."""


class ChooseRequest(Struct, tag=True):
    """Asks a bot for a move."""

    bot: str
    seed: str
    rulebook: str
    view: dict[str, Any]
    legal: list[Offer]
    keep_bot: bool = False  # use the bot of this seed, with its memory of the game


class AdviseRequest(Struct, tag=True):
    """Asks the judge for a hint; `players` are the bots by seat, None for people."""

    seed: str
    rulebook: str
    view: dict[str, Any]
    legal: list[Offer]
    players: list[str | None]
    at_first_sight: bool = False


class ChooseReply(Struct):
    """The chosen move and the reason; or the error."""

    move: str = ""
    code: str = ""
    values: dict[str, Any] = {}
    text: str = ""
    error: str = ""
    bot: str = ""  # who chose it


class CoachRequest(Struct, tag=True):
    """Asks for what a seat is to weigh, or with a record for a review of what it did."""

    seed: str
    seat: int
    players: list[str | None]
    view: dict[str, Any] | None = None
    record: str = ""


class CoachReply(Struct):
    """What the coach says; or the error."""

    lines: list[Reason] = []
    error: str = ""


class JudgeRequest(Struct, tag=True):
    """Asks for a decision of a finished game to be judged."""

    record: str
    task: JudgeTask


class JudgeReply(Struct):
    """The judgement; or the error."""

    judged: Judged | None = None
    error: str = ""


class CheckRequest(Struct, tag=True):
    """Asks whether a game can be set up with a custom map or custom cards."""

    rulebook: str
    players: int
    map: str | dict[str, Any] | None
    options: dict[str, Any]
    own_bytes: int


class CheckReply(Struct):
    """Why it cannot; or the error."""

    problem: Problem | None = None
    status: int = 400
    error: str = ""


class ImportRequest(Struct, tag=True):
    """Asks for an uploaded record to be checked."""

    record: str
    own_bytes: int
    resumed: bool = False  # it goes on, so its journal is needed, too
    moves: int | None = None  # after so many of them


class ImportReply(Struct):
    """What to store of the game; or why the record is refused."""

    problem: Problem | None = None
    status: int = 400
    error: str = ""
    rulebook: str = ""
    setup: str = ""
    names: tuple[str, ...] = ()
    moves: int = 0
    to_move: int | None = None
    over: bool = False
    record: str = ""
    journal: list[Entry] = []


class CheckMapRequest(Struct, tag=True):
    """Asks for every fault of a map, as `highvoltage map check` lists them."""

    map: dict[str, Any]
    own_bytes: int


class MakeMapRequest(Struct, tag=True):
    """Asks for a new map."""

    wish: MapWish


class JudgeMapRequest(Struct, tag=True):
    """Asks for more games on a map, and for what all of them show."""

    trial: MapTrial
    own_bytes: int


class MendMapRequest(Struct, tag=True):
    """Asks for other costs of a map, by what the games on it show."""

    trial: MapTrial
    own_bytes: int


class MapReply(Struct):
    """The new map, the faults of one, or what games on it show; or why the request is refused."""

    problem: Problem | None = None
    status: int = 400
    error: str = ""
    map: dict[str, Any] = {}
    faults: list[str] = []
    verdict: MapVerdict | None = None


Request = (
    ChooseRequest
    | AdviseRequest
    | CoachRequest
    | JudgeRequest
    | CheckRequest
    | ImportRequest
    | CheckMapRequest
    | MakeMapRequest
    | JudgeMapRequest
    | MendMapRequest
)
Reply = ChooseReply | CoachReply | JudgeReply | CheckReply | ImportReply | MapReply


def choose(question: ChooseRequest) -> ChooseReply:
    """Let a bot choose.

    >>> import highvoltage as hv
    >>> from highvoltage.table import offers
    >>> game = hv.new("classic", players=2, seed=1)
    >>> view = game.view(game.to_move)
    >>> choose(ChooseRequest("random", "7", "classic", view, offers(game))).code
    'random'
    """
    legal = moves_of(question.legal, edition(question.rulebook).rules.moves)
    make = _seated if question.keep_bot else bots.make
    choice = bots.decide(make(question.bot, question.seed), question.view, legal)
    if choice.move not in legal:
        raise ValueError(f"{choice.move} is not legal")
    return ChooseReply(str(choice.move), choice.why.code, dict(choice.why.values), str(choice.why))


def give_advice(question: AdviseRequest) -> ChooseReply:
    """What the judge recommends."""
    legal = moves_of(question.legal, edition(question.rulebook).rules.moves)
    budget = None if question.at_first_sight else HINT_BUDGET
    choice = advise(
        question.view, legal, players=question.players, budget=budget, seed=question.seed
    )
    return ChooseReply(str(choice.move), choice.why.code, dict(choice.why.values), str(choice.why))


def coach(question: CoachRequest) -> CoachReply:
    """What the coach says."""
    if question.view is not None:
        return CoachReply(weigh(question.view, question.players, question.seed))
    game = _replayed(question.record)
    return CoachReply(review(game, question.seat, question.players, question.seed))


_seated = lru_cache(maxsize=BOT_CACHE_SIZE)(bots.make)


def judge(request: JudgeRequest) -> JudgeReply:
    return JudgeReply(judge_decision(_replayed(request.record), request.task))


_replayed = lru_cache(maxsize=4)(hv.replay)  # tasks of the same game come one after another


def check(request: CheckRequest) -> CheckReply:
    try:
        check_setup(
            request.rulebook, request.players, request.map, request.options, request.own_bytes
        )
    except HighVoltageError as error:
        return CheckReply(problem_of(error), status_of(error))
    return CheckReply()


def import_record(request: ImportRequest) -> ImportReply:
    try:
        game = read_game(request.record, request.own_bytes)
    except HighVoltageError as error:
        return ImportReply(problem_of(error), status_of(error))
    if request.moves is not None:
        game = game.after(min(request.moves, len(game.log)))
    record = msgspec.structs.replace(game.record(), bots=read_record(request.record)[0].bots)
    options = dict(record.options)
    board = options.pop("map", None)
    setup = StoredSetup(rulebook=record.rulebook, map=board, options=options, auto=False)
    return ImportReply(
        rulebook=record.rulebook,
        setup=msgspec.json.encode(setup).decode(),
        names=tuple(game.names),
        moves=len(game.log),
        to_move=game.to_move,
        over=game.outcome is not None,
        record=record.json(),
        journal=journal_of(record, [Seat("person", name) for name in game.names])
        if request.resumed
        else [],
    )


def check_own_map(request: CheckMapRequest) -> MapReply:
    try:
        check_size("map", request.map, request.own_bytes)
    except HighVoltageError as error:
        return MapReply(problem_of(error), status_of(error))
    return MapReply(faults=check_map(request.map))


def make_new_map(request: MakeMapRequest) -> MapReply:
    wish = request.wish
    try:
        made = make_map(wish.seed, wish.cities, wish.regions, wish.like, wish.language)
    except HighVoltageError as error:
        return MapReply(problem_of(error), status_of(error))
    return MapReply(map=msgspec.to_builtins(made, str_keys=True))


def try_map(request: JudgeMapRequest | MendMapRequest) -> MapReply:
    trial = request.trial
    try:
        check_size("map", trial.map, request.own_bytes)
        if isinstance(request, MendMapRequest):
            board = read_map(trial.map)
            mended = mend_costs(board, verdict(trial.so_far, board))
            return MapReply(map=msgspec.to_builtins(mended, str_keys=True))
        so_far, found = judge_further(trial.map, trial.so_far, trial.games, trial.seed)
    except HighVoltageError as error:
        return MapReply(problem_of(error), status_of(error))
    except (ArithmeticError, LookupError, ValueError):
        refused = malformed("malformed", "`so_far` does not belong to games on this map.")
        return MapReply(refused.problem, refused.status)
    shown = MapVerdict(found.games, GAMES, found.figures, found.unused, so_far)
    return MapReply(verdict=shown)


def reply_to(request: Request) -> Reply:
    match request:
        case ChooseRequest():
            return choose(request)
        case AdviseRequest():
            return give_advice(request)
        case CoachRequest():
            return coach(request)
        case JudgeRequest():
            return judge(request)
        case CheckRequest():
            return check(request)
        case ImportRequest():
            return import_record(request)
        case CheckMapRequest():
            return check_own_map(request)
        case MakeMapRequest():
            return make_new_map(request)
        case JudgeMapRequest() | MendMapRequest():
            return try_map(request)


def answer(question: bytes | str) -> bytes:
    """The reply to a request, both as JSON."""
    reply: Reply
    try:
        reply = reply_to(msgspec.json.decode(question, type=Request))
    except Exception as error:  # noqa: BLE001  # a bot may raise anything
        _seated.cache_clear()  # its state is unknown now
        reply = ChooseReply(error=f"{type(error).__name__}: {error}"[:300])
    return msgspec.json.encode(reply)
