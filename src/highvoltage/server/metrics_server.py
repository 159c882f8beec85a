"""Metrics and readiness for the operator, on a separate port.

It runs in its own thread, so that it answers even while the event loop is blocked.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from highvoltage import __version__
from highvoltage.engine.errors import HighVoltageError
from highvoltage.rooms.store import StoreError
from highvoltage.server.config import Config

READY_TIMEOUT = 5.0
"""Seconds in which a server that is ready answers."""

Ready = Callable[[], Coroutine[None, None, None]]


class MetricsServer(ThreadingHTTPServer):
    """The HTTP server for the operator."""

    def __init__(self, config: Config, ready: Ready) -> None:
        super().__init__((config.operator_host, config.operator_port), MetricsHandler)
        self.ready = ready
        self.loop = asyncio.get_running_loop()

    def why_not_ready(self) -> str:
        """Why the server is not ready; empty if it is."""
        try:
            asyncio.run_coroutine_threadsafe(self.ready(), self.loop).result(READY_TIMEOUT)
        except TimeoutError:
            return f"No answer within {READY_TIMEOUT:g} s."
        except StoreError as error:
            return f"The store cannot be written: {type(error).__name__}."
        except HighVoltageError as error:
            return str(error)
        return ""


class MetricsHandler(BaseHTTPRequestHandler):
    """Answers one request of the operator."""

    server: MetricsServer

    def do_GET(self) -> None:
        if self.path == "/metrics":
            self.respond(HTTPStatus.OK, generate_latest(), CONTENT_TYPE_LATEST)
        elif self.path == "/readyz":
            why = self.server.why_not_ready()
            status = HTTPStatus.SERVICE_UNAVAILABLE if why else HTTPStatus.OK
            self.respond(status, f"{why or f'ready, version {__version__}'}\n".encode())
        else:
            self.respond(HTTPStatus.NOT_FOUND, b"There are /readyz and /metrics.\n")

    def respond(self, status: HTTPStatus, text: bytes, kind: str = "text/plain") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        """Requests of the operator are not logged."""


@contextmanager
def serve_metrics(config: Config, ready: Ready) -> Iterator[None]:
    """Serve the operator inside this context, if a port is set."""
    if not config.operator_port:
        yield
        return
    with MetricsServer(config, ready) as server:
        thread = Thread(target=server.serve_forever, name="metrics", daemon=True)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()
