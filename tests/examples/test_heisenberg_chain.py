"""The chain example, compared with Fisher's solution in sigmas."""
# Rooms: spins, correlations

import h5py
import numpy as np
import pytest

from running import run_example


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    with h5py.File(run_example("heisenberg-chain", tmp_path_factory.mktemp("chain"))) as file:
        yield file["/stages/01-monte-carlo"]


def test_energy_and_specific_heat_follow_fisher(stage):
    temperature = stage["temperature"][:]
    energy = stage["averages/energy/value"][:], stage["averages/energy/error"][:]
    heat = stage["averages/specific_heat/value"][:], stage["averages/specific_heat/error"][:]
    x = 1 / temperature
    langevin = 1 / np.tanh(x) - 1 / x
    exact = -(1 - 1 / 64) * langevin
    assert np.all(np.abs(energy[0] - exact) < 3.89 * energy[1])
    # The exact specific heat is C = (1 - 1/N) (1 - x^2 / sinh^2 x), in k_B per site.
    exact = (1 - 1 / 64) * (1 - x**2 / np.sinh(x) ** 2)
    assert np.all(np.abs(heat[0] - exact) < 3.89 * heat[1])
    assert np.all(energy[1] < 1e-3)


def test_structure_factor_is_the_sum_of_correlations(stage):
    factor = stage["structure-factor"]
    x = 1 / factor["temperature"][:][:, None]
    q, value, error = (factor[name][:] for name in ("q", "static", "static_error"))
    langevin = 1 / np.tanh(x) - 1 / x
    exact = 1 + sum(2 * (1 - d / 64) * langevin**d * np.cos(2 * np.pi * q[:, 0] * d)
                    for d in range(1, 64))
    pull = (value - exact) / error
    assert np.abs(pull).max() < 4.4 and 0.5 < np.mean(pull**2) < 1.7
    assert np.all(error < 0.03 * exact)
