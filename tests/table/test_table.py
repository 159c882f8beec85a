"""The table: who may decide, what can be undone, what is automatic, what a journal restores."""

from random import Random
from typing import Any

import pytest
from msgspec import ValidationError, convert, to_builtins
from msgspec.structs import replace

import highvoltage as hv
from highvoltage.engine.record import turned_tokens
from highvoltage.table import Entry, Offer, Pace, Refused, Seat, Table, moves_of, offers
from ours import RULEBOOKS
from positions import IDLE, bidding_of, board, classic


def table_of(players: int = 3, seed: int = 1, **settings: Any) -> Table:
    game = hv.new("classic", players=players, seed=seed)
    return Table(game, [Seat("person") for _ in range(players)], **settings)


def play(table: Table, text: str, at: float = 0) -> None:
    seat = table.game.to_move
    assert seat is not None
    table.commit(table.move(seat, table.seq, text, at))


def refused(code: str) -> "pytest.RaisesExc[Refused]":
    return pytest.raises(Refused, check=lambda error: error.code == code)


def play_randomly(table: Table, rng: Random, moves: int = 2000, undo: float = 0) -> list[Entry]:
    """Play on, with an undo now and then; return the journal."""
    journal: list[Entry] = []
    for n in range(moves):
        seat = table.game.to_move
        if seat is None:
            break
        back = [s for s in range(len(table.seats)) if table.snapshot(s).undo_to is not None]
        if back and rng.random() < undo:
            step = table.undo(back[0], table.seq, None, n)
        else:
            choice = rng.choice(table.game.legal_moves.choices)
            step = table.move(seat, table.seq, str(choice), n)
        journal += step.entries
        table.commit(step)
    return journal


def test_a_stale_or_foreign_or_illegal_move_changes_nothing_and_says_why() -> None:
    table = table_of()
    before = to_builtins(table.snapshot(0))
    seat = table.game.to_move
    assert seat is not None
    with refused("stale"):
        table.move(seat, 1, "nominate 4 @4", 0)
    with refused("not_your_turn"):
        table.move((seat + 1) % 3, 0, "nominate 4 @4", 0)
    with refused("not_a_move"):
        table.move(seat, 0, "raise 7", 0)
    with refused("bid_below_minimum") as error:
        table.move(seat, 0, "nominate 4 @3", 0)
    assert error.value.rule == "C-4.2.1"
    assert error.value.values == {"card": "4", "minimum": 4}
    assert to_builtins(table.snapshot(0)) == before


def test_the_result_of_a_move_is_known_before_it_is_committed() -> None:
    table = table_of()
    seat = table.game.to_move
    assert seat is not None
    step = table.move(seat, 0, "nominate 4 @4", 0)
    after = table.after(step)
    assert table.seq == 0
    table.commit(step)
    assert (after.log, after.view()) == (table.game.log, table.game.view())
    assert len(after.log) == 1


def test_the_legal_moves_are_always_those_of_the_position() -> None:
    table, other, rng = table_of(auto=True), table_of(auto=True), Random(1)
    for _ in range(60):
        seat = table.game.to_move
        assert seat is not None
        assert table.legal_moves.choices == table.game.legal_moves.choices
        assert other.legal_moves.choices == table.legal_moves.choices
        undo_to = table.snapshot(seat).undo_to
        if undo_to is not None and rng.random() < 0.3:
            advance = table.undo(seat, table.seq, undo_to, at=0)
        else:
            move = rng.choice(table.legal_moves.choices)
            advance = table.move(seat, table.seq, str(move), at=0)
        table.commit(advance)
        other.follow(advance.entries)


def test_undo_ends_where_somebody_learned_something() -> None:
    table = table_of(players=2, seed=3)
    first = table.game.to_move
    assert first is not None
    play(table, "nominate 3 @3")
    assert table.snapshot(first).undo_to == 0
    assert table.snapshot(1 - first).undo_to is None
    with refused("no_undo"):
        table.undo(1 - first, table.seq, None, 0)
    table.commit(table.undo(first, table.seq, None, 0))
    assert table.seq == 2  # what was undone is still in the journal
    assert table.game.log == []
    play(table, "nominate 3 @3")
    play(table, "pass")  # somebody else decided, and a card was turned up
    assert turned_tokens(table.game.log[-1].events)
    assert [table.snapshot(seat).undo_to for seat in (0, 1)] == [None, None]


