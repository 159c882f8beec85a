"""What the server answers when it does not do what it was asked."""

from http import HTTPStatus
from typing import Any

from highvoltage.engine.errors import HighVoltageError
from highvoltage.server.messages import Problem


class Sorry(HighVoltageError):
    """A request that is refused."""

    def __init__(self, status: HTTPStatus, code: str, message: str, **values: Any) -> None:
        self.status = status
        self.problem = Problem(code, message, values)
        super().__init__(message)


def missing(what: str) -> Sorry:
    return Sorry(HTTPStatus.NOT_FOUND, "not_found", f"There is no such {what}.")


def not_yours(message: str) -> Sorry:
    return Sorry(HTTPStatus.FORBIDDEN, "not_yours", message)


def not_now(message: str) -> Sorry:
    return Sorry(HTTPStatus.CONFLICT, "not_now", message)


def malformed(message: str, code: str = "malformed") -> Sorry:
    return Sorry(HTTPStatus.BAD_REQUEST, code, message)


def too_many(message: str) -> Sorry:
    return Sorry(HTTPStatus.TOO_MANY_REQUESTS, "too_many", message)


def too_large(message: str) -> Sorry:
    return Sorry(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large", message)
