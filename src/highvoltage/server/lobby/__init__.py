"""The HTTP API: tables, identities, rulebooks, past games."""
