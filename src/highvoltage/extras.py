"""What does not come with the package itself, and the one line that installs it."""

from collections.abc import Iterator
from contextlib import contextmanager

from highvoltage.engine.errors import HighVoltageError


class MissingExtra(HighVoltageError):
    """Something was asked for whose extra is not installed."""

    def __init__(self, extra: str, module: str) -> None:
        super().__init__(
            f"{module} is not installed. It comes with: pip install 'highvoltage[{extra}]'"
        )
        self.extra = extra


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Around the import of what the extra brings.

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
            raise  # a fault of ours
        raise MissingExtra(name, module) from None
