"""The zero modes of the kagome antiferromagnet in energy and specific heat."""
# Rooms: spins

import h5py
import numpy as np

from running import run_example


def test_eleven_twelfths(tmp_path):
    with h5py.File(run_example("kagome-antiferromagnet", tmp_path)) as file:
        stage = file["stages/01-monte-carlo"]
        T = stage["temperature"][:]
        average = {
            name: (stage[f"averages/{name}/value"][:], stage[f"averages/{name}/error"][:])
            for name in ("energy", "specific_heat", "magnetisation")
        }
    energy, error = average["energy"]
    heat, heat_error = average["specific_heat"]
    assert np.all(np.diff(T) < 0) and np.all(np.diff(energy) < 0)
    # The ground state has the energy -1. From T = 0 to T, the mean of the specific heat is between
    # 11/12 and 1.
    slope = (energy + 1) / T
    for i in np.flatnonzero(T <= 0.03):
        assert 11 / 12 - 4 * error[i] / T[i] < slope[i] < 1
    coldest = np.argmin(T)
    assert T[coldest] == 0.001
    assert abs(slope[coldest] - 11 / 12) < 4 * error[coldest] / T[coldest] + 0.002
    assert abs(heat[coldest] - 11 / 12) < 4 * heat_error[coldest] + 0.015
    assert heat_error[coldest] < 0.02
    assert average["magnetisation"][0][coldest] < 0.02
