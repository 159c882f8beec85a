"""An OpenAI-compatible endpoint of our own: it answers as the protocol says, by a script."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from threading import Thread
from typing import Any

from mcp_models import choices, sensible

KEY = "the key"
TOKENS = {"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050}
Answer = Callable[[dict[str, Any]], "tuple[int, Any]"]


def completion(text: str) -> tuple[int, Any]:
    message = {"role": "assistant", "content": text}
    return 200, {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": TOKENS,
    }


def plays_well(request: dict[str, Any]) -> tuple[int, Any]:
    """A legal move, with some thoughts before it."""
    asked = request["messages"][1]["content"]
    return completion(f"I think about it.\nMOVE: `{sensible(asked, Random(asked))}`")


def plays_badly(request: dict[str, Any]) -> tuple[int, Any]:
    """First something that is no move, then something illegal, then the first legal move."""
    attempt = len(request["messages"]) // 2
    if attempt == 1:
        return completion("What a game!")
    if attempt == 2:
        return completion("MOVE: bid 1")
    return completion(f"MOVE: {choices(request['messages'][1]['content'])[0]}")


def never_plays(_: dict[str, Any]) -> tuple[int, Any]:
    return completion("MOVE: resign")


class Endpoint:
    """A running stub. `requests` has the body of each request."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.requests: list[dict[str, Any]] = []
        self.url = ""


@contextmanager
def serving(answer: Answer) -> Iterator[Endpoint]:
    stub = Endpoint(answer)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # as its base class has it
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            known = self.headers["Authorization"] == f"Bearer {KEY}"
            if self.path != "/v1/chat/completions" or not known:
                self.reply(401, {"error": {"message": "Incorrect API key provided."}})
                return
            stub.requests.append(body)
            self.reply(*stub.answer(body))

        def reply(self, status: int, body: Any) -> None:
            text = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            if status == 429:
                self.send_header("Retry-After", "7")
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    stub.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield stub
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
