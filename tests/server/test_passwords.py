"""Whoever guesses passwords slows down only themselves."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from httpx import Response

from highvoltage.rooms.problems import RequestRefused
from highvoltage.server.config import Limits
from highvoltage.server.guard import passwords as password_module
from highvoltage.server.guard.devices import Devices
from highvoltage.server.guard.passwords import Backoff, Passwords
from highvoltage.server.store import Account
from serving import Person, Server

PASSWORD = "correct horse battery"
WRONG = "wrong horse battery"
TRIES = 4
HOME, OFFICE, ELSEWHERE = "203.0.113.1", "203.0.113.2", "203.0.113.3"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    (tmp_path / "server.toml").write_text(
        f"[limits]\nprocessor_ms = 100000\nprocessor_ms_of_address = 100000\nlogins = {TRIES}\n"
    )
    running = Server(tmp_path)
    yield running
    assert running.stop() == 0
    assert running.errors() == []


@pytest.fixture
def ann(server: Server) -> Iterator[Person]:
    with Person(server) as person:
        made = log_in(person, "ann", PASSWORD, HOME, "/api/account")
        assert made.status_code == 201
        yield person


@pytest.fixture
def eve(server: Server) -> Iterator[Person]:
    with Person(server) as person:
        yield person


def log_in(
    person: Person, login: str, password: str, address: str, path: str = "/api/login"
) -> Response:
    sent = {"login": login, "password": password}
    return person.post(path, json=sent, headers={"X-Forwarded-For": address})


def guess(person: Person, login: str, address: str, times: int) -> list[int]:
    return [log_in(person, login, WRONG, address).status_code for _ in range(times)]


@pytest.mark.usefixtures("ann")
def test_nobody_locks_the_account_of_another(server: Server, eve: Person) -> None:
    assert guess(eve, "ann", ELSEWHERE, 24) == [400] * TRIES + [429] * (24 - TRIES)
    with Person(server) as phone:
        assert log_in(phone, "ann", PASSWORD, OFFICE).status_code == 201


@pytest.mark.usefixtures("ann")
def test_refused_tries_use_up_no_others(server: Server, eve: Person) -> None:
    guess(eve, "ann", OFFICE, 200)
    with Person(server) as bob:
        assert log_in(bob, "bob", PASSWORD, OFFICE, "/api/account").status_code == 201
        bob.post("/api/logout", headers={"X-Forwarded-For": OFFICE})
        assert log_in(bob, "bob", PASSWORD, OFFICE).status_code == 201


def test_a_known_device_is_let_in_whatever_others_try(ann: Person, eve: Person) -> None:
    ann.post("/api/logout")
    guess(eve, "ann", HOME, TRIES)
    assert log_in(eve, "ann", PASSWORD, HOME).json()["code"] == "many_tries"
    for tail in range(password_module.WIDER + 1):
        guess(eve, "ann", f"198.51.100.{tail}", TRIES)
    assert log_in(eve, "ann", PASSWORD, ELSEWHERE).json()["code"] == "many_tries"
    assert log_in(ann, "ann", PASSWORD, HOME).status_code == 201


def test_a_known_device_does_not_guess_for_ever(ann: Person) -> None:
    ann.post("/api/logout")
    assert guess(ann, "ann", HOME, TRIES + 2) == [400] * TRIES + [429] * 2


def test_a_device_is_known_by_the_password_it_was_told(server: Server, ann: Person) -> None:
    with Person(server) as stolen:
        assert log_in(stolen, "ann", PASSWORD, ELSEWHERE).status_code == 201
        new = {"old": PASSWORD, "new": "another password"}
        assert ann.post("/api/password", json=new).status_code == 201
        guess(stolen, "ann", ELSEWHERE, TRIES)  # as a stranger
        with Person(server) as stranger:
            assert guess(stranger, "ann", ELSEWHERE, 1) == [429]
    ann.post("/api/logout")
    assert log_in(ann, "ann", "another password", ELSEWHERE).status_code == 201


def test_the_mark_of_a_device_is_not_made_up(ann: Person, eve: Person) -> None:
    own = ann.cookies["hv_device"]
    device, _, mark = own.partition(".")
    guess(eve, "ann", ELSEWHERE, TRIES)
    for forged in (f"other.{mark}", f"{device}.AAAA", device, ".", "é", "." * 3_000, own * 500):
        headers = {
            b"X-Forwarded-For": ELSEWHERE.encode(),
            b"Cookie": f"{eve.cookie}; hv_device={forged}".encode(),
        }
        sent = {"login": "ann", "password": PASSWORD}
        assert eve.post("/api/login", json=sent, headers=headers).status_code == 429


def test_one_password_is_not_tried_on_everybody(eve: Person) -> None:
    free = password_module.WIDER * TRIES
    for n in range(free):
        assert guess(eve, f"somebody{n}", ELSEWHERE, 1) == [400]
    # The first wait is a second, which may pass on a busy machine; the next ones double.
    assert [429] in [guess(eve, f"somebody{free + n}", ELSEWHERE, 1) for n in range(6)]
    assert guess(eve, "somebody", OFFICE, 1) == [400]


def test_waits_double_and_end(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(password_module, "monotonic", lambda: now)
    tries = Backoff(2, first_wait=10, longest_wait=60, forgiven_after=1_000)
    waits = []
    for _ in range(7):
        waits.append(tries.wait("eve"))
        now += waits[-1]
        tries.add("eve")
    assert [round(wait) for wait in waits] == [0, 0, 10, 20, 40, 60, 60]
    assert tries.wait("ann") == 0
    now += 8_000
    assert tries.wait("eve") == 0
    tries.add("eve")
    assert tries.wait("eve") == 0  # both free tries are back


def test_attempts_are_counted_for_the_names_that_were_tried_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(password_module, "MAX_VISITORS", 2)
    tries = Backoff(1, first_wait=1_000, longest_wait=9_000, forgiven_after=9_000)
    for name in ("ann", "bob", "ann", "cyd"):
        tries.add(name)
    assert [tries.wait(name) > 0 for name in ("ann", "bob", "cyd")] == [True, False, True]
    tries.remove("ann")  # one of two
    tries.remove("cyd")
    assert [tries.wait(name) > 0 for name in ("ann", "bob", "cyd")] == [True, False, False]


def test_addresses_take_turns_to_be_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    go, order = Event(), list[str]()

    def fits(_: str, password: str) -> bool:
        go.wait()
        order.append(password)
        return False

    monkeypatch.setattr(password_module, "_fits", fits)

    async def run() -> None:
        passwords = Passwords(Limits())
        flood = [
            asyncio.create_task(passwords.matches("x", "eve", f"name {n}", ELSEWHERE))
            for n in range(password_module.MAX_QUEUED_OF_ADDRESS + 5)
        ]
        await asyncio.sleep(0)
        honest = asyncio.create_task(passwords.matches("x", "ann", "ann", HOME))
        await asyncio.sleep(0)
        refused = [task for task in flood if task.done()]
        assert len(refused) == 5
        assert all(isinstance(task.exception(), RequestRefused) for task in refused)
        go.set()
        await asyncio.gather(*flood, honest, return_exceptions=True)
        passwords.close()

    asyncio.run(run())
    assert order.index("ann") <= 2


def test_a_browser_is_known_for_the_accounts_that_it_used_last() -> None:
    devices = Devices(b"secret")
    accounts = [Account(f"ann{n}", str(n), "Ann", f"hash {n}") for n in range(6)]
    cookie = ""
    for account in accounts:
        cookie = devices.remember(cookie, account)
    device = cookie.partition(".")[0]
    assert [devices.known(cookie, each) for each in accounts] == [None, *[device] * 5]
    again = devices.remember(cookie, accounts[1])  # which takes no other's place
    assert [devices.known(again, each) for each in accounts] == [None, *[device] * 5]
    longer = f"{cookie}.{devices.remember(device, accounts[0]).partition('.')[2]}"
    assert devices.known(longer, accounts[0]) is None
