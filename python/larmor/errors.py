"""Errors of running the program, and of reading and drawing results. Their messages are for the user."""

from __future__ import annotations

import difflib
import signal
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path


class LarmorError(Exception):
    """An error that the program `larmor`, or this package in its place, reports.

    str(error)  the text of the command line.
    problem     the mistake, without its place and remedy.
    key         path of the key in the study, such as "stage.1.temperature"; None: no key.
    remedy      how to mend the mistake; None: not known.
    file, line  place of the mistake; lines count from 1; None: no file or no line.
    output      results of the run that failed, if it has begun; None: no results
    """

    def __init__(self, problem: str, *, text: str | None = None, key: str | None = None, remedy: str | None = None,
                 file: str | None = None, line: int | None = None):
        """@param text the text of the command line; None: made of the other arguments"""
        place = f"{file}:{line}: " if file and line else f"{file}: " if file else f"{key}: " if key else ""
        help_text = f"\n  help: {remedy}" if remedy else ""
        super().__init__(f"{place}{problem}{help_text}" if text is None else text)
        self.problem = problem
        self.key = key or None
        self.remedy = remedy or None
        self.file = file or None
        self.line = line or None
        self.output: Path | None = None


class InputError(LarmorError):
    """The study, an option or another input is wrong (exit code 2)."""


class MachineError(LarmorError):
    """The machine failed: memory, disk, permissions, GPU, or a program that crashed (exit code 3)."""


class UnphysicalError(LarmorError):
    """The state became unphysical, for instance not a number (exit code 4)."""


class InternalError(LarmorError):
    """A defect of Larmor (exit code 70)."""


class Interrupted(KeyboardInterrupt):
    """A run was stopped by Ctrl-C or another signal. `larmor.resume(error.output)` continues it.

    is_complete  did the run end before the signal came? Then `larmor.open(error.output)` reads its results.
    """

    def __init__(self, output: Path, number: signal.Signals = signal.SIGINT, is_complete: bool = False):
        then = "the run is complete; read it with larmor.open" if is_complete else "go on with larmor.resume"
        super().__init__(f"stopped by {number.name}; {then}({str(output)!r})")
        self.output = output
        self.signal = number
        self.is_complete = is_complete


class LarmorWarning(UserWarning):
    """A note of the program about a possible mistake."""


class ResultsError(Exception):
    """The file is not a results file that this version can read."""


class NotInResults(KeyError):
    """The results do not hold a requested stage, average, series or dataset."""

    def __str__(self) -> str:
        # KeyError itself would show the message in quotes.
        return str(self.args[0])


class NothingToDraw(Exception):
    """The results lack data that a picture needs; the message names these data."""


class MissingPackage(ImportError):
    """An optional package is not installed; the message names the command that installs it."""


class DamagedResults(ResultsError):
    """The file is damaged, or has contents that its format does not allow."""


class PictureExists(Exception):
    """An output would overwrite a file, or its name cannot be used."""


class CannotRead(MachineError):
    """The machine failed to read a file."""


class CannotWrite(MachineError):
    """The machine failed to write a file."""


@contextmanager
def reported_as_damage(what: str) -> Iterator[None]:
    """Turns unexpected errors into DamagedResults, since contents of a wrong type or shape cause them.
    @param what file and picture, for the message"""
    try:
        yield
    except (ResultsError, NotInResults, NothingToDraw, PictureExists, CannotRead, CannotWrite, MissingPackage):
        raise
    except Exception as error:
        place = [frame for frame in traceback.extract_tb(error.__traceback__)
                 if Path(__file__).parent in Path(frame.filename).parents][-1]
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
