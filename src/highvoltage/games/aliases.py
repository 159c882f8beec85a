"""What things were called before: names in old records are read for ever, and never written."""

OPTIONS = {"central_europe_rules": "map_rules"}
"""Options of rulebooks, by their former name."""
