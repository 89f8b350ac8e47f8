"""GPUs: the program respects the free memory, and several programs may share a GPU. Skips without a GPU."""
# Rooms: core, study

import os
import re
import signal
import subprocess

import pytest

from program import LARMOR, PATIENCE, assert_same_bits, larmor, write_study
from running import start, stop_after, wait_until_there

DEVICES = larmor("devices").stdout
USABLE = re.search(r"^GPU 0 .* ([\d.]+) GiB of .* free$", DEVICES, re.M)
pytestmark = pytest.mark.skipif(USABLE is None, reason="no GPU here")


def test_programs_share_a_gpu(tmp_path):
    """If three programs run at a time, each gives the bits of a single program."""
    study = write_study(tmp_path / "study.toml", sweeps=200)
    alone = larmor("run", study, "-o", tmp_path / "alone.h5", "--backend", "cuda")
    assert alone.returncode == 0, alone.stderr
    together = [
        subprocess.Popen(
            [LARMOR, "run", study, "-o", tmp_path / f"{n}.h5", "--backend", "cuda"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for n in range(3)
    ]
    for n, run in enumerate(together):
        _, errors = run.communicate(timeout=PATIENCE)
        assert run.returncode == 0, errors
        assert_same_bits(tmp_path / "alone.h5", tmp_path / f"{n}.h5")


def test_a_profile_changes_no_bit(tmp_path):
    study = write_study(tmp_path / "study.toml", replicas=24, sweeps=200)
    plain = larmor("run", study, "-o", tmp_path / "plain.h5", "--backend", "cuda")
    assert plain.returncode == 0, plain.stderr
    profiled = larmor("run", study, "-o", tmp_path / "p.h5", "--backend", "cuda", "--profile")
    assert profiled.returncode == 0, profiled.stderr
    assert_same_bits(tmp_path / "plain.h5", tmp_path / "p.h5")
    assert "on the GPU" in profiled.stdout and "HeatBath" in profiled.stdout


@pytest.mark.parametrize("precision", ["double", "single", "mixed"])
@pytest.mark.parametrize("kernels", ["always", "never"])
def test_verify_finds_what_is_known_exactly(precision, kernels):
    verified = larmor("verify", "--quick", "--backend", "cuda", "--precision", precision,
                      env={**os.environ, "LARMOR_JIT": kernels})
    assert verified.returncode == 0, verified.stdout + verified.stderr
    assert verified.stdout.startswith("on GPU 0") and "WRONG" not in verified.stdout


def test_check_tells_what_the_gpu_has(tmp_path):
    study = write_study(tmp_path / "study.toml")
    checked = larmor("check", study, "--backend", "cuda")
    assert checked.returncode == 0, checked.stderr
    assert re.search(r"of GPU 0, which has [\d.]+ GiB free of", checked.stdout)


def test_a_stop_comes_soon_however_much_could_be_launched(tmp_path):
    """The host launches the steps of a large system faster than the GPU runs them."""
    study = tmp_path / "large.toml"
    study.write_text(
        "replicas = 8\n[lattice]\ntype = 'bcc'\nsize = [100, 100, 100]\n"
        "[[exchange]]\nshell = 1\nJ = 1\n[[exchange]]\nshell = 2\nJ = 0.5\n"
        "[[stage]]\nkind = 'dynamics'\ntimestep = 0.01\nsteps = 10000000\n"
        "measure = [{ what = 'energy', every = 1000 }]\n"
    )
    output = tmp_path / "large.h5"
    run = start("run", study, "-o", output, "--backend", "cuda", "--checkpoint-every", "2")
    wait_until_there(run, tmp_path / "large.h5.ckpt")
    code, out, errors = stop_after(run, 0, signal.SIGINT)
    assert code == 130, errors
    assert "larmor resume" in out


@pytest.mark.parametrize("backend", [[], ["--backend", "auto"], ["--backend", "cuda"]])
def test_correlations_take_a_gpu_and_name_the_parts_that_there_are(backend):
    refused = larmor("bench", "correlations", "--only", "60^2", *backend)
    assert refused.returncode == 2 and refused.stdout == ""
    assert refused.stderr.count("error:") == 1
    assert "give --only a part of one of these names: methods, variants of fused, amplitudes" in refused.stderr
