"""The state of one game of Outpost: small arrays of narrow integers.

A place of the market is a stack, its top card first. Discount tokens are counted by value, three
bits each. The tokens on the connections are drawn for every game, so a state holds the cheapest
ways between its cities; they never change.
"""

from dataclasses import dataclass

import jax
import jax.numpy as jnp

from highvoltage.batch.outpost.tables import ENERGY, NUMBERS, WORKERS
from highvoltage.batch.state import BUILD, Array, GameState
from highvoltage.games.outpost import tables

COMPANY = BUILD  # the phase in which everybody builds, lays out the board and hires

# In `stations`, `special` and `owner`, besides companies.
NOBODY = 7

# In `busy`: who makes a robot, O-11.4.
IDLE, HUMAN, ROBOT = range(3)

BITS = 3  # of the number of tokens of one value
VALUES = tuple(tables.DISCOUNT_ROUNDS)  # every round has its own tokens, O-8.3.1


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Syndicate:
    """What only the third party of two players has, O-12; its pieces are those of a company."""

    taken: Array  # [card] its place among the cards that it has, in the order acquired
    done: Array  # it has had its turn in this auction
    choices: Array  # [city] where a player may put its building now


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class OutpostState(GameState):
    """One game."""

    step: Array
    pending: Array  # Step 3 begins when this round ends
    second: Array  # the second auction of the first round has begun, O-3.3
    stage: Array  # of a company's turn: building, board or hired
    replaced: Array  # [card] came off the board of the company to move in this turn, OR-26
    row: Array  # places in the current row of the market
    tokens: Array  # [place] discount tokens, counted by value
    owner: Array  # [card] a company
    board: Array  # [company, space] cards, those for plants first
    network: Array  # [company] stations on the map and on Colony cards
    opened: Array  # [company, kind] uncovered spaces
    settled: Array  # [Colony card, piece]
    humans: Array  # [company]
    robots: Array  # [seat]
    busy: Array  # [seat]
    powered: Array  # [seat] in the latest bureaucracy
    labour: Array  # workers in the labour market
    supply: Array  # robots that nobody has
    area: Array
    links: Array  # [connection] the token on it
    roads: Array  # [city, city] the cheapest way
    built: Array  # [company] has a building on the map
    distance: Array  # [company, city] the cheapest way from its buildings
    stations: Array  # [3, city] companies, cheapest slot first
    special: Array  # [city] the company that has built a plant or habitat
    syndicate: Syndicate | None


def number(card: Array) -> Array:
    return jnp.asarray(NUMBERS)[card]


def discount(tokens: Array) -> Array:
    """What tokens together take off a price."""
    worth = sum(value * (tokens >> BITS * at & 7) for at, value in enumerate(VALUES))
    return jnp.asarray(worth).astype(jnp.int16)


def energy(card: Array) -> Array:
    return jnp.asarray(ENERGY)[card]


def workers(card: Array) -> Array:
    return jnp.asarray(WORKERS)[card]
