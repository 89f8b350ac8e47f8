"""Ground states of a two-dimensional spin glass. Copies that exchange clusters agree on the lowest
energy, and copies that do not exchange clusters disagree."""
# Rooms: tempering, ising

import numpy as np
import pytest

from running import run_example, script_of_example

compare = script_of_example("spin-glass-2d-ground-state")


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Runs the example with fewer samples and smaller lattices."""
    return run_example("spin-glass-2d-ground-state", tmp_path_factory.mktemp("ground-states"), "replicas=480", "samples=20",
                       "lattice.size=[12, 12]", "stage.1.sweeps=1024")


def test_cluster_moves_make_copies_agree(results):
    with compare.larmor.open(results) as file:
        searches = compare.searches_of(file)
    shares = {name: compare.agreement(lowest)[-1] for name, (lowest, _) in searches.items()}
    assert shares["with cluster moves"] >= 0.9, shares
    assert shares["single spins alone"] <= 0.5, shares
    best = searches["with cluster moves"][0][-1].min(axis=1)
    assert (best <= searches["single spins alone"][0][-1].min(axis=1) + 1e-9).mean() >= 0.9


def test_the_mean_energy_is_near_that_of_large_systems(results):
    with compare.larmor.open(results) as file:
        lowest, _ = compare.searches_of(file)["with cluster moves"]
    value, error = compare.mean_and_error(lowest[-1].min(axis=1))
    # The finite-size correction for this size is smaller than the error.
    assert abs(value - compare.GROUND_STATE) < 4 * error < 0.08


def test_the_lowest_energy_is_not_that_of_another_time():
    lowest = np.minimum.accumulate(np.array([[[3.0, 1.0]], [[2.0, 2.0]], [[1.0, 5.0]]]), axis=0)
    assert list(compare.agreement(lowest)) == [0, 0, 1]


def test_the_script_draws_and_prints(results, capsys):
    picture = results.with_name("energies.png")
    compare.main(str(results), str(picture))
    assert picture.stat().st_size > 10000
    assert len(capsys.readouterr().out.splitlines()) == 3
