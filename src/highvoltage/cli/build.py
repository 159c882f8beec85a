"""Which build of the package runs."""

from highvoltage.engine import state


def build() -> str:
    """`compiled` if mypyc has compiled the engine, else `pure`."""
    return "pure" if state.__file__.endswith(".py") else "compiled"
