"""The program appends to large results. A run writes little more than it keeps, and the file is
complete at any moment."""
# Rooms: io

import random
import signal
import subprocess
import time

import h5py
import numpy as np
import pytest

from program import PATIENCE, command, is_complete, larmor

FRAMES = 50
# The study has 160 000 spins, 3.84 MB per frame and 192 MB in total.
STUDY = f"""
seed = 4
[lattice]
type = "square"
size = [400, 400]
[[exchange]]
shell = 1
J = 1.0
[[stage]]
kind = "dynamics"
timestep = 0.05
steps = {FRAMES}
measure = [{{ what = "trajectory", every = 1 }}, {{ what = "energy", every = 10 }}]
"""


def bytes_written():
    """Bytes written by this process and by the children that have ended and were waited for."""
    with open("/proc/self/io") as counters:
        return int(dict(line.split(": ") for line in counters)["wchar"])


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """The study, its results, the bytes that the run wrote, and its seconds."""
    folder = tmp_path_factory.mktemp("large")
    study = folder / "study.toml"
    study.write_text(STUDY)
    before, begun = bytes_written(), time.monotonic()
    run = larmor("run", study, "-o", folder / "reference.h5")
    assert run.returncode == 0, run.stderr
    return study, folder / "reference.h5", bytes_written() - before, time.monotonic() - begun


def test_a_run_writes_little_more_than_it_keeps(reference):
    _, results, written, _ = reference
    kept = results.stat().st_size
    assert kept > FRAMES * 400 * 400 * 3 * 8
    assert written <= 1.5 * kept


def require_whole(results):
    """Tests that every frame in the file has spins of unit length. @return number of frames"""
    with h5py.File(results) as file:
        if "stages/01-dynamics/trajectory" not in file:
            return 0
        trajectory = file["stages/01-dynamics/trajectory"]
        frames = len(trajectory["step"])
        assert trajectory["value"].shape == (frames, 1, 160000, 3)
        assert len(trajectory["time"]) == frames
        for frame in {0, frames // 2, frames - 1} & set(range(frames)):
            lengths = np.linalg.norm(trajectory["value"][frame, 0], axis=1)
            np.testing.assert_allclose(lengths, 1, rtol=1e-12)
        return frames


def test_killed_at_any_moment_the_results_are_whole(reference, tmp_path):
    study, expected, _, seconds = reference
    output = tmp_path / "killed.h5"
    moment = random.Random(5)
    seen = []
    for kill in range(6):
        arguments = ["resume", output] if output.exists() else ["run", study, "-o", output]
        process = subprocess.Popen(
            command(*arguments, "--progress", "quiet", "--checkpoint-every", "0.05"),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        try:
            process.wait(moment.uniform(0.2, 0.5) * seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        _, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode in (0, -signal.SIGKILL), errors
        if output.exists():
            seen.append(require_whole(output))
            # The kill may come after the last write.
            if is_complete(output):
                break
    else:
        resumed = larmor("resume", output)
        assert resumed.returncode == 0, resumed.stderr
    assert len(seen) > 1
    with h5py.File(expected) as one, h5py.File(output) as other:
        for name in ("trajectory/value", "trajectory/step", "series/energy/value"):
            first, second = (file[f"stages/01-dynamics/{name}"] for file in (one, other))
            assert first.shape == second.shape
            for row in range(0, len(first), 7):
                assert first[row].tobytes() == second[row].tobytes()
