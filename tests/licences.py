"""The licences of what we stand on: `python tests/licences.py > docs/licences.md`."""

import json
import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
ELSEWHERE = {
    "colorama": "BSD-3-Clause",
    "pyasn1-modules": "BSD-2-Clause",
}
"""Of what is for another platform, or does not state its licence where others do."""
SPDX = {
    "Apache License, Version 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "ISC License": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
"""The short names of licences that some packages write out."""


INTRODUCTION = """\
High Voltage is under the MIT licence. None of its dependencies is copied into it, apart from what \
the built page holds: the libraries below, Pyodide and msgspec. The list of parts in each release \
(CycloneDX) has versions and licences of an installation.
"""


def packages() -> dict[str, str]:
    """The licence of each Python package that playing and serving takes, as it is locked."""
    locked = (ROOT / "requirements-play.lock").read_text("utf-8")
    names = re.findall(r"^([\w.-]+)(?:\[[^\]]*\])?==", locked, re.MULTILINE)
    return {name: ELSEWHERE.get(name) or licence_of(name) for name in names}


def licence_of(name: str) -> str:
    try:
        about = metadata(name)
    except PackageNotFoundError:
        return "?"
    classifiers = about.get_all("Classifier") or []
    stated = [each.rpartition(" :: ")[2] for each in classifiers if each.startswith("License ::")]
    written = next(iter((about["License"] or "").splitlines()), "").strip()
    found = about["License-Expression"] or written or next(iter(stated), "?")
    return SPDX.get(found, found)


def page_packages() -> dict[str, str]:
    """The same of the packages that the page is built with."""
    locked = json.loads((ROOT / "web" / "package-lock.json").read_text("utf-8"))["packages"]
    return {
        name: ELSEWHERE.get(name) or locked[f"node_modules/{name}"].get("license", "?")
        for name in locked[""]["dependencies"]
    }


def table(licences: dict[str, str]) -> Iterator[str]:
    kinds: dict[str, list[str]] = {}
    for name, licence in sorted(licences.items()):
        kinds.setdefault(licence, []).append(name)
    yield "| licence | packages |\n| --- | --- |"
    for licence, names in sorted(kinds.items()):
        yield f"| {licence} | {', '.join(names)} |"


def page() -> str:
    lines = [
        "# Licences\n",
        INTRODUCTION,
        "Python packages that playing and serving takes, with what builds the page:\n",
        *table(packages()),
        "\nPackages that the page is built with:\n",
        *table(page_packages()),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(page(), end="")
