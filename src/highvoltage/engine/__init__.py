"""What all rulebooks share: phases, moves, chance, markets, the network, records."""
