"""The codec of the board games: one code for all their maps and numbers of players."""
