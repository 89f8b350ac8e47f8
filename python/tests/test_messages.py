"""Messages of the program in the words of Python."""

import inspect

import larmor
import pytest
from larmor.evaluation import Potential
from larmor.options import FLAGS, OPTIONS, of_python, words_of
from larmor.program import error_of


@pytest.mark.parametrize("text, expected", [
    ("--threads: '-1' is not a number\nRun with --help for more information.", "threads: '-1' is not a number"),
    ("--points-at-once is for scans", "points_at_once is for scans"),
    ("give --force to replace it, or name another --output", "give force=True to replace it, or name another output"),
    ("put it back, or give --from-start: all is lost", "put it back, or give from_start=True: all is lost"),
    ("`larmor run --force` runs it anew, --force replaces it", "`larmor run --force` runs it anew, force=True replaces it"),
    ("leave --moments out", "leave --moments out"),
    ("out.h5--force and a -- b", "out.h5--force and a -- b"),
    ("", ""),
])
def test_options_become_arguments(text, expected):
    assert of_python(text) == expected


def test_all_parts_of_an_error_have_them():
    error = error_of({"kind": "input", "text": "--set a=1:1:5: error: b", "problem": "b", "remedy": "leave --threads out",
                      "file": "--set a=1", "line": 1, "key": "a"})
    assert (str(error), error.remedy, error.key) == ("set a=1:1:5: error: b", "leave threads out", "a")
    assert error.file is None and error.line is None


def test_options_are_arguments_of_the_package():
    functions = (larmor.run, larmor.resume, larmor.check, larmor.verify, larmor.solve, larmor.evaluate, larmor.fit,
                 larmor.symmetry, Potential)
    arguments = {name for function in functions for name in inspect.signature(function).parameters}
    own = {"--" + name.replace("_", "-") for name in arguments}
    assert OPTIONS | FLAGS <= own
    others = {"--problem", "--structures", "--input", "--study", "--program", "--progress", "--on-progress", "--vartype", "--crystal"}
    assert own - OPTIONS - FLAGS == others


def test_arguments_become_options():
    assert words_of(threads=0, backend=None, force=True, from_start=False, seconds=1e-3, set="a=1") == [
        "--threads", "0", "--force", "--seconds", "0.001", "--set", "a=1"]
