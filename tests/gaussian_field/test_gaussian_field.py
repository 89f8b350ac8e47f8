"""A model kind that `larmor` does not have. It works with every feature of the program: parse,
check, explain, anneal, monte-carlo, checkpoints, kill and resume, ranks, scans, results, Python."""
# Rooms: study

import pathlib
import signal
import subprocess
import sys

import h5py
import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "reliability"))

from checkpoint_blocks import blocks_of
from program import PATIENCE, assert_same_bits, larmor, run_study
from ranks import needs_ranks, run_on_ranks
from running import start, wait_until_there

import larmor as reader

MODEL = """
seed = 3
replicas = {replicas}
[model]
kind = "gaussian-field"
[ring]
sites = 16
[stiffness]
mass = 0.8
K = 0.5
"""
STAGES = """
[[stage]]
kind = "anneal"
temperature = {{ from = 4.0, to = 1.5, points = 3 }}
sweeps = 20
[[stage]]
kind = "monte-carlo"
temperature = [1.5, 0.5]
thermalisation = 100
sweeps = {sweeps}
trajectory_every = 100
measure = ["energy", "roughness"]
"""


def text(replicas=16, sweeps=4000, more=""):
    return (MODEL + STAGES).format(replicas=replicas, sweeps=sweeps) + more


def check_averages(stage):
    for n, temperature in enumerate((1.5, 0.5)):
        energy = stage.averages["energy"]
        assert abs(energy.value[n] - temperature / 2) < 4 * energy.error[n]
        # N (<m^2> - <|m|>^2) / T of a normal number with variance T / (mass^2 N)
        chi = stage.averages["susceptibility"]
        assert abs(chi.value[n] - (1 - 2 / np.pi) / 0.8**2) < 4 * chi.error[n]
        mean = stage.averages["mean_field_signed"]
        assert abs(mean.value[n]) < 4 * mean.error[n]
        # <(phi_{i+1} - phi_i)^2> for independent waves
        stiffness = 2 * (1 - np.cos(2 * np.pi * np.arange(16) / 16))
        roughness = stage.averages["roughness"]
        exact = temperature * np.mean(stiffness / (0.8**2 + 0.5 * stiffness))
        assert abs(roughness.value[n] - exact) < 4 * roughness.error[n]
    assert stage.series["mean_field"].value.shape == (800, 16)
    assert stage.series["roughness"].value.shape == (800, 16)


def test_averages_are_those_of_a_gaussian(tmp_path):
    run, output = run_study(tmp_path, text())
    assert run.returncode == 0, run.stderr
    with reader.open(output) as results:
        check_averages(results.stages["monte-carlo"])
        details = results.model.details
        assert details["kind"] == "gaussian-field" and details["sites"] == 16
        assert len(results.model.positions) == 0
    with h5py.File(output) as file:
        assert file["stages/02-monte-carlo/configuration"].shape == (1, 16)
        assert file["stages/02-monte-carlo/trajectory/value"].shape == (8, 1, 16)
        assert file["stages/02-monte-carlo"].attrs["rate_unit"] == "updates/s"
        assert file["model"].attrs["sites"] == 16
        assert file["model"].attrs["kind"] == "gaussian-field"


def test_what_there_is_no_file_for_is_not_exported(tmp_path):
    run, output = run_study(tmp_path, text(sweeps=100))
    assert run.returncode == 0, run.stderr
    refused = larmor("export", output)
    assert refused.returncode == 2 and "configurations of gaussian-field" in refused.stderr and "no positions" in refused.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"study.toml", "out.h5"}


def test_it_is_checked_and_explained(tmp_path):
    (tmp_path / "study.toml").write_text(text())
    checked = larmor("check", tmp_path / "study.toml")
    assert checked.returncode == 0, checked.stderr
    assert "ring      16 sites" in checked.stdout and "MiB numbers" in checked.stdout
    assert "(heat bath)" in checked.stdout
    assert "sites of the ring" in larmor("explain", "ring.sites").stdout
    explained = larmor("explain", "monte-carlo").stdout
    assert "over_relaxation" in explained and 'monte-carlo (of kind "gaussian-field")' in explained
    assert 'monte-carlo (of kind "spins")' in explained
    sampler = larmor("explain", "monte-carlo.sampler").stdout
    assert sampler.startswith('monte-carlo.sampler (of kind "spins"):'), sampler
    assert 'value of monte-carlo.sampler (of kind "spins")' in larmor("explain", "heat-bath").stdout
    assert "key of gaussian-field" in larmor("explain", "study").stdout
    assert "the mean square of steps" in larmor("explain", "roughness").stdout
    assert "gaussian-field: a number at each site" in larmor("explain", "model.kind").stdout


