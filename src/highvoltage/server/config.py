"""The settings of a server: from the command line, and from `server.toml` in its data folder."""

import os
import re
import secrets
from contextlib import suppress
from email.utils import parseaddr
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import platformdirs
from msgspec import Struct

from highvoltage.engine.errors import HighVoltageError
from highvoltage.rooms.limits import RoomLimits
from highvoltage.server.private_files import is_root, owner_name

PUSH_FILE = "push.toml"
"""The key for Web Push and its contact, in the data folder; `server.toml` may override it."""
ORIGIN = re.compile(r"https?://[^\s/?#\"<>]+")
ADDRESS = re.compile(
    r"[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@([a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}", re.IGNORECASE
)
MAX_ADDRESS = 254


class ConfigError(HighVoltageError):
    """A setting is invalid."""


Positive = Annotated[float, msgspec.Meta(gt=0)]


class Limits(RoomLimits, forbid_unknown_fields=True):
    """How much one visitor or one address may request: identities cost nothing."""

    processor_ms: Positive = 100  # of processor time per second, for one identity
    processor_ms_of_address: Positive = 250
    processor_burst: Positive = 10  # seconds of which may be used at once
    logins: int = 20  # wrong passwords from one address for one account; then each wait doubles
    connections: int = 25  # WebSockets of one identity
    connections_of_address: int = 50
    http_connections: int = 100  # of one address
    head_seconds: float = 10  # to send the head of a request
    body_seconds: float = 30  # to send the rest of it
    answer_seconds: float = 60  # to be answered
    message_bytes: int = 4_096
    body_bytes: int = 1_000_000  # enough for a record


class PushSettings(Struct, forbid_unknown_fields=True):
    """Web Push to closed browsers; off without a key."""

    key: str = ""  # secret; the environment variable HIGHVOLTAGE_PUSH_KEY overrides it
    contact: str = ""  # for the push services: mailto:… or https://…


class MailSettings(Struct, forbid_unknown_fields=True):
    """The mail server that carries word of a turn; none without a host."""

    host: str = ""
    port: int = 587
    security: Literal["starttls", "tls", "none"] = "starttls"
    user: str = ""
    password: str = ""  # secret; the environment variable HIGHVOLTAGE_MAIL_PASSWORD overrides it
    sender: str = ""  # High Voltage <play@example.org>


class Config(Struct, forbid_unknown_fields=True, kw_only=True):
    """The settings of a server; `server.toml` may set all of them."""

    host: str = "127.0.0.1"
    port: int = 8104
    operator_host: str = "127.0.0.1"
    operator_port: int = 0  # of /metrics and /readyz; 0: nowhere
    proxies: tuple[str, ...] = ("127.0.0.1", "::1")  # trusted to report the client's address
    database: str = ""  # SQLite in the data folder
    lan_command: str = "highvoltage serve --lan"  # shown to hosts: lets others in the network join
    lan_switch: bool = True  # may a browser on this machine let the local network in?
    origin: str = ""  # https://play.example.org: for the previews of links; empty: without pictures
    hosts: tuple[str, ...] = ()  # names it is reached by; empty: any, unless it is local
    workers: int = max(1, (os.cpu_count() or 2) - 1)  # processes for bots
    bot_seconds: float = 10  # then the clerk moves instead
    bot_budget: float = 5  # maximum seconds of a requested budget, as in director:5s
    analysis_budget: str = "8"  # for each decision of an analysed game
    private_webhooks: bool = False
    registration: bool = True  # may anybody make an account?
    model_chat: bool = False  # may language models read and write the chat of their tables?
    arena_share: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0  # of a processor; 0: no arena
    push: PushSettings = msgspec.field(default_factory=PushSettings)
    mail: MailSettings = msgspec.field(default_factory=MailSettings)
    limits: Limits = msgspec.field(default_factory=Limits)


