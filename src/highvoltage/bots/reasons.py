"""What a bot says about its move, in English; the codes are the keys for every other language."""

REASONS = {
    "random": "One of {moves} moves, drawn by lot.",
}
