"""A resumed run uses the arithmetic of the first run (backend, precision, kernels), or
reports why it cannot."""
# Rooms: study

import os
import random
import re
import signal
import struct
import subprocess
import time

import h5py
import pytest

from program import LARMOR, PATIENCE, assert_same_bits, is_complete, write_study
from running import stop_after, stop_once_there

KILLS = 4
# Kills are spread over these seconds of a run. If kernels are compiled, a run takes a minute.
LONGEST = 5

# Options and environment variables of the first run. The resumed run gets neither.
WAYS = {
    "single": (["--backend", "cpu", "--precision", "single"], {}),
    "double": (["--backend", "cpu", "--precision", "double"], {}),
    "threads": (["--backend", "cpu", "--threads", "1"], {}),
    "set": (["--backend", "cpu", "--set", "seed=11", "--set", "replicas=4"], {}),
    "set_precision": (["--backend", "cpu", "--set", 'device.precision="single"'], {}),
}
SET_WAYS = {"v2": (["--backend", "cpu"], {"LARMOR_INSTRUCTION_SET": "v2"})}
GPU_WAYS = {
    "auto": ([], {}),
    "cuda_single": (["--backend", "cuda", "--precision", "single"], {}),
    "cuda_mixed": (["--backend", "cuda", "--precision", "mixed"], {}),
    "tables": (["--backend", "cuda"], {"LARMOR_JIT": "never"}),
    "specialised": (["--backend", "cuda"], {"LARMOR_JIT": "always"}),
}


# Settings that the tests make. They must not come from the environment.
ENVIRONMENT = {name: value for name, value in os.environ.items()
               if name not in ("LARMOR_JIT", "LARMOR_INSTRUCTION_SET")}


def larmor(*arguments, variables=None):
    """Runs the program to its end, with only these options."""
    return subprocess.run(
        [LARMOR, *map(str, arguments)], capture_output=True, text=True, timeout=PATIENCE,
        env={**ENVIRONMENT, **(variables or {})},
    )


DEVICES = larmor("devices").stdout
HAS_GPU = "GPU 0" in DEVICES and "cannot be used" not in DEVICES
with_sets = pytest.mark.skipif(re.search(r"x86-64-\w+ only", DEVICES) is not None,
                               reason="one instruction set here")
on_gpu = pytest.mark.skipif(not HAS_GPU, reason="no GPU here")


def start(arguments, variables=None):
    return subprocess.Popen(
        [LARMOR, *map(str, arguments), "--progress", "quiet"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**ENVIRONMENT, **(variables or {})},
    )


def stopped_run(folder, options=(), variables=None, text=None):
    """Results, with a checkpoint, of a run that was asked to stop."""
    study, output = folder / "study.toml", folder / "stopped.h5"
    if text is None:
        write_study(study, sweeps=20000)
    else:
        study.write_text(text)
    process = start(["run", study, "-o", output, *options, "--checkpoint-every", "0.05"], variables)
    code, _, errors = stop_once_there(process, folder / "stopped.h5.ckpt", signal.SIGTERM)
    assert code == 143, errors
    return output


def legs(results):
    with h5py.File(results) as file:
        group = file["provenance/legs"]
        return [dict(group[name].attrs) for name in sorted(group)]


def kill_and_resume(tmp_path, options, variables, way):
    study = write_study(tmp_path / "study.toml", sweeps=300)
    expected, output = tmp_path / "expected.h5", tmp_path / "killed.h5"
    begun = time.monotonic()
    whole = larmor("run", study, "-o", expected, *options, variables=variables)
    assert whole.returncode == 0, whole.stderr
    seconds = time.monotonic() - begun
    moment = random.Random(way)
    for kill in range(KILLS + 1):
        last = kill == KILLS
        # Some runs are killed before they write any file.
        resumes = output.exists()
        arguments = ["resume", output] if resumes else ["run", study, "-o", output, *options]
        process = start([*arguments, "--checkpoint-every", "0.02"], None if resumes else variables)
        after = moment.uniform(0.1, 0.6) * min(seconds, LONGEST)
        code, _, errors = stop_after(process, PATIENCE if last else after, signal.SIGKILL)
        assert code in (0, -signal.SIGKILL), errors
        if is_complete(output):
            break
    assert is_complete(output)
    assert_same_bits(expected, output)
    first = legs(output)[0]
    for leg in legs(output):
        for name in ("backend", "precision", "instruction_set", "gpu", "specialised_kernels",
                     "contraction"):
            assert leg[name] == first[name]
        assert {"version", "commit", "threads", "ranks", "started", "ended", "device"} <= leg.keys()
    return first


@pytest.mark.parametrize("way", WAYS)
def test_killed_runs_go_on_alike(tmp_path, way):
    options, variables = WAYS[way]
    first = kill_and_resume(tmp_path, options, variables, way)
    assert first["backend"] == "cpu"
    assert first["precision"] == ("single" if "single" in way or "precision" in way else "double")


@with_sets
@pytest.mark.parametrize("way", SET_WAYS)
def test_killed_runs_go_on_with_their_instruction_set(tmp_path, way):
    first = kill_and_resume(tmp_path, *SET_WAYS[way], way)
    assert first["instruction_set"] == way


@on_gpu
@pytest.mark.parametrize("way", GPU_WAYS)
def test_killed_runs_go_on_alike_on_a_gpu(tmp_path, way):
    options, variables = GPU_WAYS[way]
    first = kill_and_resume(tmp_path, options, variables, way)
    kernels = first["specialised_kernels"]
    assert kernels == variables.get("LARMOR_JIT", kernels)


