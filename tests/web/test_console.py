"""The Python console of the documentation, which runs from the files of the static page."""

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from static_site import ROOT, Site, build_site, profile

PYODIDE = ROOT / "web" / "node_modules" / "pyodide"
PAGE = """<!doctype html>
<title>A page of the documentation</title>
<script src="_static/run.js"></script>
<div class="highlight-pycon"><pre>
&gt;&gt;&gt; game = hv.new("classic", map="germany", players=3, seed=7)
&gt;&gt;&gt; for seat in range(2):
...     print(seat, game.names[seat])
0 Player 1
1 Player 2
&gt;&gt;&gt; game.to_move, game.phase
(2, 'auction')
</pre></div>
"""


@pytest.mark.long
def test_an_example_of_the_documentation_runs(browser: Browser, tmp_path: Path) -> None:
    root = build_site(tmp_path)
    site = Site(root)
    site.folder.rename(site.folder.parent / "play")
    site.folder.mkdir()
    (site.folder.parent / "play").rename(site.folder / "play")
    shutil.copytree(ROOT / "docs" / "console", site.folder / "console")
    shutil.copytree(ROOT / "docs" / "_static", site.folder / "_static")
    for name in ("pyodide.mjs", "python_stdlib.zip"):
        shutil.copyfile(PYODIDE / name, site.folder / "console" / name)
    (site.folder / "index.html").write_text(PAGE)
    with profile(browser, site) as person:
        page = person.tab()
        page.get_by_role("button", name="Run").click()
        console = page.frame_locator("iframe")
        expect(console.get_by_role("log")).to_contain_text("(2, 'auction')", timeout=300_000)
        expect(console.get_by_role("log")).to_contain_text("1 Player 2")
        line = console.get_by_label("A line of Python")
        line.fill("1 / 0")
        line.press("Enter")
        expect(console.locator(".problem")).to_contain_text("ZeroDivisionError")
        line.fill("help(hv.games)")
        line.press("Enter")
        expect(console.get_by_role("log")).to_contain_text("The rulebooks with their players")
    site.stop()
