"""Stages on the energy landscape give equal bits for any number of threads and after any
interruption."""
# Rooms: spins, study

import random
import signal
import time

import pytest

from program import DEPTH, assert_same_bits, is_complete, larmor
from running import start, stop_after

STUDY = """
seed = 5
replicas = {replicas}

[lattice]
type = "square"
size = [{size}, {size}]

[[exchange]]
shell = 1
J = 1.0

[[anisotropy]]
K = 0.2

[[random-field]]
width = 0.8

[[stage]]
kind = "minimise"
steps = 60
perturbation = 0.01
measure = ["energy-terms"]

[[stage]]
kind = "hysteresis"
method = "cg"
direction = [0.1, 0, 1]
field = {{ from = 2, to = -2, points = 4 }}
loop = true
trajectory = true
steps = 40

[[stage]]
kind = "minimise"
method = "damped"
steps = 40
"""

PATH = """
[[stage]]
kind = "minimum-energy-path"
final = { state = "aligned", direction = [0, 0, -1] }
images = 9
steps = 60
"""


def write(path, size, replicas):
    path.write_text(STUDY.format(size=size, replicas=replicas) + (PATH if replicas == 1 else ""))
    return path


# The cases are a small system, many replicas in packs, and a system with several blocks for
# threads.
@pytest.mark.parametrize("size, replicas", [(6, 1), (24, 9), (96, 1)])
def test_threads_do_not_change_a_bit(tmp_path, size, replicas):
    study = write(tmp_path / "study.toml", size, replicas)
    for threads in (1, 2, 3):
        run = larmor("run", study, "-o", tmp_path / f"{threads}.h5", "--threads", threads)
        assert run.returncode == 0, run.stderr
    assert_same_bits(tmp_path / "1.h5", tmp_path / "2.h5")
    assert_same_bits(tmp_path / "1.h5", tmp_path / "3.h5")


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reference")
    study = write(folder / "study.toml", 48, 1)
    began = time.monotonic()
    run = larmor("run", study, "-o", folder / "reference.h5")
    assert run.returncode == 0, run.stderr
    return study, folder / "reference.h5", time.monotonic() - began


@pytest.mark.parametrize("case", range(8 if DEPTH else 2))
def test_killed_at_a_random_moment(reference, tmp_path, case):
    study, expected, seconds = reference
    moment = random.Random(100 + case)
    output = tmp_path / "killed.h5"
    code = -1
    for attempt in range(30):
        resumable = output.exists()
        process = start("resume" if resumable else "run", output if resumable else study,
                        *([] if resumable else ["-o", output]), "--checkpoint-every", "0.01")
        limit = moment.uniform(0.1, 0.6) if attempt < 4 else 3
        code, *_ = stop_after(process, limit * seconds, signal.SIGKILL)
        if code == 0 or is_complete(output):
            break
    assert is_complete(output)
    assert_same_bits(expected, output)
