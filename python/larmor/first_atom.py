"""The basis atom whose displacements to its own images are drawn."""

from __future__ import annotations

import numpy as np

from .pair_correlations import PairBins


def first_atom(pairs: PairBins) -> int | None:
    """Index, from 0, of the first basis atom that is not vacant in every cell; None: all are
    vacant."""
    occupied = np.flatnonzero(np.einsum("bbxyz->b", pairs.displaced_pairs) > 0)
    return int(occupied[0]) if len(occupied) else None


def with_atom(label: str, pairs: PairBins, atom: int) -> str:
    """The label with a second line "atom 2 with atom 2", if the basis has several atoms."""
    several = len(pairs.displaced_pairs) > 1
    return label + (f",\natom {atom + 1} with atom {atom + 1}" if several else "")
