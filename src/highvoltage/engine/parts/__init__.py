"""Components that the games share: auction, market and deck, price ladders, fuel, maps."""
