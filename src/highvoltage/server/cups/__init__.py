"""Cups: rounds of tables for people, with standings."""
