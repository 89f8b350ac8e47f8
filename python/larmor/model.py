"""The simulated system: its sites, their species and moments."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import h5py
import numpy as np

from .errors import not_in_results
from .hdf5_values import attributes, texts_of, unit_of


@dataclass(frozen=True, repr=False)
class Model:
    """Sites in canonical order: site = b + n_basis * (x + L_x * (y + L_y * z)). For moving atoms,
    `positions` and `cell` are the positions and the box before the first stage.

    positions    [N, 3] in `length_unit` (angstrom; empty in reduced units)
    moments      [N] in Bohr magnetons (1 in reduced units)
    species      [N] names; "vacancy" for empty sites
    cell         [3, 3] rows are the vectors of the unit cell, in `length_unit`;
    size         [3] unit cells along each vector
    periodic     [3] booleans
    basis_index  [N] b of each site
    occupied     [N] booleans; False for vacancies, whose spins are zero
    basis_layer  [n_basis] layer of each site of the first cell, counted from the lowest layer of that
                 cell; one cell higher it is `layers_per_cell` more. None if no layers are known
    masses       [N] in g/mol of moving atoms; None for other model kinds
    first_atom   [R + 1] if the replicas of atoms have structures of their own, else None: replica r has the
                 atoms first_atom[r] to first_atom[r + 1] - 1 of positions, species and masses. Then
                 cell is [R, 3, 3] and periodic is [R, 3]
    details      further numbers and texts by name, such as the model kind, the number of sites and
                 mean_field_temperature (spins)

    If sites have no positions, all arrays are empty, except that `cell` is zero.
    """

    positions: np.ndarray
    moments: np.ndarray
    species: list[str]
    cell: np.ndarray
    size: np.ndarray
    periodic: np.ndarray
    basis_index: np.ndarray
    occupied: np.ndarray
    basis_layer: np.ndarray | None = None
    layers_per_cell: int = 0
    length_unit: str = ""
    masses: np.ndarray | None = None
    first_atom: np.ndarray | None = None
    details: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, group: h5py.Group) -> Model:
        """Reads the group /model. Raises NotInResults for a missing dataset."""

        def dataset(name: str) -> h5py.Dataset:
            if name not in group:
                raise not_in_results("dataset", name, "the model", group)
            return group[name]

        if "kind" in group.attrs and "cell" not in group:
            # Sites without positions.
            none = np.empty(0)
            return cls(positions=np.empty((0, 3)), moments=none, species=[], cell=np.zeros((3, 3)),
                       size=none, periodic=none, basis_index=none, occupied=none,
                       details=attributes(group))
        if "basis" in group:
            return cls._of_basis(group, dataset("cell")[()], dataset("size")[()].astype(int),
                                 dataset("periodic")[()].astype(bool))
        if "masses" in group:
            return cls._of_atoms(group)
        return cls(
            positions=dataset("positions")[()],
            moments=dataset("moments")[()],
            species=texts_of(dataset("species")),
            cell=dataset("cell")[()],
            size=dataset("size")[()].astype(int),
            periodic=dataset("periodic")[()].astype(bool),
            basis_index=dataset("basis_index")[()].astype(int),
            occupied=(group["occupied"][()].astype(bool) if "occupied" in group
                      else np.ones(len(dataset("moments")), dtype=bool)),
            **_layers(group),
            length_unit=unit_of(dataset("positions")),
            details=attributes(group),
        )

    @classmethod
    def _of_atoms(cls, group: h5py.Group) -> Model:
        """Moving atoms: a box of one cell, without moments."""
        atoms = len(group["masses"])
        periodic = group["periodic"][()].astype(bool)
        first_atom = group["first_atom"][()].astype(int) if "first_atom" in group else None
        return cls(
            positions=group["positions"][()],
            moments=np.zeros(atoms),
            species=texts_of(group["species"]),
            cell=group["cell"][()],
            size=group["size"][()].astype(int),
            periodic=periodic if first_atom is None else periodic.reshape(-1, 3),
            basis_index=np.arange(atoms),
            occupied=np.ones(atoms, dtype=bool),
            length_unit=unit_of(group["positions"]),
            masses=group["masses"][()],
            first_atom=first_atom,
            details=attributes(group),
        )

    def atoms_of(self, replica: int) -> slice:
        """Where lists of all stored replicas of atoms have this replica, if `first_atom` is not None: for
        instance `stage.configuration[model.atoms_of(2)]`, if replicas have unequal numbers of atoms."""
        return slice(int(self.first_atom[replica]), int(self.first_atom[replica + 1]))

    @classmethod
    def _of_basis(cls, group: h5py.Group, cell: np.ndarray, size: np.ndarray,
                  periodic: np.ndarray) -> Model:
        """A large perfect lattice, of which the file holds only the first cell."""
        basis = group["basis"]
        atoms = len(basis["moments"])
        z, y, x, b = np.meshgrid(*(np.arange(n) for n in (*size[::-1], atoms)), indexing="ij")
        positions = np.stack([x, y, z], axis=-1) @ cell + basis["positions"][()][b]
        cells = int(np.prod(size))
        return cls(
            positions=positions.reshape(-1, 3),
            moments=np.tile(basis["moments"][()], cells),
            species=texts_of(basis["species"]) * cells,
            cell=cell,
            size=size,
            periodic=periodic,
            basis_index=b.ravel(),
            occupied=np.ones(cells * atoms, dtype=bool),
            **_layers(group),
            length_unit=unit_of(basis["positions"]),
            details=attributes(group),
        )

    @property
    def sites(self) -> int:
        """Number of sites, N."""
        return len(self.positions)

    @property
    def basis_sites(self) -> int:
        """Sites in one unit cell."""
        return self.sites // int(np.prod(self.size))

    def __repr__(self) -> str:
        size = " x ".join(str(n) for n in self.size)
        kinds = ", ".join(dict.fromkeys(self.species))
        return f"<Model: {self.sites} sites ({kinds}), {size} cells of {self.basis_sites}>"


def _layers(group: h5py.Group) -> dict[str, Any]:
    """Layers of the first cell; empty for plain positions and for files of format 3 and older."""
    if "basis_layer" not in group:
        return {}
    stored = group["basis_layer"]
    return {"basis_layer": stored[()], "layers_per_cell": int(stored.attrs["layers_per_cell"])}
