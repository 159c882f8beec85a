"""The checks that a codec has to pass: moves and indexes correspond, nothing hidden leaks."""

from random import Random
from typing import Any, Protocol

import msgspec

from highvoltage.engine.errors import HighVoltageError
from highvoltage.engine.game import Game
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Bid, Move, Nominate
from highvoltage.testing.kit import MAX_MOVES, random_move, world
from highvoltage.testing.settings import Setting

SAMPLED_BIDS = 3  # bids of a span that are tried


class CodecLike(Protocol):
    """The interface of a codec, as in `highvoltage.codec`."""

    @property
    def spec(self) -> Any: ...
    def mask(self, view: dict[str, Any], legal: Moves) -> Any: ...
    def index(self, view: dict[str, Any], move: Move) -> int: ...
    def move(self, view: dict[str, Any], index: int) -> Move: ...
    def observe(self, view: dict[str, Any]) -> dict[str, Any]: ...


def check_codec(code: CodecLike, setting: Setting, seed: int = 0, *, close: float = 0.01) -> Game:
    """Play a random game to its end, check the codec at every decision, and return the game.

    Hidden worlds are compared at a share `close` of the positions, always including the first and
    the last. AssertionError says what is broken and where.
    """
    rng = Random(f"{setting}/{seed}")
    game = setting.new(seed)
    try:
        while game.to_move is not None:
            check_indexes(code, game, rng)
            check_observation(code, game.view(game.to_move))
            if not game.log or rng.random() < close:
                check_hidden(code, game)
            game.play(random_move(game.legal_moves, rng))
            assert len(game.log) < MAX_MOVES, "the game does not end"
        check_hidden(code, game)
    except (AssertionError, HighVoltageError) as error:
        place = f"{setting}, seed {seed}, after move {len(game.log)}"
        raise AssertionError(f"{error}\n{place}") from error
    return game


def check_indexes(code: CodecLike, game: Game, rng: Random) -> None:
    """Moves and indexes correspond; for bids, check the lowest, the highest and some between."""
    view, legal = game.view(game.to_move), game.legal_moves
    mask = code.mask(view, legal)
    assert mask.shape == (code.spec.num_actions,), f"the mask has the shape {mask.shape}"
    indexes = [int(index) for index in mask.nonzero()[0]]
    named = {index: code.move(view, index) for index in indexes}
    for index, move in named.items():
        assert move in legal, f"index {index} names {move}, which is not legal"
        back = code.index(view, move)
        assert back == index, f"index {index} names {move}, and that has the index {back}"
    moves = set(named.values())
    assert len(moves) == len(named), "two indexes name one move"
    assert not (lost := set(legal.plain) - moves), f"no index names {', '.join(map(str, lost))}"
    for span in legal.spans:
        bids = sorted(
            move.bid for move in moves if isinstance(move, Nominate | Bid) and move in span
        )
        assert bids[:1] == [span.lowest.bid], f"no index names {span.lowest}"
        assert bids[-1] == span.high, f"no index bids {span.high}"
        for _ in range(SAMPLED_BIDS):
            bid = rng.randint(span.lowest.bid, span.high)
            taken = named[code.index(view, span.lowest.at(bid))]
            lower = span.lowest.at(max(other for other in bids if other <= bid))
            assert taken == lower, f"a bid of {bid} becomes {taken} and not {lower}"


def check_observation(code: CodecLike, view: dict[str, Any]) -> None:
    """Every part has the shape, the type and the range given by the spec."""
    parts = code.observe(view)
    assert list(parts) == [part.name for part in code.spec.parts], f"the parts are {list(parts)}"
    for part in code.spec.parts:
        array = parts[part.name]
        assert array.shape == part.shape, f"{part.name} has the shape {array.shape}"
        assert part.shape[-1] == len(part.columns), f"{part.name} does not name its columns"
        assert array.dtype == "float32", f"{part.name} is of {array.dtype}"
        within = (array >= part.low) & (array <= part.high)
        if not within.all():
            at = tuple(int(where[0]) for where in (~within).nonzero())
            raise AssertionError(f"{part.columns[at[-1]]} of {part.name} is {array[at]} at {at}")


def check_hidden(code: CodecLike, game: Game) -> None:
    """Two indistinguishable worlds give the same numbers, and so does a serialized view."""
    record = game.record()
    one, two = world(record, "one"), world(record, "two")
    for seat in range(len(game.names)):
        view = one.view(seat)
        sent = msgspec.json.decode(msgspec.json.encode(two.view(seat)))
        assert same(code.observe(view), code.observe(sent)), "an observation leaks what is hidden"
    if game.to_move is not None:
        masks = [code.mask(each.view(each.to_move), each.legal_moves) for each in (one, two)]
        assert (masks[0] == masks[1]).all(), "a mask leaks what is hidden"


def same(one: dict[str, Any], two: dict[str, Any]) -> bool:
    return all(bool((one[name] == two[name]).all()) for name in one)
