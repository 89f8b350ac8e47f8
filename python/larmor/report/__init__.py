"""A results file as one HTML page: pictures, numbers, remarks, study, provenance and references."""

from __future__ import annotations

from pathlib import Path

from ..errors import reported_as_damage
from ..output_files import OutputFile, write_all
from ..results import Results
from .page import report_page

__all__ = ["report_page", "write_report"]

# Only a file with this element is replaced by force.
_MARK = b'<meta name="generator" content="larmor report">'


def write_report(results: Results, path: Path | None = None, force: bool = False) -> Path:
    """Writes the page of open results and returns its path.

    path: file; None: the results file with the ending -report.html in place of its suffix
    force: replace an earlier report

    Raises PictureExists if the file exists and `force` is False, or if it is not a report. Raises DamagedResults for
    damaged results, and CannotWrite if the machine fails.
    """
    path = results.path.with_name(f"{results.path.stem}-report.html") if path is None else Path(path)
    with reported_as_damage(str(results.path)):
        contents = report_page(results).encode("utf-8", errors="replace")
    page = OutputFile(path, contents, "report of Larmor", lambda present: _MARK in present[:4096])
    return write_all([page], force)[0]
