"""The director: searches ahead in worlds that fit what it has observed.

It evaluates a few promising plans by playing on from each of them, with engineers in all seats.
The worlds are drawn by `highvoltage.worlds` from its view with the history: they are separate
games that contain nothing hidden of the real one.
"""

import re
from collections.abc import Callable, Iterable
from math import ceil, exp, sqrt
from random import Random
from statistics import fmean
from time import perf_counter
from typing import Any, NamedTuple

import highvoltage as hv
from highvoltage.bots.engineer import Engineer
from highvoltage.bots.engineer.auction import limit_of
from highvoltage.bots.protocol import BotError, Choice, Needs, Reason, Values
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Bid, Move, Pass
from highvoltage.engine.parts.market import MarketState
from highvoltage.views import View

DEFAULT_BUDGET = "500ms"
HORIZON = 3  # rounds played in a playout
TYPICAL_ROUNDS = 10  # typical length of a game
MIN_WORLDS = 2  # worlds in which a plan is tried before it may drop out or be preferred
PLAYOUTS_PER_PLAN = 6  # with fewer playouts for each plan, the search starts with fewer plans
MAX_PLANS = 16  # plans considered, however large the budget
EARLY_SHARE = 0.5  # share of the budget; a choice settled before that is tested on further plans
MIN_FUEL_PLAYOUTS = 100  # playouts; with fewer, fuel is bought as the engineer would
MIN_OPENING_PLAYOUTS = (
    24  # with fewer playouts, the engineer plays the opening: luck still decides too much
)
OPENING_ROUNDS = 4
MIN_HORIZON_PLAYOUTS = 4  # with time for fewer playouts, only the current round is played out
ROUND_SECONDS = 0.004  # assumed duration of a round in a playout, until one is measured
PREFER_SIGMA = 1.0  # standard errors by which a plan has to be better than the engineer's
DROP_SIGMA = 1.25  # standard errors by which a plan may still improve
MIN_GAIN = 0.005  # a gain in chance too small for another playout
PRIOR_SIGMA = 0.12  # prior spread of a gain between worlds
CLEAR_BID_SHARE = 0.5  # a bid below this share of the limit is made without a search
UNSEARCHED_VERBS = {
    "run",
    "power",
    "place",
    "swap",
    "settle",
    "robot",
}  # left to the engineer, which does them well enough
MAX_OUTBID_FACTOR = 1.4  # rivals who go beyond the engineer's limit by more are not outbid


class Director:
    """Searches within a budget: `500ms`, `2s`, or a number of playouts."""

    needs: Needs = "history"
    level = 4

    def __init__(self, rng: Random, budget: str = DEFAULT_BUDGET) -> None:
        self._rng = rng
        self._engineer = Engineer(rng)
        self._budget = read_budget(budget)
        self._pace = ROUND_SECONDS
        self._sale: tuple[int, Any] | None = None  # the sale that `_limit` is for
        self._limit = 0
        self._why = Reason("forced")

    def choose(self, view: View, legal: Moves) -> Choice:
        if len(legal) == 1:
            return Choice(legal[0], Reason("forced"))
        lowest = legal.choices[-1]
        sale = view["round"], (view.get("auction") or {}).get("card")
        if isinstance(lowest, Bid) and sale == self._sale:
            return Choice(lowest if lowest.bid <= self._limit else Pass(), self._why)
        clock = Deadline(self._budget)
        effort = self._budget.effort(self._pace)
        advised = self._engineer.choose(view, legal)
        if effort.playouts < MIN_OPENING_PLAYOUTS and view["round"] <= OPENING_ROUNDS:
            return advised
        search = Search(view, self._engineer, self._rng, clock, effort)
        plans = search.plans(legal, advised)
        if len(plans) == 1:
            return advised
        choice = search.choose(plans, advised)
        pace = clock.seconds / max(1, clock.played) / playout_rounds(effort.rounds)
        self._pace += (pace - self._pace) / 4
        if choice is not advised and isinstance(choice.move, Bid):  # bid up to there step by step
            self._sale, self._limit, self._why = sale, choice.move.bid, choice.why
            return Choice(lowest, choice.why)
        return choice


# Budgets


class Effort(NamedTuple):
    """The expected number of playouts, and how many rounds each of them takes."""

    playouts: int
    rounds: int = HORIZON


class Budget(NamedTuple):
    """Seconds, or a number of playouts; with both, whichever is used up first."""

    seconds: float = 0.0
    playouts: int = 0

    def effort(self, pace: float) -> Effort:
        """What the budget allows if a round takes `pace` seconds."""
        if self.playouts:
            return Effort(self.playouts)
        efforts = [Effort(int(self.seconds / pace / playout_rounds(n)), n) for n in (HORIZON, 1)]
        return efforts[efforts[0].playouts < MIN_HORIZON_PLAYOUTS]


