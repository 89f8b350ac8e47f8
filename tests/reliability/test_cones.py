"""Cones of Metropolis moves survive a stop. tests/physics/annealing_test.cpp tests their tuning."""
# Rooms: study

import signal

from program import assert_same_bits, larmor
from running import start, stop_once_there

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


def test_cones_survive_a_stop_between_the_stages(tmp_path):
    """The run is stopped in a stage that has no cones of its own."""
    study, expected, output = (tmp_path / name for name in ("s.toml", "expected.h5", "stopped.h5"))
    study.write_text(SQUARE + DYNAMICS.format(steps=30000) + SAMPLING)
    assert larmor("run", study, "-o", expected).returncode == 0
    process = start("run", study, "-o", output)
    # The first checkpoint is written at the end of the annealing.
    code, _, errors = stop_once_there(process, tmp_path / "stopped.h5.ckpt", signal.SIGINT)
    assert code == 130, errors
    resumed = larmor("resume", output)
    assert resumed.returncode == 0, resumed.stderr
    assert_same_bits(expected, output)
