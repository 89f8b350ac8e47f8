"""Errors of reading and drawing results; their messages are meant for the user as they are."""

from __future__ import annotations

import difflib
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path


class ResultsError(Exception):
    """The file is not a results file that this version can read."""


class NotInResults(KeyError):
    """A stage, average, series or dataset that the results do not hold."""

    def __str__(self) -> str:
        # KeyError would show the message in quotes.
        return str(self.args[0])


class NothingToDraw(Exception):
    """The results do not hold what a picture needs; the message says what is missing."""


class DamagedResults(ResultsError):
    """The file is damaged, or holds what its format does not have."""


class PictureExists(Exception):
    """A picture would overwrite a file, or cannot have the name that it should."""


class CannotRead(Exception):
    """The machine does not let a file be read."""


class CannotWrite(Exception):
    """The machine does not let a file be written."""


@contextmanager
def told_as_damage(what: str) -> Iterator[None]:
    """What else goes wrong with the contents of a file comes of their type or shape. @param what file and picture"""
    try:
        yield
    except (ResultsError, NotInResults, NothingToDraw, PictureExists, CannotRead, CannotWrite):
        raise
    except Exception as error:
        place = [frame for frame in traceback.extract_tb(error.__traceback__)
                 if Path(frame.filename).parent == Path(__file__).parent][-1]
        reason = " ".join(str(error).split()) or "no more is known"
        # Words of HDF5 are about its own structures.
        if "synchronously" in reason:
            reason = "HDF5 cannot read it"
        raise DamagedResults(f"{what}: damaged, or not as the format has it ({type(error).__name__}: {reason}; "
                             f"{Path(place.filename).name}, line {place.lineno})") from error


def not_in_results(what: str, name: object, where: str, available: Iterable[str]) -> NotInResults:
    """The error for `name` missing among `available`: lists them and offers the closest."""
    names = list(available)
    message = f"no {what} '{name}' in {where}"
    close = difflib.get_close_matches(str(name), names, n=1)
    message += f"; did you mean '{close[0]}'?" if close else "."
    message += f" It has: {', '.join(names)}." if names else f" It has no {what} at all."
    return NotInResults(message)
