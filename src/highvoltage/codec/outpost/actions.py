"""The action code of Outpost."""

from collections.abc import Sequence

from highvoltage.codec.actions import Actions, parse_card
from highvoltage.codec.outpost.layout import (
    DECK,
    HEADS,
    HIRES,
    KINDS,
    MAKERS,
    PIECES,
    SPACES,
)
from highvoltage.codec.spec import CodecError, View
from highvoltage.engine.cards import label
from highvoltage.engine.moves import Move
from highvoltage.games.outpost import tables
from highvoltage.games.outpost.moves import (
    Build,
    CountMove,
    Hire,
    PieceMove,
    PlaceCard,
    Power,
    Robot,
    Settle,
    Swap,
    Syndicate,
)

Deck = dict[int, tuple[int, ...]]
"""The kinds of spaces that each card of the deck may take, by number of the card."""


class OutpostActions(Actions):
    """Converts moves and indexes, for one deck."""

    def __init__(self, deck: Deck) -> None:
        super().__init__(HEADS)
        self.kinds = deck
        self.deck: list[int] = list(deck)
        self.rank: dict[int, int] = {card: at for at, card in enumerate(deck)}
        self.counts: dict[str, int] = {kind.verb: self.first[kind.verb] for kind in (Hire, Power)}
        self.indexers.update(
            {
                Build: self._build_index,
                Syndicate: self._build_index,
                Settle: self._settle_index,
                PlaceCard: self._place_index,
                Swap: self._swap_index,
                Hire: self._count_index,
                Power: self._count_index,
                Robot: self._robot_index,
            }
        )
        self.namers.update(
            build=self._build_move,
            settle=self._settle_move,
            place=self._place_move,
            swap=self._swap_move,
            hire=self._hire_move,
            power=self._power_move,
            robot=self._robot_move,
        )

    # Auctions

    def offer(self, view: View) -> list[str]:
        return [place["card"]["card"] for place in view["market"]["current"]]

    def min_bid(self, view: View, place: int) -> int:
        minimum: int = view["market"]["current"][place]["minimum"]
        return minimum

    def max_bid(self, view: View) -> int:
        return max_bid(company(view))

    # From moves to indexes

    def mark_legal(self, found: bytearray, view: View, seat: int, moves: Sequence[Move]) -> None:
        """As in the base class, but what many moves of a turn need is looked up once."""
        cities: dict[str, int] = {}
        spaces: dict[int, int] = {}
        indexers, rank, counts = self.indexers, self.rank, self.counts
        for move in moves:
            if isinstance(move, PieceMove):
                cities = cities or self._build_rows(view)
                found[cities[move.city] + (move.piece != tables.STATION)] = 1
            elif isinstance(move, Swap):
                spaces = spaces or self._swap_rows(view)
                found[spaces[move.old] + rank[move.new]] = 1
            elif isinstance(move, CountMove):
                found[counts[move.verb] + move.count] = 1
            else:
                found[indexers[type(move)](view, move)] = 1

    def _build_rows(self, view: View) -> dict[str, int]:
        first = self.first["build"]
        return dict(zip(view["cities"], range(first, self.first["settle"], 2), strict=False))

    def _swap_rows(self, view: View) -> dict[int, int]:
        own, first = company(view), self.first["swap"]
        return {
            parse_card(card["card"]): first + DECK * (kind * SPACES + at)
            for kind, cards in enumerate((own["plants"], own["habitats"]))
            for at, card in enumerate(cards)
        }

    def _build_index(self, view: View, move: PieceMove) -> int:
        return self._build_rows(view)[move.city] + (move.piece != tables.STATION)

    def _settle_index(self, view: View, move: Settle) -> int:
        colony = list(company(view)["colonies"]).index(label(move.card))
        return self.first["settle"] + len(PIECES) * colony + PIECES.index(move.piece)

    def _place_index(self, view: View, move: PlaceCard) -> int:
        kind = KINDS.index(move.space) if move.space else self.kinds[move.card][0]
        return self.first["place"] + len(KINDS) * self.rank[move.card] + kind

    def _swap_index(self, view: View, move: Swap) -> int:
        return self._swap_rows(view)[move.old] + self.rank[move.new]

    def _count_index(self, view: View, move: CountMove) -> int:
        return self.counts[move.verb] + move.count

    def _robot_index(self, view: View, move: Robot) -> int:
        return self.first["robot"] + MAKERS.index(move.maker)

    # From indexes to moves

    def _build_move(self, view: View, seat: int, at: int) -> Move:
        row, other = divmod(at, 2)
        cities = list(view["cities"])
        if row >= len(cities):
            raise CodecError(f"there is no city {row}: {len(cities)} are in play")
        piece = view["cities"][cities[row]]["slot"] if other else tables.STATION
        on_behalf = view["phase"] == "syndicate" or view["choices"]
        return (Syndicate if on_behalf else Build)(piece, cities[row])

    def _settle_move(self, view: View, seat: int, at: int) -> Move:
        row, piece = divmod(at, len(PIECES))
        colonies = list(company(view)["colonies"])
        if row >= len(colonies):
            raise CodecError(f"there is no own Colony card {row}")
        return Settle(PIECES[piece], parse_card(colonies[row]))

    def _place_move(self, view: View, seat: int, at: int) -> Move:
        row, kind = divmod(at, len(KINDS))
        card = self.deck[row]
        kinds = self.kinds[card]
        if kind not in kinds:
            raise CodecError(f"card {label(card)} has no place on a {KINDS[kind]} space")
        return PlaceCard(card, KINDS[kind] if len(kinds) > 1 else "")

    def _swap_move(self, view: View, seat: int, at: int) -> Move:
        space, new = divmod(at, DECK)
        kind, place = divmod(space, SPACES)
        own = company(view)
        cards = (own["plants"], own["habitats"])[kind]
        if place >= len(cards):
            raise CodecError(f"{KINDS[kind]} space {place} of the own board is empty")
        return Swap(parse_card(cards[place]["card"]), self.deck[new])

    def _hire_move(self, view: View, seat: int, at: int) -> Move:
        return Hire(at)

    def _power_move(self, view: View, seat: int, at: int) -> Move:
        return Power(at)

    def _robot_move(self, view: View, seat: int, at: int) -> Move:
        return Robot(MAKERS[at])


def company(view: View) -> View:
    own: View = view["players"][view["seat"]]
    return own


def max_bid(own: View) -> int:
    """The money of a company plus the discount of the Data Library."""
    saves = any(card["technology"] == "data_library" for card in own["pool"])
    money: int = own["money"]
    return money + (tables.DATA_LIBRARY_SAVING if saves else 0)


def check_workers(workers: int) -> None:
    """Refuse a deck whose plants may need more workers than the code can hire."""
    if workers * SPACES >= HIRES:
        raise CodecError(
            f"a plant of {workers} workers may lack more than the {HIRES - 1} that the code hires"
        )
