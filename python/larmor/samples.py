"""Averages, series and trajectories of a stage."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import h5py
import numpy as np

from .errors import not_in_results
from .estimate import Estimate
from .hdf5_values import Array, optional_values, truths_of, unit_of, values_of
from .tables import DataSet, data_frame

Entry = TypeVar("Entry")

COMPONENTS = ("x", "y", "z")


@dataclass(frozen=True, repr=False, eq=False)
class Average(Estimate):
    """An average at each point of a stage; `value, error = average` unpacks it.

    value, error          [P] mean and standard error, in `unit`; an error that is not known is NaN
    autocorrelation_time  [P] integrated, in samples; 1/2 for independent samples; None: not stored
    samples               [P] number of samples; None: not stored
    reliable              [P] booleans: are there enough samples for a reliable error? None: not stored
    """

    autocorrelation_time: Array | None = None
    samples: Array | None = None
    reliable: Array | None = None


@dataclass(frozen=True, repr=False, eq=False)
class Series:
    """Samples in the order in which they were taken.

    value  [n, R] or [n, R, 3], R replicas, in `unit`
    step   [n] sweeps or time steps since the stage began, in Monte Carlo and hysteresis since its
           point began; thermalisation is not counted; None: not stored
    time   [n] in `time_unit`, or None if there is no time;
    point  [n] index of the stage's point (temperature), or None;
    parts  [n, R, 2] numerator and denominator, if the average is the ratio of their means; else None
    """

    name: str
    value: Array
    step: Array | None
    time: Array | None
    point: Array | None
    unit: str
    time_unit: str
    parts: Array | None = None

    def to_pandas(self) -> Any:
        """One row for each sample and replica: step, time, point, replica, and the value. A vector has one column for
        each component. Raises MissingPackage without pandas."""
        samples, replicas = self.value.shape[:2]
        columns: dict[str, Any] = {}
        for name, numbers, unit in (("step", self.step, ""), ("time", self.time, self.time_unit),
                                    ("point", self.point, "")):
            if numbers is not None:
                columns[name] = (np.repeat(numbers, replicas), unit)
        columns["replica"] = (np.tile(np.arange(replicas), samples), "")
        if self.value.ndim == 2:
            columns[self.name] = (self.value.ravel(), self.unit)
        else:
            for number in range(self.value.shape[2]):
                columns[f"{self.name}_{_component(number)}"] = (self.value[..., number].ravel(), self.unit)
        return data_frame(columns)

    def to_xarray(self) -> Any:
        """A Dataset with the axes sample, replica and, for vectors, component. Raises MissingPackage without xarray."""
        made = DataSet().add(self.name, ["sample", "replica", "component"][:self.value.ndim], self.value, self.unit)
        if self.value.ndim == 3:
            made.along("component", "component", [_component(number) for number in range(self.value.shape[2])])
        for name, numbers, unit in (("step", self.step, ""), ("time", self.time, self.time_unit),
                                    ("point", self.point, "")):
            if numbers is not None:
                made.along(name, "sample", numbers, unit)
        return made.made()

    def __repr__(self) -> str:
        return f"<Series {self.name}: {len(self.value)} samples of shape {self.value.shape[1:]}>"


@dataclass(frozen=True, repr=False, eq=False)
class Trajectory:
    """Configurations along a stage.

    value  [n, k, N, 3] unit vectors of k replicas, canonical order of sites; positions for atoms. If replicas have
           unequal numbers of atoms: [n, atoms of these replicas, 3], see `Model.atoms_of`;
    step   [n] counted as in a Series, or None;
    time   [n] in `time_unit`, or None if there is no time; in Monte Carlo the number of sweeps at
           all temperatures so far, in hysteresis the number of the field;
    velocities  [n, k, N, 3] for atoms, in Å/ps, else None;
    box    [n, k, 3, 3] vectors of the boxes for atoms, in Å, else None
    """

    value: Array
    step: Array | None
    time: Array | None
    time_unit: str
    velocities: Array | None = None
    box: Array | None = None

    def to_xarray(self) -> Any:
        """A Dataset with the axes frame, replica, site and component; for replicas of unequal numbers of atoms frame,
        atom and component. Raises MissingPackage without xarray."""
        made = DataSet()
        # Box vectors have the unit of positions, and only atoms have them.
        length, speed = ("Å", "Å/ps") if self.box is not None else ("", "")
        is_joined = self.box is not None and self.value.ndim == 3
        axes = configuration_axes(self.value.ndim - 1, is_joined)
        made.add("configuration", ["frame", *axes], self.value, length)
        if axes[-1] == "component":
            made.along("component", "component", [_component(number) for number in range(self.value.shape[-1])])
        if self.velocities is not None:
            made.add("velocities", ["frame", *axes], self.velocities, speed)
        if self.box is not None:
            made.add("box", ["frame", "replica", "vector", "component"], self.box, length)
        for name, numbers, unit in (("step", self.step, ""), ("time", self.time, self.time_unit)):
            if numbers is not None:
                made.along(name, "frame", numbers, unit)
        return made.made()

    def __repr__(self) -> str:
        frames, replicas, sites = (*self.value.shape, 0, 0)[:3]
        if self.box is not None and self.value.ndim == 3:
            return f"<Trajectory: {frames} frames of {self.box.shape[1]} replicas, {replicas} atoms together>"
        return f"<Trajectory: {frames} frames of {replicas} replicas, {sites} sites>"


class Entries(Mapping[str, Entry]):
    """Read-only mapping from names to stored values, which are read on access. A missing name raises NotInResults."""

    def __init__(self, what: str, where: str, group: h5py.Group | None,
                 read: Callable[[str, h5py.Group], Entry]):
        self._what = what
        self._where = where
        self._group = group if group is not None else {}
        self._read = read

    def __getitem__(self, name: str) -> Entry:
        if name not in self._group:
            raise not_in_results(self._what, name, self._where, self._group)
        return self._read(name, self._group[name])

    def __contains__(self, name: object) -> bool:
        return name in self._group

    def __iter__(self) -> Iterator[str]:
        return iter(self._group)

    def __len__(self) -> int:
        return len(self._group)

    def __repr__(self) -> str:
        return f"<{self._what}: {', '.join(self) or 'none'}>"


def configuration_axes(count: int, is_joined: bool = False) -> tuple[str, ...]:
    """Names of the axes of configurations with this number of axes.

    @param is_joined do replicas with unequal numbers of atoms follow one another?"""
    if is_joined:
        return ("atom", "component")
    return {1: ("replica",), 2: ("replica", "site"), 3: ("replica", "site", "component")}[count]


def read_average(name: str, group: h5py.Group) -> Average:
    """Reads one group of `averages`. Raises NotInResults without a value."""
    dataset = _value_of(group)
    value = np.atleast_1d(values_of(dataset)).astype(float)
    error = optional_values(group, "error")
    return Average(value, np.full_like(value, np.nan) if error is None else error, unit_of(group) or unit_of(dataset),
                   name, optional_values(group, "autocorrelation_time"), optional_values(group, "samples"),
                   np.atleast_1d(truths_of(group["reliable"])) if "reliable" in group else None)


def read_series(name: str, group: h5py.Group) -> Series:
    """Reads one group of `series`. Raises NotInResults without values."""
    dataset = _value_of(group)
    return Series(name, values_of(dataset), optional_values(group, "step"), optional_values(group, "time"),
                  optional_values(group, "point"), unit_of(group) or unit_of(dataset), _time_unit(group),
                  optional_values(group, "parts"))


def read_trajectory(group: h5py.Group) -> Trajectory:
    """Reads the group `trajectory` of a stage. Raises NotInResults if it has no configurations."""
    return Trajectory(values_of(_value_of(group)), optional_values(group, "step"), optional_values(group, "time"),
                      _time_unit(group), optional_values(group, "velocities"), optional_values(group, "box"))


def _value_of(group: h5py.Group) -> h5py.Dataset:
    if "value" not in group:
        raise not_in_results("dataset", "value", group.name, group)
    return group["value"]


def _time_unit(group: h5py.Group) -> str:
    return unit_of(group["time"]) if "time" in group else ""


def _component(number: int) -> str:
    return COMPONENTS[number] if number < len(COMPONENTS) else str(number)
