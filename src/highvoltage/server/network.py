"""The addresses and names of this machine in its network."""

from socket import AF_INET, SOCK_DGRAM, gethostname, socket

PROBE_ADDRESS = ("192.0.2.1", 9)  # reserved for documentation; nothing is sent to it
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
ANY_ADDRESS = "0.0.0.0"  # noqa: S104


def is_local(host: str) -> bool:
    """Whether only this machine can reach a server that listens there."""
    return host in {*LOCAL_HOSTS, "::1"}


def lan_address() -> str | None:
    """The address of this machine in its network; None without a network."""
    with socket(AF_INET, SOCK_DGRAM) as probe:
        try:
            probe.connect(PROBE_ADDRESS)
        except OSError:
            return None
        found: str = probe.getsockname()[0]
    return None if found.startswith("127.") else found


def host_names() -> tuple[str, ...]:
    """All names of this machine, local and in its network."""
    name = gethostname()
    return (*LOCAL_HOSTS, name, f"{name}.local", *filter(None, (lan_address(),)))
