"""Averages and levels of stages that compute instead of sample, and of quantum Monte Carlo."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import h5py
import numpy as np

from .errors import not_in_results
from .estimate import Estimate
from .hdf5_values import Array, optional_values, truths_of, unit_of, values_of
from .tables import DataSet

# Axes of the averages of each kind of stage, before those of sites and times.
_AXES = {
    "transfer-matrix": ("temperature", "sample"),
    "spectrum": ("sample",),
    "full-spectrum": ("sample", "temperature"),
    "typicality": ("sample", "temperature"),
    "quantum-monte-carlo": ("slices", "sample", "temperature"),
}
_SUFFIXES = ("_error", "_reliable", "_autocorrelation_time", "_chi2", "_residual")
# Datasets other than averages: axes, levels, and rates of exchanges.
_OTHERS = ("temperature", "slices", "Gamma", "imaginary_time", "level", "sector_of_level", "exchange_acceptance")


@dataclass(frozen=True, repr=False, eq=False)
class Quantity(Estimate):
    """An average with named axes; errors of exact numbers are NaN.

    axes      names of the axes of `value` in order: slices, sample, temperature, site, other_site, imaginary_time
    reliable  booleans in this shape: are there enough samples for a reliable error? None: not known
    autocorrelation_time  in this shape, in sweeps; None: not known
    chi2      of the fit of an extrapolation; None for other numbers
    residual  [slices, ...] of this fit, in errors; None for other numbers
    """

    axes: tuple[str, ...] = ()
    reliable: Array | None = None
    autocorrelation_time: Array | None = None
    chi2: Array | None = None
    residual: Array | None = None


class Quantities(Mapping[str, Quantity]):
    """Averages by name, read on access. A missing name raises NotInResults."""

    def __init__(self, group: h5py.Group, where: str, axes: tuple[str, ...]):
        self._group = group
        self._where = where
        self._axes = axes
        self._names = [name for name, item in group.items() if isinstance(item, h5py.Dataset)
                       and name not in _OTHERS and not name.endswith(_SUFFIXES)]

    def __getitem__(self, name: str) -> Quantity:
        if name not in self._names:
            raise not_in_results("quantity", name, self._where, self._names)
        dataset, value = self._group[name], values_of(self._group[name])

        def more(suffix: str) -> Array | None:
            return optional_values(self._group, name + suffix)

        error = more("_error")
        reliable = self._group.get(f"{name}_reliable")
        return Quantity(value, np.full(value.shape, np.nan) if error is None else error, unit_of(dataset), name,
                        self._axes_of(name, value.ndim), None if reliable is None else truths_of(reliable),
                        more("_autocorrelation_time"), more("_chi2"), more("_residual"))

    def _axes_of(self, name: str, count: int) -> tuple[str, ...]:
        more = count - len(self._axes)
        if more <= 0:
            return self._axes[:count]
        if name.endswith("time_correlation"):
            return (*self._axes, "imaginary_time")
        return (*self._axes, *("site", "other_site")[:more])

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def columns(self) -> dict[str, Any]:
        """Columns of a table by name: the axes, then the averages that have no sites and times. One row for each point
        of the axes, the last axis fastest. Exact numbers have no column of errors."""
        numbers = {name: quantity for name, quantity in self.items()
                   if not {"site", "imaginary_time"} & set(quantity.axes)}
        if not numbers:
            return {}
        first = next(iter(numbers.values()))
        grids = np.meshgrid(*(np.arange(size) for size in np.shape(first.value)), indexing="ij")
        columns: dict[str, Any] = {}
        for axis, grid in zip(first.axes, grids):
            stored = self._coordinate(axis)
            columns[axis] = (grid.ravel(), "") if stored is None else (stored[0][grid.ravel()], stored[1])
            if axis == "temperature" and "Gamma" in self._group:
                columns["Gamma"] = (values_of(self._group["Gamma"])[grid.ravel()], unit_of(self._group["Gamma"]))
        for name, quantity in numbers.items():
            value = np.ravel(quantity.value)
            has_error = f"{name}_error" in self._group
            columns[name] = (Estimate(value, np.ravel(quantity.error), quantity.unit, name) if has_error
                             else (value, quantity.unit))
        return columns

    def _coordinate(self, axis: str) -> tuple[Array, str] | None:
        return (values_of(self._group[axis]), unit_of(self._group[axis])) if axis in self._group else None

    def to_xarray(self, **details: Any) -> Any:
        """A Dataset with these averages and their errors. Raises MissingPackage without xarray.
        @param details attributes of the Dataset"""
        made = DataSet(**details)
        for axis in ("temperature", "slices", "imaginary_time"):
            stored = self._coordinate(axis)
            if stored is not None and any(axis in quantity.axes for quantity in self.values()):
                made.along(axis, axis, *stored)
        if "Gamma" in self._group:
            made.along("Gamma", "temperature", values_of(self._group["Gamma"]), unit_of(self._group["Gamma"]))
        for name, quantity in self.items():
            made.add(name, quantity.axes, quantity)
        return made.made()

    def __repr__(self) -> str:
        return f"<Quantities: {', '.join(self) or 'none'}>"


class Sector:
    """Levels of one sector: even, odd or all, or M_m with the sum m of all sz. Arrays are read on access; a missing one
    raises NotInResults."""

    def __init__(self, group: h5py.Group):
        self._group = group
        self.name: str = group.name.rsplit("/", 1)[-1]

    def _dataset(self, name: str) -> h5py.Dataset:
        if name not in self._group:
            raise not_in_results("dataset", name, f"the sector {self.name}", self._group)
        return self._group[name]

    @property
    def energy(self) -> Array:
        """[S, levels] energies of the whole system of each disorder sample, in `energy_unit`, rising."""
        return values_of(self._dataset("energy"))

    @property
    def energy_unit(self) -> str:
        """eV; empty in reduced units."""
        return unit_of(self._dataset("energy"))

    @property
    def ln_eigenvalue(self) -> Array:
        """[P, levels] ln |lambda| of a transfer matrix, the largest first."""
        return values_of(self._dataset("ln_eigenvalue"))

    @property
    def is_negative(self) -> Array:
        """[P, levels] booleans: is lambda negative?"""
        return truths_of(self._dataset("is_negative"))

    @property
    def residual(self) -> Array:
        """[S, levels] |H v - E v| in `energy_unit`; for a transfer matrix [P, levels] |T v - lambda v| / |lambda_0|."""
        return values_of(self._dataset("residual"))

    @property
    def lyapunov_exponent(self) -> Array:
        """[P, S, exponents] per row of a transfer matrix whose rows differ, the largest first."""
        return values_of(self._dataset("lyapunov_exponent"))

    def __repr__(self) -> str:
        return f"<Sector {self.name}: {', '.join(self._group)}>"


@dataclass(frozen=True, repr=False, eq=False)
class Levels:
    """All levels of S disorder samples.

    energy  [S, 2^N] of the whole system, in `unit`
    sector  [S, 2^N] 1 (even), -1 (odd), 0 (all), or the sum of all sz
    """

    energy: Array
    sector: Array
    unit: str

    def __repr__(self) -> str:
        return f"<Levels: {self.energy.shape[1]} of {len(self.energy)} sample(s)>"


def read_quantities(stage: h5py.Group, kind: str, where: str) -> Quantities:
    """Averages of a stage of a kind that computes; empty for other kinds."""
    return Quantities(stage if kind in _AXES else {}, where, _AXES.get(kind, ()))


def read_extrapolated(group: h5py.Group, kind: str, where: str) -> Quantities:
    """Averages extrapolated to infinitely many slices."""
    return Quantities(group, f"the extrapolation of {where}", _AXES[kind][1:])


def read_sectors(stage: h5py.Group) -> dict[str, Sector]:
    """Sectors of a stage by name; empty for stages without sectors."""
    return {name: Sector(group) for name, group in stage.items()
            if isinstance(group, h5py.Group) and (name in ("even", "odd", "all") or name.startswith("M_"))}


def read_levels(stage: h5py.Group) -> Levels:
    """All levels of a stage of kind full-spectrum."""
    return Levels(values_of(stage["level"]), values_of(stage["sector_of_level"]).astype(int), unit_of(stage["level"]))
