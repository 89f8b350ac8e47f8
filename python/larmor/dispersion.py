"""Dispersion relations, from CSV files or spin-wave theory, to draw over S(q, w)."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .errors import ResultsError
from .labels import H_MEV_PS, HBAR_MEV_PS
from .spin_waves import SpinWaves
from .structure_factor import StructureFactor

_DISTANCE = ("path_distance", "distance")
_INDICES = ("h", "k", "l")
# "frequency", "energy_2 (meV)", "w1".
_BRANCH = re.compile(r"(frequency|energy|omega|w)(_?\d+|_\w+)?")
# Columns that tables of `larmor curves` have, and that are not drawn.
_LEFT_OUT = re.compile(r"q_index|(intensity|growth)(_\w+)?|\w+_error")
_COLUMN = re.compile(r"(?P<name>[^()\[\]]*?)\s*(?:[(\[](?P<unit>[^()\[\]]*)[)\]])?")
# Units of frequencies and energies, in meV. Frequencies in 1/ps are angular frequencies.
_MEV = {"meV": 1.0, "eV": 1e3, "THz": H_MEV_PS, "GHz": 1e-3 * H_MEV_PS, "rad/ps": HBAR_MEV_PS, "1/ps": HBAR_MEV_PS,
        "ps^-1": HBAR_MEV_PS, "cm^-1": 0.12398419843320026, "1/cm": 0.12398419843320026}
_EXAMPLE = "such as h, k, l, energy (meV), or path_distance, frequency_1, frequency_2"


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
    """Reads a CSV file with a line of names, in any order: `path_distance` (or `distance`), or `h`, `k` and `l`; and
    the branches, whose names begin with `frequency`, `energy`, `omega` or `w`. Lines that start with # are ignored.

    A name may end with a unit in brackets: meV, eV, THz, GHz, rad/ps, 1/ps (angular) or cm^-1. Frequencies without a
    unit have that of the results file. h, k, l are in reciprocal-lattice units. Wave vectors h, k, l are drawn at
    their points of the path.
    Raises ResultsError for unknown names and units, a file of another shape, or wave vectors that are not on the path.
    """
    path = Path(path)
    header, numbers = _read_columns(path)
    columns = [_Column.read(path, name) for name in header]
    names = [column.name for column in columns]
    for column in columns:
        if names.count(column.name) > 1:
            raise ResultsError(f"{path}: two columns are called {column.name}")
        if not column.is_known():
            raise ResultsError(f"{path}: unknown column '{column.text}'; the columns are path_distance, or h, k, l, and "
                               f"frequency or energy, {_EXAMPLE}")
    branches = [number for number, column in enumerate(columns) if column.is_branch()]
    if not branches:
        raise ResultsError(f"{path}: needs a column of frequencies or energies, {_EXAMPLE}")
    unit = factor.frequency_unit
    frequency = np.column_stack([numbers[:, n] * columns[n].factor_to(path, unit) for n in branches])
    if all(name in names for name in _INDICES):
        return _on_path(path, numbers[:, [names.index(name) for name in _INDICES]], frequency, factor)
    distances = [number for number, name in enumerate(names) if name in _DISTANCE]
    if not distances:
        raise ResultsError(f"{path}: needs columns of places, called path_distance, or h, k and l; it has "
                           f"{', '.join(header)}")
    place = columns[distances[0]]
    if place.unit and "q_cartesian" in factor and place.unit != factor.q_unit:
        raise ResultsError(f"{path}: '{place.text}' must be in the unit of the results, "
                           f"{factor.q_unit or 'which are reduced units without a name'}")
    distance = numbers[:, distances[0]]
    order = np.argsort(distance, kind="stable")
    return Dispersion(distance[order], frequency[order], path.stem)


@dataclass(frozen=True)
class _Column:
    """A column of the file: its text, and its name and unit, which may be empty."""

    text: str
    name: str
    unit: str

    @classmethod
    def read(cls, path: Path, text: str) -> _Column:
        found = _COLUMN.fullmatch(text)
        if found is None or not found["name"]:
            raise ResultsError(f"{path}: '{text}' is not the name of a column, {_EXAMPLE}")
        return cls(text, found["name"].lower(), found["unit"] or "")

    def is_branch(self) -> bool:
        return _BRANCH.fullmatch(self.name) is not None and _LEFT_OUT.fullmatch(self.name) is None

    def is_known(self) -> bool:
        return self.is_branch() or self.name in (*_DISTANCE, *_INDICES) or _LEFT_OUT.fullmatch(self.name) is not None

    def factor_to(self, path: Path, unit: str) -> float:
        """Factor to the unit of the results; empty: reduced units."""
        if not unit:
            if self.unit:
                raise ResultsError(f"{path}: '{self.text}' has a unit, and the results have reduced units; leave the unit "
                                   "out, and divide by that of the couplings")
            return 1.0
        if not self.unit:
            if self.name.startswith("energy"):
                raise ResultsError(f"{path}: '{self.text}' needs a unit, such as {self.name} (meV)")
            return 1.0
        if self.unit not in _MEV:
            raise ResultsError(f"{path}: unknown unit '{self.unit}' of '{self.text}'; the units are {', '.join(_MEV)}")
        return _MEV[self.unit] / _MEV[unit]


def _read_columns(path: Path) -> tuple[list[str], np.ndarray]:
    """The names of the columns, and [rows, columns]."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ResultsError(f"{path}: cannot be read ({error})") from error
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1)
             if line.strip() and not line.startswith("#")]
    try:
        rows = [[cell.strip() for cell in row]
                for row in csv.reader((line for _, line in lines), skipinitialspace=True)]
    except csv.Error as error:
        raise ResultsError(f"{path}: not a table of numbers ({error})") from error
    if len(rows) != len(lines):
        raise ResultsError(f"{path}: a quoted text does not end on its line")
    places = [f"{path}, line {number}" for number, _ in lines]
    if rows and (_is_number(rows[0][0]) or len(rows[0]) == 1):
        raise ResultsError(f"{places[0]}: not a line of names separated by commas, {_EXAMPLE}")
    if len(rows) < 2:
        raise ResultsError(f"{path}: no rows of numbers separated by commas")
    header = rows[0]
    for place, row in zip(places[1:], rows[1:], strict=True):
        wrong = [cell for cell in row if not _is_number(cell)]
        if wrong:
            raise ResultsError(f"{place}: '{wrong[0]}' is not a number; only the first line has names")
        if len(row) != len(header):
            raise ResultsError(f"{place}: the row has {len(row)} columns, and the first line has {len(header)}")
    return header, np.array(rows[1:], dtype=float)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _on_path(path: Path, wave_vectors: np.ndarray, frequency: np.ndarray, factor: StructureFactor) -> Dispersion:
    q, distance = factor.q, factor.path_distance
    apart = np.linalg.norm(q[:, None, :] - wave_vectors[None, :, :], axis=2)
    steps = np.linalg.norm(np.diff(q, axis=0), axis=1)
    near = 0.5 * np.median(steps[steps > 0]) if np.any(steps > 0) else 1e-6
    nearest = apart.argmin(axis=1)
    met = apart.min(axis=1) < near
    if not np.any(met):
        raise ResultsError(f"{path}: none of its wave vectors is on the path")
    return Dispersion(distance[met], frequency[nearest[met]], path.stem)
