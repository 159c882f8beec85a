"""Power Grid, the edition of 2018, told as its differences from the one of 2004."""
