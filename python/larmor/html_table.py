"""Tables of HTML, as a notebook shows them for the value of a cell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

# Longer tables are cut.
_MOST_ROWS = 30


def table(header: Sequence[str], rows: Iterable[Sequence[str]], caption: str = "") -> str:
    """A table of texts, which are escaped. Only the first rows of a long table are in it, and their number is told.

    @param caption a line above the table; empty: none"""
    rows = list(rows)
    heads = "".join(f"<th>{escape(name)}</th>" for name in header)
    lines = [_row(row) for row in rows[:_MOST_ROWS]]
    if len(rows) > _MOST_ROWS:
        lines.append(_row([f"... {len(rows) - _MOST_ROWS} more rows"]))
    above = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{above}<thead><tr>{heads}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def _row(cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