@pytest.mark.parametrize("seed", range(3))
def test_nobody_takes_back_the_end_of_a_game(seed: int) -> None:
    table = table_of(2, seed)
    play_randomly(table, Random(seed))
    last = table.game.log[-1]
    assert table.game.outcome is not None
    assert not turned_tokens(last.events)  # before the end it would have been theirs to take back
    assert [table.snapshot(seat).undo_to for seat in (0, 1)] == [None, None]
    with refused("no_undo"):
        table.undo(last.seat, table.seq, None, 0)


def test_undo_goes_back_over_a_whole_turn_or_one_move() -> None:
    table = table_of(players=2, seed=3)
    rng = Random(5)
    while table.game.phase != "fuel":
        play_randomly(table, rng, moves=1)
    seat = table.game.to_move
    assert seat is not None
    start = len(table.game.log)
    buy = next(str(m) for m in table.game.legal_moves if str(m).endswith(" 1"))
    before = table.snapshot(seat).view
    play(table, buy)
    play(table, "done")
    assert table.snapshot(seat).undo_to == start
    table.commit(table.undo(seat, table.seq, None, 0))
    assert len(table.game.log) == start + 1
    with refused("no_undo"):
        table.undo(seat, table.seq, start - 1, 0)
    with refused("stale"):
        table.undo(seat, table.seq - 1, start, 0)
    table.commit(table.undo(seat, table.seq, start, 0))
    assert table.snapshot(seat).view == before


def test_the_end_of_the_game_cannot_be_undone() -> None:
    table = table_of()
    play_randomly(table, Random(2))
    assert table.game.outcome is not None
    assert all(table.snapshot(seat).undo_to is None for seat in range(3))
    with refused("game_over"):
        table.move(0, table.seq, "done", 0)


@pytest.mark.parametrize("seed", range(6))
def test_a_journal_restores_the_table_at_once_or_entry_by_entry(seed: int) -> None:
    table = table_of(seed=seed)
    journal = play_randomly(table, Random(seed), moves=250, undo=0.2)
    assert table.seq > len(table.game.log)
    at_once = table_of(seed=seed)
    at_once.follow(journal)
    piecewise = table_of(seed=seed)
    rng = Random(seed)
    done = 0
    while done < len(journal):
        count = rng.randint(1, 9)
        piecewise.follow(journal[done : done + count])
        done += count
    for seat in (None, 0, 1, 2):
        assert table.snapshot(seat) == at_once.snapshot(seat) == piecewise.snapshot(seat)


def test_an_old_notation_in_a_journal_is_still_read() -> None:
    """Outpost used to write the number of a card for sale, whichever twin it was."""
    game = hv.new("outpost", players=3, seed=1)
    table = Table(game.copy(), [Seat("person")] * 3)
    play(table, "nominate 3b @3")
    former = Table(game, [Seat("person")] * 3)
    former.follow([Entry(2, "nominate 3 @3", 0, top="socket")])
    assert former.snapshot(0) == table.snapshot(0)
    assert former.rows()[0].move == "nominate 3b @3"


