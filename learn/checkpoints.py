"""The files of training: checkpoints to resume from, and the weights that a bot plays with."""

from pathlib import Path
from typing import Any

import numpy as np
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

Arrays = dict[str, Any]

SCALE = 1024.0
"""Moments are small: half precision holds them scaled by this, the second ones as square roots."""


def save_weights(path: Path, weights: Arrays, about: dict[str, str]) -> None:
    """In the format the bot reads: half precision, with metadata on what they were trained for."""
    half = {name: np.asarray(value, np.float16) for name, value in weights.items()}
    save_file(half, path, about)


def load_weights(path: Path) -> Arrays:
    """The weights alone, from either kind of file."""
    arrays = load_file(path)
    head = "weights/"
    found = {name: value for name, value in arrays.items() if name.startswith(head)}
    return {
        name.removeprefix(head): value.astype(np.float32)
        for name, value in (found or arrays).items()
    }


def load_about(path: Path) -> dict[str, str]:
    """What a file says of its weights."""
    with safe_open(path, "numpy") as file:
        about: dict[str, str] | None = file.metadata()
    return about or {}


def save_resume(path: Path, weights: Arrays, adam: Any, about: dict[str, str]) -> None:
    """Everything needed to resume training: the weights and the optimiser's moments."""
    arrays = {f"weights/{name}": np.asarray(value, np.float32) for name, value in weights.items()}
    for name in weights:
        arrays[f"first/{name}"] = np.asarray(adam.mu[name] * SCALE, np.float16)
        arrays[f"second/{name}"] = np.asarray(np.sqrt(adam.nu[name]) * SCALE, np.float16)
    arrays["count"] = np.asarray(adam.count)
    save_file(arrays, path, about)


def load_resume(path: Path, adam: Any) -> tuple[Arrays, Any]:
    """The weights of a file, and the moments in the form of `adam`, of which it may lack some."""
    arrays = load_file(path)

    def part(kind: str) -> Arrays:
        head = f"{kind}/"
        return {name[len(head) :]: value for name, value in arrays.items() if name.startswith(head)}

    mu = {name: value.astype(np.float32) / SCALE for name, value in part("first").items()}
    nu = {name: (value.astype(np.float32) / SCALE) ** 2 for name, value in part("second").items()}
    mu, nu = adam.mu | mu, adam.nu | nu
    return part("weights"), adam._replace(count=arrays["count"], mu=mu, nu=nu)
