"""Moves tried in the same worlds: from each of them everybody plays on for about two rounds.

Who plays on depends on who sits there. A bot that does not search plays itself. Where a network was
trained, it plays for the tycoon and the director, and for people in every second world. In the
other worlds engineers play for them, because the network does not know what it never does.
Elsewhere engineers play for all of these.
"""

from collections.abc import Iterator, Sequence
from itertools import count, islice
from math import inf
from random import Random
from typing import Literal, NamedTuple

import highvoltage as hv
from highvoltage import bots
from highvoltage.bots.director import Deadline, Playout
from highvoltage.bots.engineer import Engineer
from highvoltage.bots.protocol import Bot
from highvoltage.bots.tycoon.evaluation import SETUP_PHASES, Policy
from highvoltage.engine.moves import Bid, Move
from highvoltage.judge.correction import correction_for
from highvoltage.judge.estimates import NetworkEstimator, estimator_for
from highvoltage.judge.evaluation import Chances
from highvoltage.judge.skill import skills
from highvoltage.judge.standing import SeatStanding, standing
from highvoltage.views import View

HORIZON = 2  # rounds after this one whose start ends a trial
DOUBT = 0.05  # share of equal chances in what a trial comes to
BATCH_SIZE = 16  # games that the network plays on at once
PLAYING_THEMSELVES = {"random", "apprentice", "clerk"}  # bots that play on as they are
LIKE_NETWORK = {"tycoon", "director"}

Mover = Bot | Literal["network", "engineer"]
"""Who plays for a seat; engineers share what they know about a sale."""


class Trial(NamedTuple):
    """A game in which a move is tried (None: whatever they do), and who plays on."""

    move: Move | None
    playout: Playout
    movers: Sequence[Mover]


