"""Ising spins of grids, stored as bits, in the whole program: checkpoints, threads, ranks and
results. Other tests show which systems are stored as bits, and use lattices of billions of
spins."""
# Rooms: ising, study

import signal
import sys

import h5py
import numpy as np
import pytest

from checkpoint_blocks import blocks_of
from program import PATIENCE, ROOT, assert_same_bits, larmor, run_study
from ranks import needs_ranks, run_on_ranks
from running import assert_killed_runs_go_on, start, wait_until_there

sys.path.insert(0, str(ROOT / "python"))

import larmor as reader

STUDY = """
seed = 5
replicas = 17
[model]
kind = "ising"
[lattice]
grid = [64, 6]
periodic = [true, false]
[[exchange]]
shell = 1
J = 1
[[stage]]
kind = "anneal"
temperature = { from = 4, to = 2, points = 3 }
sweeps = 40
sampler = "glauber"
[[stage]]
kind = "monte-carlo"
temperature = [2.0, 3.0]
sampler = "metropolis"
thermalisation = 50
sweeps = 200
measure_every = 5
trajectory_every = 20
"""

SIGNS = """J = 0
disorder = 1
disorder_distribution = "bimodal"
disorder_by_replica = true
"""

STUDIES = {
    "ferromagnet": STUDY,
    "signs": STUDY.replace("J = 1\n", SIGNS).replace('"metropolis"', '"heat-bath"'),
    "then-clusters": STUDY.replace("J = 1\n", SIGNS).replace('"metropolis"', '"swendsen-wang"'),
    "four-axes": STUDY.replace("[64, 6]", "[64, 2, 4, 2]").replace("[true, false]", "true"),
}


@pytest.mark.parametrize("name", STUDIES)
def test_a_killed_run_goes_on_to_the_same_bits(tmp_path, name):
    study = tmp_path / "study.toml"
    study.write_text(STUDIES[name].replace("sweeps = 200", "sweeps = 60"))
    assert_killed_runs_go_on(study)


