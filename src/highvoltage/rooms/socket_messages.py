"""The messages over the WebSocket; docs/protocol.md explains them."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import astuple

from highvoltage.engine.events import KnownEvent
from highvoltage.rooms.messages import (
    BotName,
    Count,
    Explanation,
    Number,
    OneLine,
    Problem,
    Ref,
    TableInfo,
)
from highvoltage.table import (
    LogRow,
    Offer,
    Preview,
    PreviewedMove,
    Refusal,
    Refused,
    Snapshot,
)
from highvoltage.table.snapshot import Clocks

# Messages of the server over the WebSocket


class ServerMessage(Struct, tag_field="type"):
    """One of the messages below."""


class StateMessage(ServerMessage, tag="state"):
    """Everything that you may see of a table."""

    table: TableInfo
    seq: int = 0
    you: int | None = None
    view: dict[str, Any] | None = None
    legal: list[Offer] = []
    log_from: int = 0
    log: list[LogRow] = []
    setup: tuple[KnownEvent, ...] | None = None
    clocks: Clocks | None = None
    undo_to: int | None = None
    max_bids: dict[str, int] = {}

    @classmethod
    def of(cls, table: TableInfo, snapshot: Snapshot) -> "StateMessage":
        return cls(table, *astuple(snapshot))


class RefusedMessage(ServerMessage, tag="refused"):
    """Your message changed nothing."""

    code: str
    rule: str | None
    message: str
    values: dict[str, Any]
    ref: int | str | None

    @classmethod
    def of(cls, refusal: Refused, ref: int | str | None) -> "RefusedMessage":
        return cls(refusal.code, refusal.rule, str(refusal), refusal.values, ref)


class DoneMessage(ServerMessage, tag="done"):
    """The write that you called by this `ref` was carried out, now or before."""

    ref: int | str


class ChatLine(Struct, frozen=True):
    """A line of the chat of a table."""

    n: int
    seat: int
    name: str
    text: str
    at: float


class ChatMessage(ServerMessage, tag="chat"):
    """The chat lines since the last message."""

    lines: list[ChatLine]


class HintMessage(ServerMessage, tag="hint"):
    """What a bot would do in your place, in the position with this `seq`.

    While `thinking`, the judge looks further: another hint follows.
    """

    seq: int
    move: str
    why: Explanation
    bot: str
    thinking: bool = False


class CoachMessage(ServerMessage, tag="coach"):
    """What your coach says in the position with this `seq`; while `thinking`, more follows."""

    seq: int
    lines: list[Explanation]
    thinking: bool


class PreviewMessage(ServerMessage, tag="preview"):
    """The result that moves would have."""

    seq: int
    moves: list[PreviewedMove]
    cost: int
    earns: int | None
    idle: list[str]
    view: dict[str, Any]
    legal: list[Offer]
    looks: list[list[Offer]]
    stop: Literal["turn", "chance"] | None
    refused: Refusal | None
    ref: int | str | None = None

    @classmethod
    def of(cls, preview: Preview, ref: int | str | None) -> "PreviewMessage":
        message = cls(*astuple(preview))
        message.ref = ref
        return message


class ErrorMessage(ServerMessage, tag="error"):
    """A message that was not understood or not allowed, or of which nothing is known yet."""

    code: str
    message: str
    values: dict[str, Any] = {}
    ref: int | str | None = None

    @classmethod
    def of(cls, problem: Problem, ref: int | str | None = None) -> "ErrorMessage":
        return cls(problem.code, problem.message, problem.values, ref)


class PongMessage(ServerMessage, tag="pong"):
    """The answer to a ping."""


SERVER_MESSAGES = (
    StateMessage,
    RefusedMessage,
    DoneMessage,
    PreviewMessage,
    ChatMessage,
    HintMessage,
    CoachMessage,
    ErrorMessage,
    PongMessage,
)


# Messages of a client over the WebSocket


class ClientMessage(Struct, tag_field="type", kw_only=True):
    """One of the messages below."""

    ref: Ref | Number | None = None


class AnyMessage(Struct):
    """As much of a message as is read where the rest is not."""

    ref: Ref | Number | None = None


class AuthMessage(ClientMessage, tag="auth"):
    """The first message if neither a cookie nor a header identifies you."""

    token: Annotated[str, Meta(max_length=2_000)]


class MoveMessage(ClientMessage, tag="move"):
    """A move, based on the state with this `seq`."""

    seq: Count
    move: Annotated[str, Meta(max_length=400)]


class AskPreviewMessage(ClientMessage, tag="preview"):
    """Asks for the result that moves would have, based on the state with this `seq`."""

    seq: Count
    moves: Annotated[list[Annotated[str, Meta(max_length=400)]], Meta(max_length=100)]
    ahead: bool = False


class UndoMessage(ClientMessage, tag="undo"):
    """Undo to so many moves; without `to`, one move back."""

    seq: Count
    to: Count | None = None


class MaxBidMessage(ClientMessage, tag="max_bid"):
    """Bid for me up to this limit; null withdraws it."""

    card: Annotated[str, Meta(max_length=20)]
    limit: Count | None


class AutoPassMessage(ClientMessage, tag="pass_on"):
    """Pass for me when this card is auctioned."""

    card: Annotated[str, Meta(max_length=20)]


class SendChatMessage(ClientMessage, tag="chat"):
    """A line for the chat."""

    text: Annotated[OneLine, Meta(min_length=1, max_length=500)]


class AskHintMessage(ClientMessage, tag="hint"):
    """Asks the judge for a hint, or a bot what it would do in your place."""

    bot: BotName | None = None


class AskCoachMessage(ClientMessage, tag="coach"):
    """Asks your coach about what you did last, and what you are to decide; only against bots."""


class PingMessage(ClientMessage, tag="ping"):
    """Asks whether the server is alive."""


CLIENT_MESSAGES = (
    AuthMessage,
    MoveMessage,
    AskPreviewMessage,
    UndoMessage,
    MaxBidMessage,
    AutoPassMessage,
    SendChatMessage,
    AskHintMessage,
    AskCoachMessage,
    PingMessage,
)
Message = (
    MoveMessage
    | AskPreviewMessage
    | UndoMessage
    | MaxBidMessage
    | AutoPassMessage
    | SendChatMessage
    | AskHintMessage
    | AskCoachMessage
    | PingMessage
)
WriteMessage = MoveMessage | UndoMessage | MaxBidMessage | AutoPassMessage | SendChatMessage
"""What changes something, and may be repeated by its `ref`."""
