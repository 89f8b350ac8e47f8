"""Atoms of ASE from artificial results."""

import h5py
import larmor
import numpy as np
import pytest
import results_file as synthetic

MASS = {"W": 183.84, "Be": 9.0122}


@pytest.fixture
def units():
    return pytest.importorskip("ase.units", reason="no ASE here")


def add_atoms(file, species, positions, cell, first_atom=None):
    group = file.create_group("model")
    group.attrs.update(kind="atoms", sites=len(species))
    group["positions"], group["cell"], group["size"] = positions, cell, np.ones(3, dtype=int)
    group["positions"].attrs["unit"] = "Å"
    group["species"] = np.array(species, dtype=h5py.string_dtype())
    group["masses"] = np.array([MASS[name] for name in species])
    group["periodic"] = np.ones(3 if first_atom is None else 3 * (len(first_atom) - 1), dtype=np.uint8)
    if first_atom is not None:
        group["first_atom"] = np.array(first_atom)


def test_moving_atoms_have_velocities_and_momenta(units, tmp_path):
    path, rng = tmp_path / "md.h5", np.random.default_rng(1)
    positions, velocities = rng.normal(size=(3, 2, 2, 3)), rng.normal(size=(3, 2, 2, 3))
    boxes = np.arange(1.0, 7.0).reshape(3, 2, 1, 1) * np.eye(3)
    with synthetic.create(path, units="material") as file:
        add_atoms(file, ["W", "Be"], positions[0, 0], np.eye(3))
        stage = synthetic.add_stage(file, "01-md")
        stage["configuration"], stage["velocities"], stage["box"] = positions[2], velocities[2], boxes[2]
        for name, values in (("value", positions), ("velocities", velocities), ("box", boxes)):
            stage[f"trajectory/{name}"] = values
    with larmor.open(path) as results:
        first, second = results.to_ase()
        frames = results.stages[0].to_ase(1, trajectory=True)
        (start,) = [results.model.to_ase()]
    assert second.get_chemical_symbols() == ["W", "Be"] and second.pbc.all()
    np.testing.assert_array_equal(second.positions, positions[2, 1])
    np.testing.assert_array_equal(second.cell.array, boxes[2, 1])
    assert second.get_masses().tolist() == list(MASS.values())
    # Angstrom per picosecond are 1e5 m/s / 1000.
    speeds = second.get_velocities() / (units.m / units.s)
    np.testing.assert_allclose(speeds, 100 * velocities[2, 1])
    energy = 0.5 * (second.get_masses()[:, None] * units._amu * speeds**2).sum() / units._e
    assert second.get_kinetic_energy() == pytest.approx(energy)
    assert len(frames) == 3 and np.array_equal(frames[1].positions, positions[1, 1])
    np.testing.assert_allclose(frames[1].get_velocities() * units.fs * 1000, velocities[1, 1])
    assert first.cell.array[0, 0] == 5 and start.cell.array[0, 0] == 1


def test_replicas_with_unequal_numbers_of_atoms(units, tmp_path):
    path = tmp_path / "unequal.h5"
    positions = np.arange(9.0).reshape(3, 3)
    with synthetic.create(path, units="material") as file:
        add_atoms(file, ["W", "Be", "Be"], positions, np.stack([np.eye(3), 2 * np.eye(3)]), [0, 1, 3])
        stage = synthetic.add_stage(file, "01-md")
        stage["configuration"], stage["velocities"] = positions, np.zeros((3, 3))
        stage["box"] = np.stack([np.eye(3), 2 * np.eye(3)])
    with larmor.open(path) as results:
        first, second = results.to_ase()
    assert first.get_chemical_symbols() == ["W"] and second.get_chemical_symbols() == ["Be", "Be"]
    np.testing.assert_array_equal(second.positions, positions[1:])


def test_spins_are_moments_of_sites(units, thermal):
    with h5py.File(thermal, "a") as file:
        species = file["model/species"].asstr()[()]
        species[[0, 1, 2]] = ["vacancy", "A", "A"]
        file["model/species"][...] = species
        file["model/moments"][...] = 2.5
        file["model/occupied"] = np.append(0, np.ones(11, dtype=np.uint8))
    with larmor.open(thermal) as results:
        _, atoms = results.to_ase()
    assert len(atoms) == 11 and atoms.get_chemical_symbols()[:3] == ["X", "X", "Fe"]
    assert atoms.arrays["species"][0] == "A"
    assert atoms.get_initial_magnetic_moments().tolist() == 11 * [[2.5, 0, 0]]
    assert atoms.cell.lengths().tolist() == [4, 3, 1] and atoms.pbc.tolist() == [True, True, False]


def test_sites_without_positions_have_no_atoms(units, tmp_path):
    path = tmp_path / "graph.h5"
    with synthetic.create(path) as file:
        file.create_group("model").attrs.update(kind="ising", sites=4)
        synthetic.add_stage(file, "01-anneal")["configuration"] = np.ones((1, 4), dtype=np.int8)
    with larmor.open(path) as results, pytest.raises(larmor.NotInResults, match="no dataset 'positions' in the model"):
        results.to_ase()
