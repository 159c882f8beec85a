"""Bots that each exploit one habit, and how often they win.

`python -m benchmarks.adversaries --against engineer --games 200 --jobs 2 --files FOLDER` lets each
of them play every game in which it can do what it is made for, alone against one bot and alone
among three. A bot that cannot be exploited leaves them no more than par. With `--files` results are
kept in that folder, and the same command resumes from there.
"""

from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TypeGuard

import highvoltage as hv
from highvoltage.bots import Choice, Needs, Reason
from highvoltage.bots.clerk.auction import Prospect
from highvoltage.bots.clerk.figures import BoardFigures
from highvoltage.bots.clerk.outpost import OutpostFigures
from highvoltage.bots.engineer import Engineer
from highvoltage.bots.engineer.board import BoardEngineer
from highvoltage.bots.engineer.cards import CardEngineer, CardPlan
from highvoltage.bots.engineer.outpost import OutpostEngineer, OutpostPlan
from highvoltage.bots.engineer.plan import BoardPlan
from highvoltage.engine.cards import label
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Bid, Build, Done, Move, Nominate
from highvoltage.games.cardgame.moves import BuyCard
from highvoltage.games.outpost import moves as outpost
from highvoltage.games.outpost.moves import Hire
from highvoltage.tournament import ResultFile, Standing, Tournament, play, standings
from highvoltage.views import CardGameView, OutpostView, View, known_view

BLOCK_PREMIUM = 6  # what the blocker pays extra for a city that another would build in


