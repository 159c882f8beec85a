"""Where the rule texts are: in the wheel beside `rules/`, in a checkout in the docs."""

from pathlib import Path

_HERE = Path(__file__).parent
_PACKAGED = _HERE / "rules"

RULE_TEXTS = _PACKAGED if any(_PACKAGED.glob("*.md")) else _HERE.parents[1] / "docs" / "rules"
