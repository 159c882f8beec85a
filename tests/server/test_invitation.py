"""What a chat shows beside a link to a table."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from highvoltage.server.config import ConfigError, load_config
from serving import BOT, ME, OPEN, Person, Server

ORIGIN = "https://play.example.org"


@pytest.fixture
def ann(tmp_path: Path) -> Iterator[Person]:
    server = Server(tmp_path, settings=f'origin = "{ORIGIN}"')
    with Person(server, "Ann") as person:
        yield person
    assert server.stop() == 0
    assert server.errors() == []


def tags(person: Person, path: str) -> dict[str, str]:
    found = person.get(path, headers={"accept": "text/html"}).text
    return dict(re.findall(r'<meta property="([^"]+)" content="([^"]*)" />', found))


def test_a_link_shows_game_board_and_seats_and_no_names(ann: Person) -> None:
    title = 'Ann & Bob\'s "evening"'
    table = ann.table([ME, OPEN, OPEN, BOT], map="japan", title=title)["id"]
    shown = tags(ann, f"/table/{table}")
    assert shown["og:title"] == "Power Grid (2004) · Japan"
    assert shown["og:description"] == "4 at the table · 2 free seats"
    assert shown["og:url"] == f"{ORIGIN}/table/{table}"
    assert shown["og:image"] == f"{ORIGIN}/previews/japan.png"
    assert not any(private in text for text in shown.values() for private in ("Ann", "Bob"))
    picture = ann.get("/previews/japan.png")
    assert picture.headers["content-type"] == "image/png"
    assert picture.content.startswith(b"\x89PNG")
    for elsewhere in ("/", "/table/nothere", f"/table/{table}/x", f"/replay/{table}"):
        assert tags(ann, elsewhere) == {}


def test_a_game_without_a_board_has_a_plain_picture(ann: Person) -> None:
    table = ann.table([ME, OPEN], rulebook="cardgame", map=None)["id"]
    assert tags(ann, f"/table/{table}")["og:image"] == f"{ORIGIN}/previews/plain.png"
    assert ann.get("/previews/plain.png").is_success


@pytest.mark.parametrize("wrong", ["play.example.org", "https://a.org/path", 'https://a\\"b'])
def test_an_origin_that_is_none_is_refused(tmp_path: Path, wrong: str) -> None:
    (tmp_path / "server.toml").write_text(f'origin = "{wrong}"')
    with pytest.raises(ConfigError, match="as in"):
        load_config(tmp_path)
