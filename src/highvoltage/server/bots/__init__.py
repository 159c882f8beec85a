"""Bots, in separate processes."""
