"""Word of a turn by e-mail, at a mail server of the tests."""

import asyncio
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from functools import partial
from ipaddress import ip_address
from itertools import count
from pathlib import Path
from smtplib import SMTPRecipientsRefused
from time import time
from types import SimpleNamespace
from typing import Any, Literal

import psycopg
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from typer.testing import CliRunner

from finishing import in_store
from highvoltage.cli import app
from highvoltage.rooms.rows import GameRow, SeatRow
from highvoltage.rooms.supervisor import TaskSupervisor
from highvoltage.server.config import ConfigError, MailSettings, load_config
from highvoltage.server.mail import requests, sending
from highvoltage.server.mail.keys import MailKeys
from highvoltage.server.mail.letters import Letters
from highvoltage.server.mail.sending import Mail
from highvoltage.server.mail.smtp import SmtpSender, is_final
from highvoltage.server.store import SqlStore
from highvoltage.server.store.mails import AddressRow
from highvoltage.words import LANGUAGES
from mailing import ORIGIN, Mailbox, key_in, mail_server
from serving import BOT, ME, OPEN, Person, Server, eventually
from spread import some

DAYS = {"kind": "move", "seconds": 86_400}
MINUTE = {"kind": "move", "seconds": 60}


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    with mail_server() as box:
        yield box


