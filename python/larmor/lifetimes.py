"""Lifetimes of the ends of a minimum-energy path, and the states from which they follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import h5py
import numpy as np

from .estimate import Estimate
from .hdf5_values import Array, attributes, truths_of, unit_of, values_of
from .html_table import table
from .tables import data_frame


@dataclass(frozen=True, repr=False, eq=False)
class Escape:
    """Escapes from one end of a path over its saddle at T temperatures, by harmonic transition-state theory.

    lifetime    [T] mean time until an escape; infinite beyond 1.8e308
    rate, prefactor  [T] rate = prefactor exp(-barrier / (k_B T))
    log_lifetime     [T] natural logarithm of the lifetime, finite also where the lifetime is not
    reliable    [T] booleans: is the barrier at least five k_B T?
    details     barrier, temperature_exponent, attempt_frequency (atoms) or log_determinant_ratio (spins)

    The theory gives no errors, so these are NaN.
    """

    lifetime: Estimate
    rate: Estimate
    prefactor: Estimate
    log_lifetime: Array
    reliable: Array | None
    details: dict[str, Any]


@dataclass(frozen=True, repr=False, eq=False)
class Lifetimes:
    """Lifetimes of both ends of a path at T temperatures, by harmonic transition-state theory.

    temperature   [T] in `temperature_unit` (K; empty in reduced units, where k_B = 1)
    first, last   escapes from the first and from the last state of the path
    details       dynamical_factor, equivalent_saddles, damping, ...
    """

    temperature: Array
    temperature_unit: str
    first: Escape
    last: Escape
    details: dict[str, Any]

    @property
    def forward(self) -> Estimate:
        """[T] lifetime of the first state, in `time_unit`; infinite beyond 1.8e308."""
        return self.first.lifetime

    @property
    def backward(self) -> Estimate:
        """[T] lifetime of the last state, in `time_unit`; infinite beyond 1.8e308."""
        return self.last.lifetime

    @property
    def log_forward(self) -> Array:
        """[T] natural logarithm of the lifetime of the first state in `time_unit`."""
        return self.first.log_lifetime

    @property
    def log_backward(self) -> Array:
        """[T] natural logarithm of the lifetime of the last state in `time_unit`."""
        return self.last.log_lifetime

    @property
    def time_unit(self) -> str:
        """ps; empty in reduced units."""
        return self.forward.unit

    def to_pandas(self) -> Any:
        """One row for each temperature: lifetime, rate and prefactor of both ends. Raises MissingPackage without
        pandas."""
        columns: dict[str, Any] = {"temperature": (self.temperature, self.temperature_unit)}
        for end, escape in (("forward", self.first), ("backward", self.last)):
            for name in ("lifetime", "rate", "prefactor"):
                estimate: Estimate = getattr(escape, name)
                columns[f"{name}_{end}"] = (estimate.value, estimate.unit)
        return data_frame(columns)

    def __repr__(self) -> str:
        return f"<Lifetimes: at {len(self.temperature)} temperatures>"

    def _repr_html_(self) -> str:
        header = [_named(name, unit) for name, unit in (
            ("temperature", self.temperature_unit), ("lifetime forward", self.time_unit),
            ("lifetime backward", self.time_unit))]
        rows = zip(self.temperature, self.forward.value, self.backward.value)
        return table(header, [[f"{number:.6g}" for number in row] for row in rows])


@dataclass(frozen=True, repr=False, eq=False)
class StationaryState:
    """A minimum or the saddle of a path, as the theory of rates takes it.

    modes    [n] eigenvalues of the Hessian for spins, the lowest ones; [3N - 3] frequencies for atoms. Negative:
             unstable (imaginary frequencies). In `unit`, which is an energy for spins and THz for atoms
    details  energy, steps, unstable_modes, log_determinant, log_volume, ...
    """

    name: str
    modes: Array
    unit: str
    details: dict[str, Any]

    def __repr__(self) -> str:
        return f"<StationaryState {self.name}: {len(self.modes)} modes, {self.details.get('unstable_modes', 0)} unstable>"


def read_lifetimes(group: h5py.Group) -> Lifetimes:
    """Reads the group `lifetime` of a stage."""
    temperature = group["temperature"]
    return Lifetimes(values_of(temperature), unit_of(temperature), _escape(group["forward"]), _escape(group["backward"]),
                     attributes(group))


def read_stationary_states(group: h5py.Group) -> dict[str, StationaryState]:
    """Reads the states `first`, `saddle` and `last` of the group `lifetime` of a stage, as far as they exist."""
    found = {}
    for name in ("first", "saddle", "last"):
        if name in group:
            (modes,) = group[name].values()
            found[name] = StationaryState(name, values_of(modes), unit_of(modes), attributes(group[name]))
    return found


def _escape(group: h5py.Group) -> Escape:
    log_lifetime = -values_of(group["log_rate"])
    unknown = np.full(log_lifetime.shape, np.nan)
    rate, prefactor = (Estimate(values_of(group[name]), unknown, unit_of(group[name]), name)
                       if name in group else Estimate(unknown, unknown, "", name) for name in ("rate", "prefactor"))
    lifetime = group["lifetime"]
    return Escape(Estimate(values_of(lifetime), unknown, unit_of(lifetime), "lifetime"), rate, prefactor, log_lifetime,
                  truths_of(group["reliable"]) if "reliable" in group else None, attributes(group))


def _named(name: str, unit: str) -> str:
    return f"{name} ({unit})" if unit else name
