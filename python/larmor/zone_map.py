"""Draws values on the grid of all wave vectors of a sample: a map of one reciprocal cell around Gamma."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import LogNorm

from .lattice_plane import plane_axes
from .style import INTENSITY_MAP
from .wave_vectors import WaveVectors

# Number of decades that colours distinguish.
_DECADES = 5


def is_plane(waves: WaveVectors) -> bool:
    """Can a map show this grid? A grid of a chain is drawn as a path."""
    return waves.grid is not None and sorted(waves.grid)[1] > 1


def draw_zone(axes: Axes, waves: WaveVectors, values: np.ndarray, logarithmic: bool,
              colours: str = INTENSITY_MAP) -> QuadMesh:
    """Draws values [Q] in the plane of the first two reciprocal-lattice vectors that the grid divides,
    with the third component zero, and returns the map.

    logarithmic: use logarithmic colours if all values are positive
    """
    first, second = [axis for axis in range(3) if waves.grid[axis] > 1][:2]
    third = 3 - first - second
    # In an array [L3, L2, L1], axis d of the lattice has the position 2 - d.
    left_out = 2 - third
    plane = np.take(waves.on_grid(values), 0, axis=left_out)
    vectors = np.take(waves.on_grid(waves.q_cartesian), 0, axis=left_out)
    rows, columns = plane.shape
    steps = np.array([vectors[0, 1], vectors[1, 0]])
    frame = plane_axes(steps)[:2]
    steps = steps @ frame.T
    plane = np.roll(plane, (rows // 2, columns // 2), axis=(0, 1))
    j, i = np.meshgrid(np.arange(rows + 1) - rows // 2 - 0.5,
                       np.arange(columns + 1) - columns // 2 - 0.5, indexing="ij")
    corners = i[..., None] * steps[0] + j[..., None] * steps[1]
    norm = None
    if logarithmic and np.all(plane > 0):
        highest = float(plane.max())
        norm = LogNorm(max(float(plane.min()), highest / 10**_DECADES), highest)
    mesh = axes.pcolormesh(corners[..., 0], corners[..., 1], plane, norm=norm, cmap=colours,
                           rasterized=True)
    unit = f" ({waves.q_unit})" if waves.q_unit else ""
    names = "xy" if np.allclose(frame, np.eye(3)[:2]) else "12"
    axes.set(aspect="equal", xlabel=f"$q_{names[0]}${unit}", ylabel=f"$q_{names[1]}${unit}")
    if waves.grid[third] > 1:
        axes.set_title(f"$q_{third + 1} = 0$")
    return mesh
