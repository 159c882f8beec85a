"""Web Push subscriptions: a closed browser is notified of your turns."""

from time import time
from typing import Any

from litestar import Controller, get, post
from litestar.di import NamedDependency as Given
from litestar.params import JSONBody

from highvoltage.rooms.messages import PushKey
from highvoltage.rooms.problems import malformed, not_found, too_many
from highvoltage.server.config import Config
from highvoltage.server.guard.identity import Visitor
from highvoltage.server.live.outgoing import ForbiddenAddress, check_address
from highvoltage.server.messages import Endpoint, NewSubscription
from highvoltage.server.store import SqlStore, Subscription

MaybePush = Any
"""A `Push`, whose module needs an extra; or None."""


class Pushing(Controller):
    """Web Push subscriptions."""

    path = "/api/push"
    tags: tuple[str] = ("identity",)

    @get("")
    async def push_key(self, push: Given[MaybePush]) -> PushKey:
        """The key that a browser subscribes with; null if this server does not push."""
        return PushKey(None if push is None else push.sender.public)

    @post("")
    async def subscribe(
        self,
        data: JSONBody[NewSubscription],
        visitor: Given[Visitor],
        push: Given[MaybePush],
        store: Given[SqlStore],
        config: Given[Config],
    ) -> PushKey:
        """Notify this browser of your turns."""
        if push is None:
            raise not_found("key for Web Push")
        try:
            check_address(data.endpoint, private=config.private_webhooks)
            push.check(data.key, data.auth)
        except ForbiddenAddress as error:
            raise malformed("no_subscription", f"A subscription {error}.") from None
        except ValueError:
            raise malformed("no_subscription") from None
        origin = visitor.origin
        browser = Subscription(data.endpoint, visitor.who, data.key, data.auth, origin, time())
        if not await store.people.subscribe(browser):
            raise too_many("too_many_browsers")
        return PushKey(push.sender.public)

    @post("/end")
    async def unsubscribe(
        self, data: JSONBody[Endpoint], visitor: Given[Visitor], store: Given[SqlStore]
    ) -> None:
        """Stop notifying this browser."""
        await store.people.unsubscribe(visitor.who, data.endpoint)
