"""The round of Outpost: order, auctions, bureaucracy, and the Steps. Phase 3 is in `company`."""

from highvoltage.engine.cards import LAST_CARD, label, number_of
from highvoltage.engine.events import Income, Labour, Removed, Slid, StepBegins
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Move, Nominate
from highvoltage.engine.parts.auction import Auction
from highvoltage.engine.parts.deck import draw, remove_lowest
from highvoltage.engine.phase import Phase, TurnPhase
from highvoltage.games.outpost import pieces, syndicate, tables
from highvoltage.games.outpost.moves import Power
from highvoltage.games.outpost.state import OutpostState

# The most cities first: the default is to power all that can be, OR-35
POWERS: tuple[list[Move], ...] = tuple(
    [Power(cities) for cities in range(most, -1, -1)] for most in range(tables.STATIONS + 1)
)


class Order(Phase[OutpostState]):
    """Phase 1, O-4."""

    name = "order"

    def begin(self, s: OutpostState) -> None:
        if s.round > 1:  # O-3.3
            s.rules.sort_order(s)


class CardAuction(Auction[OutpostState]):
    """Phase 2, O-6."""

    def must_buy(self, s: OutpostState) -> bool:
        return s.rules.must_buy(s)

    def minimum(self, s: OutpostState, card: int) -> int:
        return s.market.minimum(card)

    def max_bid(self, s: OutpostState, seat: int) -> int:
        player = s.players[seat]
        return player.money + s.rules.saving(player)

    def price(self, s: OutpostState, seat: int, bid: int) -> int:
        return max(0, bid - s.rules.saving(s.players[seat]))  # OR-48

    def replace(self, s: OutpostState) -> None:
        refill(s)

    def third_party_turn(self, s: OutpostState) -> None:
        if s.syndicate:
            syndicate.take_card(s, s.syndicate, s.bidding.card)
            refill(s)  # OR-57

    def open(self, s: OutpostState, seat: int, move: Nominate) -> None:
        if s.rules.options["syndicate_takes"] == "nomination":  # OR-56
            s.bidding.card = move.card
            self.start_third_party(s)
            move = Nominate(s.market.top(move.card), move.bid)  # another may cover it by now
        super().open(s, seat, move)

    def end(self, s: OutpostState) -> None:
        if s.round == 1:
            s.rules.sort_order(s)  # O-3.3


class SecondAuction(CardAuction):
    """Round 1 has two auctions, O-3.3; in later rounds this one does not take place."""

    def begin(self, s: OutpostState) -> None:
        if s.round == 1:
            super().begin(s)

    def end(self, s: OutpostState) -> None:
        if LAST_CARD in s.market.cards:
            s.rules.use_last_card(s)  # O-9.3.1, OR-45


def refill(s: OutpostState) -> None:
    """Draw until all places of the market are occupied, O-5.8."""
    market = s.market
    while len(market.cards) < market.room and market.deck:
        last = market.deck[0] == LAST_CARD
        draw(s)
        if last:
            market.rebalance()  # O-9.3.8
    market.rebalance()


# Steps, O-9


def begin_step(s: OutpostState, step: int) -> None:
    s.step = step
    s.step3_pending = False
    s.slots = [pieces.slot_price(s, city) for city in range(len(s.stations))]
    s.events.append(StepBegins(step))


def start_step_2(s: OutpostState) -> None:
    begin_step(s, 2)
    remove_lowest(s)  # O-9.2.2
    refill(s)


class Bureaucracy(TurnPhase[OutpostState]):
    """Phase 4, O-8."""

    name = "bureaucracy"

    def begin(self, s: OutpostState) -> None:
        super().begin(s)
        largest = max(player.network for player in s.players)
        if s.step == 1 and largest >= s.rules.step_2_cities:
            start_step_2(s)  # O-9.2.1

    def legal(self, s: OutpostState, seat: int) -> Moves:
        return Moves(POWERS[s.rules.most_powered(s.players[seat])])

    def check(self, s: OutpostState, seat: int, move: Move) -> None:
        self.check_verb(s, move, Power)
        assert isinstance(move, Power)
        most = s.rules.most_powered(s.players[seat])
        if not 0 <= move.count <= most:
            raise s.rules.refuse("power_too_many", most=most, count=move.count)

    def apply(self, s: OutpostState, seat: int, move: Move) -> None:
        assert isinstance(move, Power)
        player = s.players[seat]
        player.powered = move.count
        pay = tables.PAYMENT[move.count]  # O-8.1.2
        player.money += pay
        s.events.append(Income(seat, pay, move.count))
        self.next_turn(s)

    def end(self, s: OutpostState) -> None:
        for player in s.players:
            player.busy = ""  # OR-43
        dismiss(s)
        if s.round in tables.DISCOUNT_ROUNDS:
            place_discounts(s)
        if not s.market.one_row:  # O-8.4.3, OR-41
            recycle(s)
        if s.step3_pending:
            begin_step(s, 3)  # O-8.5


def dismiss(s: OutpostState) -> None:
    """Return workers without a bed to the labour market, O-8.2."""
    companies = [*s.players, s.syndicate] if s.syndicate else s.players
    for company in companies:
        kept = min(company.humans, s.rules.beds_and_need(company)[0])  # OR-37
        s.labour += company.humans - kept
        company.humans = kept
    s.events.append(Labour(s.labour))


def place_discounts(s: OutpostState) -> None:
    """Put tokens on the current cards; remove those that have lost all value, O-8.3."""
    market = s.market
    for marked in market.put_tokens(s.round):
        at = market.place_of(marked)  # it may have moved, been covered or left, OR-38
        if at is not None:
            card = market.cards[at]
            if market.discount_on(card) >= number_of(card):
                s.events.append(Removed(label(market.remove_top(at))))
                refill(s)


def recycle(s: OutpostState) -> None:
    """The highest card goes under the deck, O-8.4."""
    if (card := s.market.slide_highest()) is not None:
        s.events.append(Slid(label(card)))
        refill(s)
