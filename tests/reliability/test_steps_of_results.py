"""`step` of a series and of a trajectory has one meaning: steps or sweeps of the stage, or of its point.
Thermalisation and earlier stages do not count."""
# Rooms: study

import h5py
import numpy as np

from program import run_study

LATTICE = """seed = 2
replicas = 9
[lattice]
type = "square"
size = [4, 4]
[[exchange]]
shell = 1
J = 1.0
"""


def steps_of(stage, name):
    return stage[f"series/{name}/step"][:], stage["trajectory/step"][:]


def test_monte_carlo_counts_sweeps_after_thermalisation(tmp_path):
    done, output = run_study(tmp_path, LATTICE + """
[[stage]]
kind = "monte-carlo"
sampler = "heat-bath"
over_relaxation = 2
temperature = [1.0, 0.6]
thermalisation = 70
sweeps = 60
measure_every = 5
trajectory_every = 2
""")
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        stage = file["stages/01-monte-carlo"]
        series, trajectory = steps_of(stage, "energy")
        time = stage["trajectory/time"][:]
        assert stage["trajectory/time"].attrs["unit"] == "sweeps"
        # The energy of a frame equals that of the series at the step and point of the frame.
        spins = stage["trajectory/value"][:, 0].reshape(-1, 4, 4, 3)
        bonds = sum((spins * np.roll(spins, 1, axis)).sum(axis=(1, 2, 3)) for axis in (1, 2))
        point = stage["series/energy/point"][:]
        energy = stage["series/energy/value"][:, 0]
    np.testing.assert_array_equal(series, 2 * list(range(5, 61, 5)))
    np.testing.assert_array_equal(trajectory, 2 * list(range(10, 61, 10)))
    np.testing.assert_array_equal(time, list(range(10, 121, 10)))
    for frame, (step, after) in enumerate(zip(trajectory, time)):
        at = (series == step) & (point == (after - 1) // 60)
        np.testing.assert_allclose(energy[at], [-bonds[frame] / 16], atol=1e-12)


def test_dynamics_counts_its_own_steps(tmp_path):
    dynamics = """
[[stage]]
kind = "dynamics"
timestep = 0.02
steps = 40
measure = [{ what = "energy", every = 10 }, { what = "trajectory", every = 20 }]
"""
    sampling = '\n[[stage]]\nkind = "monte-carlo"\ntemperature = 1.0\nsweeps = 15\n'
    done, output = run_study(tmp_path, LATTICE + sampling + dynamics + dynamics)
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        for name in ("02-dynamics", "03-dynamics"):
            series, trajectory = steps_of(file[f"stages/{name}"], "energy")
            np.testing.assert_array_equal(series, [0, 10, 20, 30, 40])
            np.testing.assert_array_equal(trajectory, [0, 20, 40])
            np.testing.assert_allclose(file[f"stages/{name}/trajectory/time"], [0, 0.4, 0.8])


def test_hysteresis_counts_the_steps_at_each_field(tmp_path):
    done, output = run_study(tmp_path, LATTICE + """
[initial]
state = "aligned"
direction = [0.1, 0, 1]
[[stage]]
kind = "hysteresis"
direction = [0, 0, 1]
field = { from = 1.0, to = -1.0, points = 3 }
trajectory = true
""")
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        stage = file["stages/01-hysteresis"]
        np.testing.assert_array_equal(stage["trajectory/step"], stage["steps"])
        np.testing.assert_array_equal(stage["trajectory/time"], [0, 1, 2])
        assert stage["trajectory/step"][:].sum() > 0
