"""Errors of reading and drawing results. The messages of these errors are for the user."""

from __future__ import annotations

import difflib
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path


class ResultsError(Exception):
    """The file is not a results file that this version can read."""


class NotInResults(KeyError):
    """The results do not hold a requested stage, average, series or dataset."""

    def __str__(self) -> str:
        # KeyError itself would show the message in quotes.
        return str(self.args[0])


class NothingToDraw(Exception):
    """The results lack data that a picture needs; the message names these data."""


class DamagedResults(ResultsError):
    """The file is damaged, or has contents that its format does not allow."""


class PictureExists(Exception):
    """An output would overwrite a file, or its name cannot be used."""


class CannotRead(Exception):
    """The machine failed to read a file."""


class CannotWrite(Exception):
    """The machine failed to write a file."""


@contextmanager
def reported_as_damage(what: str) -> Iterator[None]:
    """Turns unexpected errors into DamagedResults, since contents of a wrong type or shape cause them.
    @param what file and picture, for the message"""
    try:
        yield
    except (ResultsError, NotInResults, NothingToDraw, PictureExists, CannotRead, CannotWrite):
        raise
    except Exception as error:
        place = [frame for frame in traceback.extract_tb(error.__traceback__)
                 if Path(frame.filename).parent == Path(__file__).parent][-1]
        reason = " ".join(str(error).split()) or "no further details"
        # Messages of HDF5 describe its internal structures.
        if "synchronously" in reason:
            reason = "HDF5 cannot read it"
        raise DamagedResults(f"{what}: damaged, or not in the results format ({type(error).__name__}: {reason}; "
                             f"{Path(place.filename).name}, line {place.lineno})") from error


def not_in_results(what: str, name: object, where: str, available: Iterable[str]) -> NotInResults:
    """The error for a `name` that is not in `available`. Its message lists the available names and
    suggests the closest."""
    names = list(available)
    message = f"no {what} '{name}' in {where}"
    close = difflib.get_close_matches(str(name), names, n=1)
    message += f"; did you mean '{close[0]}'?" if close else "."
    message += f" It has: {', '.join(names)}." if names else f" It has no {what} at all."
    return NotInResults(message)
