"""Programs of Vampire, run from its files and compared with exact results."""
# Rooms: imports

import h5py
import numpy as np

from program import larmor

INPUT = """create:crystal-structure = sc
create:periodic-boundaries
material:file = grain.mat
dimensions:unit-cell-size = 3.0 !A
dimensions:system-size = 6.0 !A
sim:program = hysteresis-loop
sim:integrator = llg-heun
sim:temperature = 0
sim:time-step = 4.0e-14
sim:equilibration-time-steps = 2000
sim:equilibration-applied-field-strength = 2.0 !T
sim:loop-time-steps = 6000
sim:time-steps-increment = 6000
sim:maximum-applied-field-strength = 0.95 !T
sim:applied-field-strength-increment = 0.1 !T
sim:applied-field-unit-vector = 1, 0, 1
"""
MATERIAL = """material[1]:atomic-spin-moment = 2 !muB
material[1]:damping-constant = 1.0
material[1]:exchange-matrix[1] = 2.0e-23
material[1]:uniaxial-anisotropy-constant = 9.2740100783e-24
material[1]:uniaxial-anisotropy-direction = 0, 0, 1
material[1]:initial-spin-direction = 1, 0, 1
"""


def stoner_wohlfarth(fields):
    """Moments along a field at 45 degrees to the easy axis, in a loop of fields / (2 K / mu)."""
    angle, along = np.pi / 4, []
    for h in fields:
        for _ in range(200000):
            torque = 0.5 * np.sin(2 * angle) + h * np.sin(angle - np.pi / 4)
            angle -= 0.05 * torque
            if abs(torque) < 1e-12:
                break
        along.append(np.cos(angle - np.pi / 4))
    return np.array(along)


def test_hysteresis_loop_of_a_grain(tmp_path):
    (tmp_path / "input").write_text(INPUT)
    (tmp_path / "grain.mat").write_text(MATERIAL)
    run = larmor("run", tmp_path / "input", "-o", tmp_path / "loop.h5")
    assert run.returncode == 0, run.stderr
    falling = np.arange(95, -96, -10) / 100
    fields = np.concatenate([falling, -falling])
    with h5py.File(tmp_path / "loop.h5") as file:
        stages = [file["stages"][name] for name in sorted(file["stages"])]
        assert len(stages) == 1 + len(fields)
        ends = np.array([stage["series/magnetisation/value"][()].reshape(-1, 3)[-1] for stage in stages[1:]])
    along = ends @ np.array([1, 0, 1]) / np.sqrt(2) / 2
    exact = stoner_wohlfarth(fields)
    assert np.abs(along - exact).max() < 1e-3
    # The grain switches at half of the anisotropy field, 0.5 T.
    assert along[fields == -0.45][0] > 0 > -0.8 > along[fields == -0.55][0]
