"""Colours the text of a study, which is TOML."""

from __future__ import annotations

import html
import re
from typing import Any

from ..errors import NotInResults
from ..hdf5_values import text_of
from ..results import Point, Results

_TOKEN = re.compile(
    r'''(?P<c>#[^\n]*)|(?P<s>"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|'[^'\n]*')'''
    r'''|(?P<h>^[ \t]*\[\[?[^\]\n]*\]\]?)|(?P<k>^[ \t]*[\w.-]+(?=[ \t]*=)|(?<=[{,])[ \t]*[\w.-]+(?=[ \t]*=))'''
    r'''|(?P<n>(?<![\w.])(?:[+-]?\d[\d_]*\.?\d*(?:[eE][+-]?\d+)?|true|false)(?![\w.]))''',
    re.MULTILINE | re.DOTALL,
)


def coloured(text: str) -> str:
    """The text as HTML: comments, strings, heads of tables, keys and numbers have classes. All is escaped."""
    done, end = [], 0
    for match in _TOKEN.finditer(text):
        done.append(html.escape(text[end:match.start()]))
        done.append(f'<span class="{match.lastgroup}">{html.escape(match[0])}</span>')
        end = match.end()
    return "".join(done) + html.escape(text[end:])


def study_tree(results: Point) -> dict[str, Any]:
    """The completed study as a tree of values; for a scan, that of its first finished point. Empty if there is none, or
    if this Python reads no TOML."""
    try:
        import tomllib
    except ImportError:  # Python 3.10
        try:
            import tomli as tomllib
        except ImportError:
            return {}
    try:
        return tomllib.loads(results.completed_study)
    except tomllib.TOMLDecodeError:
        return {}
    except NotInResults:
        points = results.points if isinstance(results, Results) else {}
        return study_tree(next(iter(points.values()))) if points else {}


def input_of_fit(results: Results) -> str:
    """The text of the input of a fit; empty if the file has none."""
    group = results._file.get("fit", {})
    return text_of(group["input"]) if "input" in group else ""


def is_nonzero(value: Any) -> bool:
    """Is a value of a study present and not zero? "0 K" and [0.0] are zero, a table is not."""
    if isinstance(value, list):
        return any(map(is_nonzero, value))
    if isinstance(value, str):
        number = re.match(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", value)
        return float(number[0]) != 0 if number else bool(value)
    return bool(value)
