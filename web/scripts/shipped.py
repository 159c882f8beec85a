"""Write which games and bots there are for the page, which starts before its server answers.

`make types` keeps them in web/src/lib/net/shipped.json; a test holds the two together.
"""

import sys

from msgspec import json

from highvoltage.rooms.catalogue import games


def shipped() -> str:
    """The catalogue without its boards, which the page has from their maps."""
    found = games()
    text = json.encode({"games": found.games, "bots": found.bots, "rated_bots": found.rated_bots})
    return json.format(text, indent=2).decode() + "\n"


if __name__ == "__main__":
    sys.stdout.write(shipped())
