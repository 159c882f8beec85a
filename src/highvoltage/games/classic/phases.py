"""The round of the 2004 edition up to building, phase by phase; `bureaucracy.py` ends it."""

from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.events import Paid
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import (
    Build,
    Buy,
    Done,
    Market,
    Move,
    Region,
    Scrap,
    Start,
)
from highvoltage.engine.parts.auction import Auction
from highvoltage.engine.parts.board import region_choices
from highvoltage.engine.parts.deck import draw, remove_lowest
from highvoltage.engine.phase import DONE, Phase, TurnPhase
from highvoltage.games.classic.decks import kind_of
from highvoltage.games.classic.position import CLOSED, NO_MARKET, BoardPlayer
from highvoltage.games.classic.state import B, BoardState
from highvoltage.games.classic.steps import (
    begin_step,
    drop_lowest,
    finish,
    start_pending_step_2,
    start_step_2,
)


def settle_area(s: BoardState, regions: tuple[str, ...]) -> None:
    """Set the regions in play, and all that follows from them."""
    s.regions = regions
    s.area = s.rules.ruleset.area(regions)
    s.houses = [()] * len(s.area.cities)
    s.rules.sites.price(s)
    own = s.rules.map_rules.plants
    s.plants = s.rules.plants_of(tuple(c for c in own if c.region is None or c.region in regions))
    if kinds := s.rules.plant_market.joins_offer:
        cards = s.plants.plants.items()
        s.market.joins = frozenset(card for card, plant in cards if kind_of(plant) in kinds)


class RegionDraft(Phase[B]):
    """The players name the regions in starting order, C-2.1.2 (c)."""

    name = "regions"

    def actor(self, s: B) -> int | None:
        if len(s.regions) == s.rules.regions:
            return None
        return s.order[len(s.regions) % len(s.order)]

    def choices(self, s: B) -> tuple[str, ...]:
        return region_choices(s.rules.map, s.regions, s.rules.regions)

    def legal(self, s: B, seat: int) -> Moves:
        return Moves([Region(region) for region in self.choices(s)])

    def check(self, s: B, seat: int, move: Move) -> None:
        refuse = s.rules.refuse
        if not isinstance(move, Region):
            raise refuse("not_now", move=move.verb, expected="region")
        if move.region not in s.rules.map.regions:
            names = ", ".join(s.rules.map.regions)
            raise refuse("unknown_region", region=move.region, regions=names)
        if move.region not in self.choices(s):
            names = ", ".join(self.choices(s))
            raise refuse("region_apart", region=move.region, regions=names)

    def apply(self, s: B, seat: int, move: Move) -> None:
        assert isinstance(move, Region)
        s.regions = (*s.regions, move.region)

    def end(self, s: B) -> None:
        settle_area(s, tuple(region for region in s.rules.map.regions if region in s.regions))


class TurnOrder(Phase[B]):
    """Phase 1: most cities first, then the highest plant, C-3.3."""

    name = "order"

    def begin(self, s: B) -> None:
        if s.round > 1:  # C-3.4
            s.rules.sort_order(s)


