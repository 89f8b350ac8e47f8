"""The axis of wave vectors: distances along a path and the names of its points."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from .wave_vectors import WaveVectors


def path_of(values: WaveVectors) -> tuple[np.ndarray, bool]:
    """[Q] abscissae, and whether these are distances along a path. If not, they are indices."""
    if "path_distance" in values:
        distance = values.path_distance
        # On a grid of wave vectors, the stored distance is only the index.
        if distance[-1] > distance[0] and not np.array_equal(distance, np.arange(len(distance))):
            return distance, True
    return np.arange(len(values.q), dtype=float), False


def limits(place: np.ndarray, is_path: bool) -> tuple[float, float]:
    """Limits of the axis. A path fills the axis, and a list of wave vectors has a margin for its
    marks."""
    margin = 0.0 if is_path else 0.5
    return float(place[0]) - margin, float(place[-1]) + margin


def mark_path(axes: Axes, values: WaveVectors, distance: np.ndarray, is_path: bool,
              line: str) -> None:
    """Names the points of the path below the axis; `line` is the colour of the marks inside."""
    labels = values.labels
    if not is_path or not labels:
        unit = f" ({values.q_unit})" if "q_cartesian" in values and values.q_unit else ""
        axes.set_xlabel(f"Distance along the path{unit}" if is_path else "Wave vector (index)")
        return
    # If the path jumps, two named points share a place on the axis.
    texts: dict[float, list[str]] = {}
    for index, text in labels:
        texts.setdefault(float(distance[index]), []).append(text)
    axes.set_xticks(list(texts), ["|".join(dict.fromkeys(names)) for names in texts.values()])
    axes.set_xticks([], minor=True)
    axes.tick_params(axis="x", length=0, labelsize=13)
    for place in texts:
        if distance[0] < place < distance[-1]:
            axes.axvline(place, color=line, linewidth=0.8, alpha=0.6)