def test_a_limit_holds_for_a_twin() -> None:
    table = Table(hv.new("outpost", players=3, seed=1), [Seat("person")] * 3)
    table.max_bid(0, "3b", 4)
    play(table, "nominate 3 @3")
    assert [row.move for row in table.rows()] == ["nominate 3b @3", "bid 4"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"turned": ("38",)}, "'pass': turned is ('13',), not ('38',)"),
        ({"turned": ()}, "'pass': turned is ('13',), not ()"),
        ({"top": "plug"}, "'pass': top is '', not 'plug'"),
        ({"seat": 2}, "'pass': seat is 1, not 2"),
        ({"text": "bid 4"}, "'bid 4': The next bid is at least 5. (C-4.4.1)"),
        (
            {"text": "raise 9"},
            "'raise 9': “raise 9” is no move. A move starts with one of: region,",
        ),
    ],
)
def test_a_changed_entry_of_the_journal_is_noticed(
    changes: dict[str, object], message: str
) -> None:
    """The last entry is changed, so that no later move can reveal it."""
    game = hv.new("classic", players=3, chance=hv.Scripted(order=[2, 0, 1]))
    table = Table(game, [Seat("person")] * 3)
    for text in ("nominate 4 @4", "pass", "pass"):
        play(table, text)
    journal = [Entry(2, "nominate 4 @4", 0), Entry(0, "pass", 0), Entry(1, "pass", 0)]
    journal[2] = replace(journal[2], turned=("13",))
    fresh = hv.new("classic", players=3, chance=hv.Scripted(order=[2, 0, 1]))
    honest = Table(fresh.copy(), [Seat("person")] * 3)
    honest.follow(journal)
    assert honest.snapshot(0) == table.snapshot(0)
    journal[2] = replace(journal[2], **changes)
    changed = Table(fresh, [Seat("person")] * 3)
    with pytest.raises(hv.RecordError) as caught:
        changed.follow(journal)
    assert str(caught.value).startswith(message)
    assert (changed.seq, changed.game.log) == (0, [])


def test_a_maximum_bid_ends_with_its_round() -> None:
    market = [4, 5, 6, 8, 9, 10, 11, 12]
    game = classic(3, money=100, market=market, cities={0: 1, 1: 1, 2: 1}, order=[0, 1, 2])
    table = Table(game, [Seat("person")] * 3)
    table.max_bid(1, "8", 50)
    while game.state.round == 2:
        play(table, next(move for move in IDLE if move in map(str, game.legal_moves)))
    assert 8 in board(game).market.offer
    while board(game).bidding.card is None:
        play(table, "pass" if game.to_move == 1 else "nominate 8 @8")
    if game.to_move != 1:
        play(table, "pass")
    assert (game.to_move, table.automatic_moves(at=0), table.snapshot(1).max_bids) == (1, None, {})


def test_undo_goes_back_past_automatic_moves() -> None:
    """Four coal fill plant 4: the table plays `done` for the player, and undoes both."""
    game = classic(3, money=50, phase="fuel", plants={0: [7], 1: [5], 2: [4]}, order=[0, 1, 2])
    table = Table(game, [Seat("person")] * 3, auto=True)
    play(table, "buy coal 4")
    assert (table.bys, game.to_move, table.snapshot(2).undo_to) == (["person", "auto"], 1, 0)
    with refused("no_undo"):
        table.undo(2, table.seq, 1, 0)
    assert table.undo(2, table.seq, None, 0).kept == 0


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_seat_is_sent_its_own_view(rulebook: str) -> None:
    game = hv.new(rulebook, players=3, seed=1, money="hidden")
    table = Table(game, [Seat("person")] * 3)
    for seat in (0, 1, 2, None):
        view = table.snapshot(seat).view
        assert view is not None
        assert view["seat"] == seat
        purses = [player["money"] for player in view["players"]]
        assert [money is not None for money in purses] == [other == seat for other in range(3)]


@pytest.mark.parametrize("seed", range(4))
def test_following_the_log_piece_by_piece_gives_all_of_it(seed: int) -> None:
    table = table_of(seed=seed)
    rng = Random(seed)
    known: list[object] = []
    seen: int | None = None
    while table.seq < 200:
        play_randomly(table, rng, moves=rng.randint(1, 5), undo=0.3)
        snapshot = table.snapshot(1, seen)
        known[snapshot.log_from :] = snapshot.log
        seen = snapshot.seq
        assert known == table.rows()


