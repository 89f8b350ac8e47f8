"""Antiferromagnet on the triangular lattice: entropy and free energy of a population equal those of a
transfer matrix, down to the ground states. The transfer matrix of the script is tested, too."""
# Rooms: tempering, ising

import itertools

import h5py
import numpy as np
import pytest

from running import run_example, script_of_example

exact = script_of_example("triangular-antiferromagnet")


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Runs the example with a smaller population on a smaller lattice."""
    return run_example("triangular-antiferromagnet", tmp_path_factory.mktemp("triangular"), "lattice.size=[6, 6]",
                       "replicas=2000")


@pytest.mark.parametrize("number, name", [(0, "energy"), (1, "free_energy"), (2, "entropy")])
def test_it_is_that_of_the_transfer_matrix(results, number, name):
    with h5py.File(results) as file:
        stage = file["stages/01-population-annealing"]
        T = stage["temperature"][:]
        value, error = (stage[f"averages/{name}/{part}"][:] for part in ("value", "error"))
    # If all replicas are ground states, their energies do not scatter.
    thermal = error > 1e-6
    off = (value - np.array([exact.exact(6, 6, t)[number] for t in T]))[thermal] / error[thermal]
    assert thermal.sum() > 10 and T[-1] == 0.1
    assert np.abs(off).max() < 4.5, off
    # The points are not independent: a deviation at one step persists at all later steps.
    assert (off**2).mean() < 2.5, off


def test_all_replicas_end_in_ground_states(results):
    with h5py.File(results) as file:
        stage = file["stages/01-population-annealing"]
        lowest = stage["lowest-state"].attrs
        assert lowest["energy"] == -1
        assert lowest["replicas"] == stage["population/size"][-1]
        assert lowest["families"] > 50


@pytest.mark.parametrize("T", [0.5, 2.0])
def test_the_transfer_matrix_counts_all_states(T):
    states = np.array(list(itertools.product((1, -1), repeat=12))).reshape(-1, 4, 3)
    energy = sum((states * moved).sum(axis=(1, 2)) for moved in (
        np.roll(states, 1, axis=2), np.roll(states, 1, axis=1), np.roll(states, (1, 1), axis=(1, 2))))
    weight = np.exp(-energy / T)
    assert exact.log_partition_function(3, 4, -1 / T) == pytest.approx(np.log(weight.sum()), rel=1e-12)
    assert exact.exact(3, 4, T)[0] == pytest.approx((weight * energy).sum() / weight.sum() / 12, rel=1e-6)


def test_the_script_draws_and_prints_them(results, capsys):
    picture = results.with_name("entropy.png")
    exact.main(str(results), str(picture))
    assert picture.stat().st_size > 10000
    assert len(capsys.readouterr().out.splitlines()) > 10
