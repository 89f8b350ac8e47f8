"""Layers of a lattice: which sites lie in one plane, and which site a point of it is nearest to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .errors import NothingToDraw
from .model import Model

_SAME_HEIGHT = 1e-6
# Share of the distance of nearest neighbours that a layer may be thick, as for topological charges.
_USUAL_THICKNESS = 0.4
_MOST_BASIS_SITES = 64


@dataclass(frozen=True)
class Layer:
    """Sites of one layer, in the plane's own axes.

    number, count  which layer, from 1, of how many
    axes      [3, 3] orthonormal rows: two in the plane, the normal
    vectors   [2, 2] rows are the lattice vectors a1, a2 in the plane
    size      unit cells along a1, a2
    origins   [B, 2] basis sites of the layer in the cell (0, 0)
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
        """[L2, L1, B, 2] where the sites are."""
        first, second = np.meshgrid(*(np.arange(n) for n in self.size))
        cells = first[..., None] * self.vectors[0] + second[..., None] * self.vectors[1]
        return cells[:, :, None, :] + self.origins

    @property
    def spacing(self) -> float:
        """Typical distance of neighbours: the square root of the area a site has."""
        area = abs(np.linalg.det(self.vectors)) / len(self.origins)
        return float(np.sqrt(area))

    def nearest_sites(self, points: np.ndarray) -> np.ndarray:
        """[..., 2] points -> [...] canonical index of the nearest site; -1 outside the lattice."""
        cells = np.floor(points @ np.linalg.inv(self.vectors)).astype(int)
        best = np.full(points.shape[:-1], np.inf)
        found = np.full(points.shape[:-1], -1)
        for step in np.ndindex(3, 3):
            cell = cells + np.array(step) - 1
            corner = cell @ self.vectors
            inside = np.all((cell >= 0) & (cell < self.size), axis=-1)
            column, row = (np.clip(cell[..., i], 0, self.size[i] - 1) for i in (0, 1))
            for basis, origin in enumerate(self.origins):
                apart = np.sum((points - corner - origin) ** 2, axis=-1)
                nearer = apart < best
                best = np.where(nearer, apart, best)
                found = np.where(nearer, np.where(inside, self.sites[row, column, basis], -1),
                                 found)
        return found


def plane_axes(cell: np.ndarray) -> np.ndarray:
    """[3, 3] rows: x as far as it lies in the plane of a1 and a2, its partner in it, the normal."""
    normal = np.cross(cell[0], cell[1])
    normal /= np.linalg.norm(normal)
    first = np.array([1.0, 0, 0]) - normal[0] * normal
    if np.linalg.norm(first) < 0.1:
        first = cell[0]
    first = first / np.linalg.norm(first)
    return np.array([first, np.cross(normal, first), normal])


def dimension(model: Model) -> int:
    """1 for a chain, 2 for one layer of sites, else 3."""
    if model.size[1] == model.size[2] == 1 and model.basis_sites == 1:
        return 1
    if model.size[2] > 1:
        return 3
    if model.basis_sites > _MOST_BASIS_SITES:
        heights = model.positions @ plane_axes(model.cell)[2]
        return 2 if np.ptp(heights) <= _same_height(model) else 3
    return 2 if len(layers_of_cell(model)) == 1 else 3


def _same_height(model: Model) -> float:
    return _SAME_HEIGHT * np.linalg.norm(model.cell[0])


def _nearest_distance(model: Model) -> float:
    """Between sites of the crystal without end."""
    positions = model.positions[:model.basis_sites]
    apart = positions[:, None] - positions[None, :]
    nearest = np.inf
    for cells in np.ndindex(5, 5, 5):
        offset = np.array(cells) - 2
        if np.any((model.size == 1) & ~model.periodic & (offset != 0)):
            continue
        lengths = np.linalg.norm(apart + offset @ model.cell, axis=-1)
        if not offset.any():
            np.fill_diagonal(lengths, np.inf)
        nearest = min(nearest, lengths.min())
    return float(nearest)


def layers_of_cell(model: Model) -> list[np.ndarray]:
    """Basis sites of each layer of a cell, lowest first.

    Heights that follow one another within the thickness of a layer are one layer where the lowest
    and the highest do so too; otherwise each of these heights is one.
    """
    heights = model.positions[:model.basis_sites] @ plane_axes(model.cell)[2]
    order = np.argsort(heights, kind="stable")
    thickness = model.details.get("layer_thickness")
    if thickness is None:
        thickness = _USUAL_THICKNESS * _nearest_distance(model)
    thickness *= 1 - 1e-9

    def split(sites: np.ndarray, gap: float) -> list[np.ndarray]:
        return np.split(sites, np.flatnonzero(np.diff(heights[sites]) >= gap) + 1)

    layers = []
    for chain in split(order, thickness):
        is_layer = np.ptp(heights[chain]) < thickness
        layers += [chain] if is_layer else split(chain, _same_height(model))
    return layers


def layer_of(model: Model, number: int | None = None) -> Layer:
    """Layer `number`, from 1, of those that the planes of a1 and a2 make; None: the middle one.

    Raises NothingToDraw if there is no such layer, or the cell has too many sites to be a lattice.
    """
    basis, (size_x, size_y, size_z) = model.basis_sites, model.size
    if basis > _MOST_BASIS_SITES:
        raise NothingToDraw(f"a cell of {basis} sites is no lattice that can be drawn in layers")
    axes = plane_axes(model.cell)
    cell_positions = model.positions[:basis]
    layers = layers_of_cell(model)
    count = len(layers) * size_z
    number = (count + 1) // 2 if number is None else number
    if not 1 <= number <= count:
        raise NothingToDraw(f"there is no layer {number}; the layers are 1 to {count}")
    z, level = divmod(number - 1, len(layers))
    members = np.sort(layers[level])
    y, x, b = np.meshgrid(np.arange(size_y), np.arange(size_x), members, indexing="ij")
    origins = (cell_positions[members] + z * model.cell[2]) @ axes[:2].T
    return Layer(number, count, axes, model.cell[:2] @ axes[:2].T, (int(size_x), int(size_y)),
                 origins, b + basis * (x + size_x * (y + size_y * z)))
