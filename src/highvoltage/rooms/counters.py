"""Counts of what happens at the tables; a server publishes them."""

from collections import Counter

MOVES: Counter[str] = Counter()
"""Moves acknowledged, by who decided."""
REFUSALS: Counter[str] = Counter()
"""Decisions refused, by code."""
FAILED_TASKS: Counter[str] = Counter()
"""Tasks that ended with an error, by name."""
FAILURES: Counter[str] = Counter()
"""Games that the program could not go on with (`games`); bots replaced for a move (`bots`)."""
PRESENT: Counter[str] = Counter()
"""What there is now: open connections (`watchers`), tables in memory (`rooms`)."""
