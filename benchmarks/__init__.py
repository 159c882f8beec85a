"""Measurements, one module each: `python -m benchmarks.NAME --help`.

`measuring.py` has what they share. Those that need a browser or a server take it from the tests.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

if (_helpers := str(ROOT / "tests")) not in sys.path:
    sys.path.append(_helpers)
