"""How many threads NumPy may use."""

import os

THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def one_thread() -> None:
    """Tell its library, before it loads: what a bot reckons is too little to be shared."""
    for name in THREADS:
        os.environ.setdefault(name, "1")
