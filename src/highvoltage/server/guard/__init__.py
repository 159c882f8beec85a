"""Access control: who a visitor is, what is refused, and rate limits."""
