"""Reads a scan: its keys, and the averages of its points."""

from __future__ import annotations

from dataclasses import dataclass

import h5py
import numpy as np

from .errors import not_in_results
from .hdf5_values import texts_of, unit_of


@dataclass(frozen=True, repr=False)
class Axis:
    """One scanned key.

    key     its path, as in the study
    values  [n] numbers in `unit`; [n, d] for lists of d numbers, such as sizes; texts for other values
    unit    the unit of the study; empty for pure numbers
    also    by key, the values of further keys that change together with this one
    """

    key: str
    values: np.ndarray
    unit: str
    also: dict[str, np.ndarray]

    @property
    def is_numeric(self) -> bool:
        """Is each value one number?"""
        return self.values.dtype.kind == "f" and self.values.ndim == 1

    @property
    def numbers(self) -> np.ndarray | None:
        """[n] a number for each value. For a list it is the entry that varies, or the common value of all varying
        entries: 6 for [6, 6, 6]. None if a value has no such number."""
        if self.is_numeric:
            return self.values
        if self.values.dtype.kind != "f":
            return None
        varies = np.any(self.values != self.values[0], axis=0)
        entries = self.values[:, varies] if varies.any() else self.values
        return entries[:, 0] if np.all(entries == entries[:, :1]) else None

    def text(self, number: int) -> str:
        """A value as the study writes it, with its unit: "[6, 6, 6]", "0.5 T"."""
        value = self.values[number]
        if self.values.ndim == 2:
            value = "[" + ", ".join(f"{entry:.12g}" for entry in value) + "]"
        return f"{value} {self.unit}".strip()

    def __repr__(self) -> str:
        last = len(self.values) - 1
        return f"<Axis {self.key}: {len(self.values)} values, {self.text(0)} to {self.text(last)}>"


@dataclass(frozen=True, repr=False)
class Grid:
    """An average, or another number such as a barrier, at each point of a scan; `value, error = grid` unpacks it.

    value, error  in the scan's shape, in `unit`; [.., P] if the stage has P temperatures or fields; NaN at
                  unfinished points, and for unknown errors
    reliable      booleans in this shape: were there enough samples for a reliable error? None: not known
    autocorrelation_time  in this shape, in samples; None: not known
    """

    name: str
    value: np.ndarray
    error: np.ndarray
    unit: str
    reliable: np.ndarray | None = None
    autocorrelation_time: np.ndarray | None = None

    def __iter__(self):
        return iter((self.value, self.error))

    def __repr__(self) -> str:
        return f"<Grid {self.name}: shape {self.value.shape}>"


@dataclass(frozen=True)
class StagePoints:
    """The temperatures or fields of a stage at each point of a scan.

    name    "temperature", "field" or "kappa"
    values  in the scan's shape, in `unit`; [.., P] if there are P of them; NaN if a point has fewer
    """

    name: str
    values: np.ndarray
    unit: str


@dataclass(frozen=True)
class BinderCrossing:
    """Crossing of the Binder cumulants of two lattices.

    first, second  indices of the lattices on each axis of the scan, the smaller lattice first; -1 on an axis of
                   temperatures
    temperature    at the crossing, with its standard error, in `unit`
    """

    first: tuple[int, ...]
    second: tuple[int, ...]
    temperature: float
    error: float
    unit: str


class Scan:
    """`axes`, `shape`, and `summary["02-dynamics"]["energy"]`: the averages of every point."""

    def __init__(self, group: h5py.Group):
        self._group = group

    @property
    def axes(self) -> list[Axis]:
        """One for each [[scan]] table; the last varies fastest from point to point."""
        return [self._axis(number, key)
                for number, key in enumerate(texts_of(self._group["keys"]), start=1)]

    def _axis(self, number: int, key: str) -> Axis:
        group = self._group[f"axes/{number:02}"]
        also = {name: _values(group[name]) for name in group if name != key}
        return Axis(key, _values(group[key]), unit_of(group[key]), also)

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of values on each axis."""
        return tuple(int(extent) for extent in self._group["shape"][()])

    @property
    def completed(self) -> np.ndarray:
        """[shape] booleans: is the point done?"""
        return self._group["points/completed"][()].astype(bool).reshape(self.shape)

    @property
    def rank(self) -> np.ndarray:
        """[shape] the rank that ran each point; -1: none yet."""
        return self._group.parent["provenance/points/rank"][()].reshape(self.shape)

    @property
    def summary(self) -> dict[str, dict[str, Grid]]:
        """Grids by the name of the stage and of the average."""
        stages = self._group.get("summary", {})
        return {stage: {name: _grid(name, group) for name, group in stages[stage].items()}
                for stage in stages}

    def grids(self, stage: str | None = None) -> dict[str, Grid]:
        """Grids of one stage, named as in `summary`; None: the last stage that has any.

        Raises NotInResults if there is none.
        """
        summary = self.summary
        if stage is None and summary:
            stage = max(summary)
        if stage not in summary:
            raise not_in_results("stage with averages", stage, "the scan", summary)
        return summary[stage]

    def stage_points(self, stage: str) -> StagePoints | None:
        """Temperatures or fields of a stage, named as in `summary`; None if it has none."""
        group = self._group.get(f"stages/{stage}", {})
        for name in ("temperature", "field", "kappa"):
            if name in group:
                return StagePoints(name, group[name][()], unit_of(group[name]))
        return None

    def binder_crossings(self, stage: str) -> list[BinderCrossing]:
        """Crossings of every two sizes whose Binder cumulants cross clearly; see the user guide."""
        group = self._group.get(f"stages/{stage}/binder_crossings")
        if group is None:
            return []
        unit = unit_of(group["value"])
        return [BinderCrossing(tuple(map(int, first)), tuple(map(int, second)), float(value), float(error), unit)
                for first, second, value, error in zip(group["first"][()], group["second"][()],
                                                       group["value"][()], group["error"][()])]

    def __repr__(self) -> str:
        keys = ", ".join(axis.key for axis in self.axes)
        return f"<Scan over {keys}: {np.sum(self.completed)} of {self.completed.size} points>"


def _values(dataset: h5py.Dataset) -> np.ndarray:
    if dataset.dtype.kind == "f":
        return dataset[()]
    return np.array(texts_of(dataset))


def _grid(name: str, group: h5py.Group) -> Grid:
    reliable = group["reliable"][()] == 1 if "reliable" in group else None
    time = group["autocorrelation_time"][()] if "autocorrelation_time" in group else None
    return Grid(name, group["value"][()], group["error"][()], unit_of(group["value"]), reliable, time)
