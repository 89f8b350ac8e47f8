"""Reads curves of `larmor reweight`: averages as functions of the temperature or a coupling."""

from __future__ import annotations

from dataclasses import dataclass

import h5py
import numpy as np

from .errors import not_in_results
from .hdf5_values import attributes, texts_of, unit_of
from .stage import Entries


@dataclass(frozen=True, repr=False)
class Curve:
    """An average at the temperatures (or couplings) of its system; `value, error = curve` unpacks it.

    value, error  [P] in `unit`
    draws         [D, P] the curve from each of D bootstrap draws of the samples. The scatter of the draws is the
                  error; deviations within a draw are correlated
    """

    name: str
    value: np.ndarray
    error: np.ndarray
    draws: np.ndarray
    unit: str

    def __iter__(self):
        return iter((self.value, self.error))

    def __repr__(self) -> str:
        return f"<Curve {self.name}: {len(self.value)} points, {len(self.draws)} draws>"


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
    def size(self) -> np.ndarray | None:
        """Cells along each axis; None without a lattice."""
        return self._group["size"][()] if "size" in self._group else None

    @property
    def length(self) -> float | None:
        """Cells along an edge, the geometric mean of the axes; None without a lattice."""
        if self.size is None:
            return None
        edges = self.size[:self.dimensions]
        if np.all(edges == edges[0]):
            return float(edges[0])
        return float(np.prod(self.size[:self.dimensions].astype(float)) ** (1 / self.dimensions))

    @property
    def parameter(self) -> np.ndarray:
        """[P] abscissae of the curves: temperatures or values of kappa, rising."""
        return self._group[self._parameter][()]

    @property
    def parameter_unit(self) -> str:
        """K for temperatures; empty in reduced units, and for kappa."""
        return unit_of(self._group[self._parameter])

    @property
    def temperature(self) -> np.ndarray:
        """[P] in `parameter_unit`. Raises NotInResults if curves are functions of kappa."""
        return self._named("temperature")

    @property
    def kappa(self) -> np.ndarray:
        """[P] for phi^4 fields. Raises NotInResults if curves are functions of the temperature."""
        return self._named("kappa")

    def _named(self, name: str) -> np.ndarray:
        if name != self._parameter:
            raise not_in_results("array", name, f"the system {self.name}", [self._parameter])
        return self.parameter

    @property
    def effective_samples(self) -> np.ndarray:
        """[P] number of independent samples of the averages."""
        return self._group["effective_samples"][()]

    @property
    def reliable(self) -> np.ndarray:
        """[P] booleans: were there enough samples for reliable errors?"""
        return self._group["reliable"][()] == 1

    @property
    def curves(self) -> Entries[Curve]:
        """Curve by name: energy, binder_cumulant, ..."""
        return Entries("curve", f"the system {self.name}", self._group["curves"], _read_curve)

    @property
    def states(self) -> dict[str, np.ndarray]:
        """By name, at each sampled temperature or kappa: temperature (or kappa), samples, autocorrelation_time,
        blocks, free_energy, overlap."""
        return {name: values[()] for name, values in self._group["states"].items() if name != "averages"}

    @property
    def raw(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """By the name of a curve: values and errors [K] that the runs reported at the K sampled temperatures (or
        kappa), in the unit of the curve. NaN if a run did not report one."""
        averages = self._group["states"].get("averages", {})
        return {name: (group["value"][()], group["error"][()]) for name, group in averages.items()}

    def __repr__(self) -> str:
        return f"<ReweightedSystem {self.name}: {', '.join(self.curves)}>"


class Reweighted:
    """Output of `larmor reweight`: `systems`, by rising number of sites.

    parameter   abscissa of the curves, "temperature" or "kappa"
    conjugate   the average that belongs to it, "energy" or "bond"
    """

    def __init__(self, group: h5py.Group):
        details = attributes(group)
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

    def weight(self, parameter: np.ndarray) -> np.ndarray:
        """The number b of the weight exp(-b E): 1 / (k_B T), or the coupling itself. If b is given,
        this returns the parameter."""
        return parameter if self.k_B is None else 1 / (self.k_B * parameter)

    def __repr__(self) -> str:
        return f"<Reweighted: {len(self.systems)} system(s) of {', '.join(self.files)}>"


def _read_curve(name: str, group: h5py.Group) -> Curve:
    return Curve(name, group["value"][()], group["error"][()], group["draws"][()], unit_of(group["value"]))
