"""Correlations over all pairs of sites, at one time or over time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import h5py
import numpy as np

from .errors import not_in_results
from .estimate import Estimate
from .hdf5_values import Array, attributes, complex_of, plain, texts_of, unit_of, values_of
from .tables import DataSet, middles
from .wave_vectors import WaveVectors


@dataclass(frozen=True)
class ExtremePair:
    """C between two sites, and their canonical indices, the lower first. If there is no pair, C is
    NaN and both indices are -1."""

    value: float
    sites: tuple[int, int]


def _with_error(group: h5py.Group, value: Array) -> Estimate:
    error = values_of(group["error"]) if "error" in group else np.full(value.shape, np.nan)
    return Estimate(value, error, unit_of(group["value"]), group.name.rsplit("/", 1)[-1])


_DISPLACED = ("atom", "other_atom", "dx", "dy", "dz")
_GROUPS = ("group", "other_group")


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

    def _estimates(self, name: str) -> Estimate:
        """Value and error of a quantity. An error that the file lacks is NaN."""
        return _with_error(self._entry(name), values_of(self._entry(name)["value"]))

    @property
    def edges(self) -> Array:
        """[B + 1] edges of the bins of distance, in `length_unit`."""
        return values_of(self._entry("by-distance")["edges"])

    @property
    def length_unit(self) -> str:
        """Empty in reduced units."""
        return unit_of(self._entry("by-distance")["edges"])

    @property
    def pairs(self) -> Array:
        """[B] number of ordered pairs of sites in each bin, including pairs of a site with itself."""
        return values_of(self._entry("by-distance")["pairs"])

    @property
    def displacements(self) -> tuple[Array, Array, Array]:
        """dx [X], dy [Y], dz [Z]: cells from r to r' along each lattice vector."""
        group = self._entry("by-displacement")
        dx, dy, dz = (np.rint(values_of(group[name])).astype(int) for name in ("dx", "dy", "dz"))
        return dx, dy, dz

    @property
    def displaced_pairs(self) -> Array:
        """[b, b', X, Y, Z] number of ordered pairs of sites; r is atom b of its cell and r' atom b'."""
        return values_of(self._entry("by-displacement")["pairs"])

    @property
    def group_names(self) -> list[str]:
        """[G] species, numbers of basis atoms from 1, or the names that the study gave."""
        return texts_of(self._entry("between-groups")["names"])

    @property
    def group_pairs(self) -> Array:
        """[G, G] number of ordered pairs of sites between groups. Raises NotInResults at equal times."""
        group = self._entry("between-groups")
        if "pairs" not in group:
            raise not_in_results("dataset", "pairs", f"the groups of {self._where}", group)
        return values_of(group["pairs"])

    def _along_bins(self, made: DataSet) -> None:
        """Adds coordinates and numbers of pairs of the bins."""
        if "by-distance" in self:
            made.along("distance", "distance", middles(self.edges), self.length_unit)
            made.add("pairs", ["distance"], self.pairs)
        if "by-displacement" in self:
            for name, cells in zip(("dx", "dy", "dz"), self.displacements):
                made.along(name, name, cells)
            made.add("displaced_pairs", _DISPLACED, self.displaced_pairs)
        if "between-groups" in self:
            made.along("group", "group", self.group_names).along("other_group", "other_group", self.group_names)

    @property
    def connected(self) -> bool:
        """Is the product of the averages over replicas subtracted from C? Raises NotInResults if there is no C."""
        if "connected" not in self._group.attrs:
            raise not_in_results("attribute", "connected", self._where, self._group.attrs)
        return bool(plain(self._group.attrs["connected"]))


