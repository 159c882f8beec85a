"""Names of bots, and of seats that are named after them."""

from highvoltage import bots
from highvoltage.bots.clerk.temper import TEMPERS
from highvoltage.words import label


def bot_title(kind: str) -> str:
    """The display name of a bot.

    >>> bot_title("clerk"), bot_title("director:2s"), bot_title("mine.py:Greedy")
    ('Clerk', 'Director', 'Greedy')
    >>> bot_title("clerk:bold")
    'Clerk bold'
    """
    known, _, option = kind.partition(":")
    name = known if known in bots.names() else kind.rpartition(":")[2]
    temper = f" {option}" if known in bots.names() and option in TEMPERS else ""
    return name[:1].upper() + name[1:] + temper


def bot_named(name: str) -> str | None:
    """The bot that a seat is named after.

    >>> bot_named("Random Ben"), bot_named("Clerk bold Ada"), bot_named("Randolf")
    ('random', 'clerk:bold', None)
    """
    first, temper, *_ = [*name.casefold().split(), "", ""]
    if first not in bots.names():
        return None
    return f"{first}:{temper}" if temper in TEMPERS else first


def shown_name(name: str) -> str:
    """A name as it is shown: one after a bot in the language that is spoken.

    >>> from highvoltage.words import speaking
    >>> with speaking("de"):
    ...     shown_name("Clerk Ada"), shown_name("Clerk bold Ben"), shown_name("Ann")
    ('Sachbearbeiter Ada', 'Berta Ben', 'Ann')
    """
    kind = bot_named(name)
    return label(f"bot_{kind.replace(':', '_')}", kind) + name[len(kind) :] if kind else name
