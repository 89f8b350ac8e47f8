"""Averages of sites, correlations along axes, and sizes of clusters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import h5py
import numpy as np

from .errors import not_in_results
from .estimate import Estimate
from .hdf5_values import Array, attributes, truths_of, unit_of, values_of
from .tables import DataSet


@dataclass(frozen=True, repr=False, eq=False)
class SiteAverages:
    """Averages of every site, at P temperatures of the stage, or P = 1.

    energy  [P, N] with bonds counted half, in `energy_unit`; None: not measured
    spins   [P, N, 3] in `spin_unit`; None: not measured
    """

    energy: Array | None
    spins: Array | None
    energy_unit: str
    spin_unit: str

    def to_xarray(self) -> Any:
        """A Dataset with the axes point, site and component. Raises MissingPackage without xarray."""
        made = DataSet().along("component", "component", ["x", "y", "z"])
        if self.energy is not None:
            made.add("energy", ["point", "site"], self.energy, self.energy_unit)
        if self.spins is not None:
            made.add("spins", ["point", "site", "component"], self.spins, self.spin_unit)
        return made.made()

    def __repr__(self) -> str:
        known = [name for name, numbers in (("energy", self.energy), ("spins", self.spins)) if numbers is not None]
        return f"<SiteAverages: {', '.join(known)}>"


@dataclass(frozen=True, repr=False, eq=False)
class AxisCorrelation:
    """Correlations of sites of a grid along one axis, at P temperatures and D distances.

    distance     [D] in sites
    correlation  [P, D]
    reliable     [P, D] booleans: were there enough samples for reliable errors?
    """

    axis: str
    distance: Array
    correlation: Estimate
    reliable: Array

    def __repr__(self) -> str:
        return f"<AxisCorrelation along {self.axis}: {len(self.distance)} distances>"


@dataclass(frozen=True, repr=False, eq=False)
class AxisCorrelations:
    """Correlations along the axes of a grid: `correlations["x"]`. Another axis raises NotInResults.

    temperature  [P] in `temperature_unit`
    axes         by name: x, y, z, w
    """

    temperature: Array
    temperature_unit: str
    axes: dict[str, AxisCorrelation]

    def __getitem__(self, axis: str) -> AxisCorrelation:
        if axis not in self.axes:
            raise not_in_results("axis", axis, "the correlations", self.axes)
        return self.axes[axis]

    def to_xarray(self) -> Any:
        """A Dataset with the axes temperature and distance_AXIS. Raises MissingPackage without xarray."""
        made = DataSet().along("temperature", "temperature", self.temperature, self.temperature_unit)
        for name, of_axis in self.axes.items():
            made.along(f"distance_{name}", f"distance_{name}", of_axis.distance)
            made.add(name, ["temperature", f"distance_{name}"], of_axis.correlation)
        return made.made()

    def __repr__(self) -> str:
        return f"<AxisCorrelations along {', '.join(self.axes)}: {len(self.temperature)} temperatures>"


@dataclass(frozen=True, repr=False, eq=False)
class ClusterSizes:
    """Numbers of clusters by their size, at P temperatures and B sizes.

    size         [B] 1, 2, 4, ...: the clusters have from `size` to 2 `size` - 1 sites
    number       [P, B]; `normalisation` tells their norm
    reliable     [P, B] booleans: were there enough samples for reliable errors?
    temperature  [P] in `temperature_unit`
    """

    size: Array
    number: Estimate
    reliable: Array
    temperature: Array
    temperature_unit: str
    normalisation: str

    def to_xarray(self) -> Any:
        """A Dataset with the axes temperature and size. Raises MissingPackage without xarray."""
        made = DataSet(normalisation=self.normalisation)
        made.along("temperature", "temperature", self.temperature, self.temperature_unit)
        return made.along("size", "size", self.size).add("number", ["temperature", "size"], self.number).made()

    def __repr__(self) -> str:
        return f"<ClusterSizes: {len(self.size)} sizes, {len(self.temperature)} temperatures>"


def read_site_averages(group: h5py.Group) -> SiteAverages:
    """Reads the group `sites` of a stage. A stage without points has P = 1."""

    def numbers(name: str) -> tuple[Array | None, str]:
        return (values_of(group[name]), unit_of(group[name])) if name in group else (None, "")

    (energy, energy_unit), (spins, spin_unit) = numbers("energy"), numbers("spins")
    return SiteAverages(energy, spins, energy_unit, spin_unit)


def read_axis_correlations(group: h5py.Group) -> AxisCorrelations:
    """Reads the group `axis-correlations` of a stage."""
    axes = {}
    for name in (axis for axis in "xyzw" if axis in group):
        of_axis = group[name]
        correlation = Estimate(values_of(of_axis["value"]), values_of(of_axis["error"]), unit_of(of_axis["value"]), name)
        axes[name] = AxisCorrelation(name, values_of(of_axis["distance"]), correlation, truths_of(of_axis["reliable"]))
    return AxisCorrelations(np.atleast_1d(values_of(group["temperature"])), unit_of(group["temperature"]), axes)


def read_cluster_sizes(group: h5py.Group) -> ClusterSizes:
    """Reads the group `cluster-sizes` of a stage."""
    number = Estimate(values_of(group["value"]), values_of(group["error"]), unit_of(group["value"]), "number")
    return ClusterSizes(values_of(group["size"]), number, truths_of(group["reliable"]),
                        np.atleast_1d(values_of(group["temperature"])), unit_of(group["temperature"]),
                        str(attributes(group).get("normalisation", "")))