@pytest.fixture
def server(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    mailbox: Mailbox,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Server]:
    url = None
    if getattr(request, "param", "") == "postgresql":
        postgres = request.getfixturevalue("postgres")
        with psycopg.connect(postgres, autocommit=True) as connection:
            connection.execute("CREATE DATABASE mailing")
        url = postgres.replace("/postgres?", "/mailing?")
    monkeypatch.setattr(sending, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(sending, "GRACE_SECONDS", 0.0)
    running = Server(tmp_path, url, settings=mailbox.settings)
    yield running
    assert running.stop() == 0
    assert running.errors() == []
    assert "example.org" not in (tmp_path / "log").read_text()


def give(person: Person, address: str, **choice: Any) -> Any:
    return person.post("/api/mail", json={"address": address, "language": "en", **choice})


def confirmed(person: Person, mailbox: Mailbox, address: str, **choice: Any) -> None:
    """Give an address and confirm it."""
    assert give(person, address, **choice).status_code == 201
    key = key_in(mailbox.next(), "confirm")
    assert person.post("/api/mail/confirm", json={"key": key}).status_code == 201


def begun(host: Person, guest: Person, **setup: Any) -> str:
    """A game in which both are seated and neither is connected."""
    table: str = host.table([ME, OPEN], title="Friday", **setup)["id"]
    guest.post(f"/api/tables/{table}/join", json={}).raise_for_status()
    return table


@pytest.mark.parametrize("server", some("postgresql", of=["sqlite", "postgresql"]), indirect=True)
def test_an_absent_player_gets_one_mail_for_each_turn(server: Server, mailbox: Mailbox) -> None:
    with Person(server, "Ann") as ann, Person(server, "Ben") as ben:
        people = {"ann@example.org": ann, "ben@example.org": ben}
        for address, person in people.items():
            confirmed(person, mailbox, address)
        begun(ann, ben, pace=MINUTE)
        begun(ann, ben, pace=DAYS | {"seconds": 86_399})
        ann.table([ME, BOT], auto=False)  # no clock, but nobody waits
        table = begun(ann, ben, pace=DAYS)
        letter = mailbox.next()
        first = people.pop(letter["To"])
        ((other, second),) = people.items()
        assert letter["Subject"] == "Your turn: Friday"
        assert f"{ORIGIN}/table/{table}" in letter.get_content().splitlines()
        assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        ending = key_in(letter, "end")
        assert letter["List-Unsubscribe"] == f"<{ORIGIN}/api/mail/end/{ending}>"

        with first.live(table) as live:
            live.move(live.until(lambda s: s["legal"])["legal"][0]["move"])
            assert mailbox.next()["To"] == other
            with second.live(table) as there:
                there.move(there.until(lambda s: s["legal"])["legal"][-1]["move"])
                live.until(lambda s: s["legal"])  # and sees it, so nobody is sent anything
                eventually(lambda: {*noted(server)} == {(0, None), (1, None)})
    assert [row[0] for row in in_store(server, "SELECT DISTINCT game FROM turn_mails")] == [table]
    assert mailbox.received.empty()


def noted(server: Server) -> list[tuple[int, float | None]]:
    return [tuple(row) for row in in_store(server, "SELECT turn, due FROM turn_mails")]


def test_a_digest_lists_all_games_once_a_day(server: Server, mailbox: Mailbox) -> None:
    with Person(server, "Ann") as ann, Person(server, "Ben") as ben:
        confirmed(ann, mailbox, "ann@example.org", digest=True)
        confirmed(ben, mailbox, "ben@example.org", digest=True, language="de")
        tables = [begun(ann, ben, pace=pace) for pace in (DAYS, {"kind": "none"})]  # same seed
        eventually(lambda: len(noted(server)) == 2)
        ((due, at),) = in_store(server, "SELECT due, confirmed FROM addresses WHERE due > 0")
        assert (due - at) % sending.DAY == 0
        assert time() < due <= time() + sending.DAY
        in_store(server, "UPDATE addresses SET due = 0 WHERE due IS NOT NULL")
        letter = mailbox.next()
        lines = letter.get_content().splitlines()
        listed = [line.rpartition("/")[2] for line in lines if "/table/" in line]
        assert listed == tables[::-1]
        wanted = {
            "ann@example.org": "2 games wait for you",
            "ben@example.org": "2 Spiele warten auf dich",
        }
        assert letter["Subject"] == wanted[letter["To"]]
        eventually(lambda: in_store(server, "SELECT due FROM addresses WHERE due > 0") == [])
        in_store(server, "UPDATE addresses SET due = 0")  # now for a person for whom nothing waits
        mailbox.next()
        eventually(lambda: in_store(server, "SELECT due FROM addresses WHERE due >= 0") == [])
    assert mailbox.received.empty()


def test_an_address_is_confirmed_once_and_only_by_what_was_sent_to_it(
    server: Server, mailbox: Mailbox
) -> None:
    with Person(server, "Ann <b>") as ann, Person(server, "Eve") as eve:

        def confirm(key: str) -> int:
            return eve.post("/api/mail/confirm", json={"key": key}).status_code

        assert ann.get("/api/mail").json()["offered"]
        assert give(ann, "ann@example.org").json()["confirmed"] is False
        first = mailbox.next()
        assert "Ann" not in str(first)  # a stranger who gets it reads nothing that she has chosen
        begun(ann, eve, pace=DAYS)
        give(ann, "other@example.org")
        second = mailbox.next()
        assert confirm(key_in(first, "confirm")) == 400  # another address was given
        stored = server.stored()
        assert key_in(second, "confirm").encode() not in stored
        assert ann.get("/api/mail").json() == {
            "offered": True,
            "address": "other@example.org",
            "confirmed": False,
            "digest": False,
        }
        for key in ("", "x", key_in(second, "end"), key_in(second, "confirm")[:-1]):
            assert confirm(key) == 400
        assert confirm(key_in(second, "confirm")) == 201
        assert confirm(key_in(second, "confirm")) == 400  # a replay
        assert eve.get("/api/mail").json()["address"] is None
        changed = give(ann, "other@example.org", digest=True).json()
        assert (changed["confirmed"], changed["digest"]) == (True, True)
        give(ann, "ann@example.org")
        assert ann.get("/api/mail").json()["confirmed"] is False
        third = mailbox.next()
        in_store(server, f"UPDATE addresses SET asked = {time() - sending.CONFIRM_SECONDS}")
        assert confirm(key_in(third, "confirm")) == 400  # too late
        eventually(lambda: ann.get("/api/mail").json()["address"] is None)
        for nonsense in (
            "ann",
            "ann@",
            "@example.org",
            "a@b",
            "a b@example.org",
            "a@x.org\nBcc: b@x.org",
        ):
            refused = give(ann, nonsense)
            assert (refused.status_code, refused.json()["code"]) == (400, "no_address")
        assert give(ann, "x" * 255).status_code == 400
        assert give(ann, "ann@example.org", language="la").status_code == 400
    assert mailbox.received.empty()  # turns that had begun before an address was confirmed


def test_one_press_ends_it_and_a_scanner_does_not(server: Server, mailbox: Mailbox) -> None:
    with Person(server, "Ann") as ann, Person(server) as scanner:
        confirmed(ann, mailbox, "ann@example.org")
        begun(ann, scanner, pace=DAYS)
        begun(scanner, ann, pace=DAYS)
        letter = mailbox.next()
        path = letter["List-Unsubscribe"].strip("<>").removeprefix(ORIGIN)
        shown = scanner.get(path, follow_redirects=False)
        assert shown.headers["location"] == f"/mail#end={key_in(letter, 'end')}"
        assert scanner.get("/mail").status_code == 200
        assert ann.get("/api/mail").json()["confirmed"]
        assert scanner.post(f"{path}x").json()["code"] == "bad_link"
        assert scanner.get(f"{path}x", follow_redirects=False).status_code == 400
        scanner.cookies.clear()
        form = {"List-Unsubscribe": "One-Click"}
        assert [scanner.post(path, data=form).status_code for _ in range(2)] == [201, 201]
        assert ann.get("/api/mail").json()["address"] is None
        assert in_store(server, "SELECT * FROM turn_mails") == []


def test_an_address_goes_with_its_person(server: Server, mailbox: Mailbox) -> None:
    credentials = {"login": "ann", "password": "correct horse"}
    with Person(server, "Ann") as ann, Person(server, "Ben") as ben, Person(server, "Eve") as eve:
        people = {"ann@example.org": ann, "ben@example.org": ben, "eve@example.org": eve}
        for address, person in people.items():
            confirmed(person, mailbox, address)
        ann.post("/api/account", json=credentials).raise_for_status()  # takes it over
        (exported,) = ann.get("/api/me/export").json()["addresses"]
        assert exported["address"] == "ann@example.org"
        assert not exported.keys() & {"who", "key", "proof", "mailbox"}
        ann.post("/api/account/delete", json={"password": "correct horse"}).raise_for_status()
        ben.post("/api/me/delete").raise_for_status()
        eve.post("/api/account", json=credentials).raise_for_status()
        CliRunner().invoke(app, ["admin", "--data", str(server.folder), "ban", "ann"])
        assert in_store(server, "SELECT address FROM addresses") == []
    with Person(server, "Cyd") as cyd:
        confirmed(cyd, mailbox, "cyd@example.org")
        assert cyd.post("/api/mail/end").json() == {
            "offered": True,
            "address": None,
            "confirmed": False,
            "digest": False,
        }


def test_confirmations_are_limited(server: Server) -> None:
    with Person(server) as ann:
        for n in range(requests.CONFIRMATIONS_OF_PERSON):
            assert give(ann, f"a{n}@example.org").status_code == 201
        refused = give(ann, "b@example.org")
        assert (refused.status_code, refused.json()["code"]) == (429, "many_mails")
        assert int(refused.headers["retry-after"]) > 3_600
    addresses = [f"127.0.0.{n}" for n in range(2, 6)]
    given = ["eve@example.org", "Eve@example.org", "eve+x@example.org", "EVE+y@Example.org"]
    for n, (address, mail) in enumerate(zip(addresses, given, strict=True)):
        with Person(server, address=address) as person:
            full = n >= requests.CONFIRMATIONS_TO_MAILBOX
            assert give(person, mail).status_code == (429 if full else 201)
    statuses = []
    for n in range(requests.CONFIRMATIONS_OF_NETWORK):
        with Person(server, address="127.0.0.9") as person:
            statuses.append(give(person, f"n{n}@example.org").status_code)
    assert {*statuses} == {201}
    with Person(server, address="127.0.0.9") as person:
        assert give(person, "n@example.org").status_code == 429


def test_a_mailbox_gets_only_so_many_a_day(
    mailbox: Mailbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "MAILS_PER_DAY", 1)
    store = SqlStore(f"sqlite:///{tmp_path / 'x.db'}")

    async def play() -> None:
        await store.open()
        await with_turn(store)
        mail = mail_of(store, mailbox)
        ben = replaced(ANN, who="ben", key="other", proof="x", asked=time(), due=0.0)
        await store.mails.give(ben, 3, 0.0)
        await mail.look()  # to Ben, under the same address
        await mail.look()
        (due,) = await store.mails.due_turns(time() + 2 * sending.WAIT_SECONDS, 9)
        assert due.due > time()
        assert due.tries == 0
        mail.close()
        await store.close()

    asyncio.run(play())
    assert mailbox.next()["Subject"].startswith("Confirm")
    assert mailbox.received.empty()


def test_what_fails_is_tried_again_and_then_dropped(
    server: Server, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "RETRY_SECONDS", (1e6, 2e6))

    def waiting() -> tuple[Any, int]:
        ((due, tries),) = in_store(server, "SELECT due, tries FROM addresses")
        return due, tries

    def has_tried(tries: int) -> bool:
        return waiting()[1] == tries

    with Person(server) as ann:
        mailbox.answer = "451 Later"
        give(ann, "ann@example.org")
        for tries in (1, 2):
            eventually(partial(has_tried, tries))
            assert waiting()[0] - time() == pytest.approx(tries * 1e6, abs=1e5)
            in_store(server, "UPDATE addresses SET due = 0")
        eventually(lambda: waiting() == (None, 3))
        give(ann, "ann@example.org")
        eventually(lambda: waiting()[1] == 1)
        mailbox.answer = "250 OK"
        in_store(server, "UPDATE addresses SET due = 0")
        assert mailbox.next()["To"] == "ann@example.org"
        eventually(lambda: waiting()[0] is None)
        mailbox.answer = "550 Nobody"
        give(ann, "nobody@example.org")
        eventually(lambda: waiting() == (None, 1))
    log = [json.loads(line) for line in (server.folder / "log").read_text().splitlines()]
    said = [line["what"] for line in log if line["what"].startswith("mail ")]
    assert said == ["mail failed", "mail failed", "mail dropped", "mail failed", "mail dropped"]


# Killed at any line

ANN = AddressRow("ann", "ann@example.org", "ann@example.org", "en", False, "key", 1.0, None, 1.0)


def replaced(row: AddressRow, **changes: Any) -> AddressRow:
    fields = {name: getattr(row, name) for name in row.__struct_fields__}
    return AddressRow(**{**fields, "confirmed": None, **changes})


async def with_turn(store: SqlStore) -> None:
    """It is the turn of Ann, who has confirmed her address."""
    setup = json.dumps({"rulebook": "classic", "title": "Friday", "pace": DAYS})
    row = GameRow("g", "running", "classic", setup, "1", False, "ann", 2.0, started=2.0, turn=0)
    seats = [SeatRow("g", n, "person", who, owner=who) for n, who in enumerate(("ann", "ben"))]
    await store.create(row, seats)
    await store.mails.give(ANN, 3, 0.0)


def mail_of(store: SqlStore, mailbox: Mailbox) -> Mail:
    rooms: Any = SimpleNamespace(present=lambda _: set(), supervisor=TaskSupervisor())
    keys = MailKeys(b"secret")
    smtp = SmtpSender(MailSettings("127.0.0.1", mailbox.port, "none"))
    return Mail(store, rooms, keys, Letters("play@example.org", ORIGIN, keys), smtp)


class Killed(BaseException):
    """As if somebody had pulled the plug."""


async def killed_at(step: int, store: SqlStore, mailbox: Mailbox) -> bool:
    """Whether it came to this step: before a write, before a mail is sent, or after."""
    mail, steps, write = mail_of(store, mailbox), count(), store.write

    def step_on() -> None:
        if next(steps) == step:
            raise Killed

    async def write_or_die(*given: Any, **named: Any) -> Any:
        step_on()
        return await write(*given, **named)

    def send_or_die(letter: EmailMessage) -> None:
        step_on()
        SmtpSender.send(mail._smtp, letter)
        step_on()

    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(store, "write", write_or_die)
            patch.setattr(mail._smtp, "send", send_or_die)
            await mail.look()
    except Killed:
        return True
    finally:
        mail.close()
    return False


@pytest.mark.long
def test_killed_at_any_step_a_mail_is_sent_and_only_doubled_where_that_is_said(
    tmp_path: Path, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "LEASE_SECONDS", 0.0)

    async def sent(step: int) -> bool:
        store = SqlStore(f"sqlite:///{tmp_path / f'{step}.db'}")
        await store.open()
        await with_turn(store)
        killed = await killed_at(step, store, mailbox)
        survivor = mail_of(store, mailbox)
        for _ in range(2):
            await survivor.look()
        survivor.close()
        await store.close()
        return killed

    times = []
    for step in count():
        killed = asyncio.run(sent(step))
        letters = [mailbox.next() for _ in range(max(1, mailbox.received.qsize()))]
        assert len({letter["Message-ID"] for letter in letters}) == 1
        times.append(len(letters))
        if not killed:
            break
    # noted, claimed, about to be sent; sent, before that was noted; not killed
    assert times == [1, 1, 1, 2, 2, 1]


# The words, and the settings


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_mail_is_written_in_every_language(language: str) -> None:
    letters = Letters("play@example.org", ORIGIN, MailKeys(b"secret"))
    to = replaced(ANN, language=language)
    written = [
        letters.confirmation(to),
        letters.turn(to, "g", 1, "Ć"),
        letters.digest(to, 1, [("g", "Ć")]),
    ]
    for letter in written:
        assert letter.as_bytes().isascii()
        assert "{" not in letter.get_content() + letter["Subject"]
        assert key_in(letter, "end")
    assert len({letter["Message-ID"] for letter in written}) == 3
    assert letters.turn(to, "g", 1, "")["Message-ID"] == written[1]["Message-ID"]


def certificate_in(folder: Path) -> Path:
    """A certificate of 127.0.0.1, which only those trust who are told to."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    here = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    days = timedelta(days=1)
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    made = made.not_valid_before(datetime.now(UTC) - days).not_valid_after(datetime.now(UTC) + days)
    signed = made.add_extension(here, critical=False).sign(key, SHA256())
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file = folder / "certificate.pem"
    file.write_bytes(private + signed.public_bytes(Encoding.PEM))
    return file


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_mails_and_passwords_go_encrypted(
    tmp_path: Path, security: Literal["starttls", "tls"], monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = certificate_in(tmp_path)
    letter = Letters("play@example.org", ORIGIN, MailKeys(b"secret")).confirmation(ANN)
    with mail_server(security, certificate) as box:
        user = "play" if security == "starttls" else ""  # the tests' server sees no other TLS
        settings = MailSettings("127.0.0.1", box.port, security, user, "hush")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        SmtpSender(settings).send(letter)
        assert box.next()["To"] == ANN.address


def test_without_a_mail_server_nothing_is_offered(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with Person(server) as ann:
        assert ann.get("/api/mail").json()["offered"] is False
        assert give(ann, "ann@example.org").status_code == 404
        for path in ("confirm", "end/x.y"):
            assert ann.post(f"/api/mail/{path}", json={"key": "x"}).status_code == 400
    assert server.stop() == 0


def test_settings_that_cannot_work_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "server.toml"
    settings.write_text('[mail]\nhost = "mail.example.org"\n')
    with pytest.raises(ConfigError, match="needs a sender"):
        load_config(tmp_path)
    sender = '[mail]\nhost = "mail.example.org"\nsender = "High Voltage <play@example.org>"\n'
    settings.write_text(sender)
    with pytest.raises(ConfigError, match="address of the site"):
        load_config(tmp_path)
    settings.write_text(f'origin = "{ORIGIN}"\n{sender}')
    monkeypatch.setenv("HIGHVOLTAGE_MAIL_PASSWORD", "hush")
    found = load_config(tmp_path).mail
    assert (found.port, found.security, found.password) == (587, "starttls", "hush")


def test_only_who_is_refused_for_good_gets_no_other_try() -> None:
    def refused(*codes: int) -> SMTPRecipientsRefused:
        return SMTPRecipientsRefused(
            {f"{n}@example.org": (code, b"") for n, code in enumerate(codes)}
        )

    assert [is_final(refused(code)) for code in (421, 499, 500, 550)] == [False, False, True, True]
    assert not is_final(refused(550, 450))  # to one of them it may go yet
    assert not is_final(OSError("no way to the host"))
