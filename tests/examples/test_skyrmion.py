"""The charge of the skyrmion, and its energy above the field-polarised state."""
# Rooms: spins

import h5py
import numpy as np
import pytest

from running import run_example


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return run_example("skyrmion", tmp_path_factory.mktemp("skyrmion"))


def check_relaxed(file):
    stage = file["stages/01-minimise"]
    assert stage.attrs["converged"] == 1
    assert abs(stage["averages/topological_charge/value"][0] + 1) < 1e-9
    energy = stage["averages/energy/value"][0]
    # If all spins are along the field, the energy is - 2 J - B.
    assert abs(energy + 2.2 - 2.94e-4) < 2e-6
    spins, positions = stage["configuration"][0], file["model/positions"][:]
    # The core points down, and the spins around it point inwards.
    core = positions[np.argmin(spins[:, 2])]
    assert spins[:, 2].min() < -0.9
    offset = positions - core
    ring = np.abs(spins[:, 2]) < 0.5
    radial = (spins * offset).sum(1)[ring] / np.linalg.norm(offset[ring], axis=1)
    along = np.linalg.norm(spins[ring, :2], axis=1)
    assert np.all(radial < -0.8 * along)
    return energy


def test_the_guess_relaxes_to_a_skyrmion_which_heat_does_not_destroy(results):
    with h5py.File(results) as file:
        relaxed = check_relaxed(file)
        stage = file["stages/02-dynamics"]
        charge = stage["series/topological_charge/value"][:]
        assert np.all(np.abs(charge + 1) < 1e-9)
        warm = stage["series/energy/value"][50:].mean()
    assert relaxed < warm < relaxed + 0.1


@pytest.mark.parametrize("method", ["cg", "damped"])
def test_every_minimiser_finds_it(tmp_path, method):
    changes = [f'stage.1.method="{method}"', "stage.2.steps=40"]
    with h5py.File(run_example("skyrmion", tmp_path, *changes)) as file:
        check_relaxed(file)
