"""Two machines in one network, made of network namespaces: one serves, the other comes as a friend.

Run in a namespace of its own: `unshare --map-root-user --net python two_machines.py FOLDER`. Prints
what the friend gets before the network is let in, while it is, and after it is shut out.
"""

import json
import subprocess
import sys
from pathlib import Path

import httpx

from serving import Process, eventually

SERVER, FRIEND = "10.77.0.1", "10.77.0.2"
ASK = """
import sys, httpx
try:
    with httpx.Client(base_url=sys.argv[1], timeout=5) as friend:
        found = [friend.get("/healthz").json()["status"], friend.get("/api/here").json()["lan"]]
        found.append(friend.post("/api/here/lan", json={"open": False}).json()["code"])
        print(*found)
except httpx.TransportError:
    print("no answer")
"""


def run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


class Friend:
    """A machine with an address of its own."""

    def __init__(self) -> None:
        self.machine = subprocess.Popen(["unshare", "--net", "cat"], stdin=subprocess.PIPE)
        pid = str(self.machine.pid)
        eventually(lambda: self._network(pid) != self._network("self"))
        self.inside = ("nsenter", "--net", "--target", pid)
        run("ip", "link", "add", "here", "type", "veth", "peer", "name", "there")
        run("ip", "link", "set", "there", "netns", pid)

    @staticmethod
    def _network(pid: str) -> Path:
        return Path(f"/proc/{pid}/ns/net").readlink()

    def ask(self, url: str) -> str:
        return run(*self.inside, sys.executable, "-c", ASK, url)


def connect(friend: Friend) -> None:
    for inside, device, address in (((), "here", SERVER), (friend.inside, "there", FRIEND)):
        run(*inside, "ip", "link", "set", "lo", "up")
        run(*inside, "ip", "address", "add", f"{address}/24", "dev", device)
        run(*inside, "ip", "link", "set", device, "up")
    run("ip", "route", "add", "default", "via", FRIEND)


def main(folder: Path) -> list[str]:
    friend = Friend()
    try:
        connect(friend)
        server = Process(folder)
        try:
            there = f"http://{SERVER}:{server.url.rpartition(':')[2]}"
            found = [friend.ask(there)]
            for to in (True, False):
                answer = httpx.post(f"{server.url}/api/here/lan", json={"open": to}).json()
                assert answer["origin"] == (there if to else None), answer
                found.append(friend.ask(there))
            return found
        finally:
            server.stop()
    finally:
        assert friend.machine.stdin
        friend.machine.stdin.close()
        friend.machine.wait()


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]))))