def test_another_precision_is_refused_and_allowed_by_a_flag(tmp_path):
    output = stopped_run(tmp_path, ["--backend", "cpu", "--precision", "single"])
    before = output.read_bytes()
    refused = larmor("resume", output, "--precision", "double")
    assert refused.returncode == 2
    assert "single" in refused.stderr and "--change-arithmetic" in refused.stderr
    assert output.read_bytes() == before
    changed = start(["resume", output, "--precision", "double", "--change-arithmetic",
                     "--checkpoint-every", "0.02"])
    deadline = time.monotonic() + 60
    while len(legs(output)) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    changed.send_signal(signal.SIGTERM)
    assert changed.wait(PATIENCE) == 143
    assert [leg["precision"] for leg in legs(output)] == ["single", "double"]
    # From now on, the run uses double precision.
    assert larmor("resume", output, "--precision", "single").returncode == 2


@with_sets
def test_another_instruction_set_is_refused(tmp_path):
    output = stopped_run(tmp_path, ["--backend", "cpu"], {"LARMOR_INSTRUCTION_SET": "v3"})
    refused = larmor("resume", output, variables={"LARMOR_INSTRUCTION_SET": "v2"})
    assert refused.returncode == 2
    assert "v3" in refused.stderr and "v2" in refused.stderr
    assert "--change-arithmetic" in refused.stderr


@on_gpu
def test_a_run_on_a_gpu_does_not_go_on_without(tmp_path):
    output = stopped_run(tmp_path, ["--backend", "cuda", "--precision", "mixed"])
    refused = larmor("resume", output, variables={"CUDA_VISIBLE_DEVICES": ""})
    assert refused.returncode == 2
    assert "GPU" in refused.stderr and "--change-arithmetic" in refused.stderr
    assert larmor("resume", output, "--backend", "cpu").returncode == 2


def test_a_scan_goes_on_alike(tmp_path):
    text = (
        'seed = 3\nreplicas = 2\n[lattice]\ntype = "square"\nsize = [8, 8]\n'
        "[[exchange]]\nshell = 1\nJ = 1\n"
        '[[stage]]\nkind = "monte-carlo"\ntemperature = 1.0\nsweeps = 10000\n'
        '[[scan]]\nkey = "stage.1.temperature"\nvalues = [0.5, 0.6, 0.7, 0.8, 0.9, 1.0]\n'
    )
    study, expected, output = (tmp_path / name for name in ("s.toml", "expected.h5", "killed.h5"))
    study.write_text(text)
    options = ["--backend", "cpu", "--precision", "single"]
    whole = larmor("run", study, "-o", expected, *options)
    assert whole.returncode == 0, whole.stderr
    process = start(["run", study, "-o", output, *options])
    code, _, errors = stop_once_there(process, tmp_path / "killed.h5.points/0001.h5", signal.SIGKILL)
    assert code in (0, -signal.SIGKILL), errors
    if not is_complete(output):
        refused = larmor("resume", output, "--precision", "double")
        assert refused.returncode == 2 and "--change-arithmetic" in refused.stderr
        resumed = larmor("resume", output)
        assert resumed.returncode == 0, resumed.stderr
    with h5py.File(expected) as one, h5py.File(output) as other:
        for name in one["points"]:
            assert other[f"points/{name}/provenance/legs/01"].attrs["precision"] == "single"
            where = f"points/{name}/stages/01-monte-carlo/averages/energy/value"
            assert one[where][()].tobytes() == other[where][()].tobytes()


def test_results_of_another_format_are_refused_in_words(tmp_path):
    output = stopped_run(tmp_path, ["--backend", "cpu"])
    with h5py.File(output, "r+") as file:
        file.attrs["format_version"] = 4
        # Format 4 has this name.
        leg = file["provenance/legs/01"].attrs
        leg["made_kernels"] = leg["specialised_kernels"]
        del leg["specialised_kernels"]
    refused = larmor("resume", output)
    assert refused.returncode == 2
    assert "format 4" in refused.stderr and "resume with the version" in refused.stderr
    shown = larmor("show", output)
    assert shown.returncode == 0, shown.stderr


def crc64(data):
    """CRC-64/XZ, the checksum at the end of checkpoints."""
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0xC96C5795D7870F42 if byte & 1 else 0)
        table.append(byte)
    value = 2**64 - 1
    for byte in data:
        value = table[(value ^ byte) & 0xFF] ^ value >> 8
    return value ^ 2**64 - 1


def test_a_checkpoint_of_another_layout_is_refused_in_words(tmp_path):
    output = stopped_run(tmp_path, ["--backend", "cpu"])
    (tmp_path / "stopped.h5.ckpt.prev").unlink(missing_ok=True)
    checkpoint = tmp_path / "stopped.h5.ckpt"
    data = bytearray(checkpoint.read_bytes()[:-8])
    at = 24  # after the format and the run
    for skip in ("version", None, None, "commit"):  # None: seed, hash of the study
        at += 8 + (struct.unpack_from("<Q", data, at)[0] if skip else 0)
    layout = struct.unpack_from("<Q", data, at)[0]
    assert 1 <= layout < 1000
    struct.pack_into("<Q", data, at, 999)
    checkpoint.write_bytes(bytes(data) + struct.pack("<Q", crc64(data)))
    refused = larmor("resume", output)
    assert refused.returncode == 2
    assert "layout 999" in refused.stderr and f"layout {layout}" in refused.stderr
