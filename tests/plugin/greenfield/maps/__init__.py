"""Maps: the files in this folder."""
