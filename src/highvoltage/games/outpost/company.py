"""Phase 3: build, lay out the company board, hire, O-7.

Each part of the turn begins with its first move, and the player cannot go back to an earlier part.
"""

from highvoltage.engine.cards import label, rank_of
from highvoltage.engine.events import Hired, Paid
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Done, Move
from highvoltage.engine.outcome import Outcome, rank
from highvoltage.engine.phase import DONE, TurnPhase
from highvoltage.games.outpost import pieces, syndicate, tables
from highvoltage.games.outpost.moves import Build, Hire, PlaceCard, Robot, Settle, Swap, Syndicate
from highvoltage.games.outpost.state import (
    BOARD,
    BUILDING,
    CLOSED,
    FREE,
    HIRED,
    Company,
    OutpostState,
)

HIRES: list[Move] = [
    Hire(count) for count in range(max(tables.WORKERS_IN_SECTOR.values()) * 10 + 1)
]
MAKERS = ("human", "robot")
ROBOTS = tuple(map(Robot, MAKERS))
MOVES = (Build, Settle, PlaceCard, Swap, Hire, Robot, Done)


class CompanyTurn(TurnPhase[OutpostState]):
    """Everybody has one turn, last to first; the Syndicate's is between those of two players."""

    name = "company"
    reverse = True

    def begin(self, s: OutpostState) -> None:
        super().begin(s)
        begin_turn(s)

    def actor(self, s: OutpostState) -> int | None:
        return s.order[-1] if s.choices else super().actor(s)

    def next_turn(self, s: OutpostState) -> None:
        super().next_turn(s)
        begin_turn(s)
        if s.syndicate and s.turn == 1:  # O-12.6.1
            syndicate.take_turn(s, s.syndicate)

    def end(self, s: OutpostState) -> None:
        if max(player.network for player in s.players) >= s.rules.end_cities:
            finish(s)  # O-10.1

    def legal(self, s: OutpostState, seat: int) -> Moves:
        if s.choices:
            return syndicate.legal(s)
        player = s.players[seat]
        moves: list[Move] = []
        if s.stage == BUILDING:
            moves += builds(s, player)
            moves += settles(s, player)
        if s.stage <= BOARD:
            moves += s.rules.board_moves(layable(s, player), player.board, player.open)
            moves += hires(s, player)
        moves += robots(s, player)
        moves.append(DONE)
        return Moves(moves)

    def check(self, s: OutpostState, seat: int, move: Move) -> None:
        if s.choices:
            syndicate.check(s, move)
            return
        player = s.players[seat]
        match move:
            case Done():
                pass
            case Build():
                check_build(s, player, move)
            case Swap():
                check_swap(s, player, move)
            case Hire():
                check_hire(s, player, move)
            case PlaceCard():
                check_place(s, player, move)
            case Robot():
                check_robot(s, player, move)
            case Settle():
                check_settle(s, player, move)
            case _:
                self.check_verb(s, move, *MOVES)

    def apply(self, s: OutpostState, seat: int, move: Move) -> None:
        if s.choices and isinstance(move, Syndicate):
            syndicate.apply(s, move)
            return
        player = s.players[seat]
        over = False
        match move:
            case Done():
                over = True
            case Build():
                build(s, seat, move)
            case Swap():
                swap(s, player, move)
            case Hire():
                hire(s, seat, move)
            case PlaceCard():
                place(s, player, move)
            case Robot():
                make_robot(s, player, move)
                over = True
            case Settle():
                pieces.settle(player, move.piece, move.card)
        if over or (s.stage == HIRED and not robots(s, player)):
            self.next_turn(s)


def begin_turn(s: OutpostState) -> None:
    s.stage, s.replaced = BUILDING, ()


def finish(s: OutpostState) -> None:
    """The end of the game, O-10."""
    scores = [
        {
            "powered": s.rules.most_powered(player),  # OR-47
            "money": player.money,
            "cities": player.network,
        }
        for player in s.players
    ]
    s.outcome = Outcome(
        reason="cities",
        ranking=rank([tuple(score.values()) for score in scores]),  # O-10.3, O-10.4
        scores=tuple(scores),
    )


def check_stage(s: OutpostState, latest: int, what: str) -> None:
    if s.stage > latest:
        raise s.rules.refuse("too_late", what=what)


# a) Building, O-7.1


def builds(s: OutpostState, player: Company) -> list[Move]:
    planet, money = s.planet, player.money
    moves: list[Move] = []
    if player.network < tables.STATIONS:  # OR-23
        moves += [
            build
            for build, slot, path in zip(
                planet.stations, s.slots, player.station_reach, strict=True
            )
            if slot + path <= money
        ]
    spare, reach = money - tables.SPECIAL_PRICE, player.reach
    for opened, free in zip(player.open, s.free, strict=True):
        if opened < tables.SPACES:
            moves += [planet.specials[city] for city in free if reach[city] <= spare]
    return moves


