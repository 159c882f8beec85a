"""The pages that people read, and the blocks of code on them."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
FOLDERS = (".", "docs", "docs/tours", "docs/decisions", "benchmarks", "learn", "web")
PAGES = [
    str(page.relative_to(ROOT))
    for folder in FOLDERS
    for page in sorted((ROOT / folder).glob("*.md"))
]
# A comment above a block says why it is not run, what runs it, or which files it needs or makes.
FENCE = re.compile(
    r"(?:^[ ]*<!-- (?P<mark>[^\n]*?) -->\n)?^(?P<indent>[ ]*)```(?P<kind>\S*)[^\n]*\n"
    r"(?P<body>.*?)^[ ]*```$",
    re.MULTILINE | re.DOTALL,
)


class Block(NamedTuple):
    """One block of code with the comment above it."""

    line: int
    kind: str
    body: str
    mark: str


def blocks(page: str) -> list[Block]:
    text = (ROOT / page).read_text("utf-8")
    return [
        Block(
            text.count("\n", 0, found.start("kind")) + 1,
            found["kind"],
            re.sub(f"^{found['indent']}", "", found["body"], flags=re.MULTILINE),
            found["mark"] or "",
        )
        for found in FENCE.finditer(text)
    ]
