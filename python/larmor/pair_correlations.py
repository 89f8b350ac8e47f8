"""Correlations over all pairs of sites, at one time or over time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import h5py
import numpy as np

from .errors import not_in_results
from .hdf5_values import attributes, plain, texts_of, unit_of
from .wave_vectors import WaveVectors


@dataclass(frozen=True, repr=False)
class Estimates:
    """Value and error, arrays of one shape; `value, error = estimates` unpacks them. Unknown errors are NaN."""

    value: np.ndarray
    error: np.ndarray

    def __iter__(self):
        return iter((self.value, self.error))


@dataclass(frozen=True)
class ExtremePair:
    """C between two sites, and their canonical indices, the lower first. If there is no pair, C is
    NaN and both indices are -1."""

    value: float
    sites: tuple[int, int]


def _with_error(group: h5py.Group, value: np.ndarray) -> Estimates:
    return Estimates(value, group["error"][()] if "error" in group
                     else np.full(value.shape, np.nan))


class PairBins:
    """Bins of pairs of sites: by distance, by displacement and between groups."""

    def __init__(self, group: h5py.Group, where: str):
        self._group = group
        self._where = where

    def __contains__(self, name: str) -> bool:
        """Do the results have the group `name`?"""
        return name in self._group

    def _entry(self, name: str) -> h5py.Group:
        if name not in self._group:
            raise not_in_results("group", name, f"the correlations of {self._where}", self._group)
        return self._group[name]

    def _estimates(self, name: str) -> Estimates:
        """Value and error of a quantity. An error that the file lacks is NaN."""
        return _with_error(self._entry(name), self._entry(name)["value"][()])

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
        """[B] number of ordered pairs of sites in each bin, including pairs of a site with itself."""
        return self._entry("by-distance")["pairs"][()]

    @property
    def displacements(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """dx [X], dy [Y], dz [Z]: cells from r to r' along each lattice vector."""
        group = self._entry("by-displacement")
        return tuple(np.rint(group[name][()]).astype(int) for name in ("dx", "dy", "dz"))

    @property
    def displaced_pairs(self) -> np.ndarray:
        """[b, b', X, Y, Z] number of ordered pairs of sites; r is atom b of its cell and r' atom b'."""
        return self._entry("by-displacement")["pairs"][()]

    @property
    def group_names(self) -> list[str]:
        """[G] species, numbers of basis atoms from 1, or the names that the study gave."""
        return texts_of(self._entry("between-groups")["names"])

    @property
    def connected(self) -> bool:
        """Is the product of the averages over replicas subtracted from C?"""
        return bool(plain(self._group.attrs["connected"]))


