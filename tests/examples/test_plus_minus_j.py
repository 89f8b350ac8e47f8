"""A ±J glass. At high temperature, C^2 does not depend on the signs. At low temperature, C^2 grows
without a pattern in C."""
# Rooms: spins, correlations

import h5py
import numpy as np
import pytest

from running import run_example


def langevin(x):
    return 1 / np.tanh(x) - 1 / x


@pytest.fixture(scope="module")
def stages(tmp_path_factory):
    with h5py.File(run_example("plus-minus-j", tmp_path_factory.mktemp("glass"))) as file:
        yield {name: file[f"stages/{number}-pair-correlations"]
               for name, number in (("warm", "02"), ("cold", "04"))}


def estimate(stage, name):
    return stage[f"{name}/value"][:], stage[f"{name}/error"][:]


def test_warm_neighbours_are_those_of_a_single_bond(stages):
    square, error = estimate(stages["warm"], "by-distance/square")
    mean, mean_error = estimate(stages["warm"], "by-distance/correlation")
    # Bins have a width of a quarter: neighbours are at 1 and the next pairs at sqrt 2. Loops of
    # four bonds add 1e-4.
    L = langevin(1 / 2)
    assert abs(square[4] - L**2) < 5 * error[4] + 2e-4
    assert error[4] < 0.1 * L**2
    # Two paths of two bonds join such a pair, with independent signs.
    assert abs(square[5] - 2 * L**4) < 5 * error[5] + 2e-4
    assert abs(mean[4]) < 0.05


def test_cold_spins_freeze_without_a_pattern(stages):
    for stage in stages.values():
        assert abs(stage["by-distance/square/value"][0] - 1) < 1e-9
        assert np.all(estimate(stage, "structure")[0] < 4)
    warm, warm_error = estimate(stages["warm"], "spin-glass-susceptibility")
    cold, cold_error = estimate(stages["cold"], "spin-glass-susceptibility")
    assert cold[0] - 5 * cold_error[0] > 10 * (warm[0] + 5 * warm_error[0])
    assert np.argmax(cold[:-1]) == 0