class PlantAuction(Auction[B]):
    """Phase 2, C-4."""

    def is_barred(self, s: B, seat: int, card: int) -> bool:
        return s.rules.bars_nuclear(s, seat, card)  # C-12.3.2

    def must_buy(self, s: B) -> bool:
        if s.rules.plant_market.second_purchase and s.players[s.bidding.eligible[0]].cards:
            return False  # it has bought with the token, A-MAN-6
        return super().must_buy(s)

    def buys_again(self, s: B, card: int) -> bool:
        return s.rules.plant_market.second_purchase and card == s.market.discount

    def limit(self, s: B) -> int:
        return s.rules.plant_limit

    def fuel_returns(
        self, s: B, seat: int, kept: tuple[int, ...], scrapped: int
    ) -> list[tuple[tuple[str, int], ...]]:
        bundles = s.plants.returns(kept, s.players[seat].fuel, scrapped)  # C-4.5.4
        named = s.plants.by_name
        return [
            tuple([(name, bundle[at]) for name, at in named if bundle[at]]) for bundle in bundles
        ]

    def scrapped(self, s: B, seat: int, move: Scrap) -> None:
        player = s.players[seat]
        held = list(player.fuel)
        for kind, count in move.returned:
            held[s.plants.index[kind]] -= count
            s.rules.fuel_market.put_back(s, s.plants.index[kind], count)  # C-4.5.3
        player.fuel = tuple(held)

    def hand_over(self, s: B, seat: int, card: int) -> None:
        if s.plants.plants[card].mined:
            player = s.players[seat]
            player.mines = tuple(sorted((*player.mines, card)))  # A-AUS-5
        else:
            super().hand_over(s, seat, card)

    def sell(self, s: B) -> None:
        phase_out = s.rules.map_rules.phase_out
        if phase_out and s.bidding.card == phase_out.plant:
            s.phased_out = True
        super().sell(s)

    def replace(self, s: B) -> None:
        replace_sold(s)

    def clear_unsold(self, s: B) -> None:
        if s.bidding.sold:
            return
        market = s.rules.plant_market
        count = 1 if market.unsold is None else market.unsold  # C-4.6.1, A-BAW-3
        if market.unsold_in_turn:
            for _ in range(count):
                drop_lowest(s, 1)
        else:
            drop_lowest(s, count)

    def end(self, s: B) -> None:
        super().end(s)
        start_pending_step_2(s)
        if s.market.cards and s.market.cards[-1] == LAST_CARD:
            s.rules.use_last_card(s)  # it came again at once, A-MEA-5

    def decline(self, s: B) -> None:
        b = s.bidding
        first = len(b.eligible) + b.sold == len(s.players)
        if first and s.rules.plant_market.first_pass:
            drop_lowest(s, 1)  # A-RUS-6
        super().decline(s)


def replace_sold(s: BoardState) -> None:
    """Fill the gap of a plant that was sold, unless that waits for phase 5, A-CHN-6."""
    if s.step == 3 or s.rules.plant_market.phase_5 is None:
        draw(s)


class Fuel(TurnPhase[B]):
    """Phase 3: buy fuel, last to first, C-6; it may go round with few tokens a turn, A-IND-6."""

    name = "fuel"
    reverse = True

    def begin(self, s: B) -> None:
        super().begin(s)
        s.buyers = s.order[::-1] if s.rules.tokens_a_turn else ()

    def actor(self, s: B) -> int | None:
        if s.buyers:
            return s.buyers[0]
        turn = s.turn  # of the only round; after several rounds all have had a turn
        return s.order[-1 - turn] if turn < len(s.order) else None

    def legal(self, s: B, seat: int) -> Moves:
        market = s.rules.fuel_market
        if s.trade == NO_MARKET:
            return Moves([*market.choices, DONE])
        player = s.players[seat]
        moves: list[Move] = []
        for kind, room in enumerate(s.plants.rooms(player.cards, player.fuel)):
            if room:
                moves += market.buys(s, player, kind, room)
        if most := s.rules.tokens_a_turn:
            moves = [move for move in moves if isinstance(move, Buy) and move.count <= most]
        moves.append(DONE)
        return Moves(moves)

    def check(self, s: B, seat: int, move: Move) -> None:
        refuse, names = s.rules.refuse, s.rules.fuel_market.names
        if s.trade == NO_MARKET:
            self.check_verb(s, move, Market, Done)
            if isinstance(move, Market) and move.market not in names:
                raise refuse("unknown_market", market=move.market, markets=", ".join(names))
            return
        if isinstance(move, Buy):
            self.check_buy(s, seat, move)
        elif names and isinstance(move, Market):
            raise refuse("other_market", market=s.rules.fuel_market.name_in_use(s))  # A-KOR-3
        elif not isinstance(move, Done):
            self.check_verb(s, move, Buy, Done)

    def check_buy(self, s: B, seat: int, move: Buy) -> None:
        refuse, market = s.rules.refuse, s.rules.fuel_market
        player = s.players[seat]
        if move.fuel not in market.sources:
            raise refuse("unknown_fuel", fuel=move.fuel, fuels=", ".join(market.sources))
        if move.count < 1:
            raise refuse("buy_nothing")
        room = s.plants.rooms(player.cards, player.fuel)[market.sources[move.fuel][0]]
        if move.count > room:
            raise refuse("no_room", room=room, fuel=move.fuel, count=move.count)
        left = market.left(s, move)
        if move.count > left:
            raise refuse("sold_out", left=left, fuel=move.fuel, count=move.count)
        most = s.rules.tokens_a_turn
        if most and move.count > most:
            raise refuse("tokens_a_turn", most=most)  # A-IND-6
        highest = market.max_price
        if highest and move.count > market.for_sale(s, s.plants.index[move.fuel]):
            raise refuse("above_max_price", price=highest[s.step - 1], step=s.step)  # A-IND-5
        cost = market.cost(s, player, move)
        if cost > player.money:
            raise refuse("cannot_pay", cost=cost, money=player.money)

    def apply(self, s: B, seat: int, move: Move) -> None:
        if type(move) is Buy:
            self.buy(s, seat, move)
            if s.rules.tokens_a_turn:
                s.buyers = (*s.buyers, seat)  # and its turn ends
                self.next_turn(s)
        elif type(move) is Done:
            self.next_turn(s)
        elif isinstance(move, Market):
            s.rules.fuel_market.choose(s, move.market)

    def buy(self, s: B, seat: int, move: Buy) -> None:
        market = s.rules.fuel_market
        player = s.players[seat]
        cost = market.cost(s, player, move)
        player.money -= cost
        held = list(player.fuel)
        held[market.sources[move.fuel][0]] += move.count
        player.fuel = tuple(held)
        market.take(s, move)
        s.events.append(Paid(seat, cost))

    def next_turn(self, s: B) -> None:
        s.trade = s.rules.fuel_market.opening
        s.buyers = s.buyers[1:]
        s.turn += 1


