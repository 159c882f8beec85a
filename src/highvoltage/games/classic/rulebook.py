"""The 2004 edition for a map, a number of players and a set of options."""

from collections.abc import Iterator, Sequence
from itertools import chain
from os import PathLike, fspath
from typing import Any, ClassVar, Self

import msgspec

from highvoltage.engine.cards import LAST_CARD, label
from highvoltage.engine.chance import Chance
from highvoltage.engine.events import (
    Blocked,
    Order,
    Regions,
    Removed,
    Shuffled,
    Slid,
    StageBegins,
    Turned,
)
from highvoltage.engine.moves import (
    Bid,
    Build,
    Buy,
    Done,
    Market,
    Move,
    Nominate,
    Pass,
    Region,
    Run,
    Scrap,
    Sell,
    Start,
)
from highvoltage.engine.parts.board import Area, load_map, read_map, region_sets, shipped_maps
from highvoltage.engine.parts.deck import draw, remove_lowest
from highvoltage.engine.parts.mapform import Map
from highvoltage.engine.parts.market import CardMarket
from highvoltage.engine.phase import Phase
from highvoltage.engine.rulebook import MapSpec
from highvoltage.engine.ruleset import Chosen
from highvoltage.games.classic import bureaucracy, phases, steps, tables, view
from highvoltage.games.classic.checks import check_ruleset, map_faults, option_faults
from highvoltage.games.classic.decks import (
    blocked_cities,
    deal_bands,
    deal_two_piles,
    fixed_cards,
    kind_of,
    laid_on_deck,
    split_removed,
    stack,
)
from highvoltage.games.classic.lazy_view import lazy_view
from highvoltage.games.classic.position import BoardPlayer
from highvoltage.games.classic.ruleset import NUMBERS, BoardRuleset, Numbers, resolve
from highvoltage.games.classic.state import B, BoardState, BoardTerms
from highvoltage.games.meta import Meta


def find_map(about: Meta, map_spec: MapSpec) -> Map:
    if isinstance(map_spec, dict):
        return read_map(map_spec)
    if map_spec is None:
        map_spec = next(iter(about.maps))
    name = fspath(map_spec) if isinstance(map_spec, PathLike) else str(map_spec)
    return load_map(about.maps.get(name, name))


