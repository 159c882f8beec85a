"""A rulebook as a package registers it, in one object."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from highvoltage.engine.rulebook import Rulebook
from highvoltage.engine.state import State
from highvoltage.entrypoints import resolve
from highvoltage.games.meta import Meta

if TYPE_CHECKING:
    from pathlib import Path

Invariants = Callable[[Any, Any, Any], None]
"""`check(before, move, after)`: raises AssertionError with the id of a broken invariant."""


class Edition:
    """A rulebook: its metadata, rules, invariants, text and data files.

    `rules` and `invariants` may be given by name, `package.module:name`, if they are slow to load;
    they are loaded when a game is set up. `text` is its rules in Markdown. `data` is the folder
    with its card faces, and with its map if that has a format of its own. `lineage` is its name and
    those of the rulebooks that it is built on, whose maps and rules apply to it as well.
    """

    def __init__(
        self,
        cover: Meta,
        rules: type[Rulebook[Any]] | str,
        invariants: Invariants | str,
        text: "Path",
        data: "Path | None" = None,
        built_on: tuple[str, ...] = (),
    ) -> None:
        self.cover = cover
        self.text = text
        self.data = data
        self.lineage: tuple[str, ...] = (cover.name, *built_on)
        self._rules = rules
        self._invariants = invariants

    @property
    def family(self) -> str:
        return self.cover.family

    @cached_property
    def meta(self) -> Meta:
        """The metadata with its texts, and all maps that have been found."""
        from highvoltage.engine.parts.board import maps_of  # noqa: PLC0415  # not before a game

        maps = {**self.cover.maps, **maps_of(self.lineage)}
        return msgspec.structs.replace(self.cover.in_words(), maps=maps)

    @cached_property
    def rules(self) -> type[Rulebook[State]]:
        named = self._rules
        return resolve(named) if isinstance(named, str) else named

    @cached_property
    def invariants(self) -> Invariants:
        named = self._invariants
        return resolve(named) if isinstance(named, str) else named

    def variant(
        self,
        rules: type[Rulebook[Any]],
        *,
        invariants: Invariants | str | None = None,
        text: "Path | None" = None,
        **cover: Any,
    ) -> "Edition":
        """A rulebook that differs from this one in the given arguments.

        Its rules are a subclass of this one's, with its own name; its title and description are the
        messages `game_NAME` and `about_NAME`. It is played on the same maps. `cover` holds other
        fields of `Meta`.
        """
        return Edition(
            msgspec.structs.replace(self.cover, name=rules.name, **cover),
            rules,
            invariants or self._invariants,
            text or self.text,
            self.data,
            self.lineage,
        )
