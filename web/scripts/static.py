"""Writes the page as a folder that plays without a server: `make static`.

Any static host can serve it, under any path: `python -m http.server` in the folder is enough.
"""

import asyncio
import shutil
import sys
from pathlib import Path

from seal import seal

from highvoltage.bots.tycoon.evaluation import NETWORKS
from highvoltage.browser import open_app
from highvoltage.games import editions, metas
from highvoltage.texts import RULE_TEXTS
from highvoltage.words import LANGUAGES

PACKAGE = Path(__file__).parents[2] / "src" / "highvoltage"
PAGE = PACKAGE / "web_dist"
PICTURES = RULE_TEXTS / "players" / "pictures"
WEIGHTS = PACKAGE / "bots" / "tycoon" / "weights"


def main(folder: Path) -> None:
    """Copy the page, and put what never changes beside it: it is there before the engine."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(PAGE, folder)
    weights = folder / "engine" / "weights"
    weights.mkdir()
    for rulebook, names in NETWORKS.items():
        if editions()[rulebook].family == "board":  # whose code does without NumPy
            for name in names:
                shutil.copy(WEIGHTS / f"{name}.safetensors", weights)
    for path, text in asyncio.run(constants()).items():
        file = folder / f"{path.lstrip('/')}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    seal(folder, static=True)


async def constants() -> dict[str, str]:
    """The answers to what the page asks for before anybody plays (web/src/lib/net/transport.ts)."""
    app = await open_app(NoStorage(), NoThinker(), lambda _connection, _text: None)
    books = [*metas(), "atlas"]
    paths = [
        "/api/games",
        *(f"/api/words/{language}" for language in LANGUAGES),
        *(f"/api/rules/{book}" for book in books),
        *(f"/api/rules/{book}/player/{language}" for book in metas() for language in LANGUAGES),
        *(f"/api/pictures/{file.name}" for file in PICTURES.glob("*.svg")),
    ]
    found = {}
    for path in paths:
        status, _, text = await app.request("GET", path, None)
        assert status == 200, f"{path}: {text}"
        found[path] = text
    await app.close()
    return found


class NoStorage:
    """Nothing is played here, so nothing is kept."""

    async def load(self) -> list[tuple[str, str]]:
        return []

    async def write(self, batch: list[tuple[str, str | None]]) -> None:
        pass


class NoThinker:
    """Nor does anybody think."""

    async def ready(self) -> None:
        pass

    async def think(self, task: str) -> str:
        raise RuntimeError("what never changes takes no thought")

    def restart(self) -> None:
        pass


if __name__ == "__main__":
    main(Path(sys.argv[1]))