class BoardRulebook(BoardTerms[B]):
    """What the editions of the board game share; each names its state and its round."""

    new_state: type[B]

    moves: ClassVar[tuple[type[Move], ...]] = (
        Region,
        Nominate,
        Bid,
        Pass,
        Scrap,
        Market,
        Buy,
        Build,
        Start,
        Run,
        Sell,
        Done,
    )
    setup_draws: ClassVar[tuple[str, ...]] = ("order", "regions", "blocked")
    chance_events: ClassVar[tuple[str, ...]] = (
        "order",
        "regions",
        "deck",
        "removal",
        "plugs",
        "sockets",
        "mixed",
        "step3",
        "blocked",
        "pile",
    )

    reference: ClassVar[Numbers]

    def __init__(self, ruleset: BoardRuleset) -> None:
        super().__init__(ruleset)
        self.set_phases(self.opening_phases(), self.round_phases())

    @classmethod
    def make(
        cls, about: Meta, players: int, map_spec: MapSpec, options: dict[str, Any], version: int
    ) -> Self:
        """Find the map, resolve the ruleset, and refuse what cannot be played."""
        ruleset = cls.resolve(find_map(about, map_spec), players, about.chosen(options), version)
        check_ruleset(ruleset)
        return cls(ruleset)

    @classmethod
    def resolve(
        cls, board: Map, players: int, options: tuple[Chosen, ...], version: int
    ) -> BoardRuleset:
        """The ruleset of a game, not yet checked."""
        return resolve(cls.name, cls.reference, board, players, options, version)

    @classmethod
    def map_faults(cls, about: Meta, map_spec: MapSpec) -> list[str]:
        """Why a map cannot be played by this rulebook, over all numbers of players."""
        board = find_map(about, map_spec)
        found = [fault for each in cls._for_all_players(about, board) for fault in map_faults(each)]
        for name, variant in board.variants.items():
            able = variant.players or about.players
            for each in cls._for_all_players(about, board, able, variants=(name,)):
                found += [f"variant {name}: {fault}" for fault in map_faults(each)]
        return [*dict.fromkeys(found)]

    @classmethod
    def can_drop_map_rules(cls, about: Meta, map_spec: MapSpec) -> bool:
        """C-12.3.8: the map changes rules, and every number of players can do without them."""
        board = find_map(about, map_spec)
        if all(option.name != "map_rules" for option in about.options):
            return False
        bare = cls._for_all_players(about, board, map_rules=False)
        return bool(board.rules_for(cls.name).changed_fields()) and not any(
            chain.from_iterable(chain(option_faults(each), map_faults(each)) for each in bare)
        )

    @classmethod
    def _for_all_players(
        cls, about: Meta, board: Map, players: tuple[int, ...] = (), **chosen: Any
    ) -> Iterator[BoardRuleset]:
        """The rulesets of a map for each number of players, with default options unless chosen."""
        options = about.chosen({each.name: each.default for each in about.options} | chosen)
        counts = players or about.players
        return (cls.resolve(board, n, options, about.version) for n in counts)

    @classmethod
    def map_data(cls, about: Meta, map_spec: MapSpec) -> dict[str, Any]:
        data: dict[str, Any] = msgspec.to_builtins(find_map(about, map_spec))
        return data

    def opening_phases(self) -> tuple[Phase[B], ...]:
        """What the players decide at set-up."""
        return (phases.RegionDraft(),) if self.options["regions"] == "draft" else ()

    def round_phases(self) -> tuple[Phase[B], ...]:
        raise NotImplementedError

    def first_phases(self, auction: Phase[B]) -> tuple[Phase[B], ...]:
        order = phases.TurnOrder[B]()
        after = self.map_rules.order_after_auction  # A-BAW-2
        return (auction, order) if after else (order, auction)

    # Set-up, C-2

    def setup(self, chance: Chance) -> B:
        order = tuple(chance.arrange("order", range(self.players)))  # C-2.3
        money = self.ruleset.start_money
        s = self.new_state(
            self,
            chance,
            [BoardPlayer(money, tables.FUEL_RULES.none) for _ in range(self.players)],
            order,
            self.setup_market(chance),
            list(self.fuel_market.start),
            self.fuel_market.opening_supply(),
        )
        s.plants = self.plants_of(tuple(c for c in self.map_rules.plants if c.region is None))
        s.mine_stock = self.mine_market.ladder.size if self.mine_market else 0
        s.trade = self.fuel_market.opening
        s.events = [Order(order), *(Turned(label(card)) for card in s.market.cards)]
        if self.bars_offer:
            self.clear_offer(s)
        if counts := self.ruleset.blocked:
            self.block_cities(s, counts)
        self.choose_regions(s)
        return s

    def block_cities(self, s: B, counts: dict[int, int]) -> None:
        """Draw the cities where nobody builds, A-MAN-3."""
        prices = {city.id: self.sites.slots_of(city.id)[0].cost for city in self.map.cities}
        arranged = s.chance.arrange("blocked", [*prices])
        s.blocked = blocked_cities(arranged, prices, counts)
        s.events.append(Blocked(tuple(city for city in prices if city in s.blocked)))

    def setup_market(self, chance: Chance) -> CardMarket:
        """C-2.5, A-GEN-5; cards removed face down come last, so that a record can omit them."""
        deck = self.deck
        if deck.bands or deck.two_piles:
            return self.setup_piles(chance)
        placed = fixed_cards(deck)
        top = [deck.top or tables.TOP_OF_DECK]
        if deck.top is None and tables.TOP_OF_DECK in placed:
            top = []  # it lies elsewhere
        placed |= {*top}
        rest = [card for card in tables.PLANTS if card not in placed]
        fill = self.ruleset.opening_size - len(deck.market)
        cards = rest[fill:]
        (removed,) = self.ruleset.removed
        if deck.protected:
            left, aside = split_removed(chance.arrange("removal", cards), removed, deck)
            cards = chance.arrange("deck", sorted(left))
        else:
            cards, aside = split_removed(chance.arrange("deck", cards), removed, deck)
        return self.new_market([*deck.market, *rest[:fill]], stack(chance, deck, top, cards), aside)

    def setup_piles(self, chance: Chance) -> CardMarket:
        """A deck in bands, A-CHN-4, or of two piles, A-EUR-4."""
        rules = self.ruleset
        if rules.deck.bands:
            return self.new_market(*deal_bands(chance, rules.deck, rules.opening_size))
        deal = deal_two_piles(chance, rules.deck, rules.piles, rules.removed, rules.opening_size)
        return self.new_market(*deal)

    def new_market(self, cards: list[int], deck: list[int], aside: list[int]) -> CardMarket:
        if self.plant_market.three_stages:
            deck.remove(LAST_CARD)  # A-MAN-4
        market = CardMarket(cards, deck, aside, self.plant_market.current)
        market.removed = list(self.deck.out)
        market.waiting = self.deck.step_2
        return market

    def choose_regions(self, s: B) -> None:
        """C-2.1.2: given, drawn at random, or left to the players."""
        chosen = self.options["regions"]
        if chosen == "draft":
            s.area = Area(self.map, ())
            return
        if chosen == "random":
            regions = s.chance.pick("regions", region_sets(self.map, self.regions))
        else:
            regions = tuple(region for region in self.map.regions if region in chosen)
        phases.settle_area(s, regions)
        s.events.append(Regions(regions))

    def recorded_options(self) -> dict[str, Any]:
        base = self.ruleset.base
        shipped = base.id in shipped_maps() and load_map(base.id) is base
        options = {**self.options}
        if not options["variants"]:
            del options["variants"]  # most games have none
        return {"map": base.id if shipped else msgspec.to_builtins(base), **options}

    # The plant market

    def covers_deck(self, turned: Sequence[str]) -> bool:
        return len(turned) < self.ruleset.opening_size + laid_on_deck(self.deck)

    def sorted_order(self, s: B) -> tuple[int, ...]:
        def sort_key(seat: int) -> tuple[int, int]:
            player = s.players[seat]
            highest = player.cards[-1] if player.cards else 0
            if player.mines:
                highest = max(highest, player.mines[-1])  # A-AUS-5
            return len(player.cities), highest

        return tuple(sorted(s.order, key=sort_key, reverse=True))

    def rejects(self, s: B, card: int) -> bool:
        """A card just turned up that does not stay in the market."""
        return self.plant_market.city_count and card <= s.most_cities  # C-5.3.1

    def clear_offer(self, s: B) -> None:
        """In Step 1 plants of some kinds leave the offer at once, A-MEA-4.

        They are replaced unless only such plants are left.
        """
        own, plants = self.plant_market, s.plants.plants
        while s.step == 1 and (
            card := next((c for c in s.market.offer if kind_of(plants[c]) in own.barred), None)
        ):
            if card in own.barred_out:
                s.market.remove(card)
                s.events.append(Removed(label(card)))
            else:
                s.market.slide(card)
                s.events.append(Slid(label(card)))
            comes = LAST_CARD in s.market.deck and not s.step2_pending
            if comes or self.has_fitting_plant(s):
                draw(s)

    def has_fitting_plant(self, s: B) -> bool:
        """Whether the deck has a plant that may be on offer in Step 1."""
        plants = (s.plants.plants[card] for card in s.market.deck if card != LAST_CARD)
        return any(kind_of(plant) not in self.plant_market.barred for plant in plants)

    def renew_deck(self, s: B) -> bool:
        """The deck is empty: the next stage begins, with the pile as the deck, A-MAN-8, A-MAN-9."""
        market = s.market
        if not self.plant_market.three_stages or market.stage == steps.LAST_STAGE:
            return False
        has_pile = bool(market.pile)
        market.stage = 2 if has_pile else steps.LAST_STAGE
        s.events.append(StageBegins(market.stage))
        if has_pile:
            market.deck = s.chance.arrange("pile", market.pile)
            s.events.append(Shuffled("pile"))
            market.slid = sorted(market.pile)  # everybody has seen them
            market.pile = ()
        else:
            market.row = self.ruleset.market_size  # all are on offer
        return has_pile

    def returns_last_card(self, s: B) -> bool:
        return self.plant_market.steps_by_deck and s.step == 1 and not s.step2_pending  # A-MEA-5

    def last_card_count(self, s: B) -> int:
        return int(self.plant_market.steps_by_deck and (s.step > 1 or s.step2_pending))

    def last_card_returned(self, s: B) -> None:
        s.step2_pending = True

    def use_last_card(self, s: B) -> None:
        """Remove the Step 3 card and the lowest plant; the market shrinks."""
        steps.start_pending_step_2(s)
        if s.market.cards and s.market.cards[-1] == LAST_CARD:  # C-9.3.2
            s.market.remove(LAST_CARD)
            remove_lowest(s)
            steps.begin_step(s, 3)
        else:  # C-9.3.3, C-9.3.4
            s.market.removed.append(LAST_CARD)
            remove_lowest(s)
            s.step3_pending = True
        s.market.row = self.plant_market.step_3
        while len(s.market.cards) > s.market.row:
            remove_lowest(s)
        s.market.removed += s.market.waiting  # what waits for Step 2 stays out, A-IBE
        s.market.waiting = ()
        if s.step3_pending and self.plant_market.phase_5:
            steps.begin_step(s, 3)  # at once, A-CHN-8
        if self.plant_market.phase_5 or self.plant_market.steps_by_deck:
            while len(s.market.cards) < s.market.row and s.market.deck:
                draw(s)  # the market may have had gaps, A-CHN-8, A-MEA-4

    def cost(self, s: B, seat: int, move: Move) -> int | None:
        player = s.players[seat]
        if isinstance(move, Buy):
            return self.fuel_market.cost(s, player, move)
        if isinstance(move, Build | Start):
            return self.sites.cost(s, player, move)
        return None

    def run_income(self, s: B, seat: int) -> int:
        player = s.players[seat]
        return self.income(s, player, steps.most_supplied(s, player))

    def idle_plants(self, s: B, seat: int) -> tuple[int, ...]:
        player = s.players[seat]
        cards, fuel = player.cards, player.fuel
        if s.plants.max_yield(cards, fuel) >= len(player.cities):
            return ()
        one, two = s.plants.hybrid
        idle: set[int] = set()
        for kind, after in self._bought(s, seat):
            idle |= s.plants.plants_enabled_by(cards, fuel, after.players[seat].fuel)
            for other, mixed in self._bought(after, seat) if kind == one else ():
                if other == two:  # neither fuel alone may be enough
                    idle |= s.plants.plants_enabled_by(cards, fuel, mixed.players[seat].fuel)
        return tuple(sorted(idle))

    def _bought(self, s: B, seat: int) -> Iterator[tuple[int, B]]:
        """Each possible purchase: the kind of fuel, and the position after it."""
        phase = self.phases[s.phase]
        for move in phase.legal(s, seat).plain:
            if isinstance(move, Buy):
                after = s.copy()
                phase.apply(after, seat, move)
                yield self.fuel_market.sources[move.fuel][0], after

    def ahead(self, s: B, seat: int) -> B | None:
        if s.phase < self.opening:
            return None
        then = s.copy()
        then.phase = self.phase_names.index("building")
        then.turn = len(s.order) - 1 - s.order.index(seat)
        then.actor = seat
        return then

    def choose_usual(self, s: B, seat: int, moves: list[Move]) -> Move | None:
        """The run that supplies most and, among those, burns least."""
        runs = [move for move in moves if isinstance(move, Run)]
        if not runs:
            return super().choose_usual(s, seat, moves)
        cities = len(s.players[seat].cities)

        def merit(run: Run) -> tuple[int, int, int]:
            supplied = min(cities, s.plants.yields(run))
            burned = enumerate(s.plants.burned(run))
            worth = sum(count * self.cheapest(s, kind) for kind, count in burned)
            return supplied, -worth, -len(run.plants)

        return max(runs, key=merit)

    def cheapest(self, s: B, kind: int) -> int:
        """The price of the next token of a fuel on the market."""
        ladder, stock = self.fuel_market.ladder_now(s, kind), s.stock[kind]
        return ladder.price(stock) or max(ladder.prices, default=0)

    def view(self, s: B, seat: int | None) -> dict[str, Any]:
        return view.view(s, seat)

    def lazy_view(self, s: B, seat: int) -> dict[str, Any]:
        return lazy_view(s, seat, self.view)


class Classic(BoardRulebook[BoardState]):
    """Power Grid, 2004."""

    name = "classic"
    cites: ClassVar[dict[str, str]] = tables.CITES
    new_state = BoardState
    reference = NUMBERS

    def round_phases(self) -> tuple[Phase[BoardState], ...]:
        return (
            *self.first_phases(phases.PlantAuction()),
            phases.Fuel(),
            phases.Building(),
            bureaucracy.Bureaucracy(),
        )
