"""Lifetimes of the ends of a minimum-energy path."""

from __future__ import annotations

from dataclasses import dataclass

import h5py
import numpy as np

from .hdf5_values import unit_of


@dataclass(frozen=True, repr=False)
class Lifetimes:
    """Lifetimes of both ends of a path at T temperatures, by harmonic transition-state theory.

    temperature   [T] in `temperature_unit` (K; empty in reduced units, where k_B = 1);
    log_forward, log_backward  [T] natural logarithms of the lifetimes of the first and of the last state in
                  `time_unit`, finite even if a lifetime exceeds the largest double
    """

    temperature: np.ndarray
    log_forward: np.ndarray
    log_backward: np.ndarray
    temperature_unit: str
    time_unit: str

    @property
    def forward(self) -> np.ndarray:
        """[T] in `time_unit`; infinite beyond 1.8e308."""
        return _exponential(self.log_forward)

    @property
    def backward(self) -> np.ndarray:
        """[T] in `time_unit`; infinite beyond 1.8e308."""
        return _exponential(self.log_backward)

    def __repr__(self) -> str:
        return f"<Lifetimes: at {len(self.temperature)} temperatures>"


def read_lifetimes(group: h5py.Group) -> Lifetimes:
    """Reads the group `lifetime` of a stage."""
    temperature = group["temperature"]
    log_forward, log_backward = (-group[f"{way}/log_rate"][()] for way in ("forward", "backward"))
    return Lifetimes(temperature[()], log_forward, log_backward, unit_of(temperature),
                     unit_of(group["forward/lifetime"]))


def _exponential(logarithm: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        return np.exp(logarithm)