class Building(TurnPhase[B]):
    """Phase 4: connect cities, last to first, C-7."""

    name = "building"
    reverse = True

    def legal(self, s: B, seat: int) -> Moves:
        player, sites = s.players[seat], s.rules.sites
        builds, money = s.area.builds, player.money
        if player.reach is None:
            cost = sites.start_cost
            moves = [builds[city] for city in sites.starts(s) if cost(s, city) <= money]
        else:
            slots = s.slots
            paths = enumerate(sites.connection_costs(s, player))
            moves = [builds[city] for city, path in paths if path + slots[city] <= money]
            if sites.chooses_starts:
                moves += self.later_starts(s, player)
        moves.append(DONE)
        return Moves(moves)

    def later_starts(self, s: B, player: BoardPlayer) -> list[Move]:
        """Further networks that the player can pay for, A-JPN-4."""
        sites, starts = s.rules.sites, s.area.starts
        return [
            starts[city]
            for city in sites.later_starts(s, player)
            if sites.later_start_cost(s, city) <= player.money
        ]

    def check(self, s: B, seat: int, move: Move) -> None:
        if isinstance(move, Build) or (isinstance(move, Start) and s.rules.sites.chooses_starts):
            self.check_city(s, seat, move)
        elif not isinstance(move, Done):
            self.check_verb(s, move, Build, Done)

    def check_city(self, s: B, seat: int, move: Build | Start) -> None:
        refuse = s.rules.refuse
        player = s.players[seat]
        city = s.area.index.get(move.city)
        if city is None:
            raise refuse("unknown_city", city=move.city)
        if player.mask >> city & 1:
            raise refuse("already_there", city=move.city)
        if isinstance(move, Start):
            self.check_later_start(s, player, city)
        else:
            self.check_slot(s, player, city)
        cost = s.rules.sites.cost(s, player, move)
        if cost > player.money:
            raise refuse("cannot_pay_city", city=move.city, cost=cost, money=player.money)

    def check_open(self, s: B, city: int) -> None:
        rules, name = s.rules, s.area.cities[city]
        if name in s.blocked:
            raise rules.refuse("city_blocked", city=name)  # A-MAN-3
        if s.slots[city] == CLOSED and name in rules.map_rules.slots:
            raise rules.refuse("slot_closed", step=s.step, city=name)  # A-BAW-5

    def check_slot(self, s: B, player: BoardPlayer, city: int) -> None:
        rules, name = s.rules, s.area.cities[city]
        self.check_open(s, city)
        if player.reach is None:
            self.check_start(s, city)
        elif s.slots[city] == CLOSED:
            houses = len(s.houses[city])
            raise rules.refuse("city_full", step=s.step, city=name, houses=houses)
        elif rules.sites.connection_costs(s, player)[city] >= CLOSED:
            raise rules.refuse("no_way", city=name)  # A-JPN-5, A-UKI-4

    def check_later_start(self, s: B, player: BoardPlayer, city: int) -> None:
        """A further network, A-JPN-4."""
        rules, name = s.rules, s.area.cities[city]
        if player.reach is None:
            raise rules.refuse("first_network", city=name)
        if not rules.sites.later_starts(s, player):
            raise rules.refuse("no_more_starts")
        self.check_open(s, city)
        self.check_start(s, city)

    def check_start(self, s: B, city: int) -> None:
        rules, name = s.rules, s.area.cities[city]
        starts = rules.sites.starts(s)
        if city in starts:
            return
        networks = rules.map_rules.networks
        if networks and networks.starts:
            names = ", ".join(s.area.cities[start] for start in starts)
            raise rules.refuse("start_only", city=name, cities=names)  # A-JPN-3
        if name in rules.map_rules.no_start:
            raise rules.refuse("start_elsewhere", city=name)  # A-ZAF-6
        raise rules.refuse("start_empty", city=name)  # C-7.2.2

    def apply(self, s: B, seat: int, move: Move) -> None:
        if type(move) is Done:
            self.next_turn(s)
        elif isinstance(move, (Build, Start)):
            self.build(s, seat, move)

    def build(self, s: B, seat: int, move: Build | Start) -> None:
        player, sites = s.players[seat], s.rules.sites
        city = s.area.index[move.city]
        cost = sites.cost(s, player, move)
        player.money -= cost
        if isinstance(move, Start) or sites.starts_network(s, player, city):
            player.starts = (*player.starts, city)
        s.events.append(Paid(seat, cost))
        self.place_house(s, seat, city)
        s.slots[city] = sites.slot_price(s, city)
        self.connect(s, player, city)

    def place_house(self, s: B, seat: int, city: int) -> None:
        s.houses[city] = (*s.houses[city], seat)

    def connect(self, s: B, player: BoardPlayer, city: int) -> None:
        s.built += 1
        player.cities = (*player.cities, city)
        player.mask |= 1 << city
        distances = s.area.distance[city]
        before = player.reach or distances
        reach = list(before)
        for at, distance in enumerate(distances):
            if distance < reach[at]:  # noqa: PLR1730  # faster than `min`
                reach[at] = distance
        for own in player.cities:
            reach[own] = CLOSED
        player.reach = reach
        if len(player.cities) > s.most_cities:
            s.most_cities = len(player.cities)
            self.leader_grew(s)

    def leader_grew(self, s: B) -> None:
        """Plants that have become too small leave the market, C-5.3.3."""
        market = s.market
        while market.plants and s.rules.rejects(s, market.cards[0]):
            remove_lowest(s)
            draw(s)

    def apply_unturned(self, s: B, seat: int, move: Move) -> B | None:
        after = s.copy()
        after.market.deck, after.market.pile = [], ()  # so that nothing of them is revealed
        self.apply(after, seat, move)
        after.market = s.market.copy()
        return after

    def end(self, s: B) -> None:
        if s.most_cities >= s.rules.end_at(s):
            finish(s)  # C-8.1.1
        else:
            self.change_step(s)

    def change_step(self, s: B) -> None:
        start_pending_step_2(s)
        if not s.step3_pending:
            start_step_2(s)  # C-8.1.3
        if s.step3_pending:
            begin_step(s, 3)  # C-8.1.2, C-9.2.4
