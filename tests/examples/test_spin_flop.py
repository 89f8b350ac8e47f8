"""The fields of the spin flop, of saturation and of the reverse transition."""
# Rooms: spins

import h5py
import numpy as np

from running import run_example


def test_flop_saturation_and_return(tmp_path):
    with h5py.File(run_example("spin-flop", tmp_path)) as file:
        stage = file["stages/01-hysteresis"]
        assert stage.attrs["converged"]
        field = stage["field"][:]
        moment = stage["averages/magnetisation_z/value"][:]
        across = np.hypot(stage["averages/magnetisation_x/value"][:],
                          stage["averages/magnetisation_y/value"][:])
    J, K, step = 4, 0.3, 0.05
    up, down = slice(0, 181), slice(180, 361)
    flop = field[up][np.argmax(moment[up] > 0.1)]
    assert 0 <= flop - 2 * np.sqrt(K * (J + K)) < step
    back = field[down][np.argmax(moment[down] < 0.1)]
    assert 0 <= 2 * (J - K) * np.sqrt(K / (J + K)) - back < step
    flopped = (moment > 0.1) & (field < 2 * (J - K) - 1e-9)
    np.testing.assert_allclose(moment[flopped], field[flopped] / (2 * (J - K)), atol=1e-6)
    np.testing.assert_allclose(moment[field > 2 * (J - K) + 1e-9], 1, atol=1e-9)
    assert np.max(np.abs(moment[moment < 0.1])) < 1e-6
    assert np.max(across) < 1e-5
