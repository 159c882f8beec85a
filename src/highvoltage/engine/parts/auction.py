"""The auction that all rulebooks share: nominate in turn order, bid by seat.

A rulebook overrides the small methods at the top; the auction itself is the same for all.
"""

from highvoltage.engine.cards import LAST_CARD, label, number_of, rank_of
from highvoltage.engine.events import CannotBuy, Demolished, Sold
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import (
    Bid,
    Move,
    Nominate,
    Pass,
    Returned,
    Scrap,
    Span,
)
from highvoltage.engine.parts.deck import draw, remove_lowest
from highvoltage.engine.parts.market import Bidding, M
from highvoltage.engine.phase import Phase

PASS = Pass()


class Auction(Phase[M]):
    """Everybody may buy one card."""

    name = "auction"

    # What a rulebook decides

    def must_buy(self, s: M) -> bool:
        """Everybody has to buy."""
        return s.round == 1

    def minimum(self, s: M, card: int) -> int:
        """The lowest bid for a card."""
        return 1 if card == s.market.discount else number_of(card)

    def max_bid(self, s: M, seat: int) -> int:
        """The highest bid a seat can pay."""
        return s.players[seat].money

    def has_discount(self, s: M) -> bool:
        """There is a discount token: the lowest card starts at 1, and leaves if nobody buys it."""
        return False

    def is_barred(self, s: M, seat: int, card: int) -> bool:
        """The seat may not buy this card whatever it bids."""
        return False

    def buys_again(self, s: M, card: int) -> bool:
        """Who buys this card may buy another one."""
        return False

    def price(self, s: M, seat: int, bid: int) -> int:
        """What a seat pays for a bid."""
        return bid

    def limit(self, s: M) -> int | None:
        """The most cards a player may own."""
        return None

    def fuel_returns(self, s: M, seat: int, kept: tuple[int, ...], scrapped: int) -> list[Returned]:
        """The fuel that may go with a scrapped card."""
        return [()]

    def scrapped(self, s: M, seat: int, move: Scrap) -> None:
        """A card has been given up; what becomes of its fuel."""

    def hand_over(self, s: M, seat: int, card: int) -> None:
        """Give a bought card to its buyer."""
        player = s.players[seat]
        player.cards = tuple(sorted((*player.cards, card), key=rank_of))

    def replace(self, s: M) -> None:
        """Fill the gap that a sold card leaves in the market."""
        draw(s)

    def third_party_turn(self, s: M) -> None:
        """A third party that is no player acts once, after the first sale or pass."""

    def clear_unsold(self, s: M) -> None:
        """Remove unsold cards from the market when the auctions are over."""

    # The course of the auction

    def begin(self, s: M) -> None:
        if self.has_discount(s) and s.market.plants:
            s.market.discount = s.market.cards[0]  # K-4.1.1
        s.bidding = Bidding()
        s.bidding.eligible = s.order
        self.skip_forced_passes(s)

    def actor(self, s: M) -> int | None:
        b = s.bidding
        if b.scrapping is not None:
            return b.scrapping
        if b.card is not None:
            return b.ring[0]
        return b.eligible[0] if b.eligible else None

    def can_buy(self, s: M, seat: int, card: int) -> bool:
        return self.minimum(s, card) <= self.max_bid(s, seat) and not self.is_barred(s, seat, card)

    def can_nominate(self, s: M, seat: int) -> bool:
        for card in s.market.offer:  # noqa: SIM110  # half the time of any()
            if self.can_buy(s, seat, card):
                return True
        return False

    def skip_forced_passes(self, s: M) -> None:
        """Pass automatically for nominators who cannot pay for any card."""
        b = s.bidding
        while b.eligible:
            seat = b.eligible[0]
            if self.can_nominate(s, seat) or (s.rules.asks_everybody and s.market.offer):
                return
            s.events.append(CannotBuy(seat))
            self.decline(s)

    def decline(self, s: M) -> None:
        s.bidding.eligible = s.bidding.eligible[1:]
        self.start_third_party(s)

    def start_third_party(self, s: M) -> None:
        if not s.bidding.third_done:
            s.bidding.third_done = True
            self.third_party_turn(s)

    def drop_unable(self, s: M) -> None:
        """Drop bidders who cannot raise; the last one left wins."""
        b = s.bidding
        assert b.card is not None
        while len(b.ring) > 1:
            seat = b.ring[0]
            able = s.rules.asks_everybody or self.max_bid(s, seat) > b.bid  # C-4.4.5
            if able and not self.is_barred(s, seat, b.card):
                return
            b.ring = b.ring[1:]
        self.sell(s)

    def sell(self, s: M) -> None:
        b = s.bidding
        seat, card = b.leader, b.card
        assert card is not None
        player = s.players[seat]
        price = self.price(s, seat, b.bid)
        again = self.buys_again(s, card)
        player.money -= price
        card = s.market.take(card)
        self.hand_over(s, seat, card)
        s.events.append(Sold(seat, label(card), price))
        if not again:
            b.eligible = tuple(other for other in b.eligible if other != seat)
        b.ring = ()
        b.sold += 1
        limit = self.limit(s)
        if limit is not None and len(player.cards) > limit:
            b.scrapping = seat
        else:
            self.close(s)

    def close(self, s: M) -> None:
        """After the sale: the replacement, the third party, the next nomination."""
        s.bidding.card = None
        self.replace(s)
        self.start_third_party(s)
        self.skip_forced_passes(s)

    def compensate(self, s: M, seat: int) -> None:
        """The Demolition expansion pays for a plant given up, D-2.2."""
        if s.rules.demolition:
            first, later = s.rules.demolition[s.demolition]
            money = later if s.bidding.demolished else first
            s.bidding.demolished = True
            s.players[seat].money += money
            s.events.append(Demolished(seat, money))

    def end(self, s: M) -> None:
        if self.has_discount(s):
            self.clear_discounted(s)
        else:
            self.clear_unsold(s)
        if s.market.cards and s.market.cards[-1] == LAST_CARD:
            s.rules.use_last_card(s)  # C-9.3.2, K-4.7.2
        if s.bidding.demolished and s.demolition < len(s.rules.demolition) - 1:  # D-2.5
            s.demolition += 1  # D-2.4
        s.bidding.demolished = False
        if s.round == 1:
            s.rules.sort_order(s)  # C-3.4, K-4.7.4

    def clear_discounted(self, s: M) -> None:
        if s.market.discount is not None:
            remove_lowest(s)  # K-4.7.1; a lower card would have removed the token
            s.bidding.token_left = True
            draw(s)

    # Moves

    def legal(self, s: M, seat: int) -> Moves:
        b = s.bidding
        if b.scrapping is not None:
            return Moves(self.scraps(s, seat))
        means = self.max_bid(s, seat)
        if b.card is not None:
            return Moves([PASS], [Span(Bid(b.bid + 1), means)] if means > b.bid else [])
        alone = len(b.eligible) == 1
        spans = []
        for card in s.market.offer:
            lowest = self.minimum(s, card)
            if lowest <= means and not self.is_barred(s, seat, card):
                spans.append(Span(Nominate(card, lowest), lowest if alone else means))
        return Moves([] if spans and self.must_buy(s) else [PASS], spans)

    def scraps(self, s: M, seat: int) -> list[Scrap]:
        return [
            scrap
            for card in s.players[seat].cards
            if card != s.bidding.card  # just bought
            for scrap in self.scraps_of(s, seat, card)
        ]

    def scraps_of(self, s: M, seat: int, card: int) -> list[Scrap]:
        kept = tuple(other for other in s.players[seat].cards if other != card)
        return [Scrap(card, bundle) for bundle in self.fuel_returns(s, seat, kept, card)]

    def check(self, s: M, seat: int, move: Move) -> None:
        b = s.bidding
        if b.scrapping is not None:
            self.check_scrap(s, seat, move)
        elif b.card is not None:
            self.check_bid(s, seat, move)
        else:
            self.check_nomination(s, seat, move)

    def check_nomination(self, s: M, seat: int, move: Move) -> None:
        refuse = s.rules.refuse
        if isinstance(move, Pass):
            if self.must_buy(s) and self.can_nominate(s, seat):
                raise refuse("must_buy")
            return
        if not isinstance(move, Nominate):
            raise refuse("not_now", move=move.verb, expected="nominate, pass")
        card, bid = move.card, move.bid
        offer = s.market.offer
        if card not in offer:
            raise refuse("not_on_offer", card=label(card), offer=", ".join(map(label, offer)))
        if self.is_barred(s, seat, card):
            raise refuse("barred", card=label(card))
        lowest, means = self.minimum(s, card), self.max_bid(s, seat)
        if bid < lowest:
            raise refuse("bid_below_minimum", card=label(card), minimum=lowest)
        if bid > means:
            raise refuse("bid_above_money", bid=bid, money=means)
        if bid > lowest and len(s.bidding.eligible) == 1:
            raise refuse("last_buyer", card=label(card), minimum=lowest)

    def check_bid(self, s: M, seat: int, move: Move) -> None:
        refuse = s.rules.refuse
        if isinstance(move, Pass):
            return
        if not isinstance(move, Bid):
            raise refuse("not_now", move=move.verb, expected="bid, pass")
        if move.bid <= s.bidding.bid:
            raise refuse("bid_too_low", minimum=s.bidding.bid + 1)
        if move.bid > self.max_bid(s, seat):
            raise refuse("bid_above_money", bid=move.bid, money=self.max_bid(s, seat))

    def check_scrap(self, s: M, seat: int, move: Move) -> None:
        refuse = s.rules.refuse
        if not isinstance(move, Scrap):
            raise refuse("not_now", move=move.verb, expected="scrap")
        card, cards = move.card, s.players[seat].cards
        if card == s.bidding.card:
            raise refuse("scrap_new", card=label(card))
        if card not in cards:
            older = ", ".join(label(c) for c in cards if c != s.bidding.card)
            raise refuse("scrap_not_owned", card=label(card), cards=older)
        choices = self.scraps_of(s, seat, card)
        if move not in choices:
            written = " | ".join(map(str, choices))
            raise refuse("scrap_returns", card=label(card), choices=written)

    def apply(self, s: M, seat: int, move: Move) -> None:
        b = s.bidding
        if type(move) is Pass:
            if b.card is None:
                self.decline(s)
                self.skip_forced_passes(s)
            else:
                b.ring = b.ring[1:]
                self.drop_unable(s)
        elif type(move) is Bid:
            b.bid = move.bid
            b.leader = seat
            b.ring = (*b.ring[1:], seat)
            self.drop_unable(s)
        elif isinstance(move, Nominate):
            self.open(s, seat, move)
        elif isinstance(move, Scrap):
            player = s.players[seat]
            player.cards = tuple(card for card in player.cards if card != move.card)
            s.market.removed.append(move.card)
            b.scrapping = None
            self.scrapped(s, seat, move)
            self.compensate(s, seat)
            self.close(s)

    def open(self, s: M, seat: int, move: Nominate) -> None:
        b = s.bidding
        b.card, b.bid, b.leader = move.card, move.bid, seat
        seats = len(s.players)
        others = ((seat + i) % seats for i in range(1, seats))
        b.ring = (*(other for other in others if other in b.eligible), seat)
        self.drop_unable(s)
