#!/usr/bin/env python3
"""A bot in a process of its own, without any package: it buys and builds the cheapest it can.

highvoltage tournament --bots clerk*3 --bot 'cmd:python3 examples/bots/bot.py'
"""

import json
import sys

BUSY = ("buy", "build", "run", "nominate")  # what brings a company forward


def choose(legal: list[dict[str, object]]) -> str:
    """The last purchase that is offered, else the last legal move."""
    moves = [str(offer["move"]) for offer in legal]
    forward = [move for move in moves if move.startswith(BUSY)]
    return (forward or moves)[-1]


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "hello", "protocol": 1}
    elif message["type"] == "choose":
        answer = {"type": "choice", "move": choose(message["legal"])}
    else:  # a new game begins: nothing to remember
        continue
    print(json.dumps(answer), flush=True)
