"""Chance at a real table: people enter what is drawn and turned up, as it happens."""

from collections.abc import Callable, Iterable, Sequence
from typing import Self, TypeVar

from highvoltage.engine.cards import label
from highvoltage.engine.chance import Chance, Seeded
from highvoltage.engine.errors import ChanceError
from highvoltage.engine.record import PARTIAL_DRAWS, SHUFFLE_PREFIX, RecordedChance

T = TypeVar("T")


class ManualChance(RecordedChance):
    """Chance entered by hand: draws and cards of the set-up here, later cards with each move.

    Each keyword names a set-up draw of the rulebook and gives its result; `turned` are the cards
    that lie face up after the set-up. Then `game.play(move, turned=[…])` enters what a move turned
    up, and is refused without it. Cards that nobody has seen yet are drawn from `seed`, for hints
    and for bots.

    >>> import highvoltage as hv
    >>> chance = hv.ManualChance(order=[1, 0], regions=["east", "south", "west"])
    >>> game = hv.new("classic", players=["Ann", "Bob"], chance=chance)
    >>> _ = game.play("nominate 5 @5")
    >>> game.play("pass")
    Traceback (most recent call last):
    highvoltage.engine.errors.ChanceError: 'pass' turns up a card: play('pass', turned=[…]).
    >>> _ = game.play("pass", turned=[13])
    """

    def __init__(
        self,
        *,
        turned: Iterable[int | str] = (),
        seed: int | str = 0,
        **drawn: Sequence[int | str],
    ) -> None:
        self.drawn: dict[str, tuple[int | str, ...]] = {
            event: tuple(result) for event, result in drawn.items()
        }
        self.turned: list[str] = card_tokens(turned)
        self.top = ""
        self.rest: Chance = Seeded(seed)

    def with_fallback(self, rest: Chance) -> Self:
        """The same, with another source for whatever has not been entered."""
        other = self.copy()
        other.rest = rest
        return other

    def arrange(self, event: str, items: Sequence[T], nth: int = 0) -> list[T]:
        if event in PARTIAL_DRAWS:
            return super().arrange(event, items, nth)
        if event in self.drawn and sorted(map(str, self.drawn[event])) != sorted(map(str, items)):
            raise ChanceError(f"'{event}' is an arrangement of {list(items)}; give all of it.")
        return super().arrange(event, items, nth)

    def pick(self, event: str, choices: Sequence[T], nth: int = 0) -> T:
        if event not in self.drawn:
            return self.rest.pick(event, choices, nth)
        drawn = sorted(map(str, self.drawn[event]))
        for choice in choices:
            if isinstance(choice, tuple) and sorted(map(str, choice)) == drawn:
                return choice
        raise ChanceError(f"'{event}' is one of {list(choices)}, not {self.drawn[event]}.")


class UnshuffledChance:
    """Chance that leaves everything in order."""

    def arrange(self, _event: str, items: Sequence[T], _nth: int = 0) -> list[T]:
        return list(items)

    def pick(self, _event: str, choices: Sequence[T], _nth: int = 0) -> T:
        return choices[0]


class ReversedChance:
    """Chance that reverses everything."""

    def arrange(self, _event: str, items: Sequence[T], _nth: int = 0) -> list[T]:
        return list(items)[::-1]

    def pick(self, _event: str, choices: Sequence[T], _nth: int = 0) -> T:
        return choices[-1]


def card_tokens(cards: Iterable[int | str]) -> list[str]:
    """Cards as a record writes them."""
    return [label(card) if isinstance(card, int) else str(card) for card in cards]


def with_implied(entered: Sequence[str], found: Sequence[str], last_card: str) -> list[str]:
    """The entered cards plus what may be left out: shuffles, and the Step 3 or END card.

    >>> with_implied(["13", "22"], ["13", "step3", "~step3", "9"], "step3")
    ['13', 'step3', '~step3', '22']
    """
    completed, rest = [], list(entered)
    for token in found:
        if rest[:1] == [token]:
            completed.append(rest.pop(0))
        elif token.startswith(SHUFFLE_PREFIX) or token == last_card:
            completed.append(token)
        else:
            break
    return completed + rest


def mismatch_error(
    move: str, entered: Sequence[str], found: Sequence[str], last_card: str
) -> ChanceError:
    """The error for entered cards that are not what a move turns up."""
    entered, found = (
        [token for token in each if token != last_card and not token.startswith(SHUFFLE_PREFIX)]
        for each in (entered, found)
    )
    for nth, card in enumerate(entered):
        if nth == len(found):
            turned = " ".join(found) or "nothing"
            return ChanceError(f"'{move}' turns up {turned}, and not {card} as well.")
        if found[nth] != card:
            return ChanceError(
                f"'{move}' cannot turn up {card}: it is not in the deck, or was entered twice."
            )
    cards = f"a card after {' '.join(entered)}" if entered else "a card"
    return ChanceError(f"'{move}' turns up {cards}: play('{move}', turned=[…]).")


def setup_error(
    chance: ManualChance,
    draws: Sequence[str],
    setup: Callable[[Chance], tuple[dict[str, object], object]],
) -> ChanceError | None:
    """What is missing or wrong at set-up; `setup` returns the draws and the cards turned up."""
    named = chance.drawn
    for draw in named:
        if draw not in draws:
            return ChanceError(f"The set-up has no draw '{draw}'. Draws: {', '.join(draws)}.")
    (draws_one, one), (draws_two, two) = (
        setup(chance.with_fallback(rest)) for rest in (UnshuffledChance(), ReversedChance())
    )
    missing = [
        name for name in draws_one if name not in named and draws_one[name] != draws_two[name]
    ]
    if one != two:
        missing.append("turned")
    for name in PARTIAL_DRAWS:
        found = draws_one.get(name, ())
        if name in named and (not isinstance(found, tuple) or {*found} != {*named[name]}):
            return ChanceError(f"'{name}' names too few, or of the wrong kinds: {named[name]}.")
    if missing:
        wanted = ", ".join(f"{name}=[…]" for name in missing)
        return ChanceError(f"Enter what the set-up has shown: ManualChance({wanted}).")
    assert isinstance(one, tuple)
    unexpected = [card for card in chance.turned if card not in one]
    if unexpected:
        return ChanceError(f"{' '.join(unexpected)} cannot lie open after the set-up.")
    return None
