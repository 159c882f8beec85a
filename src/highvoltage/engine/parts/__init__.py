"""What the games are made of: auction, market and deck, price ladders, fuel, maps."""
