"""Overlaps of copies of a disordered system, which a stage measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import h5py

from .estimate import Estimate
from .hdf5_values import Array, unit_of, values_of
from .tables import data_frame


@dataclass(frozen=True, repr=False, eq=False)
class Overlap:
    """Overlaps of the copies of samples, at P rungs or temperatures.

    averages      by name: value and error [P], means over all measurements: overlap_square, link_overlap, ...
    edges         [B + 1] edges of the bins of the overlap
    distribution  value and error [P, B], the density P(q)
    blocks        by name: value and error [n, P], means over n successive blocks of sweeps; [n, 1] for monte-carlo,
                  whose temperatures follow one another
    last_sweep    [n] last sweep of each block
    point         [n] number of the temperature of each block; 0 for tempering
    """

    averages: Mapping[str, Estimate]
    edges: Array
    distribution: Estimate
    blocks: Mapping[str, Estimate]
    last_sweep: Array
    point: Array

    def to_pandas(self) -> Any:
        """One row for each rung or temperature, with each average and its error. Raises MissingPackage without
        pandas."""
        return data_frame(self.averages)

    def __repr__(self) -> str:
        return f"<Overlap: {len(self.averages)} averages, {len(self.last_sweep)} blocks>"


def _estimates(group: h5py.Group) -> dict[str, Estimate]:
    return {name: _estimate(entry, name) for name, entry in group.items()
            if isinstance(entry, h5py.Group) and "value" in entry and name != "distribution"}


def _estimate(group: h5py.Group, name: str) -> Estimate:
    return Estimate(values_of(group["value"]), values_of(group["error"]), unit_of(group["value"]), name)


def read_overlap(group: h5py.Group) -> Overlap:
    """Reads the group `overlap` of a stage."""
    distribution, blocks = group["distribution"], group["blocks"]
    return Overlap(_estimates(group), values_of(distribution["edges"]), _estimate(distribution, "distribution"),
                   _estimates(blocks), values_of(blocks["last_sweep"]), values_of(blocks["point"]))
