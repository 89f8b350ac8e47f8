"""The iron example: averages of an independent program with equal couplings.

Reference: UppASD (commit d8d6663), Metropolis, 2000 atoms, 20 000 sweeps. UppASD counts J for both
directions; energies are in mRy per atom.
"""
# Rooms: spins

import h5py
import numpy as np
import pytest

from running import run_example

RYDBERG_EV = 13.605693122994
#              T / K   <|M|> / mu_B   E / mRy    tolerance
REFERENCE = [(300, 1.9549, -10.4232, 0.005), (600, 1.6016, -8.1387, 0.005), (900, 0.8544, -4.9013, 0.03)]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    # The study runs at the temperatures of the reference instead of those of the example.
    points = 'stage.1.temperature=["300 K", "600 K", "900 K"]'
    output = run_example("bcc-iron", tmp_path_factory.mktemp("iron"), points)
    with h5py.File(output) as file:
        stage = file["/stages/01-monte-carlo"]
        averages = {
            name: (stage[f"averages/{name}/value"][:], stage[f"averages/{name}/error"][:])
            for name in stage["averages"]
        }
        return stage["temperature"][:], averages, dict(file["/model"].attrs)


@pytest.mark.parametrize("temperature, magnetisation, energy, tolerance", REFERENCE)
def test_averages_agree_with_the_reference(results, temperature, magnetisation, energy, tolerance):
    temperatures, averages, _ = results
    point = int(np.argmin(np.abs(temperatures - temperature)))
    assert averages["magnetisation"][0][point] == pytest.approx(magnetisation, rel=tolerance)
    assert averages["energy"][0][point] / RYDBERG_EV * 1e3 == pytest.approx(energy, rel=tolerance)


def test_error_bars_are_small_enough_to_notice_a_deviation(results):
    _, averages, _ = results
    value, error = averages["magnetisation"]
    assert np.all(error[:3] / value[:3] < [0.002, 0.002, 0.01])


def test_ferromagnetic_energy_and_mean_field_temperature(results):
    _, _, model = results
    energy = float(model["energy_per_site_ferromagnet"]) / RYDBERG_EV * 1e3
    assert energy == pytest.approx(-12.4098, abs=1e-4)
    assert float(model["mean_field_temperature"]) == pytest.approx(1306.2, abs=0.1)
