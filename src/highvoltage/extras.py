"""Optional dependencies, and the command that installs them."""

from collections.abc import Iterator
from contextlib import contextmanager

from highvoltage.engine.errors import HighVoltageError


class MissingExtra(HighVoltageError):
    """A feature needs an extra that is not installed."""

    def __init__(self, extra: str, module: str) -> None:
        super().__init__(
            f"{module} is not installed. It comes with: pip install 'highvoltage[{extra}]'"
        )
        self.extra = extra


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Wrap the import of a dependency that comes with the extra.

    >>> with extra("ray"):
    ...     import no_such_module
    Traceback (most recent call last):
    highvoltage.extras.MissingExtra: no_such_module is not installed. It comes with: pip install ...
    """
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        if module == "highvoltage":
            raise  # our own fault
        raise MissingExtra(name, module) from None
