"""Order is lost within a picosecond and comes back; the spins' own temperature follows the bath."""

import h5py
import numpy as np

from running import run_example


def test_demagnetisation_and_recovery(tmp_path):
    with h5py.File(run_example("ultrafast-pulse", tmp_path)) as file:
        cold = file["stages/01-monte-carlo/averages/magnetisation/value"][0]
        series = file["stages/02-dynamics/series"]
        time = series["magnetisation/time"][:]
        m = np.linalg.norm(series["magnetisation/value"][:], axis=2).mean(1)
        temperature = series["spin_temperature/value"][:].mean(1)
    before = time < 0.3
    lowest = np.argmin(m)
    assert np.allclose(m[before], cold, rtol=0.02)
    assert np.allclose(temperature[before].mean(), 300, rtol=0.03)
    # The order is lowest after the bath was hottest, at 0.5 ps.
    assert 0.6 < time[lowest] < 1.1
    assert 0.3 * cold < m[lowest] < 0.5 * cold
    # The spins never get as hot as the bath, and end where it does.
    hottest = np.argmax(temperature)
    assert 0.5 < time[hottest] < 0.8 and 1000 < temperature[hottest] < 1300
    end = time > 5.5
    assert np.allclose(temperature[end].mean(), 450, rtol=0.03)
    assert m[lowest] < m[end].mean() < cold
