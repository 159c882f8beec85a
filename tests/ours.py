"""What comes with this package, whatever else is installed."""

from functools import cache

from highvoltage import bots, registry
from highvoltage.engine.parts.board import known_maps
from highvoltage.games import editions, meta
from highvoltage.testing import Setting, settings


def _is_ours(group: str, name: str) -> bool:
    return registry.is_ours(registry.entries(group)[name])


RULEBOOKS = tuple(name for name in editions() if _is_ours(registry.RULEBOOKS, name))
BOTS = tuple(name for name in bots.names() if _is_ours(registry.BOTS, name))


@cache
def our_settings(rulebook: str) -> tuple[Setting, ...]:
    """Every setting of our rulebooks on our own maps, looked for once: each is tried."""
    foreign = {board.id for board in known_maps().values() if not board.ours}
    maps = meta(rulebook).maps
    return tuple(
        each for each in settings(rulebook) if not each.map or maps[each.map] not in foreign
    )