class LimitReader(Engineer):
    """Computes how far the engineers go for a plant, and makes them pay all of it.

    Everything that an engineer considers is public: it takes their seats in a world that fits its
    view, and computes what it would do there. What it wants more than they do it buys as an
    engineer would. A single rival is led to the plant that costs it most.
    """

    needs: Needs = "history"

    def choose(self, view: View, legal: Moves) -> Choice:
        choice = super().choose(view, legal)
        if isinstance(legal.choices[-1], Bid):
            return self._drive(view, legal, choice)
        if isinstance(choice.move, Nominate) and len(view["auction"]["eligible"]) == 2:
            return self._lead(view, legal, choice)
        return choice

    def _drive(self, view: View, legal: Moves, choice: Choice) -> Choice:
        """Bid one below the highest limit at once, if that is more than it would pay itself."""
        span = legal.spans[-1]
        world = next(hv.worlds(view, self._rng))
        rivals = [seat for seat in view["auction"]["bidders"] if seat != view["seat"]]
        limits = [super(LimitReader, self).choose(world.view(seat), legal).limit for seat in rivals]
        price = max(limit or 0 for limit in limits) - 1
        if price < span.lowest.bid or price <= (choice.limit or 0):
            return choice
        return Choice(span.lowest.at(min(price, span.high)), Reason("drives_up"))

    def _lead(self, view: View, legal: Moves, choice: Choice) -> Choice:
        """Nominate the plant that leaves it furthest ahead of its only rival."""
        seat = next(each for each in view["auction"]["eligible"] if each != view["seat"])
        rival_view = next(hv.worlds(view, self._rng)).view(seat)
        mine, theirs = ({each.card: each for each in self._offers(of)} for of in (view, rival_view))

        def lead(move: Nominate) -> int:
            card = label(move.card)
            own, other = mine[card], theirs[card]
            rest, left = (best_other_gain(card, each) for each in (mine, theirs))
            limit = min(other.spare, -(-(own.worth - rest + other.worth - left) // 2))
            if limit <= move.bid:
                return own.worth - move.bid - left
            return max(own.worth - limit - 1 - left, rest - other.worth + limit)

        moves = [move for move in legal.choices if isinstance(move, Nominate)]
        paid = [move for move in moves if move.bid <= mine[label(move.card)].spare]
        best = max(paid, key=lead, default=choice.move)
        return choice if best == choice.move else Choice(best, Reason("leads_on"))

    def _offers(self, view: View) -> list[Prospect]:
        """What an engineer in the seat of a view thinks of each card on offer."""
        known = known_view(view)
        assert known is not None
        if known["family"] == "board":
            return BoardPlan(known, self._board._cache).offers()  # noqa: SLF001  # it is an engineer itself
        if known["family"] == "cardgame":
            return CardPlan(known, self._cards._cache).offers()  # noqa: SLF001
        plan = OutpostPlan(known, self._outpost._cache)  # noqa: SLF001
        return list(map(plan.offer, known["market"]["current"]))


def best_other_gain(card: str, offers: dict[str, Prospect]) -> int:
    """The gain of the best other card at its lowest price."""
    return max([0, *(offer.gain for offer in offers.values() if offer.card != card)])


class Hoarder(Engineer):
    """Buys up what the others need, as much as it has room and money for.

    That is the fuel that they burn; in Outpost, where plants need no fuel, the workers.
    """

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._board = BoardHoarder(rng)
        self._cards = CardHoarder(rng)
        self._outpost = OutpostHoarder(rng)


class BoardHoarder(BoardEngineer):
    """The hoarder in the board games."""

    def _store(self, figures: BoardFigures, legal: Moves) -> Choice:
        assert isinstance(figures, BoardPlan)
        for fuel, room in figures.me["room"].items():
            fleets = [figures.fleets.of(each["plants"]) for each in figures.others]
            needed = sum(fleet.burns.get(fuel, 0) for fleet in fleets)
            count = min(room, len(figures.prices[fuel])) if needed else 0
            while count and sum(figures.prices[fuel][:count]) > figures.spare:
                count -= 1
            if (move := figures.purchase(fuel, count)) in legal:
                return Choice(move, Reason("hoards"))
        return super()._store(figures, legal)


class CardHoarder(CardEngineer):
    """The hoarder in the card game: once it has its own fuel, the dearest card that others need."""

    def choose(self, view: CardGameView, legal: Moves) -> Choice:
        choice = super().choose(view, legal)
        if view["phase"] != "fuel" or choice.why.code == "fuel_income":
            return choice
        others = [player for player in view["players"] if player["seat"] != view["seat"]]
        burned = {fuel for other in others for plant in other["plants"] for fuel in plant["fuels"]}
        wanted = [move for move in legal if isinstance(move, BuyCard) and move.fuel in burned]
        if not wanted:
            return choice
        return Choice(max(wanted, key=lambda move: move.units), Reason("hoards"))


class OutpostHoarder(OutpostEngineer):
    """The hoarder in Outpost: it hires every worker that it can pay for."""

    def choose(self, view: OutpostView, legal: Moves) -> Choice:
        choice = super().choose(view, legal)
        hires = [move for move in legal if isinstance(move, Hire)]
        if not hires or not isinstance(choice.move, Hire | Done):
            return choice
        return Choice(max(hires, key=lambda move: move.count), Reason("hoards"))


class Blocker(Engineer):
    """Builds where another would build next, and starts where another network would grow."""

    needs: Needs = "history"

    def choose(self, view: View, legal: Moves) -> Choice:
        choice = super().choose(view, legal)
        if not is_connection(choice.move):
            return choice
        builds = [move for move in legal if is_connection(move)]
        wanted = list(self._wanted(view))
        costs = connection_costs(view)
        best = min(
            builds, key=lambda move: costs[move.city] - BLOCK_PREMIUM * wanted.count(move.city)
        )
        return Choice(best, Reason("blocks")) if best.city in wanted else choice

    def _wanted(self, view: View) -> Iterator[str]:
        """Where the other players with a network would build next."""
        world = next(hv.worlds(view, self._rng))
        for player in view["players"]:
            costs = connection_costs(world.view(player["seat"]))
            if player["seat"] != view["seat"] and player["cities"] and costs:
                yield min(costs, key=costs.__getitem__)


def is_connection(move: Move) -> TypeGuard[Build | outpost.Build]:
    """Whether it connects a further city; in Outpost other buildings stand in cities, too."""
    return isinstance(move, Build) or (isinstance(move, outpost.Build) and move.piece == "station")


def connection_costs(view: View) -> dict[str, int]:
    """What each city that it may connect costs the viewer."""
    known = known_view(view)
    if known is not None and known["family"] == "outpost":
        return OutpostFigures(known).stations
    return dict(view["connect"])


class Rusher(Engineer):
    """Builds all it can, with or without the power for it, and ends the game when it can."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._board = BoardRusher(rng)
        self._outpost = OutpostRusher(rng)


class BoardRusher(BoardEngineer):
    """The rusher in the board games."""

    def _why_build(self, figures: BoardFigures, supply: int, cost: int) -> str:
        return "city_late"


class OutpostRusher(OutpostEngineer):
    """The rusher in Outpost."""

    def choose(self, view: OutpostView, legal: Moves) -> Choice:
        choice = super().choose(view, legal)
        stations = [move for move in legal if is_connection(move)]
        if choice.why.code == "start_near" or not stations:
            return choice
        costs = OutpostFigures(view).stations
        return Choice(min(stations, key=lambda move: costs[move.city]), Reason("city_late"))


ADVERSARIES: tuple[type[Engineer], ...] = (LimitReader, Hoarder, Blocker, Rusher)
RULEBOOKS = ["classic", "recharged", "cardgame", "outpost"]
IN_CITIES = {"Blocker", "Rusher"}
"""The card game has no cities, and it is the deck that ends it: they would play as engineers."""


def main(words: Sequence[str] | None = None) -> None:
    # Not above: these bots are also seated by the name of this file, from anywhere.
    from benchmarks.measuring import Report, parser  # noqa: PLC0415

    arguments = parser(__doc__)
    add_options(arguments)
    options = arguments.parse_args(words)
    report = Report(options)
    report.heading(
        f"{'rulebook':<10} {'adversary':<12} {'against':<16} games    won  95 %             par"
    )
    tables = product(options.rulebooks, options.players, options.against, options.adversaries)
    with TemporaryDirectory() as scratch:
        folder: Path = options.files or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for rulebook, players, bot, adversary in tables:
            if rulebook == "cardgame" and adversary in IN_CITIES:
                continue
            others = [bot] * (players - 1)
            line_up = (f"{__file__}:{adversary}", *others)
            cup = Tournament(rulebook, line_up, None, players, options.games, options.seed)
            name = f"{rulebook}-{players}-{adversary}-{Path(bot).name.replace(':', '-')}.jsonl"
            row = play_tournament(cup, folder / name, options.jobs)
            report.row(
                f"{rulebook:<10} {adversary:<12} {f'{bot}*{len(others)}':<16} {row.seats:>5}"
                f" {row.share:>6.1%}  {row.low:>5.1%} to {row.high:>5.1%}  {row.par:.0%}",
                rulebook=rulebook,
                adversary=adversary,
                against=bot,
                players=players,
                games=row.seats,
                won=row.share,
                low=row.low,
                high=row.high,
                par=row.par,
            )


def add_options(parser: ArgumentParser) -> None:
    kinds = [kind.__name__ for kind in ADVERSARIES]
    parser.add_argument("--against", nargs="+", default=["engineer"], metavar="BOT")
    parser.add_argument("--adversaries", nargs="+", choices=kinds, default=kinds)
    parser.add_argument("--rulebooks", nargs="+", default=RULEBOOKS)
    parser.add_argument("--players", nargs="+", type=int, default=[2, 4])
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seed", default="adversaries")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--files", type=Path, metavar="FOLDER", help="keep results there")


def play_tournament(cup: Tournament, file: Path, jobs: int) -> Standing:
    """The adversary's standing once all games are played."""
    cup.check()
    results = ResultFile(file, cup)
    for result in play(cup, jobs, results.done):
        results.add(result)
    return next(row for row in standings(cup, results.results).rows if row.bot == cup.bots[0])


if __name__ == "__main__":
    main()
