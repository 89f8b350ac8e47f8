"""Lines that show the progress of runs which Python starts."""

import io
import sys
import types

import pytest

from larmor.progress_display import Display, LogLines, NotebookLine, TerminalLine, display_for, line_of

EVENT = {"event": "progress", "stage": "2/3 monte-carlo", "done": 46, "total": 100, "unit": "updates", "elapsed": 3.0,
         "rate": 52.1e6, "left": 80.2, "averages": {"T": "1.44", "energy": "-1.43"}}


@pytest.mark.parametrize("changes, line", [
    ({}, "2/3 monte-carlo  46 %  52.1 M updates/s  1 min 20 s left  T 1.44  energy -1.43"),
    ({"stage": "", "total": 0, "left": None, "rate": 0.5, "averages": {}}, "0.5 updates/s"),
    ({"converged": 0.5, "rate": 999, "left": 7300, "averages": {}},
     "2/3 monte-carlo  50 % converged  999 updates/s  2 h 02 min left"),
    ({"event": "stage", "seconds": 42.4}, "2/3 monte-carlo  done in 42 s"),
    ({"event": "end", "elapsed": 3.24}, "done in 3.2 s"),
    ({"event": "stopped", "elapsed": 12}, "stopped after 12 s"),
])
def test_the_line_of_an_event(changes, line):
    assert line_of({**EVENT, **changes}) == line


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_has_one_line(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    display = display_for(True)
    assert isinstance(display, TerminalLine)
    display.show({**EVENT, "elapsed": 0.1})
    assert terminal.getvalue() == ""
    display.show(EVENT)
    display.show({**EVENT, "event": "end"})
    display.close()
    first, last = terminal.getvalue().split("\r")[1:]
    assert first == line_of(EVENT)[:79] and last.rstrip() == "done in 3.0 s" and len(last.rstrip("\n")) == len(first)
    assert last.endswith("\n")


def test_a_log_has_a_line_now_and_then(capsys):
    display = display_for(True)
    assert isinstance(display, LogLines)
    shown = []
    for second in range(200):
        display.show({**EVENT, "elapsed": float(second)})
        if capsys.readouterr().err == line_of(EVENT) + "\n":
            shown.append(second)
    assert shown == [2, 12, 27, 50, 84, 135, 195]
    display.show({**EVENT, "event": "end", "elapsed": 200.0})
    assert capsys.readouterr().err == "done in 3 min 20 s\n"


def test_a_notebook_has_one_output(monkeypatch):
    outputs = []

    class Handle:
        def update(self, shown, raw):
            outputs[0] = shown["text/plain"]

    def display(shown, raw, display_id):
        outputs.append(shown["text/plain"])
        return Handle()

    shell = types.SimpleNamespace(config={"IPKernelApp": {}})
    package = types.ModuleType("IPython")
    package.get_ipython = lambda: shell
    package.display = types.ModuleType("IPython.display")
    package.display.display = display
    monkeypatch.setitem(sys.modules, "IPython", package)
    monkeypatch.setitem(sys.modules, "IPython.display", package.display)
    line = display_for(True)
    assert isinstance(line, NotebookLine)
    line.show(EVENT)
    line.show({**EVENT, "event": "end"})
    assert outputs == ["done in 3.0 s"]
    shell.config.clear()
    assert not isinstance(display_for(True), NotebookLine)


def test_progress_can_be_silent(capsys):
    display = display_for(False)
    assert type(display) is Display
    display.show(EVENT)
    display.close()
    assert capsys.readouterr() == ("", "")
