"""What the package says: a file for each language it speaks."""
