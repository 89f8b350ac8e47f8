"""The vacancy hop in tungsten: barrier, attempt frequency and rates, from LAMMPS's energies and forces."""
# Rooms: atoms, paths

import h5py
import numpy as np
import pytest

from running import require_potential, run_example


def test_barrier_and_rates(tmp_path):
    require_potential("W_2940_2017_2.snap")
    output = run_example("tungsten-vacancy-hop", tmp_path, "stage.1.images=5")
    with h5py.File(output) as file:
        stage = file["stages/01-minimum-energy-path"]
        forward, backward = stage["lifetime/forward"], stage["lifetime/backward"]
        assert stage["path"].attrs["barrier_forward"] == pytest.approx(2.048686, abs=2e-6)
        assert stage["path"].attrs["barrier_backward"] == pytest.approx(2.048686, abs=2e-6)
        assert forward.attrs["attempt_frequency"] == pytest.approx(50.2371, rel=1e-5)
        assert stage["saddle/frequency"][0] == pytest.approx(-1.91374, rel=1e-4)
        at_2000 = int(np.argmin(np.abs(stage["lifetime/temperature"][()] - 2000)))
        assert forward["rate"][at_2000] == pytest.approx(8 * 3.4559e-4, rel=1e-3)
        np.testing.assert_allclose(forward["rate"][()], backward["rate"][()], rtol=1e-5)
