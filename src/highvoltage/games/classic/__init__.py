"""Power Grid, the edition of 2004."""
