"""A small picture of a position, as SVG: the network on the map, or the cards on the table.

Colours are those of the page, by the names of its style sheet.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from math import cos, radians

from highvoltage.engine.parts.board import load_map
from highvoltage.views import BoardView, CardGameView, OutpostView, View, known_view

WIDTH, HEIGHT, MARGIN = 160, 110, 8
CARD = 24  # pixels from one card to the next

Places = Mapping[str, tuple[float, float]]


def picture_of(view: View) -> str:
    """The picture of a view; a frame without content for a game of another family."""
    known = known_view(view)
    parts: Iterable[str] = ()
    if known is not None:
        if known["family"] == "board":
            parts = _board(known)
        elif known["family"] == "outpost":
            parts = _planet(known)
        else:
            parts = _cards(known)
    body = "".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        f' aria-hidden="true">{body}</svg>'
    )


def _board(view: BoardView) -> Iterator[str]:
    board = load_map(view["map"])
    cities = [city for city in board.cities if city.region in view["regions"]]
    scale = cos(radians(sum(city.lat for city in cities) / max(1, len(cities))))
    places = _fitted({city.id: (city.lon * scale, -city.lat) for city in cities})
    yield from _lines(places, [(link.a, link.b) for link in board.connections])
    yield from _houses(places, view["houses"])


def _planet(view: OutpostView) -> Iterator[str]:
    cities = view["cities"]
    places = _fitted({name: (city["x"], city["y"]) for name, city in cities.items()})
    yield from _lines(places, [(link["a"], link["b"]) for link in view["connections"]])
    yield from _houses(places, {name: city["stations"] for name, city in cities.items()})


def _cards(view: CardGameView) -> Iterator[str]:
    """The market above, and below what belongs to the seat to move."""
    seat = view["seat"] or 0
    rows = (
        (view["market"]["current"], "var(--raised)"),
        (view["market"]["future"], "var(--panel)"),
        (view["players"][seat]["plants"], f"var(--player-{seat})"),
    )
    for row, (plants, tint) in enumerate(rows):
        for at, plant in enumerate(plants[:6]):
            x, y = MARGIN + at * CARD, MARGIN + row * 34
            yield (
                f'<rect x="{x}" y="{y}" width="20" height="26" rx="3" fill="{tint}"'
                f' stroke="var(--line-strong)"/><text x="{x + 10}" y="{y + 17}" font-size="11"'
                f' text-anchor="middle" fill="var(--text)">{escape(plant["card"])}</text>'
            )


def _fitted(points: Places) -> Places:
    """The points in the frame, as large as they fit."""
    xs, ys = [x for x, _ in points.values()], [y for _, y in points.values()]
    wide, high = max(xs) - min(xs) or 1, max(ys) - min(ys) or 1
    scale = min((WIDTH - 2 * MARGIN) / wide, (HEIGHT - 2 * MARGIN) / high)
    left, top = (WIDTH - scale * wide) / 2, (HEIGHT - scale * high) / 2
    return {
        name: (round(left + scale * (x - min(xs)), 1), round(top + scale * (y - min(ys)), 1))
        for name, (x, y) in points.items()
    }


def _lines(places: Places, links: Iterable[tuple[str, str]]) -> Iterator[str]:
    path = "".join(
        f"M{places[a][0]} {places[a][1]}L{places[b][0]} {places[b][1]}"
        for a, b in links
        if a in places and b in places
    )
    yield f'<path d="{path}" stroke="var(--line-strong)" fill="none"/>'


def _houses(places: Places, houses: Mapping[str, Sequence[int]]) -> Iterator[str]:
    for name, (x, y) in places.items():
        seats = houses.get(name, ())
        if not seats:
            yield f'<circle cx="{x}" cy="{y}" r="2" fill="var(--faint)"/>'
        for at, seat in enumerate(seats):
            colour = f"var(--player-{seat})" if seat >= 0 else "var(--player-none)"
            x_of = x + 4 * (at - (len(seats) - 1) / 2)
            yield f'<circle cx="{x_of}" cy="{y}" r="3.4" fill="{colour}"/>'
