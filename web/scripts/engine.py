"""Puts the engine beside the page: Python, msgspec, and the part of this package that plays.

Run by `make web`, after the page was built. Everything comes from the lock files, by its hash.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from seal import seal

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "highvoltage"
RULES = ROOT / "docs" / "rules"
PAGE = PACKAGE / "web_dist"
PYODIDE = ROOT / "web" / "node_modules" / "pyodide"
DOWNLOADS = ROOT / "build" / "wheels"
LOCK = ROOT / "requirements-play.lock"
PLATFORM = "pyemscripten_2026_0_wasm32"  # what Pyodide 314 is built for

NOT_PLAYED = {"batch", "cli", "data", "envs", "server", "testing", "text", "tournament", "web_dist"}
"""Parts of the package that no table in a browser needs."""
NOT_SAID = {("words", "lessons"), ("words", "maker")}
"""Texts of the page alone."""
TERMINAL = ("words", "terminal")
"""Texts of the terminal. The engine's own errors are among them, which it says in English."""
NOT_IMPORTED = {
    *("_pydatetime.py", "_pyio.py", "_pyrepl", "bdb.py", "cProfile.py", "cmd.py"),
    *("compileall.py", "configparser.py", "doctest.py", "filecmp.py", "fileinput.py"),
    *("ftplib.py", "imaplib.py", "mailbox.py", "modulefinder.py", "multiprocessing"),
    *("optparse.py", "pdb.py", "pickletools.py", "plistlib.py", "poplib.py", "profile.py"),
    *("pstats.py", "pyclbr.py", "pydoc.py", "smtplib.py", "socketserver.py", "symtable.py"),
    *("tabnanny.py", "tarfile.py", "timeit.py", "trace.py", "unittest", "wave.py", "wsgiref"),
    *("xml", "xmlrpc", "zipapp.py"),
}
"""Parts of the standard library that a browser has no use for, or has compiled."""
CODE_PAGES = re.compile(
    r"encodings/(big5|cp(?!437)|euc|gb|hp|hz|iso|johab|koi|kz|mac|palm|ptcp|shift|tis)"
)
"""Character sets from before Unicode; archives name their files by cp437."""


def main() -> None:
    """Write the engine into the built page, and seal the page with a new version."""
    start = PAGE / "index.html"
    built = start.stat().st_mtime
    engine = PAGE / "engine"
    shutil.rmtree(engine, ignore_errors=True)
    python = engine / "python"
    python.mkdir(parents=True)
    for name in ("pyodide.asm.mjs", "pyodide.asm.wasm"):
        shutil.copyfile(PYODIDE / name, python / name)
    lock = json.loads((PYODIDE / "pyodide-lock.json").read_text("utf-8"))
    (python / "pyodide-lock.json").write_text(json.dumps(lock | {"packages": {}}), "utf-8")
    pack(python / "python_stdlib.zip", standard_library())
    shutil.copyfile(msgspec(), python / "msgspec.whl")
    pack(engine / "highvoltage.whl", our_package())
    seal(PAGE, static=False)
    os.utime(start, (built, built))  # the page itself is as old as before


def standard_library() -> Iterator[tuple[str, bytes]]:
    """The files of Python's standard library that a browser can use."""
    with zipfile.ZipFile(PYODIDE / "python_stdlib.zip") as archive:
        for name in archive.namelist():
            top = name.partition("/")[0]
            if not (name.endswith("/") or top in NOT_IMPORTED or CODE_PAGES.match(name)):
                yield name, archive.read(name)


def msgspec() -> Path:
    """The wheel of msgspec for WebAssembly, of the locked version."""
    text = LOCK.read_text("utf-8")
    found = re.search(r"^msgspec==.*(?:\n .*)*", text, re.MULTILINE)
    assert found, f"msgspec is not in {LOCK.name}"
    digests = set(re.findall(r"sha256:(\w+)", found[0]))
    for kept in DOWNLOADS.glob(f"msgspec-*{PLATFORM}.whl"):
        if hashlib.sha256(kept.read_bytes()).hexdigest() in digests:
            return kept
        kept.unlink()
    DOWNLOADS.mkdir(parents=True, exist_ok=True)
    wanted = DOWNLOADS / "msgspec.txt"
    wanted.write_text(found[0], "utf-8")
    download = ["download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    this = ["--only-binary=:all:", "--implementation=cp", "--python-version=3.14"]
    locked = ["--require-hashes", "--requirement", str(wanted), "--dest", str(DOWNLOADS)]
    words = [sys.executable, "-m", "pip", *download, *this, f"--platform={PLATFORM}", *locked]
    if subprocess.run(words, check=False).returncode:  # noqa: S603  # our own lock
        raise SystemExit("The engine for the browser could not be built: pip failed, see above.")
    return next(DOWNLOADS.glob(f"msgspec-*{PLATFORM}.whl"))


def pack(archive: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Write an archive whose bytes depend on nothing but its contents."""
    with zipfile.ZipFile(archive, "w") as opened:
        for name, content in sorted(files):
            opened.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED, 9)


def our_package() -> Iterator[tuple[str, bytes]]:
    """The files of a wheel of this package, cut to what play needs."""
    for folder, place in ((PACKAGE, "highvoltage"), (RULES, "highvoltage/rules")):
        for file in folder.rglob("*"):
            inner = file.relative_to(folder)
            if file.is_file() and is_played(inner):
                yield f"{place}/{inner.as_posix()}", file.read_bytes()
    version = re.search(r'__version__ = "(.+)"', (PACKAGE / "__init__.py").read_text("utf-8"))
    assert version
    about = f"highvoltage-{version[1]}.dist-info"
    head = f"Metadata-Version: 2.4\nName: highvoltage\nVersion: {version[1]}\n"
    yield f"{about}/METADATA", head.encode()
    yield f"{about}/entry_points.txt", entry_points().encode()


def is_played(inner: Path) -> bool:
    """Whether a file of the package goes into the browser."""
    if "__pycache__" in inner.parts or inner.parts[0] in NOT_PLAYED:
        return False
    if inner.parts[:2] == TERMINAL:
        return inner.name == "en.json"
    return inner.suffix != ".safetensors" and inner.parts[:2] not in NOT_SAID


def entry_points() -> str:
    """What the package registers, as in its pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = []
    for group, entries in project["entry-points"].items():
        lines.append(f"[{group}]")
        lines += [f"{name} = {to}" for name, to in entries.items()]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
