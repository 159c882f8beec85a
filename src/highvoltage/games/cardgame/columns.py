"""The fuel market: four columns of cards; the column number is the price, K-5 and K-6.3."""

from collections.abc import Iterable

from highvoltage.engine.events import Shuffled, Surplus, Turned
from highvoltage.engine.parts.deck import draw, remove_lowest
from highvoltage.games.cardgame import fuel, tables
from highvoltage.games.cardgame.state import CardState

COLUMNS = (1, 2, 3, 4)


def take_card(s: CardState, column: int, card: int) -> None:
    cards = list(s.columns[column - 1])
    cards.remove(card)
    s.columns[column - 1] = tuple(cards)


def put_surplus(s: CardState, kind: int, count: int) -> None:
    """Put units without room into column 1 as singles, K-5.4.1."""
    if s.rules.options["single_stock"] == "printed":
        count = min(count, s.singles[kind])  # KR-21
    if count:
        s.singles[kind] -= count
        s.columns[0] = tuple(sorted((*s.columns[0], *[fuel.single(kind)] * count)))
        s.events.append(Surplus(tables.FUELS[kind], count))


def discard(s: CardState, gone: Iterable[int]) -> None:
    """Put used cards away: regular ones on the discard pile, singles in the supply, K-6.1.2."""
    for card in gone:
        if fuel.is_single(card):
            s.singles[fuel.kind(card)] += 1
        else:
            s.discard.append(card)


def shift(s: CardState) -> None:
    """Slide the remaining cards into cheaper columns, K-6.3.1."""
    size = s.rules.column_size
    two, three, four = map(list, s.columns[1:])
    for source, target in ((three, two), (four, two), (four, three)):
        moved = source[: size - len(target)]
        del source[: len(moved)]
        target.extend(moved)
    s.columns[1:] = [tuple(sorted(column)) for column in (two, three, four)]


def deal(s: CardState) -> None:
    """Fill columns 2, 3 and 4 from the pile, K-6.3.4."""
    size = s.rules.column_size
    for column in COLUMNS[1:]:
        cards = list(s.columns[column - 1])
        while len(cards) < size and (s.pile or reshuffle(s)):
            card = s.pile.pop(0)
            s.events.append(Turned(fuel.name(card), column))
            cards.append(card)
        s.columns[column - 1] = tuple(sorted(cards))


def reshuffle(s: CardState) -> bool:
    """Shuffle the discards into a new pile, remove the lowest plant; False without discards."""
    if not s.discard:
        return False  # KR-27
    names = list(map(fuel.name, sorted(s.discard)))
    s.events.append(Shuffled("reshuffle"))
    s.pile = [fuel.CARDS[name] for name in s.chance.arrange("reshuffle", names, s.reshuffles)]
    s.discard = [] if s.reshuffles else s.rules.cards.fuel["++"][:]  # K-6.3.5
    s.reshuffles += 1
    remove_lowest(s)  # K-6.3.6
    draw(s)
    return True
