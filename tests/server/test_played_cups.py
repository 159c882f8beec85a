"""Cups that are played to their end over the protocol, with people who do not come."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from cups import cup_of, do, make_cup, tables_of
from finishing import in_store
from highvoltage.server.cups import rounds
from highvoltage.server.people import counting
from playing import Player
from serving import PATIENCE, Person, Server, eventually


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch:
        for module, name in ((rounds, "LOOK_SECONDS"), (counting, "LOOK_SECONDS")):
            patch.setattr(module, name, 0.1)
        patch.setattr(rounds, "RECHECK_SECONDS", 0.5)
        patch.setattr(rounds, "BREAK_SECONDS", 3_600.0)  # the host begins each round
        running = Server(tmp_path)
        yield running
        assert running.stop() == 0
        assert running.errors() == []


class PlayedCup:
    """A cup, and people by the number under which they play in it."""

    def __init__(self, server: Server, people: list[Person], **terms: Any) -> None:
        self.server = server
        self.host = people[0]
        self.id = make_cup(self.host, rulebook="cardgame", wait=3_600, **terms)
        for person in people:
            do(person, self.id, "join")
        self.people = dict(enumerate(people, 1))

    def play_round(self, number: int, absent: set[int]) -> None:
        """Everybody plays at their table, and bots for those who are absent."""
        tables = tables_of(do(self.host, self.id, "round"), number)
        players = [
            Player(table["table"], self.people[n].cookie, lambda: self.server, seed=n)
            for table in tables
            for seat in table["seats"]
            if (n := seat["player"]) is not None and n not in absent
        ]

        async def all_play() -> None:
            async with asyncio.timeout(10 * PATIENCE), asyncio.TaskGroup() as tasks:
                playing = [tasks.create_task(player.play()) for player in players]
                while not all(task.done() for task in playing):
                    await asyncio.to_thread(self._wait_for, tables, absent)
                    await asyncio.sleep(0.2)

        asyncio.run(all_play())
        eventually(lambda: cup_of(self.host, self.id)["played"] == number)
        info = cup_of(self.host, self.id)
        assert {table["status"] for table in tables_of(info, number)} == {"finished"}
        out = {line["player"] for line in info["lines"] if line["status"] == "out"}
        assert out == absent

    def _wait_for(self, tables: list[dict[str, Any]], absent: set[int]) -> None:
        """As if a table had waited for an hour, where somebody is awaited who does not come."""
        turns = dict(in_store(self.server, "SELECT id, turn FROM games WHERE status = 'running'"))
        for table in tables:
            turn = turns.get(table["table"])
            if turn is not None and table["seats"][turn]["player"] in absent:
                here = f"= '{table['table']}'"
                in_store(
                    self.server,
                    f"UPDATE games SET started = 1 WHERE id {here}",
                    f"UPDATE entries SET at = 1 WHERE game {here}",
                )

    def check_standings(self) -> None:
        """Every point in them is that of a place at a table, counted once."""
        info = cup_of(self.host, self.id)
        assert info["status"] == "over"
        gained: Counter[int] = Counter()
        for table in info["tables"]:
            present = [seat for seat in table["seats"] if not seat["left"]]
            given = sum(info["points"][: len(present)])
            assert sum(seat["points"] for seat in table["seats"]) == given
            for seat in table["seats"]:
                if seat["player"] is not None:
                    gained[seat["player"]] += seat["points"]
        assert {line["player"]: line["points"] for line in info["lines"]} == {
            n: gained[n] for n in self.people
        }
        results = in_store(self.server, "SELECT count(*) FROM results")
        assert results == [(sum(len(table["seats"]) for table in info["tables"]),)]


def met_again(info: dict[str, Any]) -> int:
    """How many of those who have met have met more than once."""
    met: Counter[frozenset[int]] = Counter()
    for table in info["tables"]:
        people = [seat["player"] for seat in table["seats"] if seat["player"] is not None]
        met.update(frozenset((a, b)) for a in people for b in people if a < b)
    return sum(times > 1 for times in met.values())


@pytest.mark.long
def test_a_small_cup_with_somebody_absent(server: Server) -> None:
    with ExitStack() as guests:
        crowd = [guests.enter_context(Person(server, f"Player {n}")) for n in range(1, 7)]
        cup = PlayedCup(server, crowd, seats=3, rounds=2)
        cup.play_round(1, absent={4})
        do(crowd[3], cup.id, "join")  # who comes back
        cup.play_round(2, absent=set())
        cup.check_standings()
        info = cup_of(cup.host, cup.id)
        table = next(t for t in info["tables"] if 1 in {seat["player"] for seat in t["seats"]})
        rematch = cup.host.post(f"/api/tables/{table['table']}/rematch").json()
        assert rematch["cup"] is None  # a game among friends


@pytest.mark.long
def test_a_cup_of_forty_with_absentees(server: Server) -> None:
    """Five do not come to the first round, of whom two come back; and two stay away later."""
    with ExitStack() as guests:
        crowd = [guests.enter_context(Person(server, f"Player {n}")) for n in range(1, 41)]
        cup = PlayedCup(server, crowd, seats=4, rounds=3)
        cup.play_round(1, absent={3, 11, 19, 27, 35})
        for n in (11, 35):
            do(crowd[n - 1], cup.id, "join")
        cup.play_round(2, absent={3, 19, 27, 8})
        cup.play_round(3, absent={3, 19, 27, 8, 40})
        cup.check_standings()
        info = cup_of(cup.host, cup.id)
        assert met_again(info) == 0
        sizes = [sorted(len(t["seats"]) for t in tables_of(info, n)) for n in (1, 2, 3)]
        assert sizes == [[4] * 10, [3] * 3 + [4] * 7, [4] * 9]
        bots = [seat for table in info["tables"] for seat in table["seats"] if not seat["player"]]
        assert bots == []
