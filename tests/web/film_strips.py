"""Makes film strips: ten pictures in a row of an auction, a payday and an ending, to look at.

    PYTHONPATH=tests .venv/bin/python tests/web/film_strips.py build/strips [classic-payday …]

One file for each game, scene and screen; with names, only those that begin with one of them.
"""

import sys
from base64 import b64encode
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page

import highvoltage as hv
from browsing import STEP, Player, chromium, open_page
from seating import next_decision
from serving import Server

PICTURES = 10
FRAME = 100  # milliseconds
SCREENS = {"phone": (390, 844), "desk": (1280, 720)}
ROWS = {"phone": 1, "desk": 2}
SCENES = {  # and what Ann decides before them
    "classic": {"auction": "bid", "payday": "bureaucracy", "ending": "building"},
    "recharged": {"auction": "bid", "payday": "bureaucracy", "ending": "building"},
    "cardgame": {"auction": "bid", "payday": "run", "ending": "fuel_cards"},
    "outpost": {"auction": "bid_card", "payday": "bureaucracy", "ending": "company"},
}
LENGTH = {  # milliseconds
    "auction": 4_000,
    "payday": 4_000,
    "ending": 6_000,
}


def is_due(scene: str, game: hv.Game) -> bool:
    if scene == "ending":
        return game.state.round > 7 and next_decision(game).outcome is not None
    return game.state.round > 4


def film(server: Server, page: Page, rulebook: str, scene: str) -> list[bytes]:
    player = Player(page)
    kind = SCENES[rulebook][scene]
    player.sit_at(server, kind, rulebook, 4, when=lambda game: is_due(scene, game))
    page.emulate_media(reduced_motion="no-preference")
    page.clock.pause_at(datetime.now(UTC) + timedelta(minutes=1))
    before = player.seq()
    button = "[data-key=p]" if scene == "auction" else "[data-key=d], [data-primary]"
    ready = player.button(f":is({button}):not(.busy *)")
    while player.seq() == before:  # where something would be left out it asks again
        if ready.count():
            ready.last.evaluate("button => button.click()")
        page.clock.run_for(FRAME)
    pictures = []
    for _ in range(PICTURES):
        for _ in range(LENGTH[scene] // PICTURES // FRAME):
            page.clock.run_for(FRAME)
            page.evaluate(STEP, FRAME)
        pictures.append(page.screenshot())
    return pictures


def strip(browser: Browser, pictures: list[bytes], rows: int) -> bytes:
    """Pictures side by side, at half their size."""
    page = browser.new_page(viewport={"width": 4000, "height": 200})
    images = (f'<img src="data:image/png;base64,{b64encode(each).decode()}">' for each in pictures)
    columns = f"repeat({len(pictures) // rows}, max-content)"
    style = f"display: grid; grid-template-columns: {columns}; gap: 4px; width: max-content"
    page.set_content(
        f'<style>img {{ zoom: 0.5 }}</style><div style="{style}">{"".join(images)}</div>'
    )
    taken = page.locator("div").screenshot()
    page.close()
    return taken


def main(folder: Path, *wanted: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as data, chromium() as browser:
        server = Server(Path(data))
        try:
            for rulebook, scenes in SCENES.items():
                for scene, screen in product(scenes, SCREENS):
                    name = f"{rulebook}-{scene}-{screen}"
                    if wanted and not name.startswith(wanted):
                        continue
                    page = open_page(browser, server.url, SCREENS[screen], painted=True)
                    page.clock.install()
                    pictures = film(server, page, rulebook, scene)
                    page.context.close()
                    (folder / f"{name}.png").write_bytes(strip(browser, pictures, ROWS[screen]))
                    print(f"{folder}/{name}.png")
        finally:
            server.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
