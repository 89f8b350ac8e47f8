"""Layers of a lattice: the sites of a plane, and the site nearest to a point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .errors import NothingToDraw
from .model import Model

_MOST_BASIS_SITES = 64


@dataclass(frozen=True)
class Layer:
    """Sites of one layer, in the plane's own axes.

    number, count  number of the layer, from 1, and number of layers
    axes      [3, 3] orthonormal rows: two axes in the plane, and the normal
    vectors   [2, 2] rows are the lattice vectors a1, a2 in the plane;
    size      unit cells along a1, a2;
    origins   [B, 2] basis sites of the layer in the cell (0, 0);
    sites     [L2, L1, B] canonical site indices
    """

    number: int
    count: int
    axes: np.ndarray
    vectors: np.ndarray
    size: tuple[int, int]
    origins: np.ndarray
    sites: np.ndarray

    @property
    def places(self) -> np.ndarray:
        """[L2, L1, B, 2] positions of the sites."""
        first, second = np.meshgrid(*(np.arange(n) for n in self.size))
        cells = first[..., None] * self.vectors[0] + second[..., None] * self.vectors[1]
        return cells[:, :, None, :] + self.origins

    @property
    def spacing(self) -> float:
        """Typical distance of neighbours: the square root of the area per site."""
        area = abs(np.linalg.det(self.vectors)) / len(self.origins)
        return float(np.sqrt(area))

    def nearest_sites(self, points: np.ndarray) -> np.ndarray:
        """[..., 2] points -> [...] canonical index of the nearest site; -1 outside the lattice."""
        best = np.full(points.shape[:-1], np.inf)
        found = np.full(points.shape[:-1], -1)
        for basis, origin in enumerate(self.origins):
            cells = np.floor((points - origin) @ np.linalg.inv(self.vectors)).astype(int)
            for step in np.ndindex(3, 3):
                cell = cells + np.array(step) - 1
                inside = np.all((cell >= 0) & (cell < self.size), axis=-1)
                column, row = (np.clip(cell[..., i], 0, self.size[i] - 1) for i in (0, 1))
                apart = np.sum((points - cell @ self.vectors - origin) ** 2, axis=-1)
                nearer = apart < best
                best = np.where(nearer, apart, best)
                found = np.where(nearer, np.where(inside, self.sites[row, column, basis], -1),
                                 found)
        return found


def plane_axes(cell: np.ndarray) -> np.ndarray:
    """[3, 3] unit vectors as rows: x projected on the plane of a1 and a2, the vector in the plane
    that is perpendicular to the first row, and the normal."""
    normal = np.cross(cell[0], cell[1])
    normal /= np.linalg.norm(normal)
    first = np.array([1.0, 0, 0]) - normal[0] * normal
    if np.linalg.norm(first) < 0.1:
        first = cell[0]
    first = first / np.linalg.norm(first)
    return np.array([first, np.cross(normal, first), normal])


def layer_of(model: Model, number: int | None = None) -> Layer:
    """Layer `number`, from 1 at the bottom; None: the middle layer.

    Raises NothingToDraw if the results hold no layers, there is no such layer, or the cell has too
    many sites to be a lattice.
    """
    basis, (size_x, size_y, size_z) = model.basis_sites, model.size
    if model.basis_layer is None:
        raise NothingToDraw("the results hold no layers of sites: plain positions have no layers, and "
                            "results have layers only from format 4 on")
    if basis > _MOST_BASIS_SITES:
        raise NothingToDraw(f"a cell of {basis} sites is not a lattice that can be drawn in layers")
    # Layers are [L3, B]. In a periodic lattice, a layer continues in the next image of the lattice.
    layers = model.basis_layer + model.layers_per_cell * np.arange(size_z)[:, None]
    images = np.zeros_like(layers)
    if model.periodic[2]:
        images, layers = np.divmod(layers, model.layers_per_cell * size_z)
    found = np.unique(layers)
    count = len(found)
    number = (count + 1) // 2 if number is None else number
    if not 1 <= number <= count:
        raise NothingToDraw(f"there is no layer {number}; the layers are 1 to {count}")
    members, z = np.nonzero(layers.T == found[number - 1])
    axes = plane_axes(model.cell)
    heights = z - size_z * images[z, members]
    origins = (model.positions[members] + heights[:, None] * model.cell[2]) @ axes[:2].T
    y, x = np.meshgrid(np.arange(size_y), np.arange(size_x), indexing="ij")
    cells = x + size_x * (y + size_y * z[:, None, None])
    sites = np.moveaxis(members[:, None, None] + basis * cells, 0, -1)
    return Layer(number, count, axes, model.cell[:2] @ axes[:2].T, (int(size_x), int(size_y)),
                 origins, sites)