class Trials:
    """The trials from one position."""

    def __init__(
        self,
        view: View,
        players: Sequence[str | None],
        rng: Random,
        shown: Sequence[float] | None = None,
    ) -> None:
        self.view = view
        self.seat: int = view["seat"]
        self.players = players
        self.rng = rng
        self.engineer = Engineer(Random(rng.random()))
        self._drawn: Iterator[hv.Game] = hv.worlds(view, rng)
        self.worlds: list[hv.Game] = []
        first = self.world(0)
        self.legal = first.legal_moves
        self.estimator = estimator_for(first, rng)
        self.policy = (
            self.estimator.policy if isinstance(self.estimator, NetworkEstimator) else None
        )
        self.correction = correction_for(
            view["rulebook"], len(players), self.estimator.kind, None not in players
        )
        if shown is None:
            shown = skills(first, self.estimator) if None in players else [0.0] * len(players)
        self.skills: Sequence[float] = shown
        self.least_bid = 0  # a bid stands for bidding at least up to this
        self.chances: dict[Move | None, list[Chances]] = {}
        self.ends: dict[Move | None, list[SeatStanding]] = {}
        self.left_round = False  # whether a trial did
        self._bots = {seat: self._bot(name) for seat, name in enumerate(players)}

    @property
    def adviser(self) -> Policy | None:
        """The network, where it knows such decisions."""
        return None if self.view["phase"] in SETUP_PHASES else self.policy

    def world(self, number: int) -> hv.Game:
        """A game that fits the view."""
        while len(self.worlds) <= number:
            self.worlds.append(next(self._drawn))
        return self.worlds[number]

    def first_sight(self, games: Sequence[hv.Game]) -> list[Chances]:
        """Everybody's chances in these games; in a finished one, the shares of the victory."""
        running = [game for game in games if game.state.actor is not None]
        logits = iter(self.estimator.logits(running))
        return [
            shares(game)
            if game.state.actor is None
            else self.correction.chances(next(logits), game.state.round, self.players, self.skills)
            for game in games
        ]

    def run(self, moves: Sequence[Move | None], worlds: range, clock: Deadline) -> None:
        """Try each move in each of these worlds; OutOfTime if the budget does not last."""
        numbers = iter(worlds)
        at_once = max(1, BATCH_SIZE // len(moves)) if self.policy else 1
        while batch := [*islice(numbers, at_once)]:
            trials = [self._begin(move, number) for number in batch for move in moves]
            self._play_on(trials, clock, self.view["round"] + HORIZON)
            clock.played += len(trials)
            found = self.first_sight([trial.playout.world for trial in trials])
            for trial, chances in zip(trials, found, strict=True):
                if trial.playout.state.round > self.view["round"]:
                    self.left_round = True
                    chances = doubted(chances)  # noqa: PLW2901
                self.chances.setdefault(trial.move, []).append(chances)
                end = standing(trial.playout.view(self.seat))
                self.ends.setdefault(trial.move, []).append(end)

    def play_out(self, move: Move, number: int, clock: Deadline) -> Chances:
        """The shares of the victory after a move, if a world is played to its end."""
        trial = self._begin(move, number)
        self._play_on([trial], clock, inf)
        clock.played += 1
        return shares(trial.playout.world)

    def _begin(self, move: Move | None, number: int) -> Trial:
        world = self.world(number).copy()
        playout = Playout(world, self.engineer)
        movers = [self._mover(seat, number) for seat in range(len(self.players))]
        trial = Trial(move, playout, movers)
        if isinstance(move, Bid) and movers[self.seat] == "engineer":
            playout.limits()[self.seat] = max(move.bid, self.least_bid)
            playout.play(self.seat, playout.move(self.seat))
        elif move is not None:
            playout.play(self.seat, move)
        return trial

    def _mover(self, seat: int, world: int) -> Mover:
        bot, name = self._bots[seat], (self.players[seat] or "").partition(":")[0]
        if bot is not None:
            return bot
        by_network = name in LIKE_NETWORK or (name not in bots.names() and world % 2 == 0)
        return "network" if self.policy and by_network else "engineer"

    def _bot(self, name: str | None) -> Bot | None:
        if name is None or name.partition(":")[0] not in PLAYING_THEMSELVES:
            return None
        return bots.make(name, self.rng.random().hex())

    def _play_on(self, trials: Sequence[Trial], clock: Deadline, until: float) -> None:
        running = list(trials)
        for _ in count():
            clock.check()
            to_network = list[Trial]()
            still = list[Trial]()
            for trial in running:
                state = trial.playout.state
                seat = state.actor
                if seat is None or state.round >= until:
                    continue
                still.append(trial)
                legal = trial.playout.world.legal_moves
                if len(legal) == 1:
                    trial.playout.play(seat, legal[0])
                elif not isinstance(mover := trial.movers[seat], str):
                    view = trial.playout.view(seat)
                    trial.playout.play(seat, mover.choose(view, legal).move)
                elif mover == "network" and trial.playout.world.phase not in SETUP_PHASES:
                    to_network.append(trial)
                else:
                    trial.playout.play(seat, trial.playout.move(seat))
            self._by_network(to_network)
            if not still:
                return
            running = still

    def _by_network(self, trials: Sequence[Trial]) -> None:
        if not trials:
            return
        assert self.policy is not None
        positions = []
        for trial in trials:
            seat = trial.playout.state.actor
            assert seat is not None
            positions.append((trial.playout.view(seat), trial.playout.world.legal_moves))
        for trial, said in zip(trials, self.policy.evaluate_batch(positions, 1), strict=True):
            seat = trial.playout.state.actor
            assert seat is not None
            trial.playout.play(seat, said.candidates[0].move)


def doubted(chances: Chances) -> Chances:
    """Chances after a trial that left the round: others may play in ways that no trial shows."""
    return [(1 - DOUBT) * each + DOUBT / len(chances) for each in chances]


def shares(game: hv.Game) -> Chances:
    """The shares of the victory in a finished game."""
    assert game.outcome is not None
    winners = game.outcome.winners
    return [(seat in winners) / len(winners) for seat in range(len(game.names))]
