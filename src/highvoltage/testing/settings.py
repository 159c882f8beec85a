"""All settings of a rulebook: maps, player counts, options."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from highvoltage.engine.chance import Seeded
from highvoltage.engine.errors import OptionError
from highvoltage.engine.game import Game
from highvoltage.games import meta, rulebook


class Setting(Struct, frozen=True):
    """A rulebook with a map, a number of players and options.

    >>> str(Setting("classic", "usa", 3, {"regions": "draft"}))
    'classic-usa-3-regions=draft'
    """

    rulebook: str
    map: str | None = None
    players: int = 4
    options: dict[str, Any] = {}

    def new(self, seed: int | str) -> Game:
        rules = rulebook(self.rulebook, self.players, self.map, self.options)
        return Game(rules, Seeded(seed), [f"Player {n}" for n in range(1, self.players + 1)])

    def __str__(self) -> str:
        options = (f"{name}={value}" for name, value in self.options.items())
        parts = [self.rulebook, self.map, str(self.players), *options]
        return "-".join(part for part in parts if part)


def settings(name: str) -> Iterator[Setting]:
    """Every map with every number of players, and with every other choice of each option.

    >>> [str(each) for each in settings("classic")][:2]
    ['classic-germany-2', 'classic-germany-2-regions=draft']
    """
    about = meta(name)
    for where in about.maps or [None]:
        for players in about.players:
            yield Setting(name, where, players)
            for option in about.options:
                for choice in option.choices:
                    setting = Setting(name, where, players, {option.name: choice})
                    if choice != option.default and _exists(setting):
                        yield setting


def _exists(setting: Setting) -> bool:
    """Whether the setting can be played: some choices need certain maps or player counts."""
    try:
        rulebook(setting.rulebook, setting.players, setting.map, setting.options)
    except OptionError:
        return False
    return True
