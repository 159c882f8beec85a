"""Former names: old records still use them, so they are always read but never written."""

OPTIONS = {"central_europe_rules": "map_rules"}
"""Options of rulebooks, by their former name."""
