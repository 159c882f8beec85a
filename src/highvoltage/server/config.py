"""How a server is set up: what the command says, and `server.toml` in its data folder."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

import msgspec
import platformdirs
from msgspec import Struct

from highvoltage.engine.errors import HighVoltageError


class ConfigError(HighVoltageError):
    """A setting that cannot be used."""


class Limits(Struct, forbid_unknown_fields=True):
    """How much one visitor, or one address, may ask for: identities are free."""

    requests_per_second: float = 20
    messages_per_second: float = 20
    burst: int = 100
    chat_per_minute: float = 60
    tables: int = 50  # open or running, made by one identity
    tables_of_address: int = 100
    imports: int = 200
    imports_of_address: int = 400
    analyses: int = 20  # of finished games, begun from one address in an hour
    logins: int = 20  # tried at once for one account, or from one address; then one every 30 s
    watchers: int = 100  # of one table
    connections: int = 50  # WebSockets of one address
    http_connections: int = 100  # of one address
    head_seconds: float = 10  # that a request may take to say what it wants
    body_seconds: float = 30  # to send the rest of it
    answer_seconds: float = 60  # and to be answered
    message_bytes: int = 4_096
    body_bytes: int = 1_000_000  # a record fits in
    own_bytes: int = 100_000  # of a map, or of card faces, that a table brings along


class PushSettings(Struct, forbid_unknown_fields=True):
    """Who writes to browsers that are closed; without a key nobody does."""

    key: str = ""  # secret; that of the environment, HIGHVOLTAGE_PUSH_KEY, wins
    contact: str = ""  # for the services of browsers: mailto:… or https://…


class Config(Struct, forbid_unknown_fields=True, kw_only=True):
    """The settings of a server; all may stand in `server.toml`."""

    host: str = "127.0.0.1"
    port: int = 8104
    operator_host: str = "127.0.0.1"
    operator_port: int = 0  # of /metrics and /readyz; 0: nowhere
    proxies: tuple[str, ...] = ("127.0.0.1", "::1")  # believed when they say whom they speak for
    database: str = ""  # SQLite in the data folder
    lan_command: str = "highvoltage serve --lan"  # for others in the network; told to hosts
    hosts: tuple[str, ...] = ()  # names under which it is reached; none: any, unless it is local
    workers: int = max(1, (os.cpu_count() or 2) - 1)  # processes for bots
    bot_seconds: float = 10  # then clerk moves
    bot_budget: float = 5  # seconds that may be asked for, as in director:5s
    analysis_budget: str = "8"  # for each decision of a game that is analysed
    private_webhooks: bool = False
    registration: bool = True  # may anybody make an account?
    push: PushSettings = msgspec.field(default_factory=PushSettings)
    limits: Limits = msgspec.field(default_factory=Limits)


def find_data_folder(wish: Path | None) -> Path:
    folder = wish or Path(platformdirs.user_data_dir("highvoltage", appauthor=False))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"The data folder cannot be made: {error}") from None
    return folder


def load_config(folder: Path, **wishes: object) -> Config:
    """The settings in the folder, and over them those given by the command (None: not given)."""
    file = folder / "server.toml"
    try:
        settings = msgspec.toml.decode(file.read_bytes()) if file.exists() else {}
        settings |= {name: wish for name, wish in wishes.items() if wish is not None}
        config = msgspec.convert(settings, Config)
    except msgspec.MsgspecError as error:
        raise ConfigError(f"{file}: {error}") from None
    config.database = database_url(config.database or f"sqlite:///{folder / 'highvoltage.db'}")
    config.lan_command = os.environ.get("HIGHVOLTAGE_LAN_COMMAND", config.lan_command)
    config.push.key = os.environ.get("HIGHVOLTAGE_PUSH_KEY", config.push.key)
    if config.push.key and not config.push.contact.startswith(("mailto:", "https://")):
        raise ConfigError(
            f'{file}: [push] needs a contact = "mailto:you@example.org" with its key.'
        )
    return config


def database_url(url: str) -> str:
    """The address with the driver that is used here."""
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
    """The key that signs cookies; made once. All processes of a server must share it."""
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
