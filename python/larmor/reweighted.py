"""Reads curves of `larmor reweight`: averages as functions of the temperature or a coupling."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import h5py
import numpy as np

from .errors import not_in_results
from .estimate import Estimate
from .hdf5_values import Array, attributes, optional_values, texts_of, truths_of, unit_of, values_of
from .samples import Entries
from .tables import data_frame, package


@dataclass(frozen=True, repr=False, eq=False)
class Curve(Estimate):
    """An average at the temperatures (or couplings) of its system; `value, error = curve` unpacks it.

    value, error  [P] in `unit`
    draws         [D, P] the curve from each of D bootstrap draws of the samples. The scatter of the draws is the
                  error; deviations within a draw are correlated
    """

    draws: Array = field(default_factory=lambda: np.empty((0, 0)))


class ReweightedSystem:
    """One system, such as one size of the lattice: `temperature` or `kappa`, `curves["binder_cumulant"]`."""

    def __init__(self, group: h5py.Group, parameter: str):
        self._group = group
        self._parameter = parameter
        details = attributes(group)
        self.name: str = str(details["name"])
        self.sites: int = int(details["sites"])
        self.dimensions: int = int(details.get("dimensions", 0))
        self.model: list[str] = texts_of(group["model"])

    @property
    def size(self) -> Array | None:
        """Cells along each axis; None without a lattice."""
        return optional_values(self._group, "size")

    @property
    def length(self) -> float | None:
        """Cells along an edge, the geometric mean of the axes; None without a lattice."""
        size = self.size
        if size is None:
            return None
        edges = size[:self.dimensions]
        if np.all(edges == edges[0]):
            return float(edges[0])
        return float(np.prod(edges.astype(float)) ** (1 / self.dimensions))

    @property
    def parameter(self) -> Array:
        """[P] abscissae of the curves: temperatures or values of kappa, rising."""
        return values_of(self._group[self._parameter])

    @property
    def parameter_unit(self) -> str:
        """K for temperatures; empty in reduced units, and for kappa."""
        return unit_of(self._group[self._parameter])

    @property
    def temperature(self) -> Array:
        """[P] in `parameter_unit`. Raises NotInResults if curves are functions of kappa."""
        return self._named("temperature")

    @property
    def kappa(self) -> Array:
        """[P] for phi^4 fields. Raises NotInResults if curves are functions of the temperature."""
        return self._named("kappa")

    def _named(self, name: str) -> Array:
        if name != self._parameter:
            raise not_in_results("array", name, f"the system {self.name}", [self._parameter])
        return self.parameter

    @property
    def effective_samples(self) -> Array:
        """[P] number of independent samples of the averages."""
        return values_of(self._group["effective_samples"])

    @property
    def reliable(self) -> Array:
        """[P] booleans: were there enough samples for reliable errors?"""
        return truths_of(self._group["reliable"])

    @property
    def curves(self) -> Entries[Curve]:
        """Curve by name: energy, binder_cumulant, ..."""
        return Entries("curve", f"the system {self.name}", self._group["curves"], _read_curve)

    @property
    def states(self) -> dict[str, Array]:
        """By name, at each sampled temperature or kappa: temperature (or kappa), samples, autocorrelation_time,
        blocks, free_energy, overlap."""
        return {name: values_of(values) for name, values in self._group["states"].items() if name != "averages"}

    @property
    def raw(self) -> dict[str, Estimate]:
        """By the name of a curve: values and errors [K] that the runs reported at the K sampled temperatures (or
        kappa), in the unit of the curve. NaN if a run did not report one."""
        averages = self._group["states"].get("averages", {})
        return {name: Estimate(values_of(group["value"]), values_of(group["error"]), unit_of(group["value"]), name)
                for name, group in averages.items()}

    def to_pandas(self) -> Any:
        """One row for each temperature or kappa, with each curve and its error. Raises MissingPackage without pandas."""
        return data_frame({self._parameter: (self.parameter, self.parameter_unit), **self.curves,
                           "effective_samples": (self.effective_samples, ""), "reliable": (self.reliable, "")})

    def __repr__(self) -> str:
        return f"<ReweightedSystem {self.name}: {', '.join(self.curves)}>"


class Reweighted:
    """Output of `larmor reweight`: `systems`, by rising number of sites.

    parameter   abscissa of the curves, "temperature" or "kappa"
    details     all attributes: order, draws, energy_unit, ...
    conjugate   the average that belongs to it, "energy" or "bond"
    """

    def __init__(self, group: h5py.Group):
        details = attributes(group)
        self.details: dict[str, Any] = details
        self.order: str = str(details["order"])
        self.draws: int = int(details["draws"])
        self.parameter: str = str(details.get("parameter", "temperature"))
        self.conjugate: str = str(details.get("conjugate", "energy"))
        self.k_B: float | None = float(details["k_B"]) if "k_B" in details else None
        self.files: list[str] = texts_of(group["files"])
        self.systems: list[ReweightedSystem] = [ReweightedSystem(group["systems"][name], self.parameter)
                                                for name in sorted(group["systems"])]

    @property
    def response(self) -> str:
        """Derivative of the conjugate average: "specific_heat" or "bond_slope"."""
        return "specific_heat" if self.parameter == "temperature" else f"{self.conjugate}_slope"

    def to_pandas(self) -> Any:
        """The tables of all systems under one another; `system` and `sites` are the first columns. Raises
        MissingPackage without pandas."""
        frames = []
        for system in self.systems:
            frame = system.to_pandas()
            frame.insert(0, "sites", system.sites)
            frame.insert(0, "system", system.name)
            frames.append(frame)
        joined = package("pandas", "to_pandas()").concat(frames, ignore_index=True)
        joined.attrs = frames[0].attrs
        return joined

    def weight(self, parameter: Array) -> Array:
        """The number b of the weight exp(-b E): 1 / (k_B T), or the coupling itself. If b is given,
        this returns the parameter."""
        return parameter if self.k_B is None else np.asarray(1 / (self.k_B * parameter))

    def __repr__(self) -> str:
        return f"<Reweighted: {len(self.systems)} system(s) of {', '.join(self.files)}>"


def _read_curve(name: str, group: h5py.Group) -> Curve:
    return Curve(values_of(group["value"]), values_of(group["error"]), unit_of(group["value"]), name,
                 values_of(group["draws"]))
