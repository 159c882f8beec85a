"""How many threads NumPy may use."""

import os

THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def one_thread() -> None:
    """Limit NumPy to one thread, before it loads: a bot's arrays are too small to share."""
    for name in THREADS:
        os.environ.setdefault(name, "1")
