"""The package's messages: a file for each language."""
