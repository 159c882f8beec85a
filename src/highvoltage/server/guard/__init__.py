"""Who may come in, how often, and who it is."""
