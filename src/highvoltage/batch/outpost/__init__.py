"""The batched Outpost, O-1 to O-12: one file a phase, and one for each part of the table."""
