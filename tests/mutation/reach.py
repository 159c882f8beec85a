"""Which tests run which lines of the package: those are asked about a fault.

    python tests/mutation/reach.py [TESTS]

runs the tests, all but the long ones unless some are named, and adds what they reach to
build/reach. It is a plugin of pytest, too, which measures every test on its own. A test that fails
as it is would notice nothing, and is left out. What runs in another process than the test, such as
a bot of a server, is not measured.
"""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from time import process_time

import pytest
from coverage import Coverage, CoverageData

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "highvoltage"
FOLDER = ROOT / "build" / "reach"
LINES, TESTS = FOLDER / "lines", FOLDER / "tests.json"
MOST_SECONDS = 40.0
"""The tests of one fault: the quickest, as many as fit."""
MOST_TESTS = 200
HERE = len("src/highvoltage/")

# The plugin

measured = Coverage(
    str(LINES), data_suffix=True, config_file=False, source=[str(PACKAGE)], messages=False
)
seconds: dict[str, float] = {}
failed: set[str] = set()


def pytest_configure() -> None:
    measured.set_option("run:disable_warnings", ["module-not-measured", "no-data-collected"])
    measured.start()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A browser needs more memory than a test with a fault may have."""
    items[:] = [item for item in items if "browser" not in getattr(item, "fixturenames", ())]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    forget()
    measured.switch_context(item.nodeid)
    before = process_time()
    try:
        return (yield)
    finally:
        seconds[item.nodeid] = process_time() - before
        measured.switch_context("")


def forget() -> None:
    """What was worked out for another test is worked out again, by the lines that do so."""
    for name, module in [*sys.modules.items()]:
        if name.startswith("highvoltage"):
            for known in vars(module).values():
                if hasattr(known, "cache_clear"):
                    known.cache_clear()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        failed.add(report.nodeid)


def pytest_sessionfinish() -> None:
    measured.stop()
    if seconds:
        measured.save()
        passed = {test: took for test, took in seconds.items() if test not in failed}
        (FOLDER / f"seconds-{os.getpid()}.json").write_text(json.dumps(passed))


# What it found


def digests() -> dict[str, str]:
    """What every file is, by its path."""
    return {
        str(path.relative_to(ROOT)): hashlib.sha256(path.read_bytes()).hexdigest()
        for folder in (PACKAGE, ROOT / "tests")
        for path in folder.rglob("*.py")
    }


class Reach:
    """The tests of every line, read from build/reach."""

    def __init__(self, paths: set[str]) -> None:
        """For faults in these files, which may not have changed since, nor any test."""
        if not TESTS.exists():
            sys.exit("Which tests run which lines is not known: python tests/mutation/reach.py")
        known = json.loads(TESTS.read_text("utf-8"))
        self.seconds: dict[str, float] = known["seconds"]
        self.data = CoverageData(str(LINES))
        self.data.read()
        old: dict[str, str] = known["digests"]
        changed = [
            name
            for name, now in digests().items()
            if old.get(name) != now and (name.startswith("tests/") or name[HERE:] in paths)
        ]
        if changed:
            sys.exit(
                f"{', '.join(changed)}: changed since it was measured which tests run which lines."
                " Remove build/reach, and `make mutants` measures again."
            )

    def of(self, path: str, line: int, place: str) -> list[str]:
        """The quickest tests that run this line; of the whole file, if importing it does.

        That may count as run by the test that imported it first.
        """
        by_line = self.data.contexts_by_lineno(str(PACKAGE / path))
        tests = {*by_line.get(line, [])} - {""} if place else set()
        tests = tests or {test for each in by_line.values() for test in each} - {""}
        chosen: list[str] = []
        total = 0.0
        for test in sorted(tests & self.seconds.keys(), key=self.seconds.__getitem__):
            total += self.seconds[test]
            if chosen and (total > MOST_SECONDS or len(chosen) == MOST_TESTS):
                break
            chosen.append(test)
        return sorted(chosen)


def main() -> int:
    FOLDER.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pytest", "-q", "--numprocesses=2", "--dist=worksteal"]
    path = [str(ROOT / "tests"), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path)}
    asked = [*command, "-p", "mutation.reach", *sys.argv[1:]]
    code = subprocess.run(asked, cwd=ROOT, env=environment, check=False).returncode
    if code not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:
        return code
    joined = Coverage(str(LINES), config_file=False, messages=False)
    if LINES.exists():
        joined.load()
    joined.combine([str(FOLDER)], keep=False)
    joined.save()
    known = json.loads(TESTS.read_text("utf-8")) if TESTS.exists() else {"seconds": {}}
    for file in FOLDER.glob("seconds-*.json"):
        known["seconds"] |= json.loads(file.read_text("utf-8"))
        file.unlink()
    known["digests"] = digests()
    TESTS.write_text(json.dumps(known), "utf-8")
    print(f"{len(known['seconds'])} tests are known by the lines that they run")
    return 0


if __name__ == "__main__":
    sys.exit(main())