@pytest.mark.parametrize("old, new, words", [
    ("[ring]", "[rings]", "unknown key 'rings'"),
    ("[ring]", "[lattice]\n[ring]", "unknown key 'lattice'"),
    ("sites = 16", "sites = 2", "must be at least 3"),
    ('kind = "gaussian-field"', 'kind = "gausian-field"', "did you mean 'gaussian-field'"),
    ('kind = "anneal"', 'kind = "dynamics"', "there are anneal, monte-carlo"),
    ("thermalisation = 100", 'thermalisation = 100\nsampler = "heat-bath"', "unknown key 'sampler'"),
])
def test_what_it_does_not_have_is_refused(tmp_path, old, new, words):
    study = text()
    assert old in study
    run, output = run_study(tmp_path, study.replace(old, new, 1))
    assert run.returncode == 2 and words in run.stderr, run.stderr
    assert "study.toml:" in run.stderr and not output.exists()


def test_a_killed_run_goes_on_to_the_same_bits(tmp_path):
    study, whole, output = (tmp_path / name for name in ("study.toml", "whole.h5", "out.h5"))
    study.write_text(text(replicas=17, sweeps=60000))
    assert larmor("run", study, "-o", whole).returncode == 0
    for kill in range(3):
        arguments = ("resume", output) if kill else ("run", study, "-o", output)
        process = start(*arguments, "--checkpoint-every", "0.05")
        wait_until_there(process, tmp_path / "out.h5.ckpt.prev")
        try:
            process.wait(0.3)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        process.communicate(timeout=PATIENCE)
    newest, before = tmp_path / "out.h5.ckpt", tmp_path / "out.h5.ckpt.prev"
    _, blocks = blocks_of(newest if newest.exists() else before)
    # Bytes and unsigned integers: no state was converted to doubles.
    assert blocks["system/phi"] == ("bytes", 17 * 16 * 4)
    assert blocks["system/seed"] == blocks["system/step"] == ("unsigned", 1)
    resumed = larmor("resume", output)
    assert resumed.returncode == 0, resumed.stderr
    assert_same_bits(whole, output)


@needs_ranks
@pytest.mark.parametrize("ranks", [2, 3])
def test_ranks_change_no_bit(tmp_path, ranks):
    run, output = run_study(tmp_path, text(replicas=25))
    assert run.returncode == 0, run.stderr
    shared = run_on_ranks(ranks, "run", tmp_path / "study.toml", "-o", tmp_path / "ranks.h5")
    assert shared.returncode == 0, shared.stderr
    assert_same_bits(output, tmp_path / "ranks.h5")


@needs_ranks
def test_ranks_that_would_share_its_sites_are_refused(tmp_path):
    (tmp_path / "study.toml").write_text(text(replicas=4))
    refused = run_on_ranks(2, "run", tmp_path / "study.toml", "-o", tmp_path / "out.h5")
    assert refused.returncode == 2 and "cannot share the sites" in refused.stderr, refused.stderr
    assert "study.toml:5:8" in refused.stderr
    assert not (tmp_path / "out.h5").exists()


def test_it_is_scanned(tmp_path):
    scan = '[[scan]]\nkey = "stiffness.mass"\nvalues = [0.5, 1.0, 2.0]\n'
    run, output = run_study(tmp_path, text(more=scan))
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        assert file["scan/points/work"].attrs["unit"] == "updates"
        chi = file["scan/summary/02-monte-carlo/susceptibility"]
        exact = (1 - 2 / np.pi) / np.array([0.5, 1.0, 2.0])[:, None] ** 2
        assert (abs(chi["value"][:] - exact) < 4 * chi["error"][:]).all()
    shown = larmor("show", output)
    assert shown.returncode == 0 and "stiffness.mass" in shown.stdout
    assert larmor("show", output, "--point", "1").returncode == 0
