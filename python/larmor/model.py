"""The simulated system: its sites, their species and moments."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import h5py
import numpy as np

from .errors import not_in_results
from .hdf5_values import Array, attributes, optional_values, texts_of, unit_of, values_of


@dataclass(frozen=True, repr=False, eq=False)
class Couplings:
    """Couplings of S disorder samples of quantum spins, for Pauli matrices, n bonds and N sites.

    bonds     [n, 2] canonical indices of the two sites of each bond;
    J, Jxy    [S, n] couplings of z components, and of x and y components, in the unit of energy;
    h, Gamma  [S, N] longitudinal and transverse fields, in the unit of energy
    """

    bonds: Array
    J: Array
    Jxy: Array
    h: Array
    Gamma: Array

    def __repr__(self) -> str:
        return f"<Couplings: {len(self.J)} sample(s), {len(self.bonds)} bonds>"


@dataclass(frozen=True, repr=False, eq=False)
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

    ids          [N] identifiers of atoms, as the file of their structure has them; None: it has none
    kappa        [R] hopping parameter of each replica of phi^4 fields; None for other model kinds
    couplings    of the disorder samples of quantum spins; None for other model kinds
    coordinates  names of the coordinates of particles; empty for other model kinds
    parameters   of the potential of particles, by name

    If sites have no positions, these arrays are empty, except that `cell` is zero; a grid has its `size` and
    `periodic`.
    """

    positions: Array
    moments: Array
    species: list[str]
    cell: Array
    size: Array
    periodic: Array
    basis_index: Array
    occupied: Array
    basis_layer: Array | None = None
    layers_per_cell: int = 0
    length_unit: str = ""
    masses: Array | None = None
    first_atom: Array | None = None
    details: dict[str, Any] = field(default_factory=dict)
    ids: Array | None = None
    kappa: Array | None = None
    couplings: Couplings | None = None
    coordinates: list[str] = field(default_factory=list)
    parameters: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, group: h5py.Group) -> Model:
        """Reads the group /model. Raises NotInResults for a missing dataset."""

        def dataset(name: str) -> h5py.Dataset:
            if name not in group:
                raise not_in_results("dataset", name, "the model", group)
            return group[name]

        more = _of_kind(group)
        if "kind" in group.attrs and "cell" not in group:
            # Sites without positions.
            none = np.empty(0)
            size, periodic = (optional_values(group, name) for name in ("size", "periodic"))
            return cls(positions=np.empty((0, 3)), moments=none, species=[], cell=np.zeros((3, 3)),
                       size=none if size is None else size.astype(int),
                       periodic=none if periodic is None else periodic.astype(bool), basis_index=none, occupied=none,
                       **more)
        if "basis" in group:
            return cls._of_basis(group, values_of(dataset("cell")), values_of(dataset("size")).astype(int),
                                 values_of(dataset("periodic")).astype(bool), more)
        if "masses" in group:
            return cls._of_atoms(group, more)
        moments = values_of(dataset("moments"))
        return cls(
            positions=values_of(dataset("positions")),
            moments=moments,
            species=texts_of(dataset("species")),
            cell=values_of(dataset("cell")),
            size=values_of(dataset("size")).astype(int),
            periodic=values_of(dataset("periodic")).astype(bool),
            basis_index=values_of(dataset("basis_index")).astype(int),
            occupied=(values_of(group["occupied"]).astype(bool) if "occupied" in group
                      else np.ones(len(moments), dtype=bool)),
            **_layers(group),
            length_unit=unit_of(dataset("positions")),
            **more,
        )

    @classmethod
    def _of_atoms(cls, group: h5py.Group, more: dict[str, Any]) -> Model:
        """Moving atoms: a box of one cell, without moments."""
        atoms = len(group["masses"])
        periodic = values_of(group["periodic"]).astype(bool)
        first_atom = values_of(group["first_atom"]).astype(int) if "first_atom" in group else None
        return cls(
            positions=values_of(group["positions"]),
            moments=np.zeros(atoms),
            species=texts_of(group["species"]),
            cell=values_of(group["cell"]),
            size=values_of(group["size"]).astype(int),
            periodic=periodic if first_atom is None else periodic.reshape(-1, 3),
            basis_index=np.arange(atoms),
            occupied=np.ones(atoms, dtype=bool),
            length_unit=unit_of(group["positions"]),
            masses=values_of(group["masses"]),
            first_atom=first_atom,
            ids=optional_values(group, "ids"),
            **more,
        )

    def atoms_of(self, replica: int) -> slice:
        """Where lists of all stored replicas of atoms have this replica, if `first_atom` is not None: for
        instance `stage.configuration[model.atoms_of(2)]`, if replicas have unequal numbers of atoms.
        Raises NotInResults if all replicas have equal structures."""
        if self.first_atom is None:
            raise not_in_results("array", "first_atom", "the model", ())
        return slice(int(self.first_atom[replica]), int(self.first_atom[replica + 1]))

    @classmethod
    def _of_basis(cls, group: h5py.Group, cell: Array, size: Array, periodic: Array,
                  more: dict[str, Any]) -> Model:
        """A large perfect lattice, of which the file holds only the first cell."""
        basis = group["basis"]
        atoms = len(basis["moments"])
        z, y, x, b = np.meshgrid(*(np.arange(n) for n in (*size[::-1], atoms)), indexing="ij")
        positions = np.stack([x, y, z], axis=-1) @ cell + values_of(basis["positions"])[b]
        cells = int(np.prod(size))
        return cls(
            positions=positions.reshape(-1, 3),
            moments=np.tile(values_of(basis["moments"]), cells),
            species=texts_of(basis["species"]) * cells,
            cell=cell,
            size=size,
            periodic=periodic,
            basis_index=b.ravel(),
            occupied=np.ones(cells * atoms, dtype=bool),
            **_layers(group),
            length_unit=unit_of(basis["positions"]),
            **more,
        )

    @property
    def sites(self) -> int:
        """Number of sites, N."""
        return len(self.positions)

    @property
    def basis_sites(self) -> int:
        """Sites in one unit cell."""
        return self.sites // int(np.prod(self.size))

    def to_ase(self) -> Any:
        """The sites as Atoms of ASE, with the moments as initial magnetic moments in Bohr magnetons. Vacancies are left
        out. Raises NotInResults for sites without positions, and MissingPackage without ASE."""
        from .ase_atoms import atoms_of_model

        return atoms_of_model(self)

    def __repr__(self) -> str:
        size = " x ".join(str(n) for n in self.size)
        kinds = ", ".join(dict.fromkeys(self.species))
        return f"<Model: {self.sites} sites ({kinds}), {size} cells of {self.basis_sites}>"


def _layers(group: h5py.Group) -> dict[str, Any]:
    """Layers of the first cell; empty for plain positions and for files of format 3 and older."""
    if "basis_layer" not in group:
        return {}
    stored = group["basis_layer"]
    return {"basis_layer": values_of(stored), "layers_per_cell": int(stored.attrs["layers_per_cell"])}


def _of_kind(group: h5py.Group) -> dict[str, Any]:
    """Arrays that only some model kinds have."""
    couplings = None
    if "bonds" in group:
        couplings = Couplings(*(values_of(group[name]) for name in ("bonds", "J", "Jxy", "h", "Gamma")))
    return {"details": attributes(group), "couplings": couplings, "kappa": optional_values(group, "kappa"),
            "coordinates": texts_of(group["coordinates"]) if "coordinates" in group else [],
            "parameters": attributes(group["parameters"]) if "parameters" in group else {}}
