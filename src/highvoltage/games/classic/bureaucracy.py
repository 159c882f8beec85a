"""The last phase of a round of the 2004 edition."""

from highvoltage.engine.cards import label
from highvoltage.engine.events import Income, LaidBy, OutageBegins, Slid
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Done, Move, Run, Sell
from highvoltage.engine.parts.deck import draw, remove_lowest
from highvoltage.engine.phase import DONE, TurnPhase
from highvoltage.games.classic.position import BoardPlayer
from highvoltage.games.classic.state import B
from highvoltage.games.classic.steps import (
    LAST_STAGE,
    begin_step,
    drop_lowest,
    most_supplied,
    start_pending_step_2,
)

SELL = Sell()


class Bureaucracy(TurnPhase[B]):
    """Phase 5: run plants, earn, refill, renew the plant market, C-8."""

    name = "bureaucracy"

    def begin(self, s: B) -> None:
        super().begin(s)
        if s.rules.plant_market.phase_5:
            self.bring_plants(s)
        if s.rules.outage and (loss := s.rules.outage_loss(s)):
            s.events.append(OutageBegins(s.built, loss))

    def bring_plants(self, s: B) -> None:
        """Draw, then remove the lowest beyond the size of the market, A-CHN-7."""
        renewal = s.rules.ruleset.renewal
        assert renewal is not None
        _, least, size = renewal
        drawn = 0
        while s.step < 3 and s.market.deck and (drawn < least or len(s.market.cards) < size):
            draw(s)
            drawn += 1
        while s.step < 3 and len(s.market.cards) > size:
            remove_lowest(s)

    def actor(self, s: B) -> int | None:
        if s.turn < len(s.order):
            return s.order[s.turn]
        return self.seller(s)

    def seller(self, s: B) -> int | None:
        """When all have run plants: the next one, from last to first, with mines, A-AUS-7."""
        market = s.rules.mine_market
        if market is None or market.price(s) is None:
            return None
        asked = s.turn - len(s.order)
        waiting = s.order[::-1][asked:]
        return next((seat for seat in waiting if s.players[seat].mines), None)

    def legal(self, s: B, seat: int) -> Moves:
        if s.turn >= len(s.order):
            return Moves([SELL, DONE])
        player = s.players[seat]
        runs = s.plants.runs(player.cards, player.fuel)
        if s.rules.must_supply:
            return Moves([run for run in runs if self.supplies_most(s, player, run)])
        return Moves(runs)

    def supplies_most(self, s: B, player: BoardPlayer, run: Run) -> bool:
        """No other run supplies more cities, A-IND-8."""
        return s.plants.yields(run) >= most_supplied(s, player)

    def check(self, s: B, seat: int, move: Move) -> None:
        if s.turn >= len(s.order):
            self.check_verb(s, move, Sell, Done)
            return
        self.check_verb(s, move, Run)
        assert isinstance(move, Run)
        player = s.players[seat]
        if move not in s.plants.runs(player.cards, player.fuel):
            code, values = s.plants.run_refusal(player.cards, player.fuel, move)
            raise s.rules.refuse(code, **values)
        if s.rules.must_supply and not self.supplies_most(s, player, move):
            raise s.rules.refuse("must_supply", cities=most_supplied(s, player))

    def apply(self, s: B, seat: int, move: Move) -> None:
        if not isinstance(move, Run):
            self.sell_or_wait(s, seat, move)
            return
        player = s.players[seat]
        if move.plants:
            burned = s.plants.burned(move)
            player.fuel = tuple([have - burned[kind] for kind, have in enumerate(player.fuel)])
            s.rules.fuel_market.put_all_back(s, burned)
        player.supplied = min(len(player.cities), s.plants.yields(move))  # C-8.2.2
        pay = s.rules.income(s, player, player.supplied)
        player.money += pay
        s.events.append(Income(seat, pay, player.supplied))
        self.next_turn(s)

    def sell_or_wait(self, s: B, seat: int, move: Move) -> None:
        market = s.rules.mine_market
        assert market is not None
        if isinstance(move, Sell):
            s.events += market.sell(s, seat)
        s.turn = 2 * len(s.order) - s.order.index(seat)  # those without mines are not asked

    def end(self, s: B) -> None:
        s.built = 0
        self.refill(s)
        self.renew_market(s)
        start_pending_step_2(s)
        if s.step3_pending:
            begin_step(s, 3)  # C-8.5.1

    def refill(self, s: B) -> None:
        s.events += s.rules.fuel_market.refill(s)
        if s.rules.mine_market:
            s.events += s.rules.mine_market.use(s)

    def renew_market(self, s: B) -> None:
        if s.step == 3:
            drop_lowest(s, 1)  # C-8.4.2
            return
        if s.rules.plant_market.phase_5:
            return  # A-CHN-7
        if s.rules.plant_market.three_stages:
            self.renew_by_stage(s)
            return
        drawn = 1
        if self.lowest_leaves(s):
            remove_lowest(s)  # A-BEN-5
            drawn = 2
        for _ in range(s.rules.plant_market.step_2_slides if s.step == 2 else 1):
            if (card := s.rules.slides(s)) is not None:  # C-8.4.1, A-MEA-6
                s.market.slide(card)
                s.events.append(Slid(label(card)))
            elif s.market.plants:
                return  # A-QUE-5
            for _ in range(drawn):
                draw(s)
            drawn = 1

    def renew_by_stage(self, s: B) -> None:
        """The highest plants make way for others, A-MAN-7 to A-MAN-9."""
        market, rules = s.market, s.rules
        if market.stage == LAST_STAGE:
            remove_lowest(s)
            return
        if market.stage == 1:
            for card in market.future[:-3:-1]:
                market.lay_by(card)
                s.events.append(LaidBy(label(card)))
        else:
            for card in market.future[-1:]:
                market.slide(card)
                s.events.append(Slid(label(card)))
        size = rules.ruleset.market_size
        while len(market.cards) < size and (market.deck or rules.renew_deck(s)):
            draw(s)
        if not market.deck:
            rules.renew_deck(s)

    def lowest_leaves(self, s: B) -> bool:
        return s.rules.plant_market.lowest_leaves
