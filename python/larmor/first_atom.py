"""The atom of the basis whose displacements to itself are drawn."""

from __future__ import annotations

import numpy as np

from .pair_correlations import PairBins


def first_atom(pairs: PairBins) -> int | None:
    """The first atom that is not vacant everywhere, from 0; None: all are."""
    occupied = np.flatnonzero(np.einsum("bbxyz->b", pairs.displaced_pairs) > 0)
    return int(occupied[0]) if len(occupied) else None


def with_atom(label: str, pairs: PairBins, atom: int) -> str:
    """Second line "atom 2 with atom 2"; empty if there is one atom."""
    several = len(pairs.displaced_pairs) > 1
    return label + (f",\natom {atom + 1} with atom {atom + 1}" if several else "")
