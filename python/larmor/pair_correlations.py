"""Correlations over all pairs of sites, of the configurations of a stage."""

from __future__ import annotations

from dataclasses import dataclass

import h5py
import numpy as np

from .errors import not_in_results
from .hdf5_values import plain, texts_of, unit_of
from .wave_vectors import WaveVectors


@dataclass(frozen=True, repr=False)
class Estimates:
    """value and error of the same shape; `value, error = estimates` unpacks it."""

    value: np.ndarray
    error: np.ndarray

    def __iter__(self):
        return iter((self.value, self.error))


class PairCorrelations:
    """What was asked for is there, the rest raises NotInResults."""

    def __init__(self, group: h5py.Group, where: str):
        self._group = group
        self._where = where

    def __contains__(self, name: str) -> bool:
        """Is the group `name` there?"""
        return name in self._group

    def _entry(self, name: str) -> h5py.Group:
        if name not in self._group:
            raise not_in_results("group", name, f"the correlations of {self._where}", self._group)
        return self._group[name]

    def _estimates(self, name: str) -> Estimates:
        group = self._entry(name)
        return Estimates(group["value"][()], group["error"][()])

    @property
    def wave_vectors(self) -> WaveVectors:
        """Those of `structure` and `spin_glass`."""
        return WaveVectors(self._entry("wave-vectors"), self._where)

    @property
    def structure(self) -> Estimates:
        """[Q] S(q) = (1/N) sum_rr' exp(-i q.(r - r')) C(r, r')."""
        return self._estimates("structure")

    @property
    def spin_glass(self) -> Estimates:
        """[Q] the same sum of C(r, r')^2."""
        return self._estimates("spin-glass-susceptibility")

    @property
    def edges(self) -> np.ndarray:
        """[B + 1] edges of the bins of distance, in `length_unit`."""
        return self._entry("by-distance")["edges"][()]

    @property
    def length_unit(self) -> str:
        """Empty in reduced units."""
        return unit_of(self._entry("by-distance")["edges"])

    @property
    def pairs(self) -> np.ndarray:
        """[B] ordered pairs of sites in each bin, a site with itself among them."""
        return self._entry("by-distance")["pairs"][()]

    @property
    def correlation(self) -> Estimates:
        """[B] mean of C(r, r') over the pairs of each bin; NaN where there are none."""
        return self._estimates("by-distance/correlation")

    @property
    def square(self) -> Estimates:
        """[B] the same of C(r, r')^2."""
        return self._estimates("by-distance/square")

    @property
    def displacements(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """dx [X], dy [Y], dz [Z]: cells from r to r' along each lattice vector."""
        group = self._entry("by-displacement")
        return tuple(np.rint(group[name][()]).astype(int) for name in ("dx", "dy", "dz"))

    @property
    def displaced_pairs(self) -> np.ndarray:
        """[b, b', X, Y, Z] ordered pairs of sites, r being atom b of its cell and r' atom b'."""
        return self._entry("by-displacement")["pairs"][()]

    @property
    def displaced_correlation(self) -> Estimates:
        """[b, b', X, Y, Z] mean of C(r, r') over these pairs; NaN where there are none."""
        return self._estimates("by-displacement/correlation")

    @property
    def displaced_square(self) -> Estimates:
        """[b, b', X, Y, Z] the same of C(r, r')^2."""
        return self._estimates("by-displacement/square")

    @property
    def groups(self) -> Estimates:
        """[G, G] mean of C(r, r') between groups of sites."""
        return self._estimates("between-groups/correlation")

    @property
    def groups_square(self) -> Estimates:
        """[G, G] the same of C(r, r')^2."""
        return self._estimates("between-groups/square")

    @property
    def group_names(self) -> list[str]:
        """[G] species, numbers of basis atoms from 1, or the names that the study gave."""
        return texts_of(self._entry("between-groups")["names"])

    @property
    def connected(self) -> bool:
        """Is the product of the averages over replicas subtracted from C?"""
        return bool(plain(self._group.attrs["connected"]))