class PairCorrelations(PairBins):
    """Correlations of one configuration of every replica. Access to a sum that the study did not
    request raises NotInResults."""

    @property
    def wave_vectors(self) -> WaveVectors:
        """Wave vectors of `structure` and `spin_glass`."""
        return WaveVectors(self._entry("wave-vectors"), self._where)

    @property
    def structure(self) -> Estimate:
        """[Q] S(q) = (1/N) sum_rr' exp(-i q.(r - r')) C(r, r')."""
        return self._estimates("structure")

    @property
    def spin_glass(self) -> Estimate:
        """[Q] spin-glass susceptibility: the sum of `structure` with C(r, r')^2 instead of C(r, r')."""
        return self._estimates("spin-glass-susceptibility")

    @property
    def correlation(self) -> Estimate:
        """[B] mean of C(r, r') over the pairs of each bin; NaN for bins without pairs."""
        return self._estimates("by-distance/correlation")

    @property
    def square(self) -> Estimate:
        """[B] mean of C(r, r')^2 over the pairs of each bin."""
        return self._estimates("by-distance/square")

    @property
    def displaced_correlation(self) -> Estimate:
        """[b, b', X, Y, Z] mean of C(r, r') over the pairs of each displacement; NaN without pairs."""
        return self._estimates("by-displacement/correlation")

    @property
    def displaced_square(self) -> Estimate:
        """[b, b', X, Y, Z] mean of C(r, r')^2 over the pairs of each displacement."""
        return self._estimates("by-displacement/square")

    @property
    def groups(self) -> Estimate:
        """[G, G] mean of C(r, r') between groups of sites."""
        return self._estimates("between-groups/correlation")

    @property
    def groups_square(self) -> Estimate:
        """[G, G] mean of C(r, r')^2 between groups of sites."""
        return self._estimates("between-groups/square")

    @property
    def distribution_edges(self) -> Array:
        """[B + 1] edges of the bins of C."""
        return values_of(self._entry("distribution")["edges"])

    @property
    def distribution(self) -> Estimate:
        """[B] number of ordered pairs of different sites with C in each bin."""
        return self._estimates("distribution/pairs")

    @property
    def below(self) -> Estimate:
        """Number of pairs with C below the first bin."""
        return self._estimates("distribution/below")

    @property
    def above(self) -> Estimate:
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

    @property
    def settings(self) -> dict[str, Any]:
        """connected, replicas, error_blocks, and the attributes of the stage."""
        return attributes(self._group)

    def to_xarray(self) -> Any:
        """A Dataset of all sums with their errors. Axes are distance, atom, other_atom, dx, dy, dz, group, other_group,
        q and correlation_bin, as far as the stage has them. Raises MissingPackage without xarray."""
        made = DataSet()
        self._along_bins(made)
        for kind, names, axes in (("by-distance", ("correlation", "square"), ("distance",)),
                                  ("by-displacement", ("displaced_correlation", "displaced_square"), _DISPLACED),
                                  ("between-groups", ("groups", "groups_square"), _GROUPS)):
            if kind in self:
                for name in names:
                    made.add(name, axes, getattr(self, name))
        if "wave-vectors" in self:
            self.wave_vectors.add_to(made)
        for kind, name in (("structure", "structure"), ("spin-glass-susceptibility", "spin_glass")):
            if kind in self:
                made.add(name, ["q"], getattr(self, name))
        if "distribution" in self:
            made.along("correlation_bin", "correlation_bin", middles(self.distribution_edges))
            made.add("distribution", ["correlation_bin"], self.distribution)
        return made.made()

    def _extreme(self, name: str) -> ExtremePair:
        group = self._entry("distribution")[name]
        first, second = (int(site) for site in values_of(group["sites"]))
        return ExtremePair(float(values_of(group["value"]).ravel()[0]), (first, second))


class PairCorrelationsInTime(PairBins):
    """C(r, r', t) of e_r at the stage's beginning and e_r' at time t, and S(r, r', w) = int dt
    exp(+i w t) C(r, r', t) with C(r, r', -t) = C(r', r, t). Access to sums that the study did not
    request raises NotInResults. Errors are NaN if the study did not request them."""

    @property
    def time(self) -> Array:
        """[T] in `time_unit`."""
        return values_of(self._entry("time"))

    @property
    def time_unit(self) -> str:
        """Empty in reduced units."""
        return unit_of(self._entry("time"))

    @property
    def frequency(self) -> Array:
        """[F] angular frequencies in `frequency_unit`, equal to those of the structure factor."""
        return values_of(self._entry("frequency"))

    @property
    def frequency_unit(self) -> str:
        """Empty in reduced units."""
        return unit_of(self._entry("frequency"))

    @property
    def correlation(self) -> Estimate:
        """[T, B] mean of C(r, r', t) over the pairs of each bin of distance; NaN for bins without
        pairs."""
        return self._estimates("by-distance/correlation")

    @property
    def spectrum(self) -> Estimate:
        """[F, B] spectrum of `correlation`. It is real, since a bin has every pair in both orders."""
        return self._estimates("by-distance/spectrum")

    @property
    def displaced_correlation(self) -> Estimate:
        """[T, b, b', X, Y, Z] mean of C(r, r', t) over the pairs of each displacement."""
        return self._estimates("by-displacement/correlation")

    @property
    def displaced_spectrum(self) -> Estimate:
        """[F, b, b', X, Y, Z] complex; errors belong to the real part."""
        return self._complex("by-displacement/spectrum")

    @property
    def groups(self) -> Estimate:
        """[T, G, G] mean of C(r, r', t), r in the first group and r' in the second."""
        return self._estimates("between-groups/correlation")

    @property
    def groups_spectrum(self) -> Estimate:
        """[F, G, G] complex; errors belong to the real part."""
        return self._complex("between-groups/spectrum")

    @property
    def settings(self) -> dict[str, Any]:
        """window, connected, replicas, error_blocks, normalisation."""
        return attributes(self._group)

    def _complex(self, name: str) -> Estimate:
        return _with_error(self._entry(name), complex_of(self._entry(name)["value"]))

    def to_xarray(self) -> Any:
        """A Dataset of all correlations and spectra with their errors. Axes are time or frequency, and distance, atom,
        other_atom, dx, dy, dz, group, other_group. Raises MissingPackage without xarray."""
        made = DataSet().along("time", "time", self.time, self.time_unit)
        made.along("frequency", "frequency", self.frequency, self.frequency_unit)
        self._along_bins(made)
        for kind, names, axes in (("by-distance", ("correlation", "spectrum"), ("distance",)),
                                  ("by-displacement", ("displaced_correlation", "displaced_spectrum"), _DISPLACED),
                                  ("between-groups", ("groups", "groups_spectrum"), _GROUPS)):
            if kind in self:
                for name, axis in zip(names, ("time", "frequency")):
                    made.add(name, [axis, *axes], getattr(self, name))
        return made.made()

    def __repr__(self) -> str:
        kinds = [kind for kind in ("by-distance", "by-displacement", "between-groups")
                 if kind in self]
        return f"<PairCorrelationsInTime: {len(self.time)} times, {', '.join(kinds)}>"
