"""The batched Card Game, K-1 to K-8: one file a phase, and one for each part of the table."""
