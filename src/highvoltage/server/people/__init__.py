"""People and their finished games."""
