"""No release is made from a checkout that is not ready, nor from incomplete files."""

import os
import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

from release import PARTS, ROOT, faults_of_checkout, faults_of_copies, faults_of_files

READY = "# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2027-01-31\n\n- A thing.\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "src" / "highvoltage").mkdir(parents=True)
    (tmp_path / "src" / "highvoltage" / "__init__.py").write_text('__version__ = "1.2.0"\n')
    (tmp_path / "CHANGELOG.md").write_text(READY)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    commit(tmp_path)
    return tmp_path


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"]
    subprocess.run(["git", "-C", str(folder), *who, *words], check=True)


def commit(folder: Path) -> None:
    git(folder, "commit", "--quiet", "--all", "--allow-empty", "--message", "Go on")


def test_a_checkout_that_is_ready_has_no_fault(checkout: Path) -> None:
    git(checkout, "tag", "v1.2.0")
    assert faults_of_checkout(checkout) == []


@pytest.mark.parametrize(
    ("changelog", "fault"),
    [
        (READY.replace("1.2.0", "1.1.0"), "has no section '## [1.2.0]"),
        (READY.replace(" - 2027-01-31", ""), "has no section '## [1.2.0]"),
        (READY.replace("[Unreleased]\n", "[Unreleased]\n\n- Another.\n"), "under Unreleased"),
    ],
)
def test_the_changelog_names_the_version_and_nothing_else(
    checkout: Path, changelog: str, fault: str
) -> None:
    (checkout / "CHANGELOG.md").write_text(changelog)
    commit(checkout)
    (message,) = faults_of_checkout(checkout)
    assert fault in message


def test_what_is_not_committed_is_not_released(checkout: Path) -> None:
    (checkout / "more").write_text("more")
    assert faults_of_checkout(checkout) == ["Not everything is committed: git status."]


def test_a_version_is_released_once(checkout: Path) -> None:
    git(checkout, "tag", "v1.2.0")
    commit(checkout)
    (message,) = faults_of_checkout(checkout)
    assert "tag of another commit" in message


def test_incomplete_files_are_named(tmp_path: Path) -> None:
    assert len(faults_of_files(tmp_path, "1.2.0")) == 2
    with ZipFile(tmp_path / "highvoltage-1.2.0-py3-none-any.whl", "w") as wheel:
        for part in PARTS[1:]:
            wheel.writestr(part, "")
    tarfile.open(tmp_path / "highvoltage-1.2.0.tar.gz", "w:gz").close()
    assert faults_of_files(tmp_path, "1.2.0") == [
        f"highvoltage-1.2.0-py3-none-any.whl lacks {PARTS[0]}.",
        "highvoltage-1.2.0.tar.gz lacks the page.",
    ]


def test_a_drawing_of_the_documentation_is_the_same_in_every_process() -> None:
    """The order of a set differs from process to process; the site is to be built twice alike."""
    code = "import sys; sys.path.insert(0, 'docs'); import drawings; print(drawings.draw('server'))"
    drawn = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=ROOT,
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(drawn) == 1


def test_what_is_not_the_same_when_built_again_is_named(tmp_path: Path) -> None:
    first, again = tmp_path / "first", tmp_path / "again"
    wheels = ("hv-1-py3-none-any.whl", "hv-1-cp311-manylinux.whl", "docs.tar.gz")
    for folder in (first, again):
        folder.mkdir()
        for name in wheels:
            (folder / name).write_text("the same")
    (again / "wheels").mkdir()
    assert faults_of_copies(first, again) == []
    (again / wheels[0]).write_text("another")
    (again / wheels[1]).unlink()
    assert faults_of_copies(first, again) == [
        "No compiled wheel was built again.",
        f"{wheels[0]} is another one when it is built again.",
    ]
