"""Combines still WebP pictures into an animated one."""


def animated(frames: list[tuple[bytes, int]], width: int, height: int) -> bytes:
    """Pictures of one size, each with its duration in milliseconds, in an endless loop.

    >>> still = b"RIFF" + _u32(16) + b"WEBPVP8L" + _u32(3) + bytes(4)
    >>> film = animated([(still, 40), (still, 80)], 10, 5)
    >>> film.count(b"ANMF"), len(film) == int.from_bytes(film[4:8], "little") + 8
    (2, True)
    """
    size = _u24(width - 1) + _u24(height - 1)
    head = _chunk(b"VP8X", b"\x02\0\0\0" + size) + _chunk(b"ANIM", bytes(6))
    shown = (
        _chunk(b"ANMF", bytes(6) + size + _u24(ms) + b"\x02" + _image(frame))
        for frame, ms in frames
    )
    body = b"WEBP" + head + b"".join(shown)
    return b"RIFF" + _u32(len(body)) + body


def _image(file: bytes) -> bytes:
    """The image chunks of a still picture."""
    at, found = 12, b""
    while at < len(file):
        size = int.from_bytes(file[at + 4 : at + 8], "little")
        end = at + 8 + size + size % 2
        if file[at : at + 4] in {b"VP8 ", b"VP8L", b"ALPH"}:
            found += file[at:end]
        at = end
    return found


def _chunk(name: bytes, data: bytes) -> bytes:
    return name + _u32(len(data)) + data + bytes(len(data) % 2)


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "little")


def _u24(number: int) -> bytes:
    return number.to_bytes(3, "little")
