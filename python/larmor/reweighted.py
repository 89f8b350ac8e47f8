"""Reweighted samples: averages as functions of the temperature, as `larmor reweight` writes them."""

from __future__ import annotations

from dataclasses import dataclass

import h5py
import numpy as np

from .hdf5_values import attributes, texts_of, unit_of
from .stage import Entries


@dataclass(frozen=True, repr=False)
class Curve:
    """An average at the temperatures of its system; `value, error = curve` unpacks it.

    value, error  [T] in `unit`
    draws         [D, T] the same curve from samples drawn anew, D times: the scatter is the error, and errors
                  of one draw belong together
    """

    name: str
    value: np.ndarray
    error: np.ndarray
    draws: np.ndarray
    unit: str

    def __iter__(self):
        return iter((self.value, self.error))

    def __repr__(self) -> str:
        return f"<Curve {self.name}: {len(self.value)} temperatures, {len(self.draws)} draws>"


class ReweightedSystem:
    """One system, such as one size of the lattice: `temperature`, `curves["binder_cumulant"]`."""

    def __init__(self, group: h5py.Group):
        self._group = group
        details = attributes(group)
        self.name: str = str(details["name"])
        self.sites: int = int(details["sites"])
        self.dimensions: int = int(details.get("dimensions", 0))
        self.model: list[str] = texts_of(group["model"])

    @property
    def size(self) -> np.ndarray | None:
        """[3] cells along each axis; None without a lattice."""
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
    def temperature(self) -> np.ndarray:
        """[T] in `temperature_unit`, rising."""
        return self._group["temperature"][()]

    @property
    def temperature_unit(self) -> str:
        """K; empty in reduced units."""
        return unit_of(self._group["temperature"])

    @property
    def effective_samples(self) -> np.ndarray:
        """[T] independent samples that averages rest on."""
        return self._group["effective_samples"][()]

    @property
    def reliable(self) -> np.ndarray:
        """[T] booleans: were there samples enough to be sure of the errors?"""
        return self._group["reliable"][()] == 1

    @property
    def curves(self) -> Entries[Curve]:
        """Curve by name: energy, binder_cumulant, ..."""
        return Entries("curve", f"the system {self.name}", self._group["curves"], _read_curve)

    @property
    def states(self) -> dict[str, np.ndarray]:
        """Of each temperature sampled: temperature, samples, autocorrelation_time, blocks, free_energy, overlap."""
        return {name: values[()] for name, values in self._group["states"].items()}

    def __repr__(self) -> str:
        return f"<ReweightedSystem {self.name}: {', '.join(self.curves)}>"


class Reweighted:
    """What `larmor reweight` has written: `systems`, by rising number of sites."""

    def __init__(self, group: h5py.Group):
        details = attributes(group)
        self.order: str = str(details["order"])
        self.draws: int = int(details["draws"])
        self.k_B: float = float(details["k_B"])
        self.files: list[str] = texts_of(group["files"])
        self.systems: list[ReweightedSystem] = [ReweightedSystem(group["systems"][name])
                                                for name in sorted(group["systems"])]

    def __repr__(self) -> str:
        return f"<Reweighted: {len(self.systems)} system(s) of {', '.join(self.files)}>"


def _read_curve(name: str, group: h5py.Group) -> Curve:
    return Curve(name, group["value"][()], group["error"][()], group["draws"][()], unit_of(group["value"]))