def build_cost(s: OutpostState, player: Company, piece: str, city: int) -> int:
    """Cost of slot and connection; no connection is needed in a city of one's own, O-7.1.6."""
    price = s.slots[city] if piece == tables.STATION else tables.SPECIAL_PRICE
    return price + player.reach[city]


def check_piece(s: OutpostState, player: Company, piece: str) -> None:
    check_stage(s, BUILDING, "building")
    if piece not in pieces.PIECES:
        raise s.rules.refuse("unknown_piece", piece=piece, pieces=", ".join(pieces.PIECES))
    if not pieces.pieces_left(player, piece):
        raise s.rules.refuse("no_pieces", piece=piece)


def check_build(s: OutpostState, player: Company, move: Build) -> None:
    refuse = s.rules.refuse
    check_piece(s, player, move.piece)
    city = s.planet.index.get(move.city)
    if city is None:
        raise refuse("unknown_city", city=move.city)
    if move.piece == tables.STATION:
        if city in player.cities:
            raise refuse("already_there", city=move.city)
        if s.slots[city] == CLOSED:
            raise refuse("city_full", step=s.step, city=move.city, houses=len(s.stations[city]))
    elif (kind := s.planet.kinds[city]) != move.piece:
        raise refuse("slot_kind", city=move.city, kind=kind, piece=move.piece)
    elif s.specials[city] != FREE:
        raise refuse("slot_taken", city=move.city, kind=kind)
    cost = build_cost(s, player, move.piece, city)
    if cost > player.money:
        raise refuse("cannot_pay_city", city=move.city, cost=cost, money=player.money)


def build(s: OutpostState, seat: int, move: Build) -> None:
    player = s.players[seat]
    city = s.planet.index[move.city]
    cost = build_cost(s, player, move.piece, city)
    player.money -= cost
    s.events.append(Paid(seat, cost))
    if move.piece == tables.STATION:
        pieces.put_station(s, seat, player, city)
        syndicate.follow_player(s, city)
    else:
        pieces.put_special(s, seat, player, city)


def settles(s: OutpostState, player: Company) -> list[Move]:
    return [
        Settle(piece, card)
        for card in s.rules.colonies
        if card in player.cards
        for piece in pieces.PIECES
        if (card, piece) not in player.colonies and pieces.pieces_left(player, piece)
    ]


def check_settle(s: OutpostState, player: Company, move: Settle) -> None:
    check_piece(s, player, move.piece)
    if move.card not in s.rules.colonies or move.card not in player.cards:
        raise s.rules.refuse("no_colony", card=label(move.card))
    if (move.card, move.piece) in player.colonies:
        raise s.rules.refuse("colony_full", card=label(move.card), piece=move.piece)


# b) Company board, O-7.2


def space_of(player: Company, card: int) -> int:
    """The kind of space that a card on the company board occupies."""
    return int(card in player.board[1])


def layable(s: OutpostState, player: Company) -> tuple[int, ...]:
    """A company's cards without those that were replaced in this turn, OR-26.

    Earlier versions accept these as well, but offer them no more: bots would go round for ever.
    """
    return tuple(card for card in player.cards if card not in s.replaced)


def check_pool(s: OutpostState, player: Company, card: int) -> None:
    check_stage(s, BOARD, "laying out the board")
    pool = player.pool
    if card not in pool:
        cards = ", ".join(map(label, pool)) or "none"
        raise s.rules.refuse("not_in_pool", card=label(card), cards=cards)
    if card in s.replaced and s.rules.version > 2:
        raise s.rules.refuse("replaced", card=label(card))
    if not s.rules.kinds_of(card):
        raise s.rules.refuse("not_for_board", card=label(card))


def check_place(s: OutpostState, player: Company, move: PlaceCard) -> None:
    refuse = s.rules.refuse
    check_pool(s, player, move.card)
    kinds = s.rules.kinds_of(move.card)
    if (len(kinds) > 1) != bool(move.space) or (move.space and move.space not in tables.KINDS):
        raise refuse("which_space")
    kind = tables.KINDS.index(move.space) if move.space else kinds[0]
    if len(player.board[kind]) == player.open[kind]:
        raise refuse("no_space", kind=tables.KINDS[kind])


def place(s: OutpostState, player: Company, move: PlaceCard) -> None:
    s.stage = BOARD
    kind = tables.KINDS.index(move.space) if move.space else s.rules.kinds_of(move.card)[0]
    pieces.place(player, kind, move.card)


