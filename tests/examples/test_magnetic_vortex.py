"""The vortex is closed, has a core, and has less energy than the uniform state."""
# Rooms: spins

import h5py
import numpy as np

from running import run_example


def test_the_vortex_is_closed_and_has_a_core(tmp_path):
    with h5py.File(run_example("magnetic-vortex", tmp_path)) as file:
        stage = file["stages/01-dynamics"]
        energy = stage["series/energy/value"][:, 0]
        terms = {
            name: stage[f"series/energy_{name}/value"][-1, 0] for name in ("dipolar", "exchange")
        }
        charge = stage["series/topological_charge/value"][-1, 0]
        spins = stage["configuration"][0]
        positions = file["model/positions"][:]
    assert np.all(np.diff(energy) < 1e-12)
    assert abs(energy[-1] + 2.7974) < 1e-4
    assert abs(sum(terms.values()) - energy[-1]) < 1e-12
    assert -0.13 < terms["dipolar"] < -0.12
    assert abs(charge - 2) < 0.05
    middle = positions.mean(0)
    offset = positions - middle
    distance = np.hypot(offset[:, 0], offset[:, 1])
    assert spins[distance < 1, 2].min() > 0.7
    # Spins turn counterclockwise: they lie along z x r everywhere outside the core.
    around = (offset[:, 0] * spins[:, 1] - offset[:, 1] * spins[:, 0]) / distance
    assert around[distance > 6].min() > 0.6
    assert np.abs(spins[:, :2].mean(0)).max() < 1e-9
