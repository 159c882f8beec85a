"""All requests that a table needs."""

from highvoltage.rooms import (
    analysing,
    catalogue,
    mapmaking,
    puzzles,
    replay,
    resuming,
    seats,
    tables,
)
from highvoltage.rooms.routing import Route

ROUTES: list[Route] = [
    *catalogue.routes,
    *tables.routes,
    *seats.routes,
    *replay.routes,
    *resuming.routes,
    *analysing.routes,
    *puzzles.routes,
    *mapmaking.routes,
]
