"""OpenSpiel's own players at our tables: a search and a learner, in the Card Game for two.

    python examples/spiel.py --search 3    # IS-MCTS against a random player, three games
    python examples/spiel.py --learn 1500  # Q-learning against a clerk

The search samples the cards it cannot see with `openspiel.resampler`. The learner keeps a table, so
it has to do with few situations: it decides only which plant to put up for auction and at what
price, and knows the round and how many plants it owns. A clerk decides the rest for it.
"""

import argparse
from random import Random

import numpy as np
import pyspiel
from open_spiel.python import rl_tools
from open_spiel.python.algorithms import ismcts, mcts, tabular_qlearner
from open_spiel.python.rl_environment import StepType, TimeStep

from highvoltage import openspiel

GAME = "highvoltage_cardgame(players=2)"
SIMULATIONS = 20
TEST_GAMES = 300


def deal(game: pyspiel.Game, rng: Random) -> openspiel.SpielState:
    state: openspiel.SpielState = game.new_initial_state()
    state.apply_action(rng.randrange(openspiel.DEALS))
    return state


# A search


def searcher(game: pyspiel.Game, seed: int) -> ismcts.ISMCTSBot:
    """IS-MCTS that never sees the true deck."""
    random = np.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    bot = ismcts.ISMCTSBot(game, evaluator, 1.0, SIMULATIONS, random_state=random)
    bot.set_resampler(openspiel.resampler(Random(seed)))
    return bot


def search(games: int, seed: int) -> float:
    """The share of the games that IS-MCTS wins against a random player."""
    game = pyspiel.load_game(GAME)
    rng = Random(seed)
    won = 0.0
    for number in range(games):
        seat = number % 2
        bot = searcher(game, seed + number)
        state = deal(game, rng)
        while not state.is_terminal():
            chosen = state.current_player() == seat
            state.apply_action(bot.step(state) if chosen else rng.choice(state.legal_actions()))
        won += state.returns()[seat]
        print(f"game {number + 1}: {state.returns()[seat]:g}", flush=True)
    return won / games


# A learner


class Auctioneer:
    """Q-learning for what to put up for auction; everything else is left to a clerk."""

    def __init__(self, game: openspiel.SpielGame, games: int) -> None:
        self.choices = game.code.spec.head("bid").first  # to pass, or to nominate
        curious = rl_tools.LinearSchedule(0.6, 0.02, games * 5)
        self.learner = tabular_qlearner.QLearner(0, self.choices, 0.1, curious)
        self.clerk = openspiel.SpielBot("clerk", seed=1)

    def step(self, state: openspiel.SpielState, *, evaluate: bool) -> int:
        legal = state.legal_actions()
        if state.dealt.game.phase != "auction" or not 0 < legal[-1] < self.choices:
            return self.clerk.step(state)
        view = state.dealt.view(state.current_player())
        plants = len(view["players"][view["seat"]]["plants"])
        situation = f"round {view['round']}, {plants} plants"
        return int(self._ask(situation, legal, 0.0, StepType.MID, evaluate).action)

    def end(self, share: float, *, evaluate: bool) -> None:
        self._ask("over", [], share, StepType.LAST, evaluate)

    def _ask(
        self, situation: str, legal: list[int], reward: float, kind: StepType, evaluate: bool
    ) -> tabular_qlearner.rl_agent.StepOutput:
        seen = {"info_state": [situation], "legal_actions": [legal]}
        return self.learner.step(TimeStep(seen, [reward], [1.0], kind), is_evaluation=evaluate)


def share(
    games: int, agent: Auctioneer, game: pyspiel.Game, rng: Random, *, evaluate: bool
) -> float:
    """Play against a clerk; the share of the games that the learner wins."""
    clerk = openspiel.SpielBot("clerk", seed=2)
    won = 0.0
    for number in range(games):
        seat = number % 2
        state = deal(game, rng)
        while not state.is_terminal():
            mine = state.current_player() == seat
            state.apply_action(agent.step(state, evaluate=evaluate) if mine else clerk.step(state))
        agent.end(state.returns()[seat], evaluate=evaluate)
        won += state.returns()[seat]
    return won / games


def learn(games: int, seed: int) -> tuple[float, float]:
    """The share that the learner wins before and after its lessons."""
    np.random.seed(seed)  # noqa: NPY002  # OpenSpiel's learners draw from there
    game = pyspiel.load_game(GAME)
    agent = Auctioneer(game, games)
    rng = Random(seed)
    before = share(TEST_GAMES, agent, game, rng, evaluate=True)
    print(f"before its lessons it wins {before:.0%}", flush=True)
    for _ in range(10):
        lessons = share(max(1, games // 10), agent, game, rng, evaluate=False)
        print(f"in a tenth of its lessons it wins {lessons:.0%}", flush=True)
    return before, share(TEST_GAMES, agent, game, rng, evaluate=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--search", type=int, metavar="GAMES")
    parser.add_argument("--learn", type=int, metavar="GAMES")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.search:
        print(f"IS-MCTS won {search(args.search, args.seed):.0%} against random")
    if args.learn:
        _, after = learn(args.learn, args.seed)
        print(f"after its lessons it wins {after:.0%}")
