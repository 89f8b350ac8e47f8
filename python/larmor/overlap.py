"""Overlaps of copies of a disordered system, which a stage measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import h5py
import numpy as np

# (value, error)
Pair = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True, repr=False)
class Overlap:
    """Overlaps of the copies of samples, at P rungs or temperatures.

    averages      by name: (value, error) [P], means over all measurements: overlap_square, link_overlap, ...
    edges         [B + 1] edges of the bins of the overlap
    distribution  (value, error) [P, B], the density P(q)
    blocks        by name: (value, error) [n, P], means over n successive blocks of sweeps; [n, 1] for monte-carlo,
                  whose temperatures follow one another
    last_sweep    [n] last sweep of each block
    point         [n] number of the temperature of each block; 0 for tempering
    """

    averages: Mapping[str, Pair]
    edges: np.ndarray
    distribution: Pair
    blocks: Mapping[str, Pair]
    last_sweep: np.ndarray
    point: np.ndarray

    def __repr__(self) -> str:
        return f"<Overlap: {len(self.averages)} averages, {len(self.last_sweep)} blocks>"


def _pairs(group: h5py.Group) -> dict[str, Pair]:
    return {name: (entry["value"][()], entry["error"][()]) for name, entry in group.items()
            if isinstance(entry, h5py.Group) and "value" in entry and name != "distribution"}


def read_overlap(group: h5py.Group) -> Overlap:
    """Reads the group `overlap` of a stage."""
    distribution, blocks = group["distribution"], group["blocks"]
    return Overlap(_pairs(group), distribution["edges"][()],
                   (distribution["value"][()], distribution["error"][()]), _pairs(blocks),
                   blocks["last_sweep"][()], blocks["point"][()])
