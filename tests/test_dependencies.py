"""What we stand on: licences that allow it, and bounds where private parts are used."""

import ast
import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import licences

ROOT = Path(__file__).parents[1]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
# Public by their documentation; whatever else is imported from these packages is not.
PUBLIC = {
    "uvicorn": {"uvicorn", "uvicorn.middleware.proxy_headers"},
    "websockets": {"websockets.http11"},
}
FREE = (
    *("0BSD", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MIT-0", "Zlib"),
    *("Apache-2.0", "CC0-1.0", "MPL-2.0", "OFL-1.1", "PSF-2.0"),
)


def test_the_page_lists_every_licence() -> None:
    assert (ROOT / "docs" / "licences.md").read_text() == licences.page(), (
        "run: python tests/licences.py > docs/licences.md"
    )


def test_every_licence_lets_everybody_play() -> None:
    for name, licence in (licences.packages() | licences.page_packages()).items():
        kinds = re.split(r" AND | OR ", licence)
        assert {*kinds} <= {*FREE}, f"{name}: {licence}"


def private_parts(package: str) -> set[str]:
    """The modules of a package that we import although they are not documented."""
    found = set()
    for file in (ROOT / "src").rglob("*.py"):
        text = file.read_text()
        if package in text:
            for line in ast.walk(ast.parse(text)):
                if isinstance(line, ast.ImportFrom) and line.module:
                    found |= {line.module} if line.module.partition(".")[0] == package else set()
    return found - PUBLIC[package]


@pytest.mark.parametrize("package", PUBLIC)
def test_whose_private_parts_are_used_has_an_upper_bound(package: str) -> None:
    assert private_parts(package)
    (bound,) = (each for each in map(Requirement, EXTRAS["server"]) if each.name == package)
    assert any(each.operator == "<" for each in bound.specifier), bound
    assert version(package) in bound.specifier
