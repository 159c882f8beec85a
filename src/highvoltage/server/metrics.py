"""The server's metrics, for Prometheus at `/metrics`; those of the rooms among them."""

from collections.abc import Iterator
from typing import get_args

from prometheus_client import REGISTRY, Counter, Gauge, Histogram
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from highvoltage.rooms import counters
from highvoltage.table import DecidedBy

REQUESTS = Counter("highvoltage_requests", "HTTP requests answered", ["status"])
BOT_SECONDS = Histogram("highvoltage_bot_seconds", "Time a bot took for a move")
COMMIT_SECONDS = Histogram("highvoltage_commit_seconds", "Time a transaction of moves took")
FAILED_WRITES = Counter("highvoltage_failed_writes", "Transactions that were not written")
BOTS_WAITING = Gauge("highvoltage_waiting_bots", "Questions that wait for a bot or a preview")
WAITING = Gauge("highvoltage_waiting_writes", "Decisions that wait to be written")
LAG = Histogram("highvoltage_loop_lag_seconds", "How late the event loop comes to its next task")
WEBHOOKS = Counter("highvoltage_webhooks", "Webhooks called", ["result"])
PUSHES = Counter("highvoltage_pushes", "Browsers notified of a turn by Web Push", ["result"])
MAILS = Counter("highvoltage_mails", "Mails handed to the mail server", ["result"])


class RoomMetrics(Collector):
    """What the rooms have counted."""

    def collect(self) -> Iterator[Metric]:
        moves = {by: counters.MOVES[by] for by in get_args(DecidedBy)}
        for name, about, label, counts in (
            ("moves", "Moves acknowledged", "by", moves),
            ("refusals", "Decisions refused", "code", counters.REFUSALS),
            ("failed_tasks", "Tasks that ended with an error", "task", counters.FAILED_TASKS),
        ):
            family = CounterMetricFamily(f"highvoltage_{name}", about, labels=[label])
            for value, count in tuple(counts.items()):
                family.add_metric([value], count)
            yield family
        games, bots = counters.FAILURES["games"], counters.FAILURES["bots"]
        about = "Games that the program could not go on with"
        yield CounterMetricFamily("highvoltage_failed_games", about, games)
        yield CounterMetricFamily("highvoltage_bot_failures", "Bots replaced for a move", bots)
        watchers, rooms = counters.PRESENT["watchers"], counters.PRESENT["rooms"]
        yield GaugeMetricFamily("highvoltage_watchers", "Open WebSockets", watchers)
        yield GaugeMetricFamily("highvoltage_rooms", "Tables in memory", rooms)


REGISTRY.register(RoomMetrics())
