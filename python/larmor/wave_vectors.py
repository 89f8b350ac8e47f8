"""Reads groups of a results file with values at wave vectors."""

from __future__ import annotations

import h5py
import numpy as np

from .errors import not_in_results
from .hdf5_values import Array, texts_of, unit_of, values_of
from .tables import DataSet


class WaveVectors:
    """Wave vectors of a group of the results. Arrays are read from the file on access; a missing
    array raises NotInResults."""

    _what = "the wave vectors"

    def __init__(self, group: h5py.Group, where: str):
        self._group = group
        self._where = where

    def _dataset(self, name: str) -> h5py.Dataset:
        if name not in self._group:
            raise not_in_results("dataset", name, f"{self._what} of {self._where}", self._group)
        return self._group[name]

    def __contains__(self, name: str) -> bool:
        """Do the results have the dataset `name`?"""
        return name in self._group

    @property
    def q_index(self) -> Array:
        """[Q] numbers of the wave vectors, from 0."""
        return values_of(self._dataset("q_index")).astype(int)

    @property
    def q(self) -> Array:
        """[Q, 3] wave vectors in reciprocal-lattice units."""
        return values_of(self._dataset("q"))

    @property
    def q_cartesian(self) -> Array:
        """[Q, 3] wave vectors, 1/angstrom or reduced."""
        return values_of(self._dataset("q_cartesian"))

    @property
    def q_unit(self) -> str:
        """Unit of q_cartesian; empty in reduced units."""
        return unit_of(self._dataset("q_cartesian"))

    @property
    def grid(self) -> tuple[int, int, int] | None:
        """(L1, L2, L3) of a grid of all wave vectors of the sample; None if q is not a grid."""
        if "grid" not in self._group:
            return None
        first, second, third = self._group["grid"][()].astype(int).tolist()
        return first, second, third

    def on_grid(self, values: Array) -> Array:
        """Rearranges values [Q, ...] to [L3, L2, L1, ...] of the grid, which begins at Gamma. Raises NotInResults
        if q is not a grid."""
        if self.grid is None:
            raise not_in_results("dataset", "grid", f"{self._what} of {self._where}", self._group)
        return np.asarray(values.reshape(*self.grid[::-1], *values.shape[1:]))

    @property
    def path_distance(self) -> Array:
        """[Q] length of the path up to each q, in the unit of q_cartesian."""
        return values_of(self._dataset("path_distance"))

    @property
    def labels(self) -> list[tuple[int, str]]:
        """(index of q, name) of the named points of the path; empty if q is not a path."""
        if "label_index" not in self._group or "label_text" not in self._group:
            return []
        indices = np.atleast_1d(self._group["label_index"][()]).astype(int)
        return list(zip(indices.tolist(), texts_of(self._group["label_text"])))

    def add_to(self, made: DataSet) -> DataSet:
        """Adds the wave vectors as coordinates of the axis q: h, k, l, and path_distance and label of a path."""
        for number, name in enumerate("hkl"):
            made.along(name, "q", self.q[:, number], "reciprocal-lattice units")
        if "path_distance" in self:
            made.along("path_distance", "q", self.path_distance, self.q_unit if "q_cartesian" in self else "")
        if self.labels:
            named = dict(self.labels)
            made.along("label", "q", [named.get(number, "") for number in range(len(self.q))])
        return made
