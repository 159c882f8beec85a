"""Cups whose tables end as a test wants them to."""

from typing import Any

import highvoltage as hv
from finishing import ALMOST_OVER, in_store
from serving import Person, Server, eventually

OVER = hv.replay(ALMOST_OVER).record().json()
"""A game of three: seat 2 wins, and seat 0 is last."""


NEW_CUP: dict[str, Any] = {"title": "Winter cup", "rulebook": "classic", "seats": 3, "rounds": 2}


def make_cup(host: Person, **terms: Any) -> str:
    answer = host.post("/api/cups", json={**NEW_CUP, **terms})
    assert answer.status_code == 201, answer.text
    found: str = answer.json()["id"]
    return found


def cup_of(person: Person, cup: str) -> dict[str, Any]:
    answer = person.get(f"/api/cups/{cup}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def do(person: Person, cup: str, what: str, **data: Any) -> dict[str, Any]:
    answer = person.post(f"/api/cups/{cup}/{what}", json=data)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def refused(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def tables_of(info: dict[str, Any], number: int) -> list[dict[str, Any]]:
    return [table for table in info["tables"] if table["round"] == number]


def finish_table(server: Server, table: dict[str, Any], absent: set[int] = frozenset()) -> None:  # type: ignore[assignment]
    """As if the game had been played to its end, by all players except those with these numbers."""
    name, record = table["table"], OVER.replace("'", "''")
    came = [n for n, seat in enumerate(table["seats"]) if seat["player"] not in {None, *absent}]
    moves = [
        "INSERT INTO entries (game, seq, seat, text, at, by, turned, top)"
        f" VALUES ('{name}', {900 + seat}, {seat}, 'x', 1.0, 'person', '', '')"
        for seat in came
    ]
    gone = [n for n, seat in enumerate(table["seats"]) if seat["player"] in absent]
    bots = [f"UPDATE seats SET bot = 'clerk' WHERE game = '{name}' AND seat = {n}" for n in gone]
    ended = f"status = 'finished', record = '{record}', turn = NULL, due = NULL"
    in_store(
        server,
        *moves,
        *bots,
        f"UPDATE games SET {ended} WHERE id = '{name}'",
        f"INSERT INTO uncounted (game) VALUES ('{name}')",
    )


def dealt(person: Person, cup: str, number: int) -> list[dict[str, Any]]:
    """The tables of a round once all of them are dealt."""

    def begun() -> list[dict[str, Any]]:
        return tables_of(cup_of(person, cup), number)

    eventually(lambda: bool(begun()) and all(table["status"] == "running" for table in begun()))
    return begun()
