"""The built files used as a stranger would: `python tests/installed.py dist CYCLONEDX PYTHON...`

The folder becomes a package index. From there it is installed into an empty environment for each of
these Pythons, where it replays the corpus, plays and serves. Where a compiled wheel is there, it is
the one that has to be taken. The first environment also migrates a store of every earlier schema
and gives the list of parts, with their licences; another one is upgraded from version 0.1.0.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from shutil import copytree
from signal import SIGTERM
from tempfile import TemporaryDirectory
from urllib.request import Request, urlopen

from release import ROOT, git, version

GAMES = ("classic", "recharged", "cardgame", "outpost")
OLD = "0.1.0"
REPLAY = """
import sys, highvoltage as hv
from pathlib import Path
files = sorted(Path(sys.argv[1]).glob("*.txt"))
for file in files:
    hv.replay(file)
print(len(files))
"""
MIGRATE = """
import asyncio, sqlite3, sys
from contextlib import closing
from pathlib import Path
from highvoltage.server.store import SqlStore

def ask(file, question):
    with closing(sqlite3.connect(file)) as store:
        return store.execute(question).fetchall()

async def migrated(file):
    store = SqlStore(f"sqlite:///{file}")
    await store.open()
    await store.close()
    tables = [name for name, in ask(file, "SELECT name FROM sqlite_master WHERE type = 'table'")]
    return {name: {row[1] for row in ask(file, f"PRAGMA table_info({name})")} for name in tables}

scratch = Path(sys.argv[2])
newest = asyncio.run(migrated(scratch / "new.db"))
schemas = sorted(Path(sys.argv[1]).glob("*.sql"))
for schema in schemas:
    file = scratch / f"{schema.stem}.db"
    with closing(sqlite3.connect(file)) as store:
        store.executescript(schema.read_text("utf-8"))
    games = ask(file, "SELECT id FROM games")
    assert games, schema
    assert asyncio.run(migrated(file)) == newest, schema
    assert ask(file, "SELECT id FROM games") == games, schema
print(len(schemas))
"""


def run(*words: str | Path) -> str:
    ended = subprocess.run([*map(str, words)], stdout=subprocess.PIPE, text=True, check=True)
    return ended.stdout


def make_index(folder: Path, place: Path) -> str:
    """A package index with the files of the folder, as pip reads it (PEP 503)."""
    page = place / "highvoltage" / "index.html"
    page.parent.mkdir(parents=True)
    files = [*folder.glob("*.whl"), *folder.glob("highvoltage-*.tar.gz")]
    links = [
        f'<a href="{file.as_uri()}#sha256={sha256(file.read_bytes()).hexdigest()}">{file.name}</a>'
        for file in sorted(files)
    ]
    page.write_text("\n".join(["<!doctype html>", *links, ""]), "utf-8")
    return place.as_uri()


def install(place: Path, index: str, *wanted: str) -> None:
    """Install with the locked versions of everything else."""
    # Without hashes: with them pip would want one of what was just built, too.
    locked = (ROOT / "requirements-play.lock").read_text("utf-8")
    versions = place / "versions.txt"
    versions.write_text("\n".join(re.findall(r"^[^\s#]+==[^\\\n]+", locked, re.MULTILINE)), "utf-8")
    pip = (
        place / "bin" / "python",
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    )
    run(*pip, "--constraint", versions, "--extra-index-url", index, *wanted)


@contextmanager
def serving(place: Path, data: Path) -> Iterator[str]:
    """The address of a server with this data folder."""
    words = [str(place / "bin" / "highvoltage"), "serve", "--data", str(data), "--port", "0"]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        yield server.stdout.readline().split("at ")[1].split("/ ")[0]
    finally:
        server.terminate()
        assert server.wait(60) == -SIGTERM  # after it has closed all


def fetch(url: str, body: object = None, cookie: str = "") -> tuple[str, str]:
    """What a server answers, and the cookie that it sets."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Cookie": cookie, "Content-Type": "application/json"}
    with urlopen(Request(url, data, headers)) as answer:
        set_ = answer.headers.get_all("Set-Cookie") or []
        return answer.read().decode(), "; ".join(each.partition(";")[0] for each in set_)


