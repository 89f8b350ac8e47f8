"""Reads a scan: its keys, and the averages of its points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import h5py
import numpy as np

from .errors import not_in_results
from .estimate import Estimate
from .hdf5_values import Array, attributes, optional_values, texts_of, truths_of, unit_of, values_of
from .html_table import table
from .program import warn
from .tables import DataSet, data_frame


@dataclass(frozen=True, repr=False, eq=False)
class Axis:
    """One scanned key.

    key     its path, as in the study
    values  [n] numbers in `unit`; [n, d] for lists of d numbers, such as sizes; texts for other values
    unit    the unit of the study; empty for pure numbers
    also    by key, the values of further keys that change together with this one
    """

    key: str
    values: Array
    unit: str
    also: dict[str, Array]

    @property
    def is_numeric(self) -> bool:
        """Is each value one number?"""
        return bool(self.values.dtype.kind == "f" and self.values.ndim == 1)

    @property
    def numbers(self) -> Array | None:
        """[n] a number for each value. For a list it is the entry that varies, or the common value of all varying
        entries: 6 for [6, 6, 6]. None if a value has no such number."""
        if self.is_numeric:
            return self.values
        if self.values.dtype.kind != "f":
            return None
        varies = np.any(self.values != self.values[0], axis=0)
        entries = self.values[:, varies] if varies.any() else self.values
        return np.asarray(entries[:, 0]) if np.all(entries == entries[:, :1]) else None

    @property
    def column(self) -> list[Any]:
        """[n] a number or text for each value, as a table shows it."""
        numbers = self.numbers
        if numbers is None:
            return [self.text(number) for number in range(len(self.values))]
        # Lists, such as sizes, mostly have whole numbers.
        is_whole = self.values.ndim == 2 and bool(np.all(numbers == np.rint(numbers)))
        return [int(number) for number in numbers] if is_whole else list(numbers)

    def text(self, number: int) -> str:
        """A value as the study writes it, with its unit: "[6, 6, 6]", "0.5 T"."""
        value = self.values[number]
        if self.values.ndim == 2:
            value = "[" + ", ".join(f"{entry:.12g}" for entry in value) + "]"
        return f"{value} {self.unit}".strip()

    def __repr__(self) -> str:
        last = len(self.values) - 1
        return f"<Axis {self.key}: {len(self.values)} values, {self.text(0)} to {self.text(last)}>"


@dataclass(frozen=True, repr=False, eq=False)
class Grid(Estimate):
    """An average, or another number such as a barrier, at each point of a scan; `value, error = grid` unpacks it.

    value, error  in the scan's shape, in `unit`; [.., P] if the stage has P temperatures or fields; NaN at
                  unfinished points, and for unknown errors
    reliable      booleans in this shape: were there enough samples for a reliable error? None: not known
    autocorrelation_time  in this shape, in samples; None: not known
    """

    reliable: Array | None = None
    autocorrelation_time: Array | None = None


@dataclass(frozen=True, eq=False)
class StagePoints:
    """The temperatures or fields of a stage at each point of a scan.

    name    "temperature", "field" or "kappa"
    values  in the scan's shape, in `unit`; [.., P] if there are P of them; NaN if a point has fewer
    """

    name: str
    values: Array
    unit: str


@dataclass(frozen=True, repr=False)
class BinderCrossing(Estimate):
    """Crossing of the Binder cumulants of two lattices; `value, error = crossing` unpacks its temperature.

    value, error   temperature at the crossing, and its standard error, in `unit`;
    first, second  indices of the lattices on each axis of the scan, the smaller lattice first; -1 on an axis of
                   temperatures
    """

    first: tuple[int, ...] = ()
    second: tuple[int, ...] = ()

    @property
    def temperature(self) -> float:
        """The temperature at the crossing, in `unit`."""
        return float(self.value)


class Scan:
    """`axes`, `shape`, and `summary["02-dynamics"]["energy"]`: the averages of every point."""

    def __init__(self, group: h5py.Group):
        self._group = group

    @property
    def details(self) -> dict[str, Any]:
        """Attributes of the scan: points, points_completed."""
        return attributes(self._group)

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
    def completed(self) -> Array:
        """[shape] booleans: is the point done?"""
        return values_of(self._group["points/completed"]).astype(bool).reshape(self.shape)

    @property
    def rank(self) -> Array:
        """[shape] the rank that ran each point; -1: none yet."""
        return self._of_points(self._group.parent["provenance/points"], "rank")

    @property
    def seconds(self) -> Array:
        """[shape] wall time of each point, in s. Raises NotInResults if it is not stored."""
        return self._of_points(self._group.parent["provenance/points"], "seconds")

    @property
    def seed(self) -> Array:
        """[shape] seed of each point. Raises NotInResults if it is not stored."""
        return self._of_points(self._group["points"], "seed")

    @property
    def work(self) -> Array:
        """[shape] forecast work of each point, in `work_unit`. Raises NotInResults if it is not stored."""
        return self._of_points(self._group["points"], "work")

    @property
    def work_unit(self) -> str:
        """Unit of `work`, such as spin updates."""
        return unit_of(self._group["points/work"]) if "points/work" in self._group else ""

    @property
    def index(self) -> Array:
        """[points, A] number of the value of each of the A axes, for each point. Raises NotInResults if it is not
        stored."""
        if "points/index" not in self._group:
            raise not_in_results("dataset", "index", "the points of the scan", self._group["points"])
        return values_of(self._group["points/index"])

    def _of_points(self, group: h5py.Group, name: str) -> Array:
        if name not in group:
            raise not_in_results("dataset", name, "the points of the scan", group)
        return values_of(group[name]).reshape(self.shape)

    @property
    def summary(self) -> dict[str, dict[str, Grid]]:
        """Grids by the name of the stage and of the average."""
        stages = self._group.get("summary", {})
        return {stage: {name: _grid(name, group) for name, group in stages[stage].items()}
                for stage in stages}

    def grids(self, stage: str | None = None) -> dict[str, Grid]:
        """Grids of one stage, chosen as for `stage_name`.

        Raises NotInResults if there is none.
        """
        return self.summary[self.stage_name(stage)]

    def stage_name(self, stage: str | None = None) -> str:
        """The name of a stage with averages, as in `summary`, from this name or from a kind that occurs once; None: the last.

        Raises NotInResults if there is none.
        """
        names: list[str] = list(self._group.get("summary", {}))
        if stage is None and names:
            return max(names)
        named = [name for name in names if stage in (name, name.split("-", 1)[-1])]
        if len(named) != 1:
            raise not_in_results("stage with averages" if not named else "single stage of kind", stage, "the scan", names)
        return named[0]

    def stage_points(self, stage: str) -> StagePoints | None:
        """Temperatures or fields of a stage, named as in `summary`; None if it has none."""
        group = self._group.get(f"stages/{stage}", {})
        for name in ("temperature", "field", "kappa"):
            if name in group:
                return StagePoints(name, values_of(group[name]), unit_of(group[name]))
        return None

    def binder_crossings(self, stage: str) -> list[BinderCrossing]:
        """Crossings of every two sizes whose Binder cumulants cross clearly; see the user guide."""
        group = self._group.get(f"stages/{stage}/binder_crossings")
        if group is None:
            return []
        unit = unit_of(group["value"])
        rows = zip(*(values_of(group[name]) for name in ("value", "error", "first", "second")))
        return [BinderCrossing(float(value), float(error), unit, "binder_crossing", tuple(map(int, first)),
                               tuple(map(int, second))) for value, error, first, second in rows]

    def to_pandas(self, stage: str | None = None) -> Any:
        """One row for each finished point, and for each temperature or field within the stage: the scanned keys, then
        each average with its error.

        A scan that is not done gives a LarmorWarning, and `frame.attrs["completed"]` is False.
        @param stage as for `stage_name`
        Raises NotInResults if there is none, and MissingPackage without pandas.
        """
        frame = data_frame(self._columns(self.stage_name(stage)))
        frame.attrs["completed"] = self._is_complete("the table has only these")
        return frame

    def to_xarray(self, stage: str | None = None) -> Any:
        """A Dataset with each average and its error. Its dimensions are the scanned keys, and then the temperature or field
        within the stage ("point" if these differ from point to point). Unfinished points are NaN.

        A scan that is not done gives a LarmorWarning. The coordinate `completed` tells which points are done, and the
        attribute `completed` whether all are.
        @param stage as for `stage_name`
        Raises NotInResults if there is none, and MissingPackage without xarray.
        """
        stage = self.stage_name(stage)
        made = DataSet(stage=stage, completed=int(self._is_complete("the others are NaN")))
        keys = [axis.key for axis in self.axes]
        for axis in self.axes:
            made.along(axis.key, axis.key, axis.column, axis.unit)
            for key, values in axis.also.items():
                made.along(key, axis.key, Axis(key, values, "", {}).column)
        made.along("completed", keys, self.completed)
        points, rank = self.stage_points(stage), len(keys)
        inner = "point"
        if points is not None and points.values.ndim == rank:
            made.along(points.name, keys, points.values, points.unit)
        elif points is not None:
            rows = points.values.reshape(-1, points.values.shape[-1])[self.completed.ravel()]
            if len(rows) and np.all(rows == rows[0]):
                inner = points.name
                made.along(inner, inner, rows[0], points.unit)
            else:
                made.along(points.name, [*keys, inner], points.values, points.unit)
        for name, grid in self.grids(stage).items():
            made.add(name, [*keys, inner][:np.ndim(grid.value)], grid)
        return made.made()

    def _is_complete(self, consequence: str) -> bool:
        """Are all points done? If not, a LarmorWarning tells it. @param consequence for the warning"""
        done = int(np.sum(self.completed))
        if done < self.completed.size:
            warn(f"the scan is unfinished: {done} of {self.completed.size} points are done, and {consequence}")
        return done == self.completed.size

    def _columns(self, stage: str) -> dict[str, Any]:
        grids, points = self.grids(stage), self.stage_points(stage)
        rank = len(self.shape)
        per_point = max(grid.value.shape[rank] if grid.value.ndim > rank else 1 for grid in grids.values())

        def rows(numbers: Array) -> Array:
            """One number for each row. A point that has one value repeats it."""
            if numbers.ndim == rank:
                numbers = np.repeat(numbers[..., None], per_point, axis=-1)
            return np.asarray(numbers[self.completed].ravel())

        columns: dict[str, Any] = {}
        for number, axis in enumerate(self.axes):
            place = np.broadcast_to(np.arange(self.shape[number]).reshape([-1 if n == number else 1 for n in range(rank)]),
                                    self.shape)
            columns[axis.key] = ([axis.column[n] for n in rows(place)], axis.unit)
            for key, values in axis.also.items():
                columns[key] = ([values[n] for n in rows(place)], "")
        if points is not None and points.name not in columns:
            columns[points.name] = (rows(points.values), points.unit)
        for name, grid in grids.items():
            columns[name] = Estimate(rows(grid.value), rows(grid.error), grid.unit, name)
        return columns

    def __repr__(self) -> str:
        keys = ", ".join(axis.key for axis in self.axes)
        return f"<Scan over {keys}: {np.sum(self.completed)} of {self.completed.size} points>"

    def _repr_html_(self) -> str:
        rows = [[axis.key, str(len(axis.values)), axis.text(0), axis.text(len(axis.values) - 1)] for axis in self.axes]
        return table(["key", "values", "first", "last"], rows,
                     f"Scan: {np.sum(self.completed)} of {self.completed.size} points")


def _values(dataset: h5py.Dataset) -> Array:
    return values_of(dataset) if dataset.dtype.kind == "f" else np.array(texts_of(dataset))


def _grid(name: str, group: h5py.Group) -> Grid:
    return Grid(values_of(group["value"]), values_of(group["error"]), unit_of(group["value"]), name,
                truths_of(group["reliable"]) if "reliable" in group else None,
                optional_values(group, "autocorrelation_time"))
