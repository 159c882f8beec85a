"""Seals a built page: names its engine by content, and lists its files for the service worker."""

import hashlib
import json
import re
from pathlib import Path

ENGINE = re.compile(r'\n *<meta name="engine"[^>]*>')
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data: blob:;"
    " style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'self'"
)
STATIC = f"""
    <meta http-equiv="Content-Security-Policy" content="{POLICY}" />
    <meta name="host" content="static" />"""
READ_RARELY = ("api/pictures/", "api/rules/", "engine/weights/", "previews/")
"""Not kept for a time without a network: the engine has the rules and their pictures, too; not
everybody plays against the tycoon; and previews of boards are for chats."""


def seal(page: Path, *, static: bool) -> None:
    """Write into index.html where the engine is, and into worker.js which files there are.

    A static host sends no headers and may serve the page in a folder: there the page brings its
    content policy along, and its addresses are relative.
    """
    start, worker = page / "index.html", page / "worker.js"
    python = _by_content(page / "engine" / "python")
    wheel = _by_content(page / "engine" / "highvoltage.whl")
    files = sorted(file for file in page.rglob("*") if file.is_file() and file != worker)
    text = ENGINE.sub("", start.read_text("utf-8"))
    if static:
        text = text.replace("<head>", f"<head>{STATIC}")
        text = re.sub(r'((?:href|src)=")/', r"\1./", text)
    version = _digest(text.encode(), *(file.read_bytes() for file in files if file != start))
    counted = [wheel, *python.glob("*.w*"), *python.glob("*.zip")]
    about = {
        "python": f"{_name(page, python)}/",
        "wheel": _name(page, wheel),
        "bytes": str(sum(file.stat().st_size for file in counted)),
        "version": version,
    }
    attributes = " ".join(f'data-{key}="{value}"' for key, value in about.items())
    text = text.replace("\n  </head>", f'\n    <meta name="engine" {attributes} />\n  </head>')
    start.write_text(text, "utf-8")
    names = [_name(page, file) for file in files]
    lines = {
        "VERSION": version,
        "SERVED": not static,
        "FILES": [name for name in names if not name.startswith(READ_RARELY)],
    }
    code = worker.read_text("utf-8")
    for name, value in lines.items():
        line = f"const {name} = {json.dumps(value)}"
        code, found = re.subn(rf"(?m)^const {name} = .*$", line, code)
        assert found == 1, f"worker.js has no line for {name}"
    worker.write_text(code, "utf-8")


def _name(page: Path, file: Path) -> str:
    return file.relative_to(page).as_posix()


def _by_content(found: Path) -> Path:
    """Rename a file or folder after its content, so that its address never changes its meaning."""
    if not found.exists():  # it has its name already
        named = next(found.parent.glob(f"{found.stem}-*{found.suffix}"), None)
        assert named, f"{found} is missing: run make web"
        return named
    files = sorted(found.iterdir()) if found.is_dir() else [found]
    named = found.with_stem(f"{found.stem}-{_digest(*(file.read_bytes() for file in files))}")
    found.rename(named)
    return named


def _digest(*contents: bytes) -> str:
    together = hashlib.sha256()
    for content in contents:
        together.update(hashlib.sha256(content).digest())
    return together.hexdigest()[:12]
