"""What a chat shows beside a link to a table: the game, the board and the free seats; no names."""

from html import escape

from highvoltage import words
from highvoltage.engine.parts.board import known_maps
from highvoltage.rooms.info import table_info
from highvoltage.rooms.rows import GameRow, SeatRow

PICTURES = "/previews"
PLAIN = f"{PICTURES}/plain.png"


def preview_tags(origin: str, row: GameRow, places: list[SeatRow], pictures: frozenset[str]) -> str:
    """The tags of the Open Graph protocol for a table.

    They have addresses only if the configuration says how the server is called: the name in a
    request is anybody's choice.
    """
    info = table_info(row, places, None, set())
    game = words.find(f"game_{info.rulebook}", {}) or info.rulebook
    label = known_maps().get(info.map or "")
    title = f"{game} · {label.name}" if label else game
    free = sum(seat.kind == "open" for seat in info.seats)
    at_table = words.say("invited_players", count=len(info.seats))
    about = f"{at_table} · {words.say('table_open', count=free)}" if free else at_table
    tags = {
        "og:site_name": words.say("title"),
        "og:type": "website",
        "og:title": title,
        "og:description": about,
    }
    if origin:
        board = f"{PICTURES}/{info.map}.png"
        picture = board if board in pictures else PLAIN
        tags |= {
            "og:url": f"{origin}/table/{row.id}",
            "og:image": f"{origin}{picture}",
            "og:image:alt": title,
            "twitter:card": "summary_large_image",
        }
    return "".join(
        f'<meta property="{name}" content="{escape(text)}" />' for name, text in tags.items()
    )
