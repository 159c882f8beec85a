"""How long the page takes to show what a move has done, in a real browser on this machine.

    PYTHONPATH=tests python benchmarks/page.py [RULEBOOK…]

Plays a whole game with three clerks with the buttons of the page. The time of a move is from the
click until the position after it is drawn.
"""

import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import highvoltage as hv
from browsing import Player, chromium, open_page
from serving import Server

WATCH = """() => {
    window.waits = []
    let clicked = null
    addEventListener('click', ({ target }) => {
        if (target.closest('.moves button')) clicked = performance.now()
    }, true)
    new MutationObserver(() => {
        if (clicked === null) return
        const start = clicked
        clicked = null
        requestAnimationFrame(() => setTimeout(() => window.waits.push(performance.now() - start)))
    }).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-seq'] })
}"""


def main() -> None:
    rulebooks = sys.argv[1:] or list(hv.games())
    with TemporaryDirectory() as folder, chromium() as browser:
        server = Server(Path(folder))
        for rulebook in rulebooks:
            page = open_page(browser, server.url)
            player = Player(page)
            player.sit_down(rulebook, seats=4)
            page.evaluate(WATCH)
            player.play()
            waits = sorted(page.evaluate("window.waits"))
            late = waits[int(len(waits) * 0.95)]
            spread = f"median {median(waits):.0f} ms, 95 % within {late:.0f} ms"
            print(f"{rulebook}: {len(waits)} moves, {spread}")
            page.context.close()
        server.stop()


if __name__ == "__main__":
    main()
