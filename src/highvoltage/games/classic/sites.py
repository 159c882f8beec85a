"""Building sites: slots, networks, and what it costs to build."""

from functools import lru_cache

from highvoltage.engine.moves import Build, Start
from highvoltage.engine.parts.board import Area
from highvoltage.engine.parts.mapform import Networks, Slot
from highvoltage.games.classic.position import CLOSED, BoardPlayer, BoardPosition
from highvoltage.games.classic.ruleset import PLAIN_SLOTS, BoardRuleset


@lru_cache(maxsize=256)
def _islands(area: Area) -> tuple[int, ...]:
    """The island number of each city; all the same where the map has no islands."""
    at = {region: number for number, each in enumerate(area.map.islands) for region in each}
    return tuple(at.get(region, 0) for region in area.regions_of)


class Sites:
    """Slots and networks, as defined by a ruleset."""

    def __init__(self, rules: BoardRuleset) -> None:
        self.slots: dict[str, tuple[Slot, ...]] = rules.map_rules.slots
        self.plain: tuple[Slot, ...] = PLAIN_SLOTS
        self.no_start: tuple[str, ...] = rules.map_rules.no_start
        self.networks: Networks | None = rules.map_rules.networks
        self.islands: bool = bool(rules.map.islands)
        self.chooses_starts: bool = rules.chooses_starts

    # Slots

    def slots_of(self, city: str) -> tuple[Slot, ...]:
        return self.slots.get(city, self.plain)

    def slot_price(self, s: BoardPosition, city: int) -> int:
        name, houses = s.area.cities[city], len(s.houses[city])
        slots = () if name in s.blocked else self.slots_of(name)
        if houses < len(slots) and slots[houses].step <= s.step:
            return slots[houses].cost
        return CLOSED

    def price(self, s: BoardPosition) -> None:
        """What the next house costs in each city."""
        s.slots = [self.slot_price(s, city) for city in range(len(s.houses))]

    # Networks

    def starts(self, s: BoardPosition) -> list[int]:
        """The cities where a first network may start, C-7.2."""
        networks = self.networks
        if networks and networks.starts:  # A-JPN-3; another house does not matter
            names = [s.area.index[city] for city in networks.starts if city in s.area.index]
            return sorted(city for city in names if s.slots[city] < CLOSED)
        empty = self.empty(s)
        if self.no_start:
            return [city for city in empty if s.area.cities[city] not in self.no_start]
        return empty

    def empty(self, s: BoardPosition) -> list[int]:
        """The cities without a house that are open."""
        slots = s.slots
        return [city for city, houses in enumerate(s.houses) if not houses and slots[city] < CLOSED]

    def later_starts(self, s: BoardPosition, player: BoardPlayer) -> list[int]:
        """The cities where a further network of a player may start."""
        networks = self.networks
        if networks is None or len(player.starts) >= networks.most:
            return []
        if self.only_starts(s) and len(player.cities) >= networks.first_round:
            return []  # A-JPN-5
        mask = player.mask
        if not self.islands:
            return [city for city in self.starts(s) if not mask >> city & 1]  # A-JPN-4
        islands = _islands(s.area)
        settled = {islands[city] for city in player.cities}
        shores = [city for city in range(len(islands)) if islands[city] not in settled]
        empty = [city for city in self.starts(s) if city in shores]
        return empty or [city for city in shores if s.slots[city] < CLOSED]  # A-UKI-4, A-UKI-4a

    def only_starts(self, s: BoardPosition) -> bool:
        """In this round networks start and do not grow (A-JPN-5)."""
        networks = self.networks
        return networks is not None and networks.first_round > 0 and s.round == 1

    def connection_costs(self, s: BoardPosition, player: BoardPlayer) -> list[int]:
        """The cost to reach each city: by a connection, or overseas as a new network."""
        assert player.reach is not None
        networks = self.networks
        if networks is None:
            return player.reach
        costs = [CLOSED] * len(player.reach) if self.only_starts(s) else player.reach[:]
        if not self.chooses_starts:
            for city in self.later_starts(s, player):
                costs[city] = min(costs[city], networks.surcharge)
        return costs

    def starts_network(self, s: BoardPosition, player: BoardPlayer, city: int) -> bool:
        """Whether building there starts a network; a connection wins a tie."""
        if player.reach is None:
            return True
        by_connection = CLOSED if self.only_starts(s) else player.reach[city]
        return self.connection_costs(s, player)[city] < by_connection

    def start_cost(self, s: BoardPosition, city: int) -> int:
        """What the first house of a player costs."""
        return s.slots[city]  # C-7.2.1

    def later_start_cost(self, s: BoardPosition, city: int) -> int:
        """What the first house of a further network costs."""
        assert self.networks is not None
        return s.slots[city] + self.networks.surcharge  # A-JPN-4

    def cost(self, s: BoardPosition, player: BoardPlayer, move: Build | Start) -> int:
        city = s.area.index[move.city]
        if type(move) is Start:
            return self.later_start_cost(s, city)
        if player.reach is None:
            return self.start_cost(s, city)
        return s.slots[city] + self.connection_costs(s, player)[city]  # C-7.3.1
