"""Play the random games listed on standard input and print their records: for check_processes."""

import sys

import msgspec

from highvoltage.testing.kit import random_record
from highvoltage.testing.settings import Setting

for setting, seed in msgspec.json.decode(sys.stdin.buffer.read(), type=list[tuple[Setting, int]]):
    sys.stdout.buffer.write(str(random_record(setting, seed)).encode())
