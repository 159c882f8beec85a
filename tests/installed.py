"""The built files used as a stranger would: `python tests/installed.py dist CYCLONEDX PYTHON...`

Installs from the folder into an empty environment for each of these Pythons, and plays and serves
there. Where a compiled wheel is there, it has to be the one that is taken. The first environment
also gives the list of parts, with their licences.
"""

import re
import subprocess
import sys
from pathlib import Path
from signal import SIGTERM
from tempfile import TemporaryDirectory
from urllib.request import urlopen

from release import ROOT, version

GAMES = ("classic", "recharged", "cardgame", "outpost")


def run(*words: str | Path) -> str:
    ended = subprocess.run([*map(str, words)], stdout=subprocess.PIPE, text=True, check=True)
    return ended.stdout


def install(python: str, folder: Path, place: Path) -> None:
    run(python, "-m", "venv", place)
    # Without hashes: with them pip would want one of what was just built, too.
    locked = (ROOT / "requirements-play.lock").read_text("utf-8")
    versions = place / "versions.txt"
    versions.write_text("\n".join(re.findall(r"^[^\s#]+==[^\\\n]+", locked, re.MULTILINE)), "utf-8")
    run(
        place / "bin" / "python",
        *("-m", "pip", "install", "--quiet", "--disable-pip-version-check"),
        *("--constraint", versions, "--find-links", folder),
        f"highvoltage[server]=={version(ROOT)}",
    )


def use(place: Path, *, compiled: bool) -> None:
    """Play every game and serve the page."""
    highvoltage = place / "bin" / "highvoltage"
    shown = run(highvoltage, "--version").strip()
    assert ("compiled" in shown) is compiled, shown
    for game in GAMES:
        run(highvoltage, "simulate", game, "--games", "2", "--bots", "clerk,engineer,tycoon")
    with TemporaryDirectory() as data:
        serving = [str(highvoltage), "serve", "--data", data, "--port", "0"]
        server = subprocess.Popen(serving, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split("at ")[1].split("/ ")[0]
            for path in ("/healthz", "/", "/api/games"):
                with urlopen(address + path) as answer:
                    assert answer.status == 200, path
        finally:
            server.terminate()
            assert server.wait(60) == -SIGTERM  # after it has closed all
    print(shown, "is installed, plays and serves", flush=True)


def main() -> None:
    folder, cyclonedx, *pythons = sys.argv[1:]
    for number, python in enumerate(pythons):
        with TemporaryDirectory() as temporary:
            place = Path(temporary)
            install(python, Path(folder).resolve(), place)
            tag = run(python, "-c", "import sys; print('cp%d%d' % sys.version_info[:2])").strip()
            use(place, compiled=any(Path(folder).glob(f"*-{tag}-*.whl")))
            if number == 0:
                parts = Path(folder) / f"highvoltage-{version(ROOT)}.cdx.json"
                out = ("--output-reproducible", "--of", "JSON", "--output-file", parts)
                run(cyclonedx, "environment", *out, place / "bin" / "python")


if __name__ == "__main__":
    main()
