"""The line of a game, who was ahead when: of a finished game, and of one that only bots play.

Rounds are judged from the record, which everybody may read, so nothing hidden becomes known. A
request judges as many rounds as fit into its time; whoever wants the rest asks again.
"""

import asyncio
from collections import OrderedDict
from time import monotonic
from weakref import WeakValueDictionary

from highvoltage.analysis import GameLine, JudgedRound, make_line, round_starts, round_task
from highvoltage.engine.game import Game
from highvoltage.games import meta
from highvoltage.rooms.context import RoomContext
from highvoltage.rooms.game_of import game_of
from highvoltage.rooms.person import Asker
from highvoltage.rooms.problems import not_now
from highvoltage.rooms.room import Room
from highvoltage.views import FAMILIES

STEP_SECONDS = 1.0  # after which a request is answered with what is known
MAX_JUDGED_ROUNDS = 20_000  # in memory

Players = tuple[str | None, ...]  # the bots by seat, None for people


class GameLines:
    """The rounds that were judged in this process."""

    def __init__(self, context: RoomContext) -> None:
        self.context = context
        self._judged: OrderedDict[tuple[str, int, Players], JudgedRound] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def line(self, room: Room, asker: Asker) -> GameLine:
        """The line as far as it is known after a second; nothing of a family that nobody judges."""
        players = tuple(place.bot if place.kind == "bot" else None for place in room.places)
        if room.row.record is None and (room.table is None or None in players):
            raise not_now("not_over")
        game = (await game_of(room))[0].copy()
        if meta(room.row.rulebook).family not in FAMILIES:
            return GameLine(game.names, [], [], complete=True, over=False)
        lock = self._locks.setdefault(room.row.id, asyncio.Lock())
        async with lock:  # everybody who looks on asks for the same
            rounds = await self._judge(room.row.id, game, players, asker)
        return make_line(game, rounds)

    async def _judge(
        self, table: str, game: Game, players: Players, asker: Asker
    ) -> list[JudgedRound]:
        until = monotonic() + STEP_SECONDS
        found: list[JudgedRound] = []
        record = ""
        for move in round_starts(game):
            key = table, move, players
            if key not in self._judged:
                if monotonic() > until:
                    break
                record = record or await self.context.threads.compute(lambda: game.record().json())
                task = round_task(move, players)
                judged = await self.context.bot_service.judge(record, task, asker)
                if not isinstance(judged, JudgedRound):
                    break
                self._judged[key] = judged
            self._judged.move_to_end(key)
            found.append(self._judged[key])
        while len(self._judged) > MAX_JUDGED_ROUNDS:
            self._judged.popitem(last=False)
        return found
