"""Shows the progress of a run: one line in a terminal or notebook, or a line now and then in a log."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping
from typing import Any

# Runs of less than this time show nothing, as on the command line.
_SILENT_SECONDS = 2.0
_ENDS = {"end": "done in", "stopped": "stopped after"}
_FIRST_INTERVAL = 10.0
_LONGEST_INTERVAL = 60.0


class Display:
    """Shows nothing. Subclasses show the line of each event."""

    def show(self, event: Mapping[str, Any]) -> None:
        """Shows an event of the program."""

    def close(self) -> None:
        """Ends the display, also after an error."""


class TerminalLine(Display):
    """One line on stderr that is rewritten."""

    def __init__(self) -> None:
        self._width = 0

    def show(self, event: Mapping[str, Any]) -> None:
        if event.get("elapsed", 0) < _SILENT_SECONDS:
            return
        line = line_of(event)[:shutil.get_terminal_size().columns - 1]
        sys.stderr.write(f"\r{line:{self._width}}")
        sys.stderr.flush()
        self._width = len(line)

    def close(self) -> None:
        if self._width:
            sys.stderr.write("\n")


class NotebookLine(Display):
    """One line below the cell of a notebook that is replaced."""

    def __init__(self) -> None:
        self._handle: Any = None

    def show(self, event: Mapping[str, Any]) -> None:
        import IPython.display

        shown = {"text/plain": line_of(event)}
        if self._handle is None:
            show: Any = IPython.display.display
            self._handle = show(shown, raw=True, display_id=True)
        else:
            self._handle.update(shown, raw=True)


class LogLines(Display):
    """A line on stderr every ten seconds, and later every minute."""

    def __init__(self) -> None:
        self._interval = _FIRST_INTERVAL
        self._next = 0.0

    def show(self, event: Mapping[str, Any]) -> None:
        elapsed = event.get("elapsed", 0)
        if elapsed < _SILENT_SECONDS or (elapsed < self._next and event["event"] not in _ENDS):
            return
        self._next = elapsed + self._interval
        self._interval = min(_LONGEST_INTERVAL, self._interval * 1.5)
        print(line_of(event), file=sys.stderr, flush=True)


def display_for(progress: bool) -> Display:
    """The display for this session: notebook, terminal or log. Without `progress` it shows nothing."""
    if not progress:
        return Display()
    if _in_notebook():
        return NotebookLine()
    return TerminalLine() if sys.stderr is not None and sys.stderr.isatty() else LogLines()


def _in_notebook() -> bool:
    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython

    shell = get_ipython()
    return shell is not None and "IPKernelApp" in shell.config


def line_of(event: Mapping[str, Any]) -> str:
    """The line of an event: "2/3 monte-carlo  46 %  52.1 M updates/s  80 s left  energy -1.43"."""
    if event["event"] in _ENDS:
        return f"{_ENDS[event['event']]} {duration(event['elapsed'])}"
    if event["event"] == "stage":
        return f"{event['stage']}  done in {duration(event['seconds'])}"
    parts = [event["stage"]] if event.get("stage") else []
    if event.get("converged") is not None:
        parts.append(f"{int(100 * event['converged'])} % converged")
    elif event.get("total"):
        parts.append(f"{int(100 * event['done'] / event['total'])} %")
    parts.append(rate(event["rate"], event["unit"]))
    if event.get("left"):
        parts.append(f"{duration(event['left'])} left")
    parts += [f"{name} {value}" for name, value in event.get("averages", {}).items()]
    return "  ".join(parts)


def duration(seconds: float) -> str:
    """"0.4 s", "42 s", "1 min 20 s", "2 h 05 min"."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes == 0:
        return f"{rest} s"
    if minutes < 60:
        return f"{minutes} min {rest:02} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes:02} min"


def rate(per_second: float, unit: str) -> str:
    """"52.1 M updates/s"."""
    for prefix in ("", "k ", "M ", "G ", "T "):
        if per_second < 1000 or prefix == "T ":
            break
        per_second /= 1000
    return f"{per_second:.3g} {prefix}{unit}/s"
