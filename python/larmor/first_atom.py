"""The atom of the basis whose displacements are drawn, with itself."""

from __future__ import annotations

import numpy as np

from .pair_correlations import PairBins


def first_atom(pairs: PairBins) -> int | None:
    """From 0; None: all are vacant everywhere."""
    occupied = np.flatnonzero(np.einsum("bbxyz->b", pairs.displaced_pairs) > 0)
    return int(occupied[0]) if len(occupied) else None


def with_atom(label: str, pairs: PairBins, atom: int) -> str:
    """In a second line "atom 2 with atom 2"; nothing where there is one alone."""
    several = len(pairs.displaced_pairs) > 1
    return label + (f",\natom {atom + 1} with atom {atom + 1}" if several else "")
