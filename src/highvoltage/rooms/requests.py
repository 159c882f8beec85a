"""All requests that a table needs."""

from highvoltage.rooms import analysing, catalogue, puzzles, replay, tables
from highvoltage.rooms.routing import Route

ROUTES: list[Route] = [
    *catalogue.routes,
    *tables.routes,
    *replay.routes,
    *analysing.routes,
    *puzzles.routes,
]
