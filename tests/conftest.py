"""Tests in shards: `--shard 2/5` runs the second fifth of them."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shard", default="1/1", help="one part of the tests, such as 2/5")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    part, parts = map(int, config.getoption("--shard").split("/"))
    if not 1 <= part <= parts:
        raise pytest.UsageError(f"--shard {part}/{parts}: there is no such part")
    left_out = [item for at, item in enumerate(items) if at % parts != part - 1]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = items[part - 1 :: parts]
