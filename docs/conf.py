"""The documentation as a site: `make docs`."""

import re
import shutil
import sys
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

sys.path.append(str(Path(__file__).parent))

import drawings

import highvoltage

project = "High Voltage"
author = copyright = "The High Voltage contributors"  # noqa: A001
release = version = highvoltage.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
html_theme = "furo"
html_title = f"High Voltage {release}"
html_static_path = ["_static"]
html_js_files = ["run.js"]
html_css_files = ["run.css"]
exclude_patterns = ["console"]

ROOT = Path(__file__).parents[1]
PLAYABLE = ROOT / "build" / "static"
PYODIDE = ROOT / "web" / "node_modules" / "pyodide"

myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]

default_role = "code"  # docstrings are written for readers of the code
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"


class Drawing(SphinxDirective):
    """A drawing made of the code, by name; what it shows is told in words below it."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """The drawing as part of the page, so that it takes the colours of day and night."""
        picture = nodes.raw("", drawings.draw(self.arguments[0]), format="html")
        return [picture, *self.parse_content_to_nodes()]


def shorten(app: Sphinx, _doctree: nodes.document) -> None:
    """Of the rules the contents list sections only: every page carries the contents of all."""
    if app.env.docname.startswith("rules/"):
        app.env.metadata[app.env.docname]["tocdepth"] = 2


def stay(app: Sphinx, docname: str, source: list[str]) -> None:
    """A page of the repository that the site does not have is named instead of linked."""
    folder = Path(app.srcdir, docname).parent

    def named(link: re.Match[str]) -> str:
        target = (folder / link[2]).resolve()
        if target.is_relative_to(app.srcdir) or not (target.is_dir() or target.suffix == ".md"):
            return link[0]
        return f"{link[1]} (`{target.relative_to(Path(app.srcdir).parent)}`)"

    source[0] = re.sub(r"(?<!!)\[([^]\n]+)\]\((\.\./[^)#\s]+)[^)\n]*\)", named, source[0])


def add_playable(app: Sphinx, error: Exception | None) -> None:
    """Put the page that plays without a server, and a console of its Python, into the site."""
    if error or app.builder.format != "html":
        return
    if not PLAYABLE.is_dir():
        raise ExtensionError("There is no playable page for this site: `make static` builds it.")
    site = Path(app.outdir)
    for source, target in (
        (PLAYABLE, site / "play"),
        (Path(app.srcdir, "console"), site / "console"),
    ):
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(source, target)
    for name in ("pyodide.mjs", "python_stdlib.zip"):
        shutil.copyfile(PYODIDE / name, site / "console" / name)


def setup(app: Sphinx) -> None:
    app.connect("build-finished", add_playable)
    app.connect("source-read", stay)
    app.add_directive("drawing", Drawing)
    app.connect("doctree-read", shorten)