def test_moves_without_an_alternative_are_made_by_the_table() -> None:
    plain, auto = table_of(seed=4), table_of(seed=4, auto=True)
    rng = Random(4)
    while plain.game.to_move is not None and len(plain.game.log) < 400:
        legal = plain.game.legal_moves
        choice = str(rng.choice(legal.choices))
        play(plain, choice)
        if len(legal) > 1:
            play(auto, choice)
    assert [str(row.move) for row in auto.game.log] == [str(row.move) for row in plain.game.log]
    assert "auto" in auto.bys
    assert "auto" not in plain.bys
    assert len(auto.game.legal_moves) != 1


@pytest.mark.parametrize("seed", range(30))
def test_maximum_bids_give_the_same_result_as_bidding(seed: int) -> None:
    """A limit is equivalent to sitting there and raising by one up to it."""
    rng = Random(seed)
    secret, ordinary = table_of(players=4, seed=seed), table_of(players=4, seed=seed)
    limits = {seat: rng.randint(0, 40) for seat in range(4)}
    nomination = str(rng.choice(secret.game.legal_moves.choices))
    card = nomination.split()[1]
    for seat, limit in limits.items():
        secret.max_bid(seat, card, limit)
        assert secret.automatic_moves(0) is None
    play(secret, nomination)
    play(ordinary, nomination)
    while bidding_of(ordinary.game).card is not None:
        bid = bidding_of(ordinary.game).bid + 1
        limit = limits[ordinary.game.to_move or 0]
        play(ordinary, f"bid {bid}" if bid <= limit else "pass")
    assert secret.rows() == ordinary.rows()
    assert [secret.snapshot(seat).view for seat in range(4)] == [
        ordinary.snapshot(seat).view for seat in range(4)
    ]


def test_a_maximum_bid_is_secret_lapses_and_can_be_taken_back() -> None:
    table = table_of(players=3, seed=1)
    before = [to_builtins(table.snapshot(seat)) for seat in (None, 0, 1)]
    table.max_bid(2, "5", 30)
    assert [to_builtins(table.snapshot(seat)) for seat in (None, 0, 1)] == before
    assert table.snapshot(2).max_bids == {"5": 30}
    table.max_bid(2, "5", None)
    assert table.snapshot(2).max_bids == {}
    table.max_bid(2, "6", 0)
    with refused("not_a_card"):
        table.max_bid(2, "50", 60)
    with refused("not_a_card"):
        table.max_bid(2, "coal", 60)
    rng = Random(1)
    while table.game.state.round == 1:
        play_randomly(table, rng, moves=1)
    assert table.snapshot(2).max_bids == {}


def test_a_limit_named_in_the_middle_of_an_auction_takes_effect_at_once() -> None:
    table = table_of(players=2, seed=3)
    play(table, "nominate 3 @3")
    other = table.game.to_move
    assert other is not None
    table.max_bid(other, "3", 10)
    step = table.automatic_moves(0)
    assert step is not None
    table.commit(step)
    assert [row.move for row in table.rows()] == ["nominate 3 @3", "bid 4"]
    play(table, "bid 10")
    assert table.rows()[-1].move == "pass"


def test_undoing_a_bid_removes_the_limit() -> None:
    """It would only bid again; the limits of others stay."""
    table = table_of(players=2, seed=3)
    play(table, "nominate 3 @3")
    other = table.game.to_move
    assert other is not None
    table.max_bid(other, "3", 10)
    table.max_bid(1 - other, "4", 20)
    step = table.automatic_moves(0)
    assert step is not None
    table.commit(step)
    table.commit(table.undo(other, table.seq, None, 0))
    assert (table.game.to_move, table.automatic_moves(0)) == (other, None)
    assert [table.snapshot(seat).max_bids for seat in (other, 1 - other)] == [{}, {"4": 20}]


def test_time_is_charged_to_the_player_who_decided() -> None:
    game = hv.new("classic", players=2, seed=3)
    table = Table(
        game, [Seat("person"), Seat("person")], pace=Pace("bank", seconds=100, increment=5), at=10
    )
    first = game.to_move
    assert first is not None
    assert table.deadline == 110
    play(table, "nominate 3 @3", at=40)
    clocks = table.snapshot(None, now=50).clocks
    assert clocks is not None
    assert clocks.running == 1 - first
    assert clocks.left[first] == 75
    assert clocks.left[1 - first] == 90
    assert table.deadline == 140
    table.seats[1 - first].bot = "clerk"  # bots have no clock
    assert table.bot_to_move == "clerk"
    assert not table.deadline


