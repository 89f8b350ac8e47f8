"""Borders of the cells in a map."""

from __future__ import annotations

import numpy as np


def cell_edges(centres: np.ndarray) -> np.ndarray:
    """[n + 1] borders half-way between neighbours."""
    middles = (centres[1:] + centres[:-1]) / 2
    return np.concatenate(([centres[0] - (middles[0] - centres[0])], middles,
                           [centres[-1] + (centres[-1] - middles[-1])]))
