"""Curves with errors that stages of molecular dynamics measure."""

from __future__ import annotations

import re
from dataclasses import dataclass

import h5py
import numpy as np

from .hdf5_values import texts_of, unit_of

_NAMES = re.compile(r"(radial-distribution|mean-squared-displacement|velocity-autocorrelation"
                    r"|phonon-density-of-states)(-\d+)?")


@dataclass(frozen=True, repr=False)
class AtomCurves:
    """One measurement.

    `what`        its name in the study's `measure`
    x             [n] distance (middles of bins), time or frequency, in `x_unit`
    lines         [L] names, such as "W" or "W-Be"; for a density of states "all" and the species
    value, error  [L, n] in `unit`; unknown errors are NaN
    """

    what: str
    x: np.ndarray
    x_unit: str
    lines: list[str]
    value: np.ndarray
    error: np.ndarray
    unit: str

    def __repr__(self) -> str:
        return f"<AtomCurves {self.what}: {', '.join(self.lines)}, {len(self.x)} points>"


def read_atom_curves(stage: h5py.Group) -> list[AtomCurves]:
    """All curves of a stage, by name."""
    return [_read(found[1], stage[found[0]]) for found in map(_NAMES.fullmatch, sorted(stage)) if found]


def _read(what: str, group: h5py.Group) -> AtomCurves:
    if what == "radial-distribution":
        edges = group["edges"]
        return _curves(what, (edges[1:] + edges[:-1]) / 2, unit_of(edges), texts_of(group["pairs"]), group)
    if what == "phonon-density-of-states":
        of_species = group["by-species"]
        together = {name: np.vstack([group[name][()], of_species[name][()]]) for name in ("value", "error")}
        return AtomCurves(what, group["frequency"][()], unit_of(group["frequency"]),
                          ["all", *texts_of(of_species["species"])], together["value"], together["error"],
                          unit_of(group["value"]))
    return _curves(what, group["time"][()], unit_of(group["time"]), texts_of(group["species"]), group)


def _curves(what: str, x: np.ndarray, x_unit: str, lines: list[str], group: h5py.Group) -> AtomCurves:
    return AtomCurves(what, x, x_unit, lines, group["value"][()], group["error"][()], unit_of(group["value"]))
