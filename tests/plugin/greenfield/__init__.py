"""Power Grid without uranium."""
