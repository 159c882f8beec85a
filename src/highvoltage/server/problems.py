"""The answers to requests that the server refuses."""

from http import HTTPStatus

from highvoltage.engine.errors import CardsError, HighVoltageError, MapError
from highvoltage.server.messages import Problem

MAX_MESSAGE = 5_000  # letters of a message, which may quote what was sent


class RequestRefused(HighVoltageError):
    """A request is refused."""

    def __init__(self, status: HTTPStatus, problem: Problem) -> None:
        self.status = status
        self.problem = problem
        super().__init__(problem.message)


def problem_of(error: HighVoltageError) -> Problem:
    """The answer for an error that the package raised on purpose."""
    if isinstance(error, RequestRefused):
        return error.problem
    code = "".join(f"_{c.lower()}" if c.isupper() else c for c in type(error).__name__)
    found = error.problems if isinstance(error, CardsError | MapError) else ()
    values = {"problems": found, "count": len(found)} if found else {}
    return Problem(code.strip("_"), str(error)[:MAX_MESSAGE], values)


def status_of(error: HighVoltageError) -> HTTPStatus:
    return error.status if isinstance(error, RequestRefused) else HTTPStatus.BAD_REQUEST


def not_found(what: str) -> RequestRefused:
    return _refused(HTTPStatus.NOT_FOUND, "not_found", f"There is no such {what}.")


def bad_token() -> RequestRefused:
    return _refused(HTTPStatus.UNAUTHORIZED, "bad_token", "This token is not valid, or no longer.")


def not_yours(message: str, code: str = "not_yours") -> RequestRefused:
    return _refused(HTTPStatus.FORBIDDEN, code, message)


def not_now(message: str, code: str = "not_now") -> RequestRefused:
    return _refused(HTTPStatus.CONFLICT, code, message)


def malformed(message: str, code: str = "malformed") -> RequestRefused:
    return _refused(HTTPStatus.BAD_REQUEST, code, message)


def too_many(message: str, code: str = "too_many") -> RequestRefused:
    return _refused(HTTPStatus.TOO_MANY_REQUESTS, code, message)


def too_large(message: str) -> RequestRefused:
    return _refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large", message)


def unavailable(message: str) -> RequestRefused:
    return _refused(HTTPStatus.SERVICE_UNAVAILABLE, "not_well", message)


def unreadable(error: Exception) -> RequestRefused:
    message = f"This table cannot be shown here. {error}"
    return _refused(HTTPStatus.CONFLICT, "unreadable", message)


def no_rulebook(name: str) -> RequestRefused:
    return _refused(
        HTTPStatus.CONFLICT,
        "no_rulebook",
        f"This table is played by the rulebook '{name}', which this server does not have. It comes"
        " with a package that has to be installed again.",
    )


def _refused(status: HTTPStatus, code: str, message: str) -> RequestRefused:
    return RequestRefused(status, Problem(code, message))
