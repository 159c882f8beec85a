"""Turns an evaluation by the tycoon's network into a choice; None where no network applies."""

from random import Random

from highvoltage.bots.director import Budget
from highvoltage.bots.protocol import Choice, Reason, Values
from highvoltage.bots.tycoon import plain
from highvoltage.bots.tycoon.evaluation import (
    NETWORKS,
    SETUP_PHASES,
    Evaluation,
    Policy,
)
from highvoltage.bots.tycoon.explaining import explain
from highvoltage.bots.tycoon.manner import Manner
from highvoltage.bots.tycoon.search import MAX_MOVES, look_ahead
from highvoltage.engine.errors import HighVoltageError
from highvoltage.engine.legal import Moves
from highvoltage.extras import MissingExtra, extra
from highvoltage.views import View


def choose_move(
    view: View, legal: Moves, budget: Budget | None, manner: Manner, rng: Random
) -> Choice | None:
    policy = policy_for(view)
    if policy is None:
        return None
    evaluation = policy.evaluate(view, legal, MAX_MOVES)
    searched = look_ahead(policy, view, evaluation, budget, rng) if budget else None
    choice = searched or to_choice(evaluation, manner)
    why = Reason(choice.why.code, choice.why.values | explain(view, evaluation))
    return Choice(choice.move, why)


def policy_for(view: View) -> Policy | None:
    """The policy for such a decision; None where none was trained."""
    return None if view["phase"] in SETUP_PHASES else policy_of_game(view)


def policy_of_game(view: View) -> Policy | None:
    """The policy for such a game, once its preparation is over; None where none was trained."""
    for name in NETWORKS.get(view["rulebook"], ()):
        policy = load_policy(name)
        try:
            if policy is not None and policy.covers(view):
                return policy
        except HighVoltageError:  # a custom map
            return None
    return None


def load_policy(name: str) -> Policy | None:
    """A network by its name: one that a browser runs, or one of this package with NumPy."""
    if plain.policies is not None:
        return plain.policies.get(name)
    try:
        with extra("tycoon"):
            from highvoltage.bots.tycoon.policy import load_policy as load  # noqa: PLC0415
    except MissingExtra:
        return None
    return load(name)


def lacks_network(rulebook: str) -> bool:
    """Whether a rulebook was taught, but a network of it cannot be used here."""
    return any(load_policy(name) is None for name in NETWORKS.get(rulebook, ()))


def to_choice(evaluation: Evaluation, manner: Manner) -> Choice:
    """The move in this manner, and how it compares with the others."""
    best, *others = evaluation.candidates
    chosen = manner.choose(evaluation.candidates)
    values: Values = {"share": percent(chosen.probability)}
    if chosen != best:
        values |= {"second": str(best.move), "more": percent(best.probability)}
        return Choice(chosen.move, Reason("tycoon_otherwise", values))
    if not others or not (less := percent(others[0].probability)):
        return Choice(best.move, Reason("tycoon_sure"))
    return Choice(
        best.move, Reason("tycoon", values | {"second": str(others[0].move), "less": less})
    )


def percent(share: float) -> int:
    return round(100 * share)
