"""One piece of work at a time, and nobody waits behind all that somebody else has asked for."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class AddressTurns:
    """A lock that the addresses which wait for it get by turns."""

    def __init__(self) -> None:
        self._busy = False
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def turn(self, network: str) -> AsyncIterator[None]:
        if self._busy:
            await self._wait(network)
        self._busy = True
        try:
            yield
        finally:
            self._next()

    async def _wait(self, network: str) -> None:
        admitted = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(network, deque()).append(admitted)
        try:
            await admitted
        except asyncio.CancelledError:
            if admitted.done() and not admitted.cancelled():
                self._next()  # it was admitted at the same moment
            raise

    def _next(self) -> None:
        while self._waiting:
            network, queue = self._waiting.popitem(last=False)
            admitted = queue.popleft()
            if queue:
                self._waiting[network] = queue  # behind the others
            if not admitted.done():
                admitted.set_result(None)
                return
        self._busy = False
