"""A player behind an OpenAI-compatible endpoint: `POST ADDRESS/chat/completions`."""

import json
import os
import re
import urllib.error
import urllib.request
from collections.abc import Callable
from time import sleep
from typing import Any

from msgspec import Struct

from highvoltage import brief
from highvoltage.arena.contest import ArenaGame
from highvoltage.arena.file import Decision
from highvoltage.engine.errors import HighVoltageError
from highvoltage.rules import player as player_rules
from highvoltage.table import Refused

ATTEMPTS = 3
"""At a decision; then a clerk decides."""
RETRIES = 5
"""Of a request that fails for a reason that may pass."""
FIRST_PAUSE_SECONDS = 2.0
LONGEST_PAUSE_SECONDS = 120.0
ANSWER_SECONDS = 600.0
PASSING = {408, 409, 425, 429, 500, 502, 503, 504, 529}
HISTORY_SHOWN = 40
MOVE = re.compile(r"^\W*MOVE\W*:\s*(.+?)\s*$", re.IGNORECASE | re.MULTILINE)

INSTRUCTIONS = """\
You play a board game against three others and want to win. In every message you see the table and
your legal moves. Think as long as you need, then end with one line:

MOVE: the move

Write the move as it is listed, with a number in place of BID or NUMBER: "nominate 13 @14",
"bid 15", "pass", "buy coal 3", "build essen", "run 5:coal,oil 13", "done". Building and buying are
one move for each city and each fuel; "done" ends the turn.

The rules in brief:

"""


CheckLimits = Callable[[Decision], None]
"""Raises if the player may use no more tokens, besides those of the decision at hand."""


class EndpointFailed(HighVoltageError):
    """The endpoint does not answer as it should. The same command goes on later."""


class Endpoint(Struct, frozen=True):
    """Where a model is, and what it is called there."""

    url: str
    key: str
    model: str

    @classmethod
    def of(cls, player: str, model: str) -> "Endpoint":
        """Address and key from the environment: NAME_BASE_URL and NAME_API_KEY, or OPENAI_…."""
        name = re.sub(r"\W", "_", player).upper()

        def setting(what: str) -> str:
            found = os.environ.get(f"{name}_{what}") or os.environ.get(f"OPENAI_{what}")
            if not found:
                raise EndpointFailed(f"Set OPENAI_{what} or {name}_{what} for the player {player}.")
            return found

        return cls(setting("BASE_URL").rstrip("/"), setting("API_KEY"), model)

    def complete(
        self, messages: list[dict[str, str]], pause: Callable[[float], None] = sleep
    ) -> tuple[str, int, int]:
        """The answer to a conversation, with the tokens read and written."""
        body = json.dumps({"model": self.model, "messages": messages}).encode()
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        address = f"{self.url}/chat/completions"
        if not address.startswith(("http://", "https://")):
            raise EndpointFailed(f"{self.url} is no address of an endpoint.")
        wait = FIRST_PAUSE_SECONDS
        for attempt in range(RETRIES + 1):
            request = urllib.request.Request(address, body, headers)  # noqa: S310  # checked above
            try:
                with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as answer:  # noqa: S310
                    return _read(json.load(answer))
            except urllib.error.HTTPError as error:
                why = f"{error.code} {error.read(300).decode(errors='replace')}"
                if error.code not in PASSING or attempt == RETRIES:
                    raise EndpointFailed(f"{address} answers {why}") from None
                wait = max(wait, _retry_after(error.headers.get("Retry-After", "")))
            except (OSError, json.JSONDecodeError) as error:
                if attempt == RETRIES:
                    raise EndpointFailed(f"{address} does not answer: {error}") from None
            pause(min(wait, LONGEST_PAUSE_SECONDS))
            wait *= 2
        raise AssertionError


def _retry_after(header: str) -> float:
    return float(header) if re.fullmatch(r"\d+(\.\d+)?", header) else 0.0


def _read(answer: Any) -> tuple[str, int, int]:
    try:
        text = answer["choices"][0]["message"]["content"] or ""
        usage = answer.get("usage") or {}
        return str(text), int(usage.get("prompt_tokens", 0)), int(usage.get("completion_tokens", 0))
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        raise EndpointFailed(f"This is no chat completion: {json.dumps(answer)[:300]}") from None


def play_endpoint(game: ArenaGame, endpoint: Endpoint, check_limits: CheckLimits) -> None:
    """Let a model play a game to its end."""
    since: int | None = None
    while not game.is_over:
        messages = [
            {"role": "system", "content": INSTRUCTIONS + summary(game.game.rules.name)},
            {"role": "user", "content": question(game, since)},
        ]
        decision = Decision()
        since = game.table.seq
        try:
            if not _attempts(game, endpoint, messages, decision, check_limits):
                game.stand_in(decision)
        except HighVoltageError:
            game.report_usage(decision.read, decision.written)  # paid, although nothing was decided
            raise


def _attempts(
    game: ArenaGame,
    endpoint: Endpoint,
    messages: list[dict[str, str]],
    decision: Decision,
    check_limits: CheckLimits,
) -> bool:
    """Ask until an answer is a legal move, which is played; False if none of them is."""
    for _ in range(ATTEMPTS):
        check_limits(decision)
        text, read, written = endpoint.complete(messages)
        decision.read += read
        decision.written += written
        refusal = _try(game, decision, text)
        if refusal is None:
            return True
        decision.illegal += 1
        messages += [
            {"role": "assistant", "content": text},
            {"role": "user", "content": f"{refusal}\nEnd your answer with a legal MOVE: line."},
        ]
    return False


def _try(game: ArenaGame, decision: Decision, text: str) -> str | None:
    """Play the move of an answer; why that is refused, or None."""
    found = MOVE.findall(text)
    if not found:
        return "Your answer has no line MOVE: with a move."
    decision.move = found[-1].strip(" `*\"'.")
    try:
        game.play(decision)
    except Refused as error:
        return str(error)
    return None


def question(game: ArenaGame, since: int | None) -> str:
    """What a model is asked: what happened since its last decision, the table, its legal moves."""
    seen = game.snapshot(since)
    assert seen.view is not None
    happened = brief.history(seen.view["names"], seen.log[-HISTORY_SHOWN:])
    return "\n\n".join(
        [
            f"What happened since your last decision:\n{happened or 'nothing'}",
            brief.position(seen.view),
            f"Your legal moves:\n{brief.moves(seen.view, seen.legal)}",
        ]
    )


def summary(rulebook: str) -> str:
    """The page to keep at the table, from the player's rulebook."""
    paragraphs = player_rules.read(rulebook, "en")
    keys = [each.key for each in paragraphs]
    first = keys.index(player_rules.SUMMARY) if player_rules.SUMMARY in keys else len(keys)
    return "\n\n".join(each.text for each in paragraphs[first:])
