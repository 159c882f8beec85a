"""How strong bots are, on the scale of ratings, by the games they were measured in."""

from math import log

BETA = 25 / 6
"""How much luck a game has, on the scale of openskill's ratings."""
CLERK = 25.0
"""The rating of a clerk, and of a newcomer before the first game."""
MEASURED: dict[str, tuple[tuple[str, str, float], ...]] = {
    "classic": (
        ("engineer", "clerk", 0.562),
        ("clerk", "apprentice", 0.715),
        ("tycoon", "engineer", 0.958),
    ),
    "recharged": (("engineer", "clerk", 0.702), ("tycoon", "engineer", 0.883)),
    "cardgame": (("engineer", "clerk", 0.595), ("tycoon", "engineer", 0.917)),
    "outpost": (("engineer", "clerk", 0.835), ("tycoon", "engineer", 0.917)),
}
"""By rulebook: a bot, a weaker one, and the share of games that the first wins against three.

docs/bots.md has the games. Bots are left out whose strength depends on the machine.
"""


def strengths(rulebook: str) -> dict[str, float]:
    """The ratings of the bots that may play rated games by this rulebook.

    >>> {bot: round(rating) for bot, rating in strengths("classic").items()}
    {'clerk': 25, 'engineer': 36, 'apprentice': 8, 'tycoon': 71}
    """
    if rulebook not in MEASURED:
        return {}
    found = {"clerk": CLERK}
    for bot, weaker, share in MEASURED[rulebook]:
        apart = 2 * BETA * log(3 * share / (1 - share))
        if weaker in found:
            found[bot] = found[weaker] + apart
        else:
            found[weaker] = found[bot] - apart
    return found
