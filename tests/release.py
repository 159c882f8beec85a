"""Checks before and after the files of a release are built: `make release`.

`python tests/release.py` checks the checkout, `python tests/release.py dist` the built files, and
`python tests/release.py dist again` that what was built again is the same, byte for byte.
"""

import re
import subprocess
import sys
import tarfile
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[1]
SUMS = "SHA256SUMS"
PARTS = (
    "highvoltage/web_dist/index.html",
    "highvoltage/rules/classic.md",
    "highvoltage/rules/players/classic.de.md",
    "highvoltage/rules/players/pictures/plant.svg",
    "highvoltage/maps/germany.json",
    "highvoltage/bots/tycoon/weights/classic.safetensors",
    "highvoltage/bots/tycoon/weights/classic-boards.safetensors",
    "highvoltage/bots/tycoon/weights/recharged.safetensors",
    "highvoltage/bots/tycoon/weights/recharged-boards.safetensors",
    "highvoltage/server/store/migrations/env.py",
    "highvoltage/py.typed",
)


def version(root: Path) -> str:
    """The version, from the one place that defines it."""
    package = (root / "src" / "highvoltage" / "__init__.py").read_text("utf-8")
    (found,) = re.findall(r'^__version__ = "(.+)"$', package, re.MULTILINE)
    return str(found)


def git(root: Path, *words: str) -> str:
    command = ["git", "-C", str(root), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def faults_of_checkout(root: Path) -> list[str]:
    """Why no release can be made from this checkout."""
    number = version(root)
    sections = re.split(r"^## ", (root / "CHANGELOG.md").read_text("utf-8"), flags=re.MULTILINE)
    unreleased = [each for each in sections if each.startswith("[Unreleased]")]
    faults = []
    if git(root, "status", "--porcelain"):
        faults.append("Not everything is committed: git status.")
    if not any(re.match(rf"\[{re.escape(number)}\] - \d{{4}}-\d\d-\d\d\n", s) for s in sections):
        faults.append(f"CHANGELOG.md has no section '## [{number}] - YYYY-MM-DD'.")
    if any(re.search(r"^- ", each, re.MULTILINE) for each in unreleased):
        faults.append(f"CHANGELOG.md has lines under Unreleased: move them to [{number}].")
    tagged = git(root, "rev-parse", "--verify", "--quiet", f"v{number}^{{commit}}")
    if tagged and tagged != git(root, "rev-parse", "HEAD"):
        faults.append(f"v{number} is the tag of another commit: raise __version__.")
    return faults


def faults_of_files(folder: Path, number: str) -> list[str]:
    """What is wrong with the files that were built."""
    wheel = folder / f"highvoltage-{number}-py3-none-any.whl"
    sdist = folder / f"highvoltage-{number}.tar.gz"
    faults = [f"{file.name} was not built." for file in (wheel, sdist) if not file.exists()]
    if not faults:
        held = {*ZipFile(wheel).namelist()}
        faults += [f"{wheel.name} lacks {part}." for part in PARTS if part not in held]
        with tarfile.open(sdist) as archive:
            page = f"highvoltage-{number}/src/{PARTS[0]}"
            faults += [] if page in archive.getnames() else [f"{sdist.name} lacks the page."]
    return faults


def faults_of_copies(folder: Path, again: Path) -> list[str]:
    """What was built again and differs, or was not built again although it can be compared."""
    files = [file for file in sorted(again.iterdir()) if file.is_file()]
    kinds = {"-none-any.whl": "pure wheel", "linux": "compiled wheel", "docs.tar.gz": "docs"}
    faults = [
        f"No {kind} was built again."
        for part, kind in kinds.items()
        if not any(part in file.name for file in files)
    ]
    for file in files:
        first = folder / file.name
        if not first.exists() or first.read_bytes() != file.read_bytes():
            faults.append(f"{file.name} is another one when it is built again.")
    return faults


def write_sums(folder: Path) -> None:
    """The checksums of all files, as `sha256sum --check` reads them."""
    files = [file for file in sorted(folder.iterdir()) if file.name != SUMS]
    lines = [f"{sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (folder / SUMS).write_text("".join(lines), "utf-8")


def main() -> int:
    if not sys.argv[1:]:
        found = faults_of_checkout(ROOT)
    elif sys.argv[2:]:
        folder, again = map(Path, sys.argv[1:])
        found = faults_of_copies(folder, again)
    elif not (found := faults_of_files(Path(sys.argv[1]), version(ROOT))):
        write_sums(Path(sys.argv[1]))
    for fault in found:
        print(fault, file=sys.stderr)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
