"""Cones of Metropolis moves: tuned while nothing is averaged, and handed from stage to stage."""

import signal
import subprocess
import time

import h5py
import numpy as np
import pytest

from program import PATIENCE, assert_same_bits, command, larmor, run_study

# One spin a replica: whatever ties its cone to where it points shows at once.
ONE_SPIN = """
seed     = 11
replicas = 256
[lattice]
type     = "chain"
size     = [1]
periodic = false
[field]
B = [0, 0, 1]
[[stage]]
kind        = "anneal"
temperature = { from = 1.0, to = 0.2, points = 2 }
sweeps      = 20000
target_acceptance = 0.9
"""

SQUARE = """
seed     = 3
replicas = 9
[lattice]
type = "square"
size = [16, 16]
[[exchange]]
shell = 1
J     = 1.0
[field]
B = [0, 0, 0.5]
[[stage]]
kind        = "anneal"
temperature = { from = 2.0, to = 0.05, factor = 0.7 }
sweeps      = 60
target_acceptance = 0.4
"""

DYNAMICS = """
[[stage]]
kind     = "dynamics"
timestep = 0.02
steps    = {steps}
"""

SAMPLING = """
[[stage]]
kind           = "monte-carlo"
temperature    = 0.05
thermalisation = 0
sweeps         = 200
"""


def test_averages_of_an_annealing_are_those_of_equilibrium(tmp_path):
    """Langevin's. A cone that follows a spin while it is averaged breaks detailed balance."""
    run, output = run_study(tmp_path, ONE_SPIN)
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        stage = file["stages/01-anneal"]
        x = 1 / stage["temperature"][:]
        value, error = (stage[f"averages/energy/{name}"][:] for name in ("value", "error"))
    exact = -(1 / np.tanh(x) - 1 / x)
    assert np.all(error < 0.004)
    assert np.all(np.abs(value - exact) < 4 * error)


def average(file, stage, name):
    return file[f"stages/{stage}/averages/{name}/value"][-1]


def test_a_stage_begins_with_the_cones_of_the_one_before(tmp_path):
    run, output = run_study(tmp_path, SQUARE + DYNAMICS.format(steps=10) + SAMPLING)
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        handed_on = average(file, "01-anneal", "cone_angle")
        assert 0.1 < handed_on < 1
        assert average(file, "03-monte-carlo", "cone_angle") == handed_on
        assert average(file, "03-monte-carlo", "acceptance") == pytest.approx(0.4, abs=0.05)


def test_a_heat_bath_between_leaves_the_cones(tmp_path):
    between = SAMPLING + 'sampler = "heat-bath"\n'
    run, output = run_study(tmp_path, SQUARE + between + SAMPLING)
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        assert average(file, "03-monte-carlo", "cone_angle") == average(file, "01-anneal", "cone_angle")


def test_cones_survive_a_stop_between_the_stages(tmp_path):
    """The run is stopped in a stage that has no cones of its own."""
    study, expected, output = (tmp_path / name for name in ("s.toml", "expected.h5", "stopped.h5"))
    study.write_text(SQUARE + DYNAMICS.format(steps=30000) + SAMPLING)
    assert larmor("run", study, "-o", expected).returncode == 0
    process = subprocess.Popen(command("run", study, "-o", output, "--progress", "quiet"))
    # The first checkpoint is that of the end of the annealing.
    deadline = time.monotonic() + 60
    while not output.with_suffix(".ckpt").exists() and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 130
    resumed = larmor("resume", output)
    assert resumed.returncode == 0, resumed.stderr
    assert_same_bits(expected, output)