class PairCorrelations(PairBins):
    """Correlations of one configuration of every replica. Access to a sum that the study did not
    request raises NotInResults."""

    @property
    def wave_vectors(self) -> WaveVectors:
        """Wave vectors of `structure` and `spin_glass`."""
        return WaveVectors(self._entry("wave-vectors"), self._where)

    @property
    def structure(self) -> Estimates:
        """[Q] S(q) = (1/N) sum_rr' exp(-i q.(r - r')) C(r, r')."""
        return self._estimates("structure")

    @property
    def spin_glass(self) -> Estimates:
        """[Q] spin-glass susceptibility: the sum of `structure` with C(r, r')^2 instead of C(r, r')."""
        return self._estimates("spin-glass-susceptibility")

    @property
    def correlation(self) -> Estimates:
        """[B] mean of C(r, r') over the pairs of each bin; NaN for bins without pairs."""
        return self._estimates("by-distance/correlation")

    @property
    def square(self) -> Estimates:
        """[B] mean of C(r, r')^2 over the pairs of each bin."""
        return self._estimates("by-distance/square")

    @property
    def displaced_correlation(self) -> Estimates:
        """[b, b', X, Y, Z] mean of C(r, r') over the pairs of each displacement; NaN without pairs."""
        return self._estimates("by-displacement/correlation")

    @property
    def displaced_square(self) -> Estimates:
        """[b, b', X, Y, Z] mean of C(r, r')^2 over the pairs of each displacement."""
        return self._estimates("by-displacement/square")

    @property
    def groups(self) -> Estimates:
        """[G, G] mean of C(r, r') between groups of sites."""
        return self._estimates("between-groups/correlation")

    @property
    def groups_square(self) -> Estimates:
        """[G, G] mean of C(r, r')^2 between groups of sites."""
        return self._estimates("between-groups/square")

    @property
    def distribution_edges(self) -> np.ndarray:
        """[B + 1] edges of the bins of C."""
        return self._entry("distribution")["edges"][()]

    @property
    def distribution(self) -> Estimates:
        """[B] number of ordered pairs of different sites with C in each bin."""
        return self._estimates("distribution/pairs")

    @property
    def below(self) -> Estimates:
        """Number of pairs with C below the first bin."""
        return self._estimates("distribution/below")

    @property
    def above(self) -> Estimates:
        """Number of pairs with C above the last bin."""
        return self._estimates("distribution/above")

    @property
    def largest(self) -> ExtremePair:
        """The pair of different sites with the largest C."""
        return self._extreme("largest")

    @property
    def smallest(self) -> ExtremePair:
        """The pair of different sites with the smallest C."""
        return self._extreme("smallest")

    def _extreme(self, name: str) -> ExtremePair:
        group = self._entry("distribution")[name]
        first, second = (int(site) for site in group["sites"][()])
        return ExtremePair(float(group["value"][()]), (first, second))


class PairCorrelationsInTime(PairBins):
    """C(r, r', t) of e_r at the stage's beginning and e_r' at time t, and S(r, r', w) = int dt
    exp(+i w t) C(r, r', t) with C(r, r', -t) = C(r', r, t). Access to sums that the study did not
    request raises NotInResults. Errors are NaN if the study did not request them."""

    @property
    def time(self) -> np.ndarray:
        """[T] in `time_unit`."""
        return self._entry("time")[()]

    @property
    def time_unit(self) -> str:
        """Empty in reduced units."""
        return unit_of(self._entry("time"))

    @property
    def frequency(self) -> np.ndarray:
        """[F] angular frequencies in `frequency_unit`, equal to those of the structure factor."""
        return self._entry("frequency")[()]

    @property
    def frequency_unit(self) -> str:
        """Empty in reduced units."""
        return unit_of(self._entry("frequency"))

    @property
    def correlation(self) -> Estimates:
        """[T, B] mean of C(r, r', t) over the pairs of each bin of distance; NaN for bins without
        pairs."""
        return self._estimates("by-distance/correlation")

    @property
    def spectrum(self) -> Estimates:
        """[F, B] spectrum of `correlation`. It is real, since a bin has every pair in both orders."""
        return self._estimates("by-distance/spectrum")

    @property
    def displaced_correlation(self) -> Estimates:
        """[T, b, b', X, Y, Z] mean of C(r, r', t) over the pairs of each displacement."""
        return self._estimates("by-displacement/correlation")

    @property
    def displaced_spectrum(self) -> Estimates:
        """[F, b, b', X, Y, Z] complex; errors belong to the real part."""
        return self._complex("by-displacement/spectrum")

    @property
    def groups(self) -> Estimates:
        """[T, G, G] mean of C(r, r', t), r in the first group and r' in the second."""
        return self._estimates("between-groups/correlation")

    @property
    def groups_spectrum(self) -> Estimates:
        """[F, G, G] complex; errors belong to the real part."""
        return self._complex("between-groups/spectrum")

    @property
    def settings(self) -> dict[str, Any]:
        """window, connected, replicas, error_blocks, normalisation."""
        return attributes(self._group)

    def _complex(self, name: str) -> Estimates:
        parts = self._entry(name)["value"][()]
        return _with_error(self._entry(name), parts[..., 0] + 1j * parts[..., 1])

    def __repr__(self) -> str:
        kinds = [kind for kind in ("by-distance", "by-displacement", "between-groups")
                 if kind in self]
        return f"<PairCorrelationsInTime: {len(self.time)} times, {', '.join(kinds)}>"
