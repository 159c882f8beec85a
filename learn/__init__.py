"""Trains the tycoon by self-play on the twin; not part of the package."""
