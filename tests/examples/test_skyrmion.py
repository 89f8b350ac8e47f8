"""The charge of the skyrmion, and its energy over the field-polarised state."""

import h5py
import numpy as np

from running import run_example


def test_the_charge_stays_minus_one(tmp_path):
    with h5py.File(run_example("skyrmion", tmp_path)) as file:
        for stage in ("01-dynamics", "02-dynamics"):
            charge = file[f"stages/{stage}/series/topological_charge/value"][:]
            assert np.all(np.abs(charge + 1) < 1e-9)
        energy = file["stages/01-dynamics/series/energy/value"][:, 0]
        warm = file["stages/02-dynamics/series/energy/value"][50:].mean()
        spins = file["stages/01-dynamics/configuration"][0]
        positions = file["model/positions"][:]
    assert np.all(np.diff(energy) < 1e-12)
    # All along the field: - 2 J - B.
    assert 0 < energy[-1] + 2.2 < 1e-3
    assert energy[-1] < warm < energy[-1] + 0.1
    # Core down; around it the spins point inwards or outwards, not along circles.
    core = positions[np.argmin(spins[:, 2])]
    assert spins[:, 2].min() < -0.9
    offset = positions - core
    ring = np.abs(spins[:, 2]) < 0.5
    radial = (spins * offset).sum(1)[ring] / np.linalg.norm(offset[ring], axis=1)
    along = np.linalg.norm(spins[ring, :2], axis=1)
    assert np.all(np.abs(radial) > 0.8 * along) and np.ptp(np.sign(radial)) == 0
