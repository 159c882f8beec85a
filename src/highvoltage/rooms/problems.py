"""The answers to requests that the server refuses."""

from http import HTTPStatus
from math import ceil

from highvoltage.engine.errors import CardsError, HighVoltageError, MapError
from highvoltage.rooms.messages import Problem
from highvoltage.words import ENGLISH, say, speaking

CONNECTIONS_RETRY_SECONDS = 10
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
    return _refused(HTTPStatus.UNAUTHORIZED, "bad_token")


def server_only() -> RequestRefused:
    return _refused(HTTPStatus.NOT_FOUND, "server_only")


def not_yours(code: str, message: str = "") -> RequestRefused:
    return _refused(HTTPStatus.FORBIDDEN, code, message)


def banned() -> RequestRefused:
    return not_yours("banned")


def not_now(code: str, message: str = "") -> RequestRefused:
    return _refused(HTTPStatus.CONFLICT, code, message)


def malformed(code: str, message: str = "", **values: int) -> RequestRefused:
    problem = Problem(code, message or sentence_for(code, **values), values)
    return RequestRefused(HTTPStatus.BAD_REQUEST, problem)


def too_many(code: str, **values: int) -> RequestRefused:
    """A limit is exceeded; the values say by what, and when to come back (`retry_after`)."""
    problem = Problem(code, sentence_for(code, **values), values)
    return RequestRefused(HTTPStatus.TOO_MANY_REQUESTS, problem)


def too_fast(seconds: float) -> RequestRefused:
    return too_many("too_fast", retry_after=ceil(seconds))


def many_connections() -> RequestRefused:
    return too_many("many_connections", retry_after=CONNECTIONS_RETRY_SECONDS)


def retry_header(problem: Problem) -> list[tuple[bytes, bytes]]:
    """The header that says when to come back, if that is known."""
    seconds = problem.values.get("retry_after")
    return [] if seconds is None else [(b"retry-after", b"%d" % seconds)]


def too_large(message: str) -> RequestRefused:
    return _refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large", message)


def unavailable(message: str) -> RequestRefused:
    return _refused(HTTPStatus.SERVICE_UNAVAILABLE, "not_well", message)


def unreadable(error: Exception) -> RequestRefused:
    return _refused(HTTPStatus.CONFLICT, "unreadable", f"{sentence_for('unreadable')} {error}")


def no_rulebook(name: str) -> RequestRefused:
    message = f"{sentence_for('no_rulebook')} Rulebook: {name}."
    return _refused(HTTPStatus.CONFLICT, "no_rulebook", message)


def problem_for(code: str) -> Problem:
    """A problem with nothing to say beyond its sentence in the catalogue."""
    return Problem(code, sentence_for(code))


def sentence_for(code: str, **values: object) -> str:
    """The sentence for a problem, in English whatever the server's own language is.

    >>> sentence_for("seat_taken")
    'That seat is taken.'
    """
    with speaking(ENGLISH):
        return say(f"problem_{code}", **values)


def _refused(status: HTTPStatus, code: str, message: str = "") -> RequestRefused:
    """A refusal; `message` says more than the catalogue does, where there are values to name."""
    return RequestRefused(status, Problem(code, message or sentence_for(code)))