def swap(s: OutpostState, player: Company, move: Swap) -> None:
    s.stage = BOARD
    # The order of the swaps means nothing.
    s.replaced = tuple(sorted((*s.replaced, move.old), key=rank_of))
    pieces.swap(player, space_of(player, move.old), move.old, move.new)


def check_swap(s: OutpostState, player: Company, move: Swap) -> None:
    refuse = s.rules.refuse
    check_pool(s, player, move.new)
    on_board = (*player.board[0], *player.board[1])
    if move.old not in on_board:
        cards = ", ".join(map(label, on_board)) or "none"
        raise refuse("not_on_board", card=label(move.old), cards=cards)
    kind = space_of(player, move.old)
    if kind not in s.rules.kinds_of(move.new):
        raise refuse("swap_kind", old=label(move.old), new=label(move.new))
    if not s.rules.better(kind, move.new, move.old):
        raise refuse("swap_better", old=label(move.old), new=label(move.new))


# c) Hiring and robots, O-7.3 and O-11.4


def missing_workers(s: OutpostState, player: Company) -> tuple[int, int]:
    """The workers that may be hired beyond the beds, and the empty beds, O-7.3.4."""
    humans = player.humans
    beds, need = s.rules.beds_and_need(player)
    housed = max(beds, humans)  # OR-33
    return max(0, need - player.robots - housed), beds - humans


def hires(s: OutpostState, player: Company) -> list[Move]:
    """The possible hires; hiring nobody is a move if that fills beds."""
    lack, empty = missing_workers(s, player)
    labour = s.labour
    if lack and labour:
        lack = min(lack, s.rules.labour_ladder(player).affordable(labour, player.money))
    moves = HIRES[0 if labour and empty > 0 else 1 : min(lack, labour) + 1]
    if s.rules.options["seasonal"] == "exact":
        counts = useful_hires(s, player)
        moves = [HIRES[count] for count in sorted(counts) if HIRES[count] in moves]
    return moves


def useful_hires(s: OutpostState, player: Company) -> set[int]:
    """The numbers of seasonal workers that exactly complete a set of plants, or 0; strict OR-29."""
    sums = {0}
    for card in (*player.board[0], *player.board[1]):
        sums |= {need + s.rules.faces[card].workers for need in sums}
    beds, _ = s.rules.beds_and_need(player)
    housed = player.robots + max(beds, player.humans)
    return {max(0, need - housed) for need in sums}


def check_hire(s: OutpostState, player: Company, move: Hire) -> None:
    refuse, count = s.rules.refuse, move.count
    check_stage(s, BOARD, "hiring")
    lack, empty = missing_workers(s, player)
    if count > s.labour or count < 0:
        raise refuse("hire_over_market", left=s.labour, count=count)
    if count > lack:
        raise refuse("hire_over_need", lack=lack, count=count)
    if s.rules.options["seasonal"] == "exact" and count not in (counts := useful_hires(s, player)):
        raise refuse("hire_idle", count=count, counts=", ".join(map(str, sorted(counts))))
    cost = s.rules.labour_ladder(player).cost(s.labour, count)
    if cost > player.money:
        raise refuse("cannot_pay", cost=cost, money=player.money)
    if count == 0 and not (s.labour and empty > 0):
        raise refuse("hire_nobody")


def hire(s: OutpostState, seat: int, move: Hire) -> None:
    """First the paid workers, then free ones for every empty bed, O-7.3.3."""
    player = s.players[seat]
    s.stage = HIRED
    seasonal = move.count
    _, empty = missing_workers(s, player)
    cost = s.rules.labour_ladder(player).cost(s.labour, seasonal)
    free = min(s.labour - seasonal, max(0, empty))  # OR-30
    player.money -= cost
    player.humans += seasonal + free
    s.labour -= seasonal + free
    s.events += [
        Paid(seat, cost),
        Hired(seat, seasonal, free),
    ]


def robots(s: OutpostState, player: Company) -> list[Move]:
    if not (s.robots and player.uses(s.rules.robots)):
        return []
    workers = (player.humans, player.robots)
    return [robot for robot, count in zip(ROBOTS, workers, strict=True) if count]


def check_robot(s: OutpostState, player: Company, move: Robot) -> None:
    if not (s.robots and player.uses(s.rules.robots)):
        raise s.rules.refuse("no_robots")
    if move not in robots(s, player):
        raise s.rules.refuse("no_maker", maker=move.maker)


def make_robot(s: OutpostState, player: Company, move: Robot) -> None:
    player.busy = move.maker  # OR-43
    player.robots += 1
    s.robots -= 1