def test_checkpoints_hold_bits(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(STUDY.replace("sweeps = 200", "sweeps = 100000000").replace(
        "measure_every = 5", "measure_every = 5000"))
    process = start("run", study, "-o", tmp_path / "out.h5", "--checkpoint-every", "0.02")
    wait_until_there(process, tmp_path / "out.h5.ckpt")
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    _, blocks = blocks_of(tmp_path / "out.h5.ckpt")
    assert blocks["system/spins"][1] == 17 * 6, blocks


@pytest.mark.parametrize("name", STUDIES)
def test_threads_change_no_bit(tmp_path, name):
    study = tmp_path / "study.toml"
    study.write_text(STUDIES[name])
    for threads in (1, 3):
        run = larmor("run", study, "-o", tmp_path / f"{threads}.h5", "--threads", threads)
        assert run.returncode == 0, run.stderr
    assert_same_bits(tmp_path / "1.h5", tmp_path / "3.h5")


@needs_ranks
@pytest.mark.parametrize("name", STUDIES)
def test_ranks_change_no_bit(tmp_path, name):
    run, output = run_study(tmp_path, STUDIES[name].replace("replicas = 17", "replicas = 25"))
    assert run.returncode == 0, run.stderr
    shared = run_on_ranks(3, "run", tmp_path / "study.toml", "-o", tmp_path / "ranks.h5")
    assert shared.returncode == 0, shared.stderr
    assert_same_bits(output, tmp_path / "ranks.h5")


def test_results_hold_spins_as_bytes(tmp_path):
    run, output = run_study(tmp_path, STUDY)
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        stage = file["stages/02-monte-carlo"]
        assert stage["configuration"].dtype == np.int8
        assert stage["configuration"].shape == (1, 384)
        assert stage["trajectory/value"].dtype == np.int8
        assert stage["trajectory/value"].shape == (4, 1, 384)
        s = stage["configuration"][0].astype(float).reshape(6, 64)
        assert set(np.unique(s)) == {-1, 1}
        assert stage["series/magnetisation/value"][-1, 0] == pytest.approx(s.mean(), abs=1e-14)
        near = np.sum(s * np.roll(s, -1, axis=1)) + np.sum(s[1:] * s[:-1])
        assert stage["series/energy/value"][-1, 0] == pytest.approx(-near / 384, abs=1e-14)
        assert "acceptance" not in stage["averages"]


def test_a_grid_of_four_axes_has_a_model(tmp_path):
    run, output = run_study(tmp_path, STUDIES["four-axes"])
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        assert list(file["model/size"]) == [64, 2, 4, 2]
        assert list(file["model/periodic"]) == [1, 1, 1, 1]
        assert file["model"].attrs["dimensions"] == 4
    shown = larmor("show", output)
    assert shown.returncode == 0 and "1024 sites" in shown.stdout, shown.stdout + shown.stderr
    with reader.open(output) as results:
        assert results.model.details["lattice"] == "grid"
        assert len(results.stages["monte-carlo"].averages["energy"].value) == 2
    checked = larmor("check", tmp_path / "study.toml")
    assert "grid, 64 x 2 x 4 x 2 (periodic, periodic, periodic, periodic)" in checked.stdout


@pytest.mark.parametrize("axes, type_and_size", [
    ("grid = [64]", 'type = "chain"\nsize = [64]'),
    ("grid = [64, 6]", 'type = "square"\nsize = [64, 6]'),
    ("grid = [6, 4, 4]", 'type = "sc"\nsize = [6, 4, 4]')])
def test_grids_are_the_lattices_of_one_site_in_a_cell(tmp_path, axes, type_and_size):
    bits = []
    for lattice in (axes, type_and_size):
        study = STUDY.replace("grid = [64, 6]\nperiodic = [true, false]", lattice).replace(
            '"metropolis"', '"heat-bath"')
        run, output = run_study(tmp_path, study)
        assert run.returncode == 0, run.stderr
        with h5py.File(output) as file:
            bits.append((file["stages/02-monte-carlo/series/energy/value"][()],
                         file["model/cell"][()], file["model/positions"][()]))
        output.unlink()
    for a, b in zip(*bits):
        assert np.array_equal(a, b)


@pytest.mark.parametrize("old, new, words", [
    ("[64, 6]", "[62, 6]", "a multiple of 64 sites; it has 62"),
    ("periodic = [true, false]", "periodic = true\n[field]\nh = 0.1", "there is a field"),
    ("[64, 6]\nperiodic = [true, false]", "[64, 7]", "even number of sites"),
    ("shell = 1", "shell = 2", "nearest neighbours"),
    ("J = 1\n", "J = 1\ndisorder = 0.1\n", "differ in more than a random sign"),
    ("J = 1\n", SIGNS.replace("J = 0", "J = 0.5"), "differ in more than a random sign"),
])
def test_check_says_why_spins_are_not_bits(tmp_path, old, new, words):
    assert old in STUDY
    study = STUDY.replace(old, new)
    (tmp_path / "study.toml").write_text(study)
    checked = larmor("check", tmp_path / "study.toml")
    assert checked.returncode == 0, checked.stderr
    assert "not stored as bits" in checked.stdout and words in checked.stdout, checked.stdout
    run, output = run_study(tmp_path, study.replace("thermalisation", 'engine = "bits"\nthermalisation'))
    assert run.returncode == 2 and words in run.stderr, run.stderr
    assert "study.toml:" in run.stderr and not output.exists()


def test_check_says_that_spins_are_bits(tmp_path):
    (tmp_path / "study.toml").write_text(STUDY)
    checked = larmor("check", tmp_path / "study.toml")
    assert checked.stdout.count("spins are stored as bits") == 2, checked.stdout
    (tmp_path / "study.toml").write_text(
        STUDY.replace("thermalisation", 'engine = "general"\nthermalisation'))
    checked = larmor("check", tmp_path / "study.toml")
    assert checked.stdout.count("spins are stored as bits") == 1, checked.stdout


@pytest.mark.parametrize("old, new, words", [
    ("grid = [64, 6]", "grid = [2, 2, 2, 2, 2]", "one to four axes"),
    ("grid = [64, 6]", "grid = [64, 0]", "at least 1"),
    ("grid = [64, 6]", 'grid = [64, 6]\ntype = "square"', "has grid and keys of another kind"),
    ("grid = [64, 6]", "grid = [64, 6]\nsites = 3", "another kind of lattice"),
    ("grid = [64, 6]", "grid = [64, 6, 4]", "periodic"),
    ("grid = [64, 6]", "grid = [1048576, 1048578]", "2^40"),
    ("grid = [64, 6]\nperiodic = [true, false]", "grid = [64, 2, 2, 1]", "to the site itself"),
    ("shell = 1\nJ = 1\n[[stage]]", "shell = 2\nJ = 1\n[[stage]]", "four axes"),
    ("[[stage]]", "[[exchange]]\nshell = 1\nJ = 1\n[[stage]]", "four axes"),
    ('sampler = "metropolis"', 'sampler = "wolff"\nengine = "bits"', "engine belongs to"),
    ('sampler = "metropolis"', 'engine = "bytes"', "automatic, bits, samples, general"),
    ("temperature = [2.0, 3.0]", "temperature = -2", "must be positive"),
])
def test_what_makes_no_grid_is_refused(tmp_path, old, new, words):
    study = STUDIES["four-axes"] if words == "four axes" else STUDY
    assert old in study
    run, output = run_study(tmp_path, study.replace(old, new, 1))
    assert run.returncode == 2 and words in run.stderr, run.stderr
    assert "study.toml:" in run.stderr and not output.exists()


def test_a_plan_of_billions_of_spins(tmp_path):
    study = STUDY.replace("[64, 6]", "[65536, 32832]").replace("[true, false]", "true")
    study = study.replace("replicas = 17", "replicas = 1").replace(
        "trajectory_every = 20\n", "keep_configurations = 0\n").replace(
        "sampler = \"glauber\"", "keep_configurations = 0\nsampler = \"glauber\"")
    (tmp_path / "study.toml").write_text(study)
    checked = larmor("check", tmp_path / "study.toml")
    assert checked.returncode == 0, checked.stderr
    assert "2151677952 sites" in checked.stdout and "256.5 MiB states" in checked.stdout
    for old, new in (("thermalisation", 'engine = "general"\nthermalisation'),
                     ("J = 1\n", "J = 1\ndisorder = 0.1\n")):
        (tmp_path / "study.toml").write_text(study.replace(old, new))
        checked = larmor("check", tmp_path / "study.toml")
        assert checked.returncode == 2 and "2^31" in checked.stderr, checked.stderr