def playout_rounds(rounds: int) -> float:
    """The rounds of a playout; the first is already under way, so it counts half."""
    return rounds - 0.5


def read_budget(text: str, instead: Iterable[str] = ()) -> Budget:
    """Parse a budget; a refusal names what else could be written `instead`.

    >>> read_budget("500ms"), read_budget("2000")
    (Budget(seconds=0.5, playouts=0), Budget(seconds=0.0, playouts=2000))
    """
    found = re.fullmatch(r"(\d{1,6})(ms|s|)", text)
    if not found or not int(found[1]):
        words = "".join(f", {word}" for word in instead)
        raise BotError(f"'{text}' is no budget: write 500ms, 2s or a number of playouts{words}.")
    number, unit = int(found[1]), found[2]
    if not unit:
        return Budget(playouts=number)
    return Budget(seconds=number / 1000 if unit == "ms" else number)


class OutOfTime(Exception):
    """The budget ran out in the middle of a playout."""


class Deadline:
    """Measures how much of a budget is used up."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.played = 0
        self._began = perf_counter()

    @property
    def seconds(self) -> float:
        return perf_counter() - self._began

    @property
    def used(self) -> float:
        """The used share of the budget, from 0 to 1."""
        playouts, seconds = self.budget.playouts, self.budget.seconds
        played = self.played / playouts if playouts else 0.0
        return max(played, min(1.0, self.seconds / seconds) if seconds else 0.0)

    @property
    def is_late(self) -> bool:
        return 0 < self.budget.seconds <= self.seconds

    def allows(self, playouts: int) -> bool:
        enough = not self.budget.playouts or self.played + playouts <= self.budget.playouts
        return enough and not self.is_late

    def check(self) -> None:
        """Called at every move of a playout, so that short budgets are respected too."""
        if self.is_late:
            raise OutOfTime


# Which plans are worth searching


def _bids(legal: Moves, advised: Choice, others: Callable[[], int]) -> list[Move]:
    """Bid up to the engineer's limit, pass, outbid the others, or make them pay more.

    A bid represents all bids up to it.
    """
    limit = limit_of(advised)
    span = legal.spans[-1]
    lowest = span.lowest.bid
    if lowest < CLEAR_BID_SHARE * limit or CLEAR_BID_SHARE * lowest > limit:
        return [advised.move]
    plans: list[Move] = [Bid(limit)] if isinstance(advised.move, Bid) else []
    plans.append(Pass())
    most = others()
    if limit <= most <= MAX_OUTBID_FACTOR * limit and lowest <= most < span.high:
        plans.append(Bid(most + 1))
    if lowest < most != limit + 1:
        plans.append(Bid(min(most - 1, span.high)))
    return plans


def _in_auction(_: View, legal: Moves) -> list[Move]:
    """All cards, the highest first, and passing; or every plant that may be given up."""
    return [*reversed(legal.choices)]


def _in_fuel(_: View, legal: Moves) -> list[Move]:
    """Stop buying; then of each fuel the most, half of that, and the least."""
    stops = [move for move in legal if move.verb == "done"]
    buys: dict[str, list[Move]] = {}
    for move in legal:
        if move.verb == "buy":
            buys.setdefault(getattr(move, "fuel", ""), []).append(move)
    rows = [[row[-1], row[len(row) // 2], row[0]] for row in buys.values()]
    return [*stops, *(move for some in zip(*rows, strict=True) for move in some)]


def _in_building(view: View, legal: Moves) -> list[Move]:
    """Stop building; then the cities, the cheapest first."""
    prices: dict[str, dict[str, int]] = {"build": view["connect"], "start": view.get("start", {})}

    def price(move: Move) -> int:
        return prices.get(move.verb, {}).get(getattr(move, "city", ""), 0)

    return sorted(legal, key=price)


def _in_company(view: View, legal: Moves) -> list[Move]:
    """Stop; then one move of every kind, of buildings the cheapest; then the next of each."""
    connect = view["connect"]
    kinds: dict[tuple[str, str], list[Any]] = {}
    for move in legal:
        kinds.setdefault((move.verb, getattr(move, "piece", "")), []).append(move)
    for (verb, piece), moves in kinds.items():
        if verb == "build":
            moves.sort(key=lambda move: connect[move.city][piece])
    rows = list(kinds.values())[::-1]
    return [row[at] for at in range(max(map(len, rows))) for row in rows if at < len(row)]


_WIDER: dict[str, Callable[[dict[str, Any], Moves], list[Move]]] = {
    "auction": _in_auction,
    "fuel": _in_fuel,
    "building": _in_building,
    "company": _in_company,
}


# Search


class Search:
    """Tries all plans in the same worlds; plans that can no longer win drop out."""

    def __init__(
        self,
        view: View,
        engineer: Engineer,
        rng: Random,
        clock: Deadline,
        effort: Effort,
    ) -> None:
        self.view = view
        self.seat: int = view["seat"]
        self.engineer = engineer
        self.clock = clock
        self.effort = effort
        self.worlds: list[hv.Game] = []
        self._more = hv.worlds(view, rng)
        self.least = 0  # a bid implies bidding at least up to this
        self.values: dict[Move, list[float]] = {}

    def plans(self, legal: Moves, advised: Choice) -> list[Move]:
        """What the engineer advises, then the alternatives."""
        phase = self.view["phase"]
        if isinstance(legal.choices[-1], Bid):
            found = _bids(legal, advised, lambda: self._others(legal))
        else:
            found = [advised.move]
            wider = phase in _WIDER and (
                phase != "fuel" or self.effort.playouts >= MIN_FUEL_PLAYOUTS
            )
            if wider and advised.move.verb not in UNSEARCHED_VERBS:
                found += _WIDER[phase](self.view, legal)
        return list(dict.fromkeys(found))[:MAX_PLANS]

    def _others(self, legal: Moves) -> int:
        """How far the other bidders would go."""
        return Playout(self._world(0), self.engineer).rival_limit(self.seat, legal)

    def choose(self, plans: list[Move], advised: Choice) -> Choice:
        """The best of the plans; the first is the engineer's."""
        first = plans[0]
        self.values = {first: []}
        alive, rest = plans[:1], plans[1:]
        while len(alive) > 1 or rest:
            if len(alive) == 1:
                if self.clock.used > EARLY_SHARE:
                    break
                width = max(1, self.effort.playouts // PLAYOUTS_PER_PLAN - 1)
                more, rest = rest[:width], rest[width:]
                self.values |= {plan: [] for plan in more}
                alive += more
            if not self.try_plans(alive):
                break
            alive = self._open(alive, first)
        alive = [plan for plan in alive if len(self.values[plan]) >= MIN_WORLDS]
        if not alive or len(self.values[first]) < MIN_WORLDS:
            return advised
        best = self._ranked(alive)[0]
        if not self.better(best, first):
            best = first
        return self._explained(best, first, advised)

    def try_plans(self, plans: list[Move]) -> bool:
        """Try the plans with the fewest trials in one more world.

        Returns False if the budget is too small for that.
        """
        tried = min(len(self.values[plan]) for plan in plans)
        plans = [plan for plan in plans if len(self.values[plan]) == tried]
        if not self.clock.allows(len(plans)):
            return False
        world = self._world(tried)
        try:
            found = [self._value(world.copy(), plan) for plan in plans]
        except OutOfTime:
            return False
        for plan, value in zip(plans, found, strict=True):
            self.values[plan].append(value)
        self.clock.played += len(plans)
        return True

    def _world(self, number: int) -> hv.Game:
        while len(self.worlds) <= number:
            self.worlds.append(next(self._more))
        return self.worlds[number]

    def _open(self, alive: list[Move], first: Move) -> list[Move]:
        """The plans still in the race: halved in stages as the budget is used up."""
        if min(len(self.values[plan]) for plan in alive) < MIN_WORLDS:
            return alive
        used = self.clock.used
        stages = (len(self.values) - 1).bit_length()
        alive = self._ranked(alive)[: ceil(len(self.values) / 2 ** int(used * stages))]
        best = alive[0]
        return [best, *(plan for plan in alive[1:] if self._may_win(plan, best, first, used))]

    def _ranked(self, plans: list[Move]) -> list[Move]:
        """The best first, by the worlds in which all of them have been tried."""
        worlds = min(len(self.values[plan]) for plan in plans)
        return sorted(plans, key=lambda plan: -fmean(self.values[plan][:worlds]))

    def _may_win(self, plan: Move, best: Move, first: Move, used: float) -> bool:
        """Whether the rest of the budget could put a plan ahead of the leading one."""
        gain, error = self.gain(plan, best)
        if not error:
            return gain > 0
        needed = PREFER_SIGMA * error * sqrt(used) if best == first else 0.0
        return gain + DROP_SIGMA * error * sqrt(1 - min(1.0, used)) > needed + MIN_GAIN

    def mean(self, plan: Move) -> float:
        """The chance of winning with a plan."""
        return fmean(self.values[plan])

    def better(self, plan: Move, than: Move, sure: float = PREFER_SIGMA) -> bool:
        """Whether a plan does better in the same worlds by more than chance explains."""
        gain, error = self.gain(plan, than)
        return gain > sure * error

    def gain(self, plan: Move, than: Move) -> tuple[float, float]:
        """By how much a plan does better in the same worlds, and the standard error."""
        pairs = zip(self.values[plan], self.values[than], strict=False)
        gains = [mine - other for mine, other in pairs]
        mean = fmean(gains)
        if max(gains) - min(gains) < 1e-9:
            return mean, 0.0  # the cards to come make no difference
        spread = PRIOR_SIGMA**2 + sum((gain - mean) ** 2 for gain in gains)
        return mean, sqrt(spread) / len(gains)

    def _explained(self, plan: Move, first: Move, advised: Choice) -> Choice:
        values: Values = {"playouts": self.clock.played}
        if plan.verb != first.verb or (plan != first and not isinstance(plan, Bid)):
            values["advised"] = str(advised.move)
            return Choice(plan, Reason("searched_instead", values))
        return Choice(plan, Reason("searched", values))

    def _value(self, world: hv.Game, plan: Move) -> float:
        """How good a plan is in this world: 0 is a loss, 1 a win.

        The forecasts evaluate the start of every round, later rounds with more weight: that varies
        less than a single evaluation at the horizon.
        """
        playout = Playout(world, self.engineer)
        first = plan
        if isinstance(plan, Bid):
            playout.limits()[self.seat] = max(plan.bid, self.least)
            first = playout.move(self.seat)
        playout.play(self.seat, first)
        state = world.state
        total = left = sum(range(self.effort.rounds + 1))
        value = 0.0
        now = later = 0
        while (seat := state.actor) is not None:
            self.clock.check()
            later = state.round - self.view["round"]
            if later > now:
                now = later
                value += now * playout.win_chance(self.seat)
                left -= now
                if not left:
                    break
            playout.play(seat, playout.move(seat))
        else:
            value += left * win_share(world, self.seat)
        return value / total


class Playout:
    """A world in which engineers play on in all seats."""

    def __init__(self, world: hv.Game, engineer: Engineer) -> None:
        assert isinstance(world.state, MarketState)
        self.world = world
        self.state: MarketState = world.state
        self.rules = world.rules
        self.engineer = engineer
        self._sale: tuple[int, int | None] | None = None  # round and card
        self._limits: dict[int, int] = {}

    def play(self, seat: int, move: Move) -> None:
        self.rules.play(self.state, seat, move)  # engineers play legal moves: no check needed

    def view(self, seat: int) -> dict[str, Any]:
        return self.rules.lazy_view(self.state, seat)

    def move(self, seat: int) -> Move:
        legal = self.world.legal_moves
        if len(legal) == 1:
            return legal[0]
        if isinstance(legal.choices[-1], Bid):
            return self._bid(seat, legal)
        return self.engineer.choose(self.view(seat), legal).move

    def _bid(self, seat: int, legal: Moves) -> Move:
        """Bid at once what it takes to outbid the others, or as much as the seat would pay."""
        span = legal.spans[-1]
        limit = self.limit(seat, legal)
        if span.lowest.bid > limit:
            return Pass()
        most = min(limit, self.rival_limit(seat, legal), span.high)
        return span.lowest.at(max(span.lowest.bid, most))

    def rival_limit(self, seat: int, legal: Moves) -> int:
        """How far the other bidders would go."""
        players, least = self.state.players, legal.spans[-1].lowest.bid
        ring = [each for each in self.state.bidding.ring if players[each].money > least]
        return max((self.limit(each, legal) for each in ring if each != seat), default=0)

    def limit(self, seat: int, legal: Moves) -> int:
        """How far a seat would bid if it has to; computed once per sale."""
        limits = self.limits()
        if seat not in limits:
            limits[seat] = self.engineer.limit(self.view(seat), legal)
        return limits[seat]

    def limits(self) -> dict[int, int]:
        """The limits computed so far in this sale."""
        sale = self.state.round, self.state.bidding.card
        if sale != self._sale:
            self._sale, self._limits = sale, {}
        return self._limits

    def win_chance(self, seat: int) -> float:
        """The seat's chance to win, by the forecasts for all; an early lead counts for little."""
        scores = [
            self.engineer.expected_score(self.view(each)) for each in range(self.rules.players)
        ]
        mine = scores.pop(seat)
        return win_probability((mine - max(scores)) * min(1.0, self.state.round / TYPICAL_ROUNDS))


def win_probability(lead: float) -> float:
    return 1 / (1 + exp(-max(-30.0, min(30.0, lead))))


def win_share(world: hv.Game, seat: int) -> float:
    """A win, shared between tied players; a narrow defeat is better than a wide one."""
    over = world.outcome
    assert over is not None
    first = over.winners
    won = 1 / len(first) if seat in first else 0.0
    scores = [[*score.values(), 0][:2] for score in over.scores]
    mine = scores.pop(seat)
    best = max(scores)
    return 0.8 * won + 0.2 * win_probability(mine[0] - best[0] + (mine[1] - best[1]) / 100)
