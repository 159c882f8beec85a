"""How long the page takes to show what a move has done, in a real browser on this machine.

    python -m benchmarks.page --rulebooks classic outpost

Plays a whole game with three clerks with the buttons of the page. The time of a move is from the
click until the position after it is drawn.
"""

from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import highvoltage as hv
from benchmarks.measuring import Report, parser
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


def main(words: Sequence[str] | None = None) -> None:
    arguments = parser(__doc__)
    known = list(hv.games())
    arguments.add_argument("--rulebooks", nargs="+", choices=known, default=known)
    options = arguments.parse_args(words)
    report = Report(options)
    with TemporaryDirectory() as folder, chromium() as browser:
        server = Server(Path(folder))
        for rulebook in options.rulebooks:
            page = open_page(browser, server.url)
            player = Player(page)
            player.sit_down(rulebook, seats=4)
            page.evaluate(WATCH)
            player.play()
            waits = sorted(page.evaluate("window.waits"))
            late = waits[int(len(waits) * 0.95)]
            spread = f"median {median(waits):.0f} ms, 95 % within {late:.0f} ms"
            report.row(
                f"{rulebook}: {len(waits)} moves, {spread}",
                rulebook=rulebook,
                moves=len(waits),
                median_ms=median(waits),
                p95_ms=late,
            )
            page.context.close()
        server.stop()


if __name__ == "__main__":
    main()
