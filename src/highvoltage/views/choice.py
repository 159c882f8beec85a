"""What a player decides: a move, and why."""

from msgspec import Struct

from highvoltage.engine.moves import Move
from highvoltage.views.reasons import sentence

Values = dict[str, int | str]


class Reason(Struct, frozen=True):
    """Why a move was chosen: a stable code, and the values for a message in any language.

    >>> print(Reason("random", {"moves": 12}))
    Drawn at random from the possible moves (12).

    Your own bot may use its own codes; a code without a message is shown as words.

    >>> print(Reason("never_sleeps", {"cups": 3}))
    Never sleeps (cups 3).
    """

    code: str
    values: Values = {}

    def __str__(self) -> str:
        return sentence(self.code, self.values)


class Choice(Struct, frozen=True):
    """A move and the reason for it.

    A bot that bids may give its maximum bid as `limit`.
    """

    move: Move
    why: Reason
    limit: int | None = None


def fault_of(returned: object) -> str:
    """What is wrong with a bot's return value that is not a Choice.

    >>> fault_of("pass")
    "it returned 'pass', and a bot returns a Choice: Choice(move, Reason(code)), the move taken ..."
    """
    match returned:
        case Choice(move=Move(), why=Reason()):
            return ""
    return (
        f"it returned {returned!r}, and a bot returns a Choice: Choice(move, Reason(code)),"
        " the move taken from the legal ones"
    )
