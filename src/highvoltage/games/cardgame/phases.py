"""The round of the card game, phase by phase."""

from operator import sub

from highvoltage.engine.cards import label, number_of
from highvoltage.engine.events import Income, Paid, Slid
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Done, Move, Run, Scrap
from highvoltage.engine.outcome import Outcome, rank
from highvoltage.engine.parts.auction import Auction
from highvoltage.engine.parts.deck import draw, remove_lowest
from highvoltage.engine.parts.fuel import Held
from highvoltage.engine.phase import DONE, TurnPhase
from highvoltage.games.cardgame import bank, fuel, tables
from highvoltage.games.cardgame.columns import (
    COLUMNS,
    deal,
    discard,
    put_surplus,
    shift,
    take_card,
)
from highvoltage.games.cardgame.moves import BuyCard
from highvoltage.games.cardgame.state import CardPlayer, CardState

BUYS = [  # by column and card
    [BuyCard(tables.FUELS[fuel.kind(card)], fuel.units(card), column) for card in range(16)]
    for column in COLUMNS
]


class PlantAuction(Auction[CardState]):
    """Phase 1, K-4."""

    def has_discount(self, s: CardState) -> bool:
        return True

    def limit(self, s: CardState) -> int:
        return tables.PLANT_LIMIT

    def fuel_returns(
        self, s: CardState, seat: int, kept: tuple[int, ...], scrapped: int
    ) -> list[tuple[tuple[str, int], ...]]:
        bundles = s.rules.fuel.returns(kept, s.players[seat].fuel, scrapped)  # KR-12
        return [
            tuple((kind, n) for kind, n in zip(tables.FUELS, bundle, strict=True) if n)
            if any(bundle)
            else ()
            for bundle in bundles
        ]

    def scrapped(self, s: CardState, seat: int, move: Scrap) -> None:
        lost = dict(move.returned)
        spend(s, s.players[seat], tuple(lost.get(kind, 0) for kind in tables.FUELS))

    def third_party_turn(self, s: CardState) -> None:
        if s.bank:
            bank.take_plant(s, s.bank)


class Fuel(TurnPhase[CardState]):
    """Phase 2: buy fuel cards, last to first, K-5."""

    name = "fuel"
    reverse = True

    def legal(self, s: CardState, seat: int) -> Moves:
        player = s.players[seat]
        rooms = s.rules.rooms(s, player)
        moves: list[Move] = []
        if any(rooms):
            for buys, cards in zip(BUYS[: player.money], s.columns, strict=False):
                seen = None
                for card in cards:
                    if rooms[card >> 2] and card != seen:
                        moves.append(buys[card])
                        seen = card
        moves.append(DONE)
        return Moves(moves)

    def check(self, s: CardState, seat: int, move: Move) -> None:
        self.check_verb(s, move, BuyCard, Done)
        if isinstance(move, BuyCard):
            self.check_buy(s, seat, move)

    def check_buy(self, s: CardState, seat: int, move: BuyCard) -> None:
        refuse = s.rules.refuse
        player = s.players[seat]
        if move.fuel not in tables.FUELS:
            raise refuse("unknown_fuel", fuel=move.fuel, fuels=", ".join(tables.FUELS))
        if move.column not in COLUMNS or card_of(move) not in s.columns[move.column - 1]:
            raise refuse("no_such_card", fuel=move.fuel, units=move.units, column=move.column)
        if s.rules.rooms(s, player)[tables.FUELS.index(move.fuel)] < 1:
            raise refuse("enough_fuel" if s.last_round else "no_room_for_card", fuel=move.fuel)
        if move.column > player.money:
            raise refuse("cannot_pay", cost=move.column, money=player.money)

    def apply(self, s: CardState, seat: int, move: Move) -> None:
        if not isinstance(move, BuyCard):
            self.next_turn(s)
            return
        player = s.players[seat]
        card = card_of(move)
        assert card is not None
        kind = fuel.kind(card)
        take_card(s, move.column, card)
        player.money -= move.column
        s.events.append(Paid(seat, move.column))
        kept = min(move.units, s.rules.rooms(s, player)[kind])  # K-5.4.1
        player.store = (*player.store, fuel.Stored(card, kept))
        held = list(player.fuel)
        held[kind] += kept
        player.fuel = tuple(held)
        put_surplus(s, kind, move.units - kept)

    def next_turn(self, s: CardState) -> None:
        super().next_turn(s)
        if s.bank and s.turn == 1:  # it is always second, K-8.6
            bank.take_fuel(s, s.bank)

    def end(self, s: CardState) -> None:
        if s.last_round:
            finish(s)  # K-7.1


def card_of(move: BuyCard) -> int | None:
    """The card that a move names; None if no card has that many units."""
    kind = tables.FUELS.index(move.fuel)
    if move.column == 1:  # singles only, K-5.2.1
        return fuel.single(kind) if move.units == 1 else None
    return fuel.fuel_card(kind, move.units) if 1 <= move.units <= 3 else None


def spend(s: CardState, owner: CardPlayer, spent: Held) -> None:
    """Remove fuel that is burned or lost."""
    fullest = s.rules.options["burn_from"] == "fullest"
    owner.store, gone = fuel.spend(owner.store, spent, fullest=fullest)
    owner.fuel = tuple(map(sub, owner.fuel, spent))
    discard(s, gone)


def finish(s: CardState) -> None:
    """The end of the game, K-7.3 to K-7.5."""
    scores = []
    for player in s.players:
        points, money = divmod(player.money, tables.MONEY_PER_POINT)
        points += s.rules.fuel.max_yield(player.cards, player.fuel)  # KR-31
        plant = max(map(number_of, player.cards), default=0)
        scores.append({"points": points, "money": money, "plant": plant})
    s.outcome = Outcome(
        reason="last_round",
        ranking=rank([tuple(score.values()) for score in scores]),
        scores=tuple(scores),
    )


class Bureaucracy(TurnPhase[CardState]):
    """Phase 3: run plants, earn, refill, renew the plant market, K-6."""

    name = "bureaucracy"

    def legal(self, s: CardState, seat: int) -> Moves:
        player = s.players[seat]
        return Moves(s.rules.fuel.runs(player.cards, player.fuel))

    def check(self, s: CardState, seat: int, move: Move) -> None:
        self.check_verb(s, move, Run)
        assert isinstance(move, Run)
        player = s.players[seat]
        if move not in s.rules.fuel.runs(player.cards, player.fuel):
            code, values = s.rules.fuel.run_refusal(player.cards, player.fuel, move)
            raise s.rules.refuse(code, **values)

    def apply(self, s: CardState, seat: int, move: Move) -> None:
        assert isinstance(move, Run)
        player = s.players[seat]
        burned = s.rules.fuel.burned(move)
        if any(burned):
            spend(s, player, burned)
        player.income = s.rules.fuel.yields(move) or tables.BASIC_INCOME  # K-6.1.3
        player.money += player.income
        s.events.append(Income(seat, player.income))
        self.next_turn(s)

    def end(self, s: CardState) -> None:
        if s.bank:
            bank.discard_fuel(s, s.bank)  # KR-37
        s.rules.sort_order(s)
        shift(s)
        deal(s)
        self.renew_market(s)

    def renew_market(self, s: CardState) -> None:
        if not s.end_round:
            if (card := s.market.slide_highest()) is not None:  # K-6.4.1
                s.events.append(Slid(label(card)))
            draw(s)
        elif s.end_in_auction:
            remove_lowest(s)  # K-6.4.3
            draw(s)
