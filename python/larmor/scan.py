"""A scan: what was varied from point to point, and what the points ended with."""

from __future__ import annotations

from dataclasses import dataclass

import h5py
import numpy as np

from .errors import not_in_results
from .hdf5_values import texts_of, unit_of


@dataclass(frozen=True, repr=False)
class Axis:
    """One scanned key.

    key     the way to it, as in the study
    values  [n] numbers in `unit`, or texts of what is no number
    unit    as the study has it; empty for pure numbers
    also    further keys that changed along with it: their values by key
    """

    key: str
    values: np.ndarray
    unit: str
    also: dict[str, np.ndarray]

    @property
    def is_numeric(self) -> bool:
        """Are the values numbers?"""
        return self.values.dtype.kind == "f"

    def __repr__(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        return f"<Axis {self.key}: {len(self.values)} values, {self.values[0]} to "\
               f"{self.values[-1]}{unit}>"


@dataclass(frozen=True, repr=False)
class Grid:
    """An average over a scan; `value, error = grid` unpacks it.

    value, error  of the scan's shape, in `unit`; NaN at points that are not done, and errors that are not known
    """

    name: str
    value: np.ndarray
    error: np.ndarray
    unit: str

    def __iter__(self):
        return iter((self.value, self.error))

    def __repr__(self) -> str:
        return f"<Grid {self.name}: shape {self.value.shape}>"


class Scan:
    """`axes`, `shape`, and `summary["02-dynamics"]["energy"]`: the last average of every point."""

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
        """Values on each axis."""
        return tuple(int(extent) for extent in self._group["shape"][()])

    @property
    def completed(self) -> np.ndarray:
        """[shape] booleans: which points are done."""
        return self._group["points/completed"][()].astype(bool).reshape(self.shape)

    @property
    def rank(self) -> np.ndarray:
        """[shape] which rank ran each point; -1: none has yet."""
        return self._group["points/rank"][()].reshape(self.shape)

    @property
    def summary(self) -> dict[str, dict[str, Grid]]:
        """Grids by the name of the stage and of the average."""
        stages = self._group.get("summary", {})
        return {stage: {name: _grid(name, group) for name, group in stages[stage].items()}
                for stage in stages}

    def grids(self, stage: str | None = None) -> dict[str, Grid]:
        """Grids of one stage, named as in `summary`; None: of the last one that has any.

        Raises NotInResults if there is none.
        """
        summary = self.summary
        if stage is None and summary:
            stage = max(summary)
        if stage not in summary:
            raise not_in_results("stage with averages", stage, "the scan", summary)
        return summary[stage]

    def __repr__(self) -> str:
        keys = ", ".join(axis.key for axis in self.axes)
        return f"<Scan over {keys}: {np.sum(self.completed)} of {self.completed.size} points>"


def _values(dataset: h5py.Dataset) -> np.ndarray:
    if dataset.dtype.kind == "f":
        return dataset[()]
    return np.array(texts_of(dataset))


def _grid(name: str, group: h5py.Group) -> Grid:
    return Grid(name, group["value"][()], group["error"][()], unit_of(group["value"]))
