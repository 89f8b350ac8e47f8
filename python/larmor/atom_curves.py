"""Curves with errors that stages of molecular dynamics measure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import h5py
import numpy as np

from .estimate import Estimate
from .hdf5_values import Array, attributes, texts_of, unit_of, values_of
from .tables import DataSet, middles

_AXES = {"radial-distribution": "distance", "mean-squared-displacement": "time", "velocity-autocorrelation": "time",
         "phonon-density-of-states": "frequency"}
_NAMES = re.compile(r"(radial-distribution|mean-squared-displacement|velocity-autocorrelation"
                    r"|phonon-density-of-states)(-\d+)?")


@dataclass(frozen=True, repr=False, eq=False)
class AtomCurves:
    """One measurement.

    `what`        its name in the study's `measure`
    x             [n] distance (middles of bins), time or frequency, in `x_unit`
    lines         [L] names, such as "W" or "W-Be"; for a density of states "all" and the species
    value, error  [L, n] in `unit`; unknown errors are NaN
    settings      blocks, samples_of_block, replicas, ...
    """

    what: str
    x: Array
    x_unit: str
    lines: list[str]
    value: Array
    error: Array
    unit: str
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def estimate(self) -> Estimate:
        """[L, n] the curves with their errors."""
        return Estimate(self.value, self.error, self.unit, self.what)

    def to_xarray(self) -> Any:
        """A Dataset with the axes line and distance, time or frequency. Raises MissingPackage without xarray."""
        axis = _AXES[self.what]
        made = DataSet(**self.settings).along(axis, axis, self.x, self.x_unit).along("line", "line", self.lines)
        return made.add(self.what.replace("-", "_"), ["line", axis], self.estimate).made()

    def __repr__(self) -> str:
        return f"<AtomCurves {self.what}: {', '.join(self.lines)}, {len(self.x)} points>"


def read_atom_curves(stage: h5py.Group) -> list[AtomCurves]:
    """All curves of a stage, by kind, and in the order in which they were measured."""
    found = [name for name in map(_NAMES.fullmatch, stage) if name]
    return [_read(name[1], stage[name[0]]) for name in sorted(found, key=lambda name: (name[1], -int(name[2] or 0)))]


def _read(what: str, group: h5py.Group) -> AtomCurves:
    if what == "radial-distribution":
        edges = group["edges"]
        return _curves(what, middles(values_of(edges)), unit_of(edges), texts_of(group["pairs"]), group)
    if what == "phonon-density-of-states":
        of_species = group["by-species"]
        value, error = (np.vstack([values_of(group[name]), values_of(of_species[name])]) for name in ("value", "error"))
        return AtomCurves(what, values_of(group["frequency"]), unit_of(group["frequency"]),
                          ["all", *texts_of(of_species["species"])], value, error, unit_of(group["value"]),
                          attributes(group))
    return _curves(what, values_of(group["time"]), unit_of(group["time"]), texts_of(group["species"]), group)


def _curves(what: str, x: Array, x_unit: str, lines: list[str], group: h5py.Group) -> AtomCurves:
    return AtomCurves(what, x, x_unit, lines, values_of(group["value"]), values_of(group["error"]),
                      unit_of(group["value"]), attributes(group))
