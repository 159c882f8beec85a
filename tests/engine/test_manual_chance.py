"""A real game is entered as it happens: who drew what, and which card came up when."""

from typing import Any

import pytest

import highvoltage as hv
from highvoltage import bots
from highvoltage.bots import make
from highvoltage.engine.record import Record

GAMES = [
    ("classic", 2, {"regions": "draft"}),
    ("recharged", 3, {"demolition": True}),
    ("cardgame", 2, {}),
    ("outpost", 2, {}),
]


def played(rulebook: str, players: int, options: dict[str, Any]) -> Record:
    game = hv.new(rulebook, players=players, seed="table", **options)
    bots.play_game(game, [make("random", seat) for seat in range(players)])
    return game.record()


def drawn(table: Record) -> dict[str, Any]:
    return {**table.drawn}


def seen(turned: tuple[str, ...]) -> list[str]:
    """What people see: a card that changes the game, but no shuffle."""
    return [card for card in turned if not card.startswith("~")]


@pytest.mark.parametrize(("rulebook", "players", "options"), GAMES)
def test_a_game_is_followed_card_by_card(
    rulebook: str, players: int, options: dict[str, Any]
) -> None:
    table = played(rulebook, players, options)
    chance = hv.ManualChance(turned=table.turned, seed="mine", **drawn(table))
    game = hv.new(rulebook, players=table.names, chance=chance, **options)
    for line in table.moves:
        game.play(line.move, seat=line.seat, turned=seen(line.turned))
    assert game.outcome is not None
    record = game.record()
    assert (record.moves, record.result, record.scores) == (table.moves, table.result, table.scores)
    assert hv.replay(str(record)).view() == game.view()


def at_table() -> hv.Game:
    chance = hv.ManualChance(order=[1, 0, 2], regions=["west", "northwest", "southwest"])
    game = hv.new("classic", players=["Ann", "Bob", "Cem"], chance=chance)
    game.play("nominate 5 @5")
    game.play("pass")
    return game


def test_a_card_that_comes_up_must_be_entered() -> None:
    game = at_table()
    before = game.view(), len(game.log)
    message = r"^'pass' turns up a card: play\('pass', turned=\[…\]\)\.$"
    with pytest.raises(hv.ChanceError, match=message):
        game.play("pass")
    with pytest.raises(hv.ChanceError, match=r"^'pass' cannot turn up 4: it is not in the deck"):
        game.play("pass", turned=["4"])
    with pytest.raises(hv.ChanceError, match=r"^'pass' turns up 13, and not 14 as well\.$"):
        game.play("pass", turned=[13, 14])
    assert (game.view(), len(game.log)) == before
    game.play("pass", turned=[13])
    assert game.view()["market"]["future"][-1]["card"] == "13"
    with pytest.raises(hv.ChanceError, match=r"turns up nothing, and not 20 as well\.$"):
        game.play("nominate 4 @4", turned=["20"])


def test_a_card_entered_by_mistake_is_taken_back() -> None:
    game = at_table()
    game.play("pass", turned=[13])
    game.play("nominate 4 @4")
    for card in (20, 31):
        game.play("pass", turned=[card])
        assert game.log[-1].turned == (str(card),)
        if card == 20:
            game.undo()
    assert hv.replay(str(game.record())).view() == game.view()


def test_a_game_continues_from_its_record() -> None:
    game = at_table()
    later = hv.replay(str(game.record()))
    later.play("pass", turned=["13"])
    assert later.log[-1].turned == ("13",)


def test_the_back_on_the_deck_is_entered_too() -> None:
    table = played("recharged", 3, {})
    chance = hv.ManualChance(turned=table.turned, **drawn(table))
    game = hv.new("recharged", players=3, chance=chance)
    for line in table.moves:
        move = line.move
        if line.turned:
            for top in ("socket", "plug"):
                then = game.copy()
                then.play(move, turned=line.turned, top=top)
                assert then.view()["market"]["back"] == top
            return
        game.play(move)


@pytest.mark.parametrize(
    ("chance", "message"),
    [
        (
            hv.ManualChance(),
            "Enter what the set-up has shown: ManualChance(order=[…], regions=[…]).",
        ),
        (
            hv.ManualChance(order=[0, 1], deck=[13]),
            "The set-up has no draw 'deck'. Draws: order, regions, blocked.",
        ),
        (hv.ManualChance(order=[0, 0]), "'order' is an arrangement of [0, 1]; give all of it."),
    ],
)
def test_the_set_up_must_be_entered(chance: hv.ManualChance, message: str) -> None:
    with pytest.raises(hv.ChanceError) as caught:
        hv.new("classic", players=2, chance=chance)
    assert str(caught.value) == message


def test_what_has_only_one_outcome_need_not_be_entered() -> None:
    chance = hv.ManualChance(order=[0, 1, 2, 3, 4])  # five players use the whole board
    game = hv.new("classic", map="benelux", players=5, chance=chance)
    assert len(game.view()["regions"]) == 5


def test_cards_of_the_set_up_are_entered_when_they_are_drawn() -> None:
    with pytest.raises(hv.ChanceError, match=r"ManualChance\(turned=\[…\]\)\.$"):
        hv.new("cardgame", players=2, chance=hv.ManualChance(order=[0, 1]))
    with pytest.raises(hv.ChanceError, match=r"^'regions' is one of .*, not \('north',\)\.$"):
        hv.new("classic", players=2, chance=hv.ManualChance(order=[0, 1], regions=["north"]))
    classic = hv.ManualChance(order=[0, 1], regions=["east", "south", "west"], turned=[3, 50])
    with pytest.raises(hv.ChanceError, match=r"^50 cannot lie open after the set-up\.$"):
        hv.new("classic", players=2, chance=classic)


def test_cards_are_entered_only_with_manual_chance() -> None:
    game = hv.new("classic", players=2, seed=1)
    with pytest.raises(hv.ChanceError, match=r"^Cards can only be entered"):
        game.play("nominate 4 @4", turned=[13])
