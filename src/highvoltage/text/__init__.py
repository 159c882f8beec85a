"""A game in words and as text: for the terminal, and for environments that show a table."""
