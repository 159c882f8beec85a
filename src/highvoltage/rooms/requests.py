"""All requests that a table needs."""

from highvoltage.rooms import analysing, catalogue, puzzles, replay, seats, tables
from highvoltage.rooms.routing import Route

ROUTES: list[Route] = [
    *catalogue.routes,
    *tables.routes,
    *seats.routes,
    *replay.routes,
    *analysing.routes,
    *puzzles.routes,
]