def test_without_a_time_control_nobody_has_a_clock() -> None:
    assert table_of().snapshot(None).clocks is None


def left_of(table: Table, now: float | None = None) -> tuple[float, ...]:
    shown = table.snapshot(None) if now is None else table.snapshot(None, now=now)
    clocks = shown.clocks
    assert clocks is not None
    return clocks.left


def test_a_clock_per_move_restarts() -> None:
    game = hv.new("classic", players=2, seed=3)
    table = Table(game, [Seat("person"), Seat("person")], pace=Pace("move", seconds=60), at=0)
    assert left_of(table) == (60, 60)
    play(table, "nominate 3 @3", at=59)
    assert left_of(table, now=59) == (60, 60)
    assert table.deadline == 119
    assert min(left_of(table, now=300)) == 0


def test_offers_are_the_legal_moves_with_their_costs() -> None:
    table = table_of(seed=2)
    rng = Random(2)
    costs = 0
    for _ in range(200):
        game = table.game
        legal = game.legal_moves
        again = moves_of(offers(game), game.rules.moves)
        assert list(again) == list(legal)
        seat = game.to_move
        assert seat is not None
        for offer in offers(game):
            if offer.cost is not None:
                after = game.copy()
                after.play(offer.move)
                was, left = (g.state.players[seat].money for g in (game, after))
                assert was - left == offer.cost
                costs += 1
        play_randomly(table, rng, moves=1)
    assert costs > 100


def test_an_offer_is_sent_without_empty_fields() -> None:
    assert to_builtins(offers(table_of().game)[0]) == {"move": "nominate 3 @3", "to": 50}
    assert to_builtins(Offer("done", cost=0)) == {"move": "done", "cost": 0}


def test_a_program_is_not_sent_views_it_does_not_need() -> None:
    table = table_of(seed=2)
    seat = table.game.to_move
    assert seat is not None
    assert table.snapshot(seat, brief=True).view is not None
    assert table.snapshot((seat + 1) % 3, brief=True).view is None


def test_a_snapshot_has_what_is_new_since_an_entry_or_everything() -> None:
    game = hv.new("cardgame", players=2, seed=1)
    table = Table(game, [Seat("person")] * 2)
    for _ in range(3):
        seat = game.to_move
        assert seat is not None
        table.commit(table.move(seat, table.seq, str(game.legal_moves[0]), 0))
    whole, new, none = (table.snapshot(0, since) for since in (None, 2, 3))
    assert [each.log_from for each in (whole, new, none)] == [0, 2, 3]
    assert [len(each.log) for each in (whole, new, none)] == [3, 1, 0]
    assert (whole.setup is None, new.setup) == (False, None)


def test_whose_time_has_run_out() -> None:
    """At the deadline, not before; without a clock never."""
    game = hv.new("classic", players=2, seed=1)
    seats = [Seat("person"), Seat("person")]
    clocked = Table(game, seats, pace=Pace("move", seconds=60), at=100)
    assert [clocked.has_run_out(now) for now in (100, 159, 160)] == [False, False, True]
    assert not Table(game, seats, at=100).has_run_out(10**9)


def test_a_move_takes_a_minute_or_up_to_sixty_days() -> None:
    assert convert({"kind": "move"}, Pace).seconds == 60
    assert convert({"kind": "move", "seconds": 60 * 86_400}, Pace).seconds == 5_184_000
    with pytest.raises(ValidationError):
        convert({"kind": "move", "seconds": 60 * 86_400 + 1}, Pace)


def test_a_record_names_the_bots_that_play_their_own_seats() -> None:
    """Not one that only stands in for somebody."""
    seats = [Seat("person"), Seat("bot", bot="engineer"), Seat("person", bot="clerk")]
    assert Table(hv.new("classic", players=3, seed=1), seats).record().bots == {1: "engineer"}