def use(place: Path, *, compiled: bool) -> str:
    """Replay the corpus, play every game and serve the page; says which build it is."""
    highvoltage = place / "bin" / "highvoltage"
    shown = run(highvoltage, "--version").strip()
    assert ("compiled" in shown) is compiled, shown
    count = run(place / "bin" / "python", "-c", REPLAY, ROOT / "tests" / "corpus").strip()
    for game in GAMES:
        run(highvoltage, "simulate", game, "--games", "2", "--bots", "clerk,engineer,tycoon")
    with TemporaryDirectory() as data, serving(place, Path(data)) as address:
        for path in ("/healthz", "/", "/api/games"):
            fetch(address + path)
    return f"{shown} replays {count} games, plays and serves"


def migrate(place: Path) -> str:
    with TemporaryDirectory() as scratch:
        schemas = ROOT / "tests" / "server" / "schemas"
        count = run(place / "bin" / "python", "-c", MIGRATE, schemas, scratch).strip()
    return f"stores of {count} earlier schemas are migrated"


def build_old(folder: Path) -> bool:
    """A wheel of 0.1.0, from the last commit that had this number; with the page of today."""
    line = f'__version__ = "{OLD}"'
    raised = git(ROOT, "log", "-1", "--format=%H", f"-S{line}", "--", "src/highvoltage/__init__.py")
    source = folder / "source"
    archive = folder / "old.tar"
    git(ROOT, "archive", "--output", str(archive), f"{raised}~1")
    if not archive.exists():
        return False
    source.mkdir()
    run("tar", "-xf", archive, "-C", source)
    assert line in (source / "src" / "highvoltage" / "__init__.py").read_text("utf-8")
    page = "src/highvoltage/web_dist"
    copytree(ROOT / page, source / page)
    for made in ("index.html", "engine"):  # in this order: whatever is older is built anew
        (source / page / made).touch()
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=source, stdout=subprocess.PIPE, check=True)
    return True


def upgrade(python: str, index: str) -> str:
    """Install 0.1.0, begin a game on its server, upgrade, and find the game again."""
    with TemporaryDirectory() as temporary:
        place, folder, data = (Path(temporary) / name for name in ("env", "old", "data"))
        folder.mkdir()
        if not build_old(folder):
            return f"no upgrade was tried: this clone has no commits of {OLD}"
        run(python, "-m", "venv", place)
        (old,) = folder.glob("*.whl")
        install(place, index, f"highvoltage[server] @ {old.as_uri()}")
        assert OLD in run(place / "bin" / "highvoltage", "--version")
        with serving(place, data) as address:
            _, cookie = fetch(f"{address}/api/me")
            seats = [{"kind": "me"}, {"kind": "me"}]
            wanted = {"rulebook": "classic", "seats": seats}
            made, _ = fetch(f"{address}/api/tables", wanted, cookie)
            path = f"/api/tables/{json.loads(made)['id']}"
            before = json.loads(fetch(address + path, cookie=cookie)[0])
        install(place, index, "--upgrade", "highvoltage[server]")
        shown = run(place / "bin" / "highvoltage", "--version").strip()
        assert version(ROOT) in shown, shown
        with serving(place, data) as address:
            now = json.loads(fetch(address + path, cookie=cookie)[0])
            assert now["you"] == before["you"] != []
            assert now["view"]["players"] == before["view"]["players"]
    return f"{OLD} is upgraded to {shown} and keeps its table"


def try_out(files: Path, index: str, python: str, cyclonedx: str = "") -> str:
    """Install into an empty environment and use it; CYCLONEDX also migrates and lists the parts."""
    with TemporaryDirectory() as temporary:
        place = Path(temporary)
        run(python, "-m", "venv", place)
        install(place, index, "highvoltage[server]")
        assert version(ROOT) in run(place / "bin" / "highvoltage", "--version")
        minor = run(python, "-c", "import sys; print(sys.version_info.minor)").strip()
        found = use(place, compiled=any(files.glob(f"*-cp3{minor}-*.whl")))
        if cyclonedx:
            found += f"\n{migrate(place)}"
            parts = files / f"highvoltage-{version(ROOT)}.cdx.json"
            out = ("--output-reproducible", "--of", "JSON", "--output-file", parts)
            run(cyclonedx, "environment", *out, place / "bin" / "python")
        return found


def main() -> None:
    folder, cyclonedx, *pythons = sys.argv[1:]
    files = Path(folder).resolve()
    with TemporaryDirectory() as shelf, ThreadPoolExecutor(2) as two:
        index = make_index(files, Path(shelf))
        tried = [two.submit(try_out, files, index, python) for python in pythons[1:]]
        tried.insert(0, two.submit(try_out, files, index, pythons[0], cyclonedx))
        tried.append(two.submit(upgrade, pythons[0], index))
        for each in tried:
            print(each.result(), flush=True)


if __name__ == "__main__":
    main()
