"""The cluster that breaks up: energies and temperatures of each rung, in a shorter run."""
# Rooms: atoms, study

import h5py
import numpy as np
import pytest

from running import require_potential, run_example

# Energies per atom of the whole example, at the temperatures of the first, sixth and last rung.
ENERGIES = {800: -9.231, 1921: -8.876, 4000: -8.687}


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    require_potential("W_2940_2017_2.snap")
    output = run_example("replica-exchange-cluster", tmp_path_factory.mktemp("cluster"),
                         'stage.1.temperature=["800 K", "1200 K", "1600 K", "1921 K", "2300 K", "2700 K", "3300 K", "4000 K"]',
                         "stage.1.thermalisation=1500", "stage.1.steps=4000")
    with h5py.File(output) as file:
        found = file["stages/01-tempering"]
        return {"rungs": found["temperature"][()],
                **{name: (group["value"][()], group["error"][()]) for name, group in found["averages"].items()}}


def test_each_rung_has_its_temperature(stage):
    T, error = stage["temperature"]
    assert np.all(np.abs(T - stage["rungs"]) < 4 * error)
    assert np.all(error < 0.05 * stage["rungs"])


def test_energies_are_those_of_the_whole_example(stage):
    energy, error = stage["energy"]
    assert np.all(np.diff(energy) > 0)
    for T, expected in ENERGIES.items():
        rung = list(stage["rungs"]).index(T)
        assert abs(energy[rung] - expected) < 4 * np.hypot(error[rung], 0.01), T
    np.testing.assert_allclose(stage["potential_energy"][0], 7 * energy)


def test_the_cluster_breaks_up_as_it_gets_hot(stage):
    heat, _ = stage["configurational_specific_heat"]
    # Seven harmonic atoms would have 9/7 k_B, and a gas has 0.
    assert heat[:4].max() > 9 / 7 and heat[-1] < 0.7
