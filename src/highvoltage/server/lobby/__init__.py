"""What is asked over HTTP: tables, identities, rulebooks, past games."""
