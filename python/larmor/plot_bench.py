"""Draws the measurements of `larmor bench NAME --json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from .errors import ResultsError
from .plot_correlations import plot_correlations
from .plot_glass import plot_glass
from .plot_snap import plot_snap
from .plot_tempering import plot_tempering
from .results import require_file

_PLOTS = {"larmor-bench-correlations": plot_correlations, "larmor-bench-glass": plot_glass,
          "larmor-bench-snap": plot_snap, "larmor-bench-tempering": plot_tempering}


def read_measured(path: Path) -> dict[str, Any]:
    """Reads the file of `larmor bench NAME --json`. Raises ResultsError for other files."""
    none = f"{path}: not a file of larmor bench correlations, glass, snap or tempering"
    require_file(path)
    try:
        measured = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ResultsError(f"{none}: {error}") from error
    if not isinstance(measured, dict) or str(measured.get("format")) not in _PLOTS:
        raise ResultsError(none)
    return measured


def plot_bench(measured: dict[str, Any]) -> Figure:
    """The picture of the benchmark that wrote the file. Raises NothingToDraw if nothing was measured."""
    return _PLOTS[measured["format"]](measured)
