"""Plays a whole game at a server and prints its record.

    python play.py http://127.0.0.1:8104

Needs `httpx` and `websockets`, and a server: `highvoltage serve`.
"""

import json
import random
import secrets
import sys
import time

from httpx import Client
from websockets.sync.client import connect

server = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8104"
http = Client(base_url=server)
token = http.post("/api/token").raise_for_status().json()["token"]  # identifies us; keep it
http.headers["Authorization"] = f"Bearer {token}"

seats = [{"kind": "me"}, {"kind": "bot", "bot": "clerk"}, {"kind": "bot", "bot": "random"}]
made = http.post("/api/tables", json={"rulebook": "classic", "map": "germany", "seats": seats})
table = made.raise_for_status().json()["id"]

address = server.replace("http", "ws", 1) + f"/api/tables/{table}/live?brief=true"
with connect(address, additional_headers={"Authorization": f"Bearer {token}"}) as live:
    sent = None  # the move that has not been answered
    for text in live:
        message = json.loads(text)
        if message["type"] in ("refused", "error"):
            print(message["message"], file=sys.stderr)
        if message.get("code") == "not_known":
            time.sleep(1)
            live.send(json.dumps(sent))  # with the same ref, so it is not played twice
        elif message["type"] in ("done", "refused", "error"):
            sent = None
        if message["type"] != "state":
            continue
        if message["table"]["status"] != "running":  # finished, or failed
            break
        if message["legal"] and not sent:  # our turn: play any move; bids are the lowest possible
            move = random.choice(message["legal"])["move"]
            ref = secrets.token_urlsafe()  # what we call this move
            sent = {"type": "move", "seq": message["seq"], "move": move, "ref": ref}
            live.send(json.dumps(sent))
print(http.get(f"/api/tables/{table}/record").text)
