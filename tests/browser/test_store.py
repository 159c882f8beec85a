"""The store of a browser, asked by itself: what it keeps, and what it refuses."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest

from highvoltage.browser import store as stores
from highvoltage.browser.store import BrowserStore
from highvoltage.browser.transaction import Written
from highvoltage.rooms.rows import GameRow, JournalWrite, SeatRow
from highvoltage.rooms.socket_messages import ChatLine
from highvoltage.rooms.store import CHAT_KEPT, Conflict
from highvoltage.table import Entry, MaxBid
from shells import Disk


def in_a_browser(work: Callable[[BrowserStore], Awaitable[None]]) -> Disk:
    """Do this with an empty store, and return what it has left in the storage."""
    disk = Disk()

    async def all_of_it() -> None:
        await work(BrowserStore(disk))

    asyncio.run(all_of_it())
    return disk


def row(name: str, **more: Any) -> GameRow:
    about: dict[str, Any] = {"status": "open", "setup": "its setup", "seed": "7", "public": False}
    about |= {"rulebook": "classic", "host": "ann", "created": 1.0}
    return GameRow(id=name, **(about | more))


def seats(name: str, *kinds: str) -> list[SeatRow]:
    return [
        SeatRow(name, at, kind, owner="bob" if kind == "person" else None)
        for at, kind in enumerate(kinds)
    ]


async def made(store: BrowserStore, name: str, *kinds: str, **more: Any) -> str:
    return await store.create(row(name, **more), seats(name, *kinds))


def move(n: int) -> Entry:
    return Entry(0, f"move {n}", float(n))


def test_a_table_is_made_once_and_its_rematch_is_told() -> None:
    async def work(store: BrowserStore) -> None:
        assert await made(store, "a", "open") == "a"
        with pytest.raises(Conflict, match="There is such a table"):
            await made(store, "a")
        await store.create(row("b"), [], rematch_of="a")
        await store.create(row("c"), [], rematch_of="nowhere")
        found = await store.game("a")
        assert found == (row("a", rematch="b"), seats("a", "open"))
        assert await store.game("nowhere") is None

    in_a_browser(work)


def test_entries_are_added_where_a_journal_ends_and_nowhere_else() -> None:
    async def work(store: BrowserStore) -> None:
        await made(store, "a")
        first = JournalWrite("a", 0, [move(0), move(1)], {"moves": 2, "turn": 1}, mark="ours")
        assert await store.append(first)
        assert not await store.append(first)
        assert not await store.append(JournalWrite("a", 1, [move(9)], {}))
        assert not await store.append(JournalWrite("nowhere", 0, [move(9)], {}))
        assert await store.append(JournalWrite("a", 2, [move(2)], {"turn": 0}))
        assert await store.journal("a") == [move(0), move(1), move(2)]
        assert await store.journal("a", 1) == [move(1), move(2)]
        assert await store.journal("nowhere") == []
        assert await store.is_decided("a", "ours")
        assert not await store.is_decided("a", "theirs")
        found = await store.game("a")
        assert found is not None
        assert found[0] == row("a", moves=2, turn=0)

    disk = in_a_browser(work)
    marks = [msgspec.json.decode(disk.texts[f"entry/a/{n}"])["mark"] for n in range(3)]
    assert marks == ["ours", None, None]  # only the first of those that were written together


def test_the_last_entry_ends_a_game_and_forgets_the_bids_of_its_seat() -> None:
    async def work(store: BrowserStore) -> None:
        await made(store, "a", status="running")
        bids = [MaxBid(seat, 13, 2, 30 + seat) for seat in (0, 1)]
        for bid in bids:
            await store.save_max_bids("a", bid.seat, [bid])
        assert await store.max_bids("a") == bids
        await store.save_max_bids("a", 0, [MaxBid(0, 13, 2, 5)])
        assert await store.max_bids("a") == [bids[1], MaxBid(0, 13, 2, 5)]
        over = JournalWrite("a", 0, [move(0)], {}, "finished", "its record", forgets_seat=0)
        assert await store.append(over)
        assert await store.max_bids("a") == [bids[1]]
        assert await store.max_bids("nowhere") == []
        found = await store.game("a")
        assert found is not None
        assert found[0] == row("a", status="finished", record="its record")

    in_a_browser(work)


def test_lists_name_the_latest_tables_first_without_their_secrets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stores, "PUBLIC_LISTED", 2)
    monkeypatch.setattr(stores, "MINE_LISTED", 3)

    async def work(store: BrowserStore) -> None:
        for n, status in enumerate(("open", "running", "failed", "finished")):
            await made(store, status, status=status, public=True, created=float(n))
        await made(store, "hidden", "person", created=9.0, host="cid", listed="what is shown")
        listed = await store.public()
        assert [found.id for found, _ in listed] == ["failed", "running"]
        assert [found.id for found, _ in await store.mine("ann")] == [
            *("finished", "failed", "running"),
        ]
        for who in ("bob", "cid"):  # by a seat, and as the host
            assert await store.mine(who) == [
                (
                    row("hidden", created=9.0, host="cid", setup="what is shown", seed=""),
                    seats("hidden", "person"),
                )
            ]
        assert {found.setup for found, _ in listed} == {"its setup"}
        assert await store.mine("dan") == []

    in_a_browser(work)


def test_the_tables_of_a_person_and_of_a_network_are_counted_by_their_status() -> None:
    async def work(store: BrowserStore) -> None:
        await made(store, "a", origin="here")
        await made(store, "b", origin="here", host="bob", public=True)
        await made(store, "c", origin="there", public=True)
        await made(store, "d", origin="here", status="finished")
        assert await store.count_of("ann", "here", ("open", "running")) == (2, 2)
        assert await store.count_of("ann", "there", ("open", "finished")) == (3, 1)
        assert await store.count_of("ann", "here", ("open",), public=True) == (1, 1)

    in_a_browser(work)


def test_games_are_due_before_a_moment_the_earliest_first() -> None:
    async def work(store: BrowserStore) -> None:
        for name, due in {"a": 5.0, "b": 3.0, "c": None, "d": 6.0, "e": 0.0}.items():
            await made(store, name, due=due)
        assert await store.due(6.0) == ["e", "b", "a"]

    in_a_browser(work)


def test_a_table_and_a_seat_change_only_if_they_are_as_expected() -> None:
    async def work(store: BrowserStore) -> None:
        await made(store, "a", "person", "bot", status="running", turn=1, due=5.0)
        assert not await store.change_game("a", {"status": ("open", "failed")}, moves=3)
        assert not await store.change_game("nowhere", moves=3)
        assert await store.change_game("a", {"status": ("running", "failed"), "turn": 1}, moves=3)
        assert not await store.change_seat("a", 0, {"kind": "bot"}, name="Ann")
        assert not await store.change_seat("nowhere", 0, name="Ann")
        assert await store.change_seat("a", 0, {"kind": "person"}, name="Ann", due=8.0)
        found = await store.game("a")
        assert found is not None
        assert (found[0].moves, found[0].due) == (3, 5.0)  # it is not the turn of that seat
        assert [place.name for place in found[1]] == ["Ann", ""]
        assert await store.change_seat("a", 1, bot="clerk", due=8.0)
        found = await store.game("a")
        assert found is not None
        assert (found[0].due, found[1][1].bot) == (8.0, "clerk")
        await store.change_game("a", status="failed")
        assert await store.change_seat("a", 1, due=9.0)
        found = await store.game("a")
        assert found is not None
        assert found[0].due == 8.0  # nothing is due while it does not run

    in_a_browser(work)


def test_whoever_is_sent_away_from_a_table_stays_banned_there() -> None:
    async def work(store: BrowserStore) -> None:
        await made(store, "a", "person", "person")
        await made(store, "b", "person")
        for seat, who in ((0, "bob"), (1, "cid")):
            await store.change_seat("a", seat, ban=who)
        assert await store.is_banned("a", "bob")
        assert await store.is_banned("a", "cid")
        assert not await store.is_banned("a", "dan")
        assert not await store.is_banned("b", "bob")

    in_a_browser(work)


def test_the_first_open_seat_of_those_that_are_asked_for_is_taken() -> None:
    async def work(store: BrowserStore) -> None:
        await made(store, "a", "person", "open", "open")
        names = dict.fromkeys((0, 9, 2), "Dan")
        assert await store.take_seat("a", names, "dan", "here", 7.0, None) == 2
        assert await store.take_seat("a", names, "eve", "here", 8.0, None) is None
        assert await store.take_seat("nowhere", names, "eve", "here", 8.0, None) is None
        found = await store.game("a")
        assert found is not None
        game, places = found
        assert game.due == 7.0
        assert places[2] == SeatRow("a", 2, "person", "Dan", "dan", origin="here")
        assert places[:2] == seats("a", "person", "open")

    in_a_browser(work)


def test_bots_fill_the_open_seats_and_no_other() -> None:
    async def work(store: BrowserStore) -> None:
        await made(store, "a", "person", "open", "bot", "open")
        await made(store, "b", "open", status="running", due=5.0)
        for name in ("a", "b"):
            await store.fill_seats(name, "clerk", "Clerk", 7.0, None)
        filled = {at: SeatRow("a", at, "bot", "Clerk", bot="clerk") for at in (1, 3)}
        found, running = await store.game("a"), await store.game("b")
        assert found is not None
        assert running is not None
        kinds = seats("a", "person", "open", "bot", "open")
        assert found[1] == [filled.get(at, place) for at, place in enumerate(kinds)]
        assert (found[0].due, running[0].due) == (7.0, 5.0)  # only an open table is to be dealt

    in_a_browser(work)


def test_lines_of_a_chat_are_numbered_and_only_the_latest_are_kept() -> None:
    async def work(store: BrowserStore) -> None:
        for n in range(CHAT_KEPT + 3):
            await store.add_chat("a", 0, "Ann", f"line {n}", 1.0, who=f"who {n}", origin="")
        lines = await store.chat("a", 0)
        assert [line.n for line in lines] == [*range(4, CHAT_KEPT + 4)]
        last = CHAT_KEPT + 3
        assert await store.chat("a", last - 1) == [
            ChatLine(last, 0, "Ann", f"line {last - 1}", 1.0)
        ]
        assert await store.author("a", last) == f"who {last - 1}"
        assert await store.author("a", 1) is None
        assert await store.remove_chat("a", last)
        assert not await store.remove_chat("a", last + 1)
        assert [line.text for line in await store.chat("a", last - 2)] == [f"line {last - 2}", ""]
        assert await store.chat("nowhere", 0) == []

    in_a_browser(work)


def test_an_analysis_is_begun_once_and_again_when_it_was_given_up() -> None:
    async def work(store: BrowserStore) -> None:
        assert await store.claim_analysis("a", 10.0, 0.0)
        assert not await store.claim_analysis("a", 20.0, 10.0)
        assert await store.claim_analysis("a", 20.0, 10.5)
        assert await store.change_analysis("a", 21.0, 0.5, "half of it")
        assert not await store.change_analysis("nowhere", 21.0, 0.5, "half of it")
        assert await store.change_analysis("a", 22.0, 1, "all of it")
        assert not await store.claim_analysis("a", 30.0, 25.0)
        await store.claim_analysis("b", 10.0, 0.0)
        await store.drop_unfinished_analyses()
        found = await store.analysis("a")
        assert found is not None
        assert (found.at, found.done, found.found) == (22.0, 1, "all of it")
        assert await store.analysis("b") is None
        await store.drop_analysis("a")
        assert await store.analysis("a") is None

    in_a_browser(work)


def test_nothing_is_left_of_a_table_that_is_deleted() -> None:
    async def work(store: BrowserStore) -> None:
        for name in ("a", "b"):
            await made(store, name, "person")
            await store.append(JournalWrite(name, 0, [move(0), move(1)], {}))
            await store.save_max_bids(name, 0, [MaxBid(0, 13, 2, 30)])
            await store.add_chat(name, 0, "Ann", "Hello", 1.0, who="ann", origin="")
            await store.change_seat(name, 0, ban="cid")
            await store.claim_analysis(name, 1.0, 0.0)
        assert await store.delete("a", "nowhere") == 1
        assert await store.delete("a") == 0
        assert len(await store.journal("b")) == 2

    disk = in_a_browser(work)
    assert not [key for key in disk.texts if "/a" in key]
    assert len([key for key in disk.texts if "/b" in key]) == len(stores.PARTS) + 2


def test_long_texts_are_written_only_when_they_change() -> None:
    async def work(store: BrowserStore) -> None:
        await made(store, "a", opening="its opening")

    texts = in_a_browser(work).texts
    assert "its opening" in texts["texts/a"]
    assert "its opening" not in texts["game/a"]

    async def again(store: BrowserStore) -> None:
        await made(store, "a", opening="its opening")
        written = store.transactions._texts["texts/a"]
        await store.change_game("a", moves=1)
        assert store.transactions._texts["texts/a"] is written

    in_a_browser(again)


def test_a_write_is_remembered_for_a_day() -> None:
    async def work(store: BrowserStore) -> None:
        await store.create(row("a"), [], "new")
        old = Written(0.0, "a")
        await store.transactions.write(lambda transaction: transaction.put("write/old", old))
        assert (await store.result_of("old")) is not None
        await store.forget_writes()
        assert await store.result_of("old") is None
        found = await store.result_of("new")
        assert found is not None
        assert found.value == "a"

    in_a_browser(work)
