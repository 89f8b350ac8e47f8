"""The velocity of the driven wall, compared with (beta / alpha) u."""
# Rooms: spins

import h5py
import numpy as np

from running import run_example


def test_the_wall_moves_at_beta_over_alpha_times_the_current(tmp_path):
    with h5py.File(run_example("domain-wall-current", tmp_path)) as file:
        series = file["stages/01-dynamics/series/magnetisation"]
        time, up = series["time"][:], series["value"][:, 0, 2]
    position = 240 * (1 + up) / 2
    assert np.ptp(position[time < 500]) < 0.01  # at rest until the current flows
    late = time > 3000
    velocity = np.polyfit(time[late], position[late], 1)[0]
    assert abs(velocity - 0.45 / 0.3 * 0.01) < 0.01 * velocity
