"""Dispersion relations, from CSV files or spin-wave theory, to draw over S(q, w)."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .errors import ResultsError
from .spin_waves import SpinWaves
from .structure_factor import StructureFactor

_DISTANCE = ("path_distance", "distance")
_INDICES = ("h", "k", "l")


@dataclass(frozen=True)
class Dispersion:
    """distance [n] along the path, frequency [n, branches] in the unit of the results file;
    negative [n, branches] the frequencies below zero, or None if only the frequencies above zero
    are known."""

    distance: np.ndarray
    frequency: np.ndarray
    name: str
    negative: np.ndarray | None = None


# A line weaker than this fraction of the total intensity at its wave vector comes from rounding.
_VISIBLE = 1e-9


def theory_for(factor: StructureFactor, candidates: Iterable[SpinWaves]) -> Dispersion | None:
    """The first candidate that has the wave vectors of a structure factor, with only those lines
    that have intensity; None: no candidate has these wave vectors."""
    for waves in candidates:
        if not waves.follows(factor):
            continue
        total = waves.intensity.sum(axis=1) + waves.mirror_intensity.sum(axis=1)

        def visible(frequency: np.ndarray, intensity: np.ndarray) -> np.ndarray:
            return np.where(intensity < _VISIBLE * total[:, None], np.nan, frequency)

        return Dispersion(waves.path_distance, visible(waves.frequency, waves.intensity),
                          "linear spin-wave theory",
                          visible(-waves.mirror_frequency, waves.mirror_intensity))
    return None


def read_dispersion(path: str | os.PathLike[str], factor: StructureFactor) -> Dispersion:
    """Reads a CSV file. Its header is `path_distance, w1, w2, ...` (or `distance, ...`) or `h, k, l, w1, ...`;
    without a header, the first column is the path distance. Lines that start with # are ignored.

    h, k, l are in reciprocal-lattice units. Wave vectors h, k, l are drawn at their points of the path.
    Raises ResultsError for a file of another shape, or wave vectors that are not on the path.
    """
    header, numbers = _read_columns(Path(path))
    if header[: len(_INDICES)] == list(_INDICES):
        return _on_path(Path(path), numbers, factor)
    if header and header[0] not in _DISTANCE:
        raise ResultsError(f"{path}: the first columns must be called path_distance, or h, k, l; "
                           f"found {', '.join(header)}")
    if numbers.shape[1] < 2:
        raise ResultsError(f"{path}: needs a column of frequencies after the path distance")
    order = np.argsort(numbers[:, 0], kind="stable")
    return Dispersion(numbers[order, 0], numbers[order, 1:], Path(path).stem)


def _read_columns(path: Path) -> tuple[list[str], np.ndarray]:
    """The names of the columns (none without a header), [rows, columns]."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ResultsError(f"{path}: cannot be read ({error})") from error
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1)
             if line.strip() and not line.startswith("#")]
    try:
        rows = [[cell.strip() for cell in row] for row in csv.reader(line for _, line in lines)]
    except csv.Error as error:
        raise ResultsError(f"{path}: not a table of numbers ({error})") from error
    if len(rows) != len(lines):
        raise ResultsError(f"{path}: a quoted text does not end on its line")
    places = [f"{path}, line {number}" for number, _ in lines]
    header: list[str] = []
    if rows and not _is_number(rows[0][0]):
        header = [name.lower() for name in rows.pop(0)]
        place = places.pop(0)
        if len(header) == 1:
            raise ResultsError(f"{place}: not a row of names or numbers separated by commas")
    if not rows:
        raise ResultsError(f"{path}: no rows of numbers separated by commas")
    columns = len(header or rows[0])
    for place, row in zip(places, rows, strict=True):
        wrong = [cell for cell in row if not _is_number(cell)]
        if wrong:
            raise ResultsError(f"{place}: '{wrong[0]}' is not a number; one line of names may come before the numbers")
        if len(row) != columns:
            raise ResultsError(f"{place}: the row has {len(row)} columns, and the first line has {columns}")
    return header, np.array(rows, dtype=float)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _on_path(path: Path, numbers: np.ndarray, factor: StructureFactor) -> Dispersion:
    if numbers.shape[1] < 4:
        raise ResultsError(f"{path}: needs a column of frequencies after h, k, l")
    q, distance = factor.q, factor.path_distance
    apart = np.linalg.norm(q[:, None, :] - numbers[None, :, :3], axis=2)
    steps = np.linalg.norm(np.diff(q, axis=0), axis=1)
    near = 0.5 * np.median(steps[steps > 0]) if np.any(steps > 0) else 1e-6
    nearest = apart.argmin(axis=1)
    met = apart.min(axis=1) < near
    if not np.any(met):
        raise ResultsError(f"{path}: none of its wave vectors is on the path")
    return Dispersion(distance[met], numbers[nearest[met], 3:], path.stem)
