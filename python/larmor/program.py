"""Finds the program `larmor`, starts it, and turns its ends into exceptions."""

from __future__ import annotations

import contextlib
import inspect
import json
import os
import shutil
import signal
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from .errors import (
    InputError,
    InternalError,
    LarmorError,
    LarmorWarning,
    MachineError,
    UnphysicalError,
)
from .options import PathLike, of_python

PACKAGE = Path(__file__).resolve().parent
KINDS: dict[str, type[LarmorError]] = {"input": InputError, "machine": MachineError,
                                       "unphysical": UnphysicalError, "internal": InternalError}
CODES: dict[int, type[LarmorError]] = {2: InputError, 3: MachineError, 4: UnphysicalError, 70: InternalError}
# Lines of a program that ended without a message, for the message of the exception.
_LAST_LINES = 20


def find_program(program: PathLike | None = None) -> str:
    """Path of the program `larmor`.

    The first of these that is given or exists: `program`; the environment variable LARMOR; the program in the
    installed package; the program of the archive or `.deb` that holds the package; `larmor` on the PATH; the newest
    `build/*/larmor` of the source tree that holds the package.
    Raises MachineError if there is no program.
    """
    named = program if program is not None else os.environ.get("LARMOR")
    if named is not None:
        found = shutil.which(os.fspath(named))
        if found is None:
            raise MachineError(f"there is no program '{os.fspath(named)}'",
                               remedy="give its path by `program`, or by the environment variable LARMOR")
        return found
    built = sorted(PACKAGE.parents[1].glob("build/*/larmor"), key=lambda path: path.stat().st_mtime, reverse=True)
    candidates: list[str | Path] = [PACKAGE / "_bin" / "larmor", "larmor", *built]
    if PACKAGE.parts[-4:-1] == ("share", "larmor", "python"):
        candidates.insert(1, PACKAGE.parents[3] / "bin" / "larmor")
    for candidate in candidates:
        if found := shutil.which(os.fspath(candidate)):
            return found
    raise MachineError("there is no program 'larmor'",
                       remedy="give its path by the environment variable LARMOR, or add its folder to the PATH")


def error_of(report: Mapping[str, Any]) -> LarmorError:
    """The exception for the error that the program has reported as JSON."""
    kind = KINDS.get(str(report.get("kind")), InternalError)
    text, problem, remedy = (of_python(report.get(name) or "") for name in ("text", "problem", "remedy"))
    # The place of an error in a change of a key is this change.
    in_file = not str(report.get("file") or "").startswith("--set ")
    return kind(problem or text, text=text, key=report.get("key"), remedy=remedy,
                file=report.get("file") if in_file else None, line=report.get("line") if in_file else None)


def warn(text: str) -> None:
    """Issues a LarmorWarning at the line outside this package that called it."""
    text = of_python(text)
    depth = 1
    frame = inspect.currentframe()
    while frame is not None and PACKAGE in Path(frame.f_code.co_filename).parents:
        frame, depth = frame.f_back, depth + 1
    warnings.warn(text, LarmorWarning, stacklevel=depth)


@dataclass
class Ended:
    """How the program ended."""

    code: int
    """Exit code; below zero, minus the number of the signal that ended the program."""
    output: str
    """Text on the standard output."""
    error: LarmorError | None = None
    """The error that the program reported."""
    lines: list[str] = field(default_factory=list)
    """The last lines on stderr that are not JSON."""

    def stopping_signal(self) -> signal.Signals | None:
        """The signal after which the program stopped in order, so that it can go on; None for other ends."""
        stopped = {128 + number: number for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)}
        return stopped.get(self.code)

    def raise_error(self) -> None:
        """Raises the exception for this end, unless the exit code is 0."""
        if self.code == 0:
            return
        if self.error is not None:
            raise self.error
        text = "\n".join(self.lines[-_LAST_LINES:])
        if self.code < 0:
            name = signal.Signals(-self.code).name
            raise MachineError(f"the program was ended by {name}" + (f"; its last lines:\n{text}" if text else ""))
        kind = CODES.get(self.code, MachineError)
        raise kind(text or f"the program ended with the exit code {self.code}")


class Running:
    """The program while it runs. Events and lines on stderr are given to a function.

    The program has a process group of its own, because Ctrl-C in a terminal or notebook may reach all processes of a
    group. Only `wait` passes it on, since a second signal would end the program before its checkpoint. If Python is
    killed, the next line that the program writes ends the program.
    """

    def __init__(self, arguments: Sequence[str], *, program: PathLike | None = None):
        """@param program as for `find_program`. Raises MachineError if it cannot be started."""
        command = [find_program(program), *arguments]
        environment = {**os.environ, "LARMOR_ERRORS": "json"}
        self._output: IO[str] = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        try:
            self._process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=self._output,
                                             stderr=subprocess.PIPE, encoding="utf-8", errors="replace",
                                             start_new_session=True)
        except OSError as error:
            self._output.close()
            raise MachineError(f"the program '{command[0]}' cannot be started ({error.strerror})") from error
        self._ended = Ended(0, "")

    @property
    def code(self) -> int | None:
        """The exit code as in `Ended`; None while the program runs."""
        return self._process.returncode

    def wait(self, on_event: Callable[[dict[str, Any]], None] = lambda event: None) -> Ended:
        """Waits for the end of the program. An exception, also from `on_event` or by Ctrl-C, first stops the
        program, which writes a checkpoint if its command has one.

        @param on_event gets each JSON object that the program writes, except errors
        """
        assert self._process.stderr is not None
        with self._output, self._process.stderr:
            try:
                self._read(on_event)
                self._ended.code = self._process.wait()
            except BaseException:
                self._stop_and_wait()
                raise
            self._output.seek(0)
            self._ended.output = self._output.read()
        return self._ended

    def _read(self, on_event: Callable[[dict[str, Any]], None]) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            event = _event_of(line)
            if event is None:
                self._ended.lines = [*self._ended.lines[1 - _LAST_LINES:], line.rstrip("\n")]
            elif event["event"] == "error":
                self._ended.error = error_of(event)
            else:
                on_event(event)

    def _stop_and_wait(self) -> None:
        """Asks the program to stop, once for each Ctrl-C, and waits. The second request ends it without a new
        checkpoint, and the third kills it."""
        requests = [signal.SIGINT, signal.SIGINT]
        while self._process.poll() is None:
            self._process.send_signal(requests.pop() if requests else signal.SIGKILL)
            with contextlib.suppress(KeyboardInterrupt):
                self._read(lambda event: None)
                self._process.wait()


def _event_of(line: str) -> dict[str, Any] | None:
    if not line.startswith("{"):
        return None
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return event if isinstance(event, dict) and "event" in event else None


def call(arguments: Sequence[str], *, program: PathLike | None = None) -> Ended:
    """Runs the program to its end. Raises LarmorError unless its exit code is 0."""
    ended = Running(arguments, program=program).wait()
    ended.raise_error()
    return ended
