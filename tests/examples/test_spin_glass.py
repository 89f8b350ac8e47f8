"""A spin glass freezes without a pattern. Only the squares of correlations show this."""
# Rooms: spins, correlations

import h5py
import numpy as np

from running import run_example


def test_susceptibility_of_the_glass(tmp_path):
    with h5py.File(run_example("spin-glass", tmp_path)) as file:
        hot, cold = ({name: (stage[f"{name}/value"][:], stage[f"{name}/error"][:])
                      for name in ("structure", "spin-glass-susceptibility",
                                   "by-distance/correlation", "by-distance/square")}
                     for stage in (file["stages/02-pair-correlations"],
                                   file["stages/04-pair-correlations"]))
        pairs = file["stages/04-pair-correlations/by-distance/pairs"][:]
    for stage in (hot, cold):
        square, error = stage["by-distance/square"]
        assert square[0] == 1 or abs(square[0] - 1) < 1e-9
        assert np.all(error[1:][pairs[1:] > 0] > 0)
        assert np.all(stage["structure"][0] < 4)
    far = slice(5, None)
    square, error = hot["by-distance/square"]
    assert np.all(np.abs(square[far]) < 5 * error[far] + 1e-3)
    assert np.all(cold["by-distance/square"][0][far] > 0.05)
    assert np.all(np.abs(cold["by-distance/correlation"][0][far]) < 0.02)
    glass, glass_error = cold["spin-glass-susceptibility"]
    assert glass[0] - 5 * glass_error[0] > 10 * hot["spin-glass-susceptibility"][0][0]
    assert glass[0] > 20 * glass[8]
