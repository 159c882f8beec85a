"""The server's metrics, for Prometheus at `/metrics`."""

from typing import get_args

from prometheus_client import Counter, Gauge, Histogram

from highvoltage.table import DecidedBy

_MOVES = Counter("highvoltage_moves", "Moves acknowledged", ["by"])
MOVES = {by: _MOVES.labels(by) for by in get_args(DecidedBy)}
REFUSALS = Counter("highvoltage_refusals", "Decisions refused", ["code"])
WATCHERS = Gauge("highvoltage_watchers", "Open WebSockets")
ROOMS = Gauge("highvoltage_rooms", "Tables in memory")
REQUESTS = Counter("highvoltage_requests", "HTTP requests answered", ["status"])
BOT_SECONDS = Histogram("highvoltage_bot_seconds", "Time a bot took for a move")
FAILED_GAMES = Counter("highvoltage_failed_games", "Games that the program could not go on with")
FAILED_TASKS = Counter("highvoltage_failed_tasks", "Tasks that ended with an error", ["task"])
BOT_FAILURES = Counter("highvoltage_bot_failures", "Bots replaced for a move")
COMMIT_SECONDS = Histogram("highvoltage_commit_seconds", "Time a transaction of moves took")
FAILED_WRITES = Counter("highvoltage_failed_writes", "Transactions that were not written")
BOTS_WAITING = Gauge("highvoltage_waiting_bots", "Questions that wait for a bot or a preview")
WAITING = Gauge("highvoltage_waiting_writes", "Decisions that wait to be written")
LAG = Histogram("highvoltage_loop_lag_seconds", "How late the event loop comes to its next task")
WEBHOOKS = Counter("highvoltage_webhooks", "Webhooks called", ["result"])
PUSHES = Counter("highvoltage_pushes", "Browsers notified of a turn by Web Push", ["result"])
