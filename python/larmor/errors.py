"""Errors of reading and drawing results; their messages are meant for the user as they are."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class ResultsError(Exception):
    """The file is not a results file that this version can read."""


class NotInResults(KeyError):
    """A stage, average, series or dataset that the results do not hold."""

    def __str__(self) -> str:
        # KeyError would show the message in quotes.
        return str(self.args[0])


class NothingToDraw(Exception):
    """The results do not hold what a picture needs; the message says what is missing."""


class PictureExists(Exception):
    """A picture would overwrite a file."""


def not_in_results(what: str, name: object, where: str, available: Iterable[str]) -> NotInResults:
    """The error for `name` missing among `available`: lists them and offers the closest."""
    names = list(available)
    message = f"no {what} '{name}' in {where}"
    close = difflib.get_close_matches(str(name), names, n=1)
    message += f"; did you mean '{close[0]}'?" if close else "."
    message += f" It has: {', '.join(names)}." if names else f" It has no {what} at all."
    return NotInResults(message)
