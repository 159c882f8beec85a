"""Where this machine is found by others in its network."""

from socket import AF_INET, SOCK_DGRAM, gethostname, socket

SOMEWHERE = ("192.0.2.1", 9)  # an address for examples; nothing is sent to it
LOCAL = ("localhost", "127.0.0.1", "[::1]")
EVERYWHERE = "0.0.0.0"  # noqa: S104


def is_local(host: str) -> bool:
    """Whether a server that listens there is reached from this machine alone."""
    return host in {*LOCAL, "::1"}


def address() -> str | None:
    """The address of this machine in its network; None if it is in none."""
    with socket(AF_INET, SOCK_DGRAM) as probe:
        try:
            probe.connect(SOMEWHERE)
        except OSError:
            return None
        found: str = probe.getsockname()[0]
    return None if found.startswith("127.") else found


def names() -> tuple[str, ...]:
    """All names under which this machine is reached from here and in its network."""
    name = gethostname()
    return (*LOCAL, name, f"{name}.local", *filter(None, (address(),)))
