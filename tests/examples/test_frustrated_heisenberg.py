"""A frustrated magnet. After annealing, many replicas have walls. After tempering, no cold replica
has a wall. The reported energy of the spiral equals that of its configuration."""
# Rooms: tempering, spins

import h5py
import numpy as np
import pytest

from running import run_example, script_of_example

compare = script_of_example("frustrated-heisenberg")


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return run_example("frustrated-heisenberg", tmp_path_factory.mktemp("spiral"))


def test_annealing_is_stuck_and_tempering_is_not(results):
    with compare.larmor.open(results) as file:
        annealed, tempered, rungs = compare.minima_of(file)
    assert compare.share_of_ground_states(annealed) < 0.6
    assert compare.share_of_ground_states(tempered[:, rungs < compare.COLD]) == 1
    # No state has a lower energy than the spiral.
    assert min(annealed.min(), tempered.min()) > compare.GROUND_STATE - 1e-9


def test_the_ground_state_is_a_spiral_of_sixty_degrees(results):
    with h5py.File(results) as file:
        spins = file["stages/04-minimise/configuration"][0].reshape(4, 48, 3)
    np.testing.assert_allclose(np.sum(spins * np.roll(spins, -1, axis=1), axis=2), compare.COSINE, atol=1e-3)
    turn = np.cross(spins, np.roll(spins, -1, axis=1))[..., 2]
    assert np.all(turn > 0) or np.all(turn < 0)


def test_the_script_draws_and_prints(results, capsys):
    picture = results.with_name("minima.png")
    compare.main(str(results), str(picture))
    assert picture.stat().st_size > 10000
    assert "100% of 24 replicas" in capsys.readouterr().out