def is_address(text: str) -> bool:
    """Whether this may be an address for e-mail.

    >>> is_address("ann@example.org"), is_address("ann"), is_address("ann@example.org, bob@x.org")
    (True, False, False)
    """
    return len(text) <= MAX_ADDRESS and ADDRESS.fullmatch(text) is not None


def data_folder(given: Path | None) -> Path:
    """The folder that was named, or the usual one for this user; it need not exist."""
    return given or Path(platformdirs.user_data_dir("highvoltage", appauthor=False))


def find_data_folder(given: Path | None) -> Path:
    """The same, created if it does not exist."""
    folder = data_folder(given)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"The data folder cannot be made: {error}") from None
    return folder


def check_owner(folder: Path) -> None:
    """Refuse to run as root in the folder of another user, who could not open root's files."""
    if is_root() and folder.stat().st_uid != 0:
        owner = owner_name(folder)
        raise ConfigError(
            f"{folder} belongs to {owner}, who could not open what root creates there. Run the"
            f" same command as that user: runuser -u {owner} -- …"
        )


def load_config(folder: Path, **overrides: object) -> Config:
    """The settings in the folder, overridden by those of the command line (None: not given)."""
    file = folder / "server.toml"
    try:
        settings = msgspec.toml.decode(file.read_bytes()) if file.exists() else {}
        if (push := folder / PUSH_FILE).exists():
            settings["push"] = msgspec.toml.decode(push.read_bytes()) | settings.get("push", {})
        settings |= {name: value for name, value in overrides.items() if value is not None}
        config = msgspec.convert(settings, Config)
    except msgspec.MsgspecError as error:
        raise ConfigError(f"{file}: {error}") from None
    config.database = database_url(config.database or f"sqlite:///{folder / 'highvoltage.db'}")
    config.lan_command = os.environ.get("HIGHVOLTAGE_LAN_COMMAND", config.lan_command)
    if config.origin and not ORIGIN.fullmatch(config.origin):
        raise ConfigError(
            f"{file}: origin is the address of the site without a path, as in"
            f' "https://play.example.org", not "{config.origin}".'
        )
    config.push.key = os.environ.get("HIGHVOLTAGE_PUSH_KEY", config.push.key)
    if config.push.key and not config.push.contact.startswith(("mailto:", "https://")):
        raise ConfigError(
            f'{file}: [push] needs a contact = "mailto:you@example.org" with its key.'
        )
    config.mail.password = os.environ.get("HIGHVOLTAGE_MAIL_PASSWORD", config.mail.password)
    if config.mail.host and not is_address(parseaddr(config.mail.sender)[1]):
        raise ConfigError(
            f'{file}: [mail] needs a sender = "High Voltage <play@example.org>" with its host.'
        )
    if config.mail.host and not config.origin:
        raise ConfigError(
            f"{file}: [mail] needs the address of the site for its links, as in origin ="
            ' "https://play.example.org" above it.'
        )
    return config


def database_url(url: str) -> str:
    """The URL of a database with the driver that we use."""
    scheme, colon, rest = url.partition("://")
    drivers = {
        "sqlite": "sqlite",
        "postgres": "postgresql+psycopg",
        "postgresql": "postgresql+psycopg",
    }
    if not colon or scheme.partition("+")[0] not in drivers:
        raise ConfigError("A database is given as sqlite:///FILE or postgresql://USER@HOST/NAME.")
    return f"{drivers[scheme.partition('+')[0]]}://{rest}"


def load_secret(folder: Path) -> bytes:
    """The key that signs cookies, generated once. All processes of a server must share it."""
    if given := os.environ.get("HIGHVOLTAGE_SECRET"):
        return given.encode()
    file = folder / "secret"
    if not file.exists():
        new = folder / f".secret-{secrets.token_hex(8)}"
        new.touch(0o600)
        new.write_text(secrets.token_hex(32))
        with suppress(FileExistsError):  # another process was faster
            file.hardlink_to(new)
        new.unlink()
    return file.read_bytes()
