"""The puzzles that people have solved."""

from typing import NamedTuple

from sqlalchemy import Connection, func, select

from highvoltage.server.store.database import INSERTS, Database
from highvoltage.server.store.schema import solved_puzzles


class Solved(NamedTuple):
    """How many puzzles somebody has solved, and the days of which the puzzle is among them."""

    puzzles: int
    days: list[int]


class Puzzles:
    """The solved puzzles of a store."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def solve(self, who: str, puzzle: str, day: int, *, daily: bool) -> None:
        """Keep that somebody has solved a puzzle, and that of the day once more on its day."""
        mine = solved_puzzles.c.who == who
        before = select(solved_puzzles.c.day).where(mine, solved_puzzles.c.puzzle == puzzle)

        def work(connection: Connection) -> None:
            if not daily and connection.execute(before.limit(1)).first():
                return
            new = INSERTS[connection.dialect.name](solved_puzzles)
            new = new.values(who=who, puzzle=puzzle, day=day, daily=daily)
            connection.execute(new.on_conflict_do_nothing())

        await self.database.write(work)

    async def solved(self, who: str) -> Solved:
        mine = solved_puzzles.c.who == who
        many = func.count(solved_puzzles.c.puzzle.distinct())
        [[puzzles]] = await self.database.rows(select(many).where(mine))
        days = select(solved_puzzles.c.day).where(mine, solved_puzzles.c.daily)
        rows = await self.database.rows(days.order_by(solved_puzzles.c.day.desc()))
        return Solved(puzzles, [row.day for row in rows])
