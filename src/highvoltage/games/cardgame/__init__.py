"""Power Grid: The Card Game (2016), with the Bank for two and the Demolition expansion."""
