"""Atoms of ASE from configurations of the results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import not_in_results
from .hdf5_values import Array
from .model import Model
from .tables import package

if TYPE_CHECKING:
    from .stage import Stage


def atoms_of_model(model: Model) -> Any:
    """The sites of a model; atoms have their positions before the first stage. Raises NotInResults if sites have no
    positions, or if replicas have structures of their own."""
    _require_positions(model)
    if model.masses is not None:
        return _moving(model, 0, model.positions, None, model.cell)
    return _sites(model, model.moments)


def final_atoms(stage: Stage) -> list[Any]:
    """The final configuration of each stored replica. Raises NotInResults if there is none."""
    model, numbers = stage.model, stage.configuration
    _require_positions(model)
    if model.masses is None:
        return [_sites(model, _moments(model, of_replica)) for of_replica in numbers]
    velocities, boxes = stage.velocities, stage.box
    return [_moving(model, replica, _of_replica(model, numbers, replica), _of_replica(model, velocities, replica), box)
            for replica, box in enumerate(boxes)]


def frames(stage: Stage, replica: int) -> list[Any]:
    """The trajectory of one replica. Raises NotInResults if the stage wrote none."""
    model, trajectory = stage.model, stage.trajectory
    _require_positions(model)
    if model.masses is None or trajectory.box is None or trajectory.velocities is None:
        return [_sites(model, _moments(model, frame[replica])) for frame in trajectory.value]
    return [_moving(model, replica, _of_replica(model, value, replica), _of_replica(model, velocities, replica),
                    box[replica])
            for value, velocities, box in zip(trajectory.value, trajectory.velocities, trajectory.box)]


def _require_positions(model: Model) -> None:
    if not model.sites:
        raise not_in_results("dataset", "positions", "the model", model.details)


def _of_replica(model: Model, numbers: Array, replica: int) -> Array:
    """Rows of one replica. Replicas with unequal numbers of atoms follow one another."""
    return np.asarray(numbers[model.atoms_of(replica)] if numbers.ndim == 2 else numbers[replica])


def _moving(model: Model, replica: int, positions: Array, velocities: Array | None, box: Array) -> Any:
    """Atoms with masses in g/mol. Velocities in Å/ps become Å per unit of time of ASE."""
    units = package("ase.units", "to_ase()")
    own = slice(None) if model.first_atom is None else model.atoms_of(replica)
    pbc = model.periodic if model.first_atom is None else model.periodic[replica]
    atoms = _atoms(model.species[own], positions, box, pbc)
    assert model.masses is not None
    atoms.set_masses(model.masses[own])
    if velocities is not None:
        atoms.set_velocities(velocities / (1000 * units.fs))
    return atoms


def _sites(model: Model, moments: Array) -> Any:
    """Occupied sites with scalar [N] or vector [N, 3] moments."""
    chosen = np.flatnonzero(model.occupied)
    cell = model.cell * model.size[:, None]
    atoms = _atoms([model.species[site] for site in chosen], model.positions[chosen], cell, model.periodic)
    atoms.set_initial_magnetic_moments(moments[chosen])
    return atoms


def _moments(model: Model, spins: Array) -> Array:
    """Moments along the spins: vectors [N, 3], or numbers [N] of Ising spins."""
    return np.asarray(model.moments[:, None] * spins if spins.ndim == 2 else model.moments * spins)


def _atoms(species: list[str], positions: Array, cell: Array, pbc: Array) -> Any:
    """Names other than chemical elements become X, and stay in the array `species`."""
    ase, data = package("ase", "to_ase()"), package("ase.data", "to_ase()")
    symbols = [name if name in data.atomic_numbers else "X" for name in species]
    atoms = ase.Atoms(symbols, positions=positions, cell=cell, pbc=pbc)
    if symbols != list(species):
        atoms.set_array("species", np.array(species))
    return atoms
