"""What bots choose in the positions of known games, and why: reviewed by their diff."""

from collections.abc import Iterator

from golden.known import FURTHER, GOLDEN, decisions, write
from golden.playthrough import FOLDER
from highvoltage import bots
from highvoltage.bots import Choice

CHOICES = FOLDER / "choices"
EVERY = {"clerk": 2, "engineer": 1, "director:16": 40, "tycoon": 9}
"""Each bot with how many decisions there are to one that it is asked for."""
EVERY_FURTHER = {"clerk": 15, "engineer": 8, "tycoon": 30}
"""The engineer adds floats, which Python 3.12 does more exactly than 3.11; no choice here depends
on that."""
CASES = [
    *((name, bot) for name in GOLDEN for bot in EVERY),
    *((name, bot) for name in FURTHER for bot in EVERY_FURTHER),
]


def choices(name: str, bot: str) -> str:
    """What a bot would do in the place of whoever is to move."""
    return "".join(f"{line}\n" for line in lines_of(name, bot))


def lines_of(name: str, bot: str) -> Iterator[str]:
    asked = bots.make(bot, 1)
    for move, game in decisions(name, (EVERY if name in GOLDEN else EVERY_FURTHER)[bot]):
        assert game.to_move is not None
        yield f"{move} {game.names[game.to_move]} {told(bots.ask(asked, game))}"


def told(choice: Choice) -> str:
    values = [f"{name}={value}" for name, value in choice.why.values.items()]
    limit = [] if choice.limit is None else [f"up to {choice.limit}"]
    return ", ".join([str(choice.move), *limit, choice.why.code, *values])


if __name__ == "__main__":
    for name, bot in CASES:
        write(CHOICES / bot.partition(":")[0], name, choices(name, bot))
