"""The conformance kit: the checks that every rulebook, map and number of players has to pass.

A rulebook `games/NAME` has a module `invariants` with `check(before, move, after)`, which raises
AssertionError with the id of a broken invariant; at set-up `before` and `move` are None. The kit
does the rest:

>>> for setting in list(settings("classic"))[:1]:
...     finished = check_game(setting, seed=7, close=0.01)
>>> finished.outcome.reason
'cities'

`check_game` plays random games and checks some positions closely. `check_position` checks that

- every legal move is accepted, a sample of others is refused by an existing rule, and a refusal
  changes nothing; a move survives being written and parsed;
- a view is plain data, and modifying it changes nothing else; a copy is equal and independent.

`check_log` checks that

- undo restores every field; a record survives text and JSON and replays;
- views, moves, refusals, logs and records are the same in two worlds that differ only in what
  nobody has seen.

`check_codec` does the same for an action code and its observation (docs/machines.md).

`check_processes` compares games of this process with the same games in another.

`check_bot` plays a bot in every rulebook.

`check_ruleset` plays a request from `draw_request`, a map with random rules: what a rulebook
accepts must be playable to its end.
"""

from highvoltage.testing.bots import check_bot
from highvoltage.testing.codecs import CodecLike, check_codec
from highvoltage.testing.kit import (
    check_copy,
    check_game,
    check_legal_moves,
    check_log,
    check_position,
    check_processes,
    check_record,
    check_refusals,
    check_undo,
    check_views,
    check_worlds,
    random_move,
    random_record,
)
from highvoltage.testing.rulesets import RulesetRequest, check_ruleset, draw_request
from highvoltage.testing.settings import Setting, settings
from highvoltage.testing.snapshot import differences, snapshot, uncopied
from highvoltage.testing.variants import MoveMutator

__all__ = [
    "CodecLike",
    "MoveMutator",
    "RulesetRequest",
    "Setting",
    "check_bot",
    "check_codec",
    "check_copy",
    "check_game",
    "check_legal_moves",
    "check_log",
    "check_position",
    "check_processes",
    "check_record",
    "check_refusals",
    "check_ruleset",
    "check_undo",
    "check_views",
    "check_worlds",
    "differences",
    "draw_request",
    "random_move",
    "random_record",
    "settings",
    "snapshot",
    "uncopied",
]
