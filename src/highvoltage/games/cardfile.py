"""Card face files that owners of a printed game supply."""

import json
from os import PathLike
from pathlib import Path
from typing import Any

from highvoltage.engine.errors import CardsError

UNNAMED = "The file of cards"


def read_cards_file(own: str | PathLike[str] | dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The content of a card file, and its name for error messages.

    >>> read_cards_file({"plants": []})
    ({'plants': []}, 'The file of cards')
    >>> read_cards_file("nowhere.json")
    Traceback (most recent call last):
    highvoltage.engine.errors.CardsError: nowhere.json is not a deck that can be played:
    It cannot be read: ...
    """
    if isinstance(own, dict):
        return own, UNNAMED
    try:
        data = json.loads(Path(own).read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise CardsError(str(own), [f"It cannot be read: {error}."]) from None
    if not isinstance(data, dict):
        raise CardsError(str(own), ["It should hold a JSON object."])
    return data, str(own)
