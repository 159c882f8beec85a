import re
from importlib.metadata import requires
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")


def test_the_lock_names_no_address_and_no_option() -> None:
    assert "://" not in LOCK
    assert not re.search(r"^-", LOCK, re.MULTILINE)


def test_the_lock_holds_every_dependency() -> None:
    locked = set(re.findall(r"^([a-z0-9-]+)==", LOCK, re.MULTILINE))
    wanted = {re.split(r"[^a-z0-9-]", line)[0] for line in requires("highvoltage") or []}
    assert wanted <= locked
