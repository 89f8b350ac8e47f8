"""Phi^4 fields in the whole program: checkpoints, threads, ranks, ladders, scans, results, Python, and the
refusal of invalid studies."""
# Rooms: phi4, study

import sys

import h5py
import numpy as np
import pytest

from checkpoint_blocks import blocks_of
from program import ROOT, assert_same_bits, larmor, run_study
from ranks import needs_ranks, run_on_ranks
from running import assert_killed_runs_go_on

sys.path.insert(0, str(ROOT / "python"))

import larmor as reader

STUDY = """
seed = 5
replicas = {replicas}
[model]
kind = "phi4"
[lattice]
size = [6, 5, 4]
periodic = [true, false, true]
[phi4]
components = {components}
kappa = {kappa}
lambda = {coupling}
[[stage]]
kind = "monte-carlo"
sampler = "metropolis"
thermalisation = 60
sweeps = 100
[[stage]]
kind = "monte-carlo"
sampler = "{sampler}"
{keys}
thermalisation = 50
sweeps = {sweeps}
measure_every = 5
trajectory_every = 4
measure = [{measure}]
"""

CLUSTERS = '"action", "magnetisation", "moments", "improved-susceptibility"'


def text(sampler="metropolis", replicas=6, components=3, kappa="[0.2, 0.3]", coupling=0.5, sweeps=100,
         keys="", measure=None):
    by_clusters = sampler in ("swendsen-wang", "wolff")
    return STUDY.format(sampler=sampler, replicas=replicas, components=components, kappa=kappa,
                        coupling=coupling, sweeps=sweeps, keys=keys,
                        measure=measure or (CLUSTERS if by_clusters else '"moments"'))


SAMPLERS = [
    {"sampler": "metropolis", "keys": "over_relaxation = 1"},
    {"sampler": "heat-bath", "coupling": '"infinity"'},
    {"sampler": "swendsen-wang", "keys": "over_relaxation = 1"},
    {"sampler": "wolff", "keys": "clusters = 3\nlocal_sweeps = 1", "coupling": "inf",
     "components": 4},
]


def name_of(keys):
    return keys["sampler"]


@pytest.mark.parametrize("keys", SAMPLERS, ids=name_of)
def test_a_killed_run_goes_on_to_the_same_bits(tmp_path, keys):
    def look(checkpoint):
        _, blocks = blocks_of(checkpoint)
        assert blocks["system/fields"] == ("bytes", 6 * 120 * keys.get("components", 3) * 4)

    study = tmp_path / "study.toml"
    study.write_text(text(**keys))
    assert_killed_runs_go_on(study, look)


@pytest.mark.parametrize("replicas", [2, 6])
@pytest.mark.parametrize("keys", SAMPLERS, ids=name_of)
def test_threads_change_no_bit(tmp_path, keys, replicas):
    study = tmp_path / "study.toml"
    study.write_text(text(replicas=replicas, **keys))
    for threads in (1, 3):
        run = larmor("run", study, "-o", tmp_path / f"{threads}.h5", "--threads", threads)
        assert run.returncode == 0, run.stderr
    assert_same_bits(tmp_path / "1.h5", tmp_path / "3.h5")


@needs_ranks
def test_ranks_change_no_bit(tmp_path):
    run, output = run_study(tmp_path, text("swendsen-wang", replicas=24))
    assert run.returncode == 0, run.stderr
    shared = run_on_ranks(3, "run", tmp_path / "study.toml", "-o", tmp_path / "ranks.h5")
    assert shared.returncode == 0, shared.stderr
    assert_same_bits(output, tmp_path / "ranks.h5")


def test_results_hold_the_fields(tmp_path):
    run, output = run_study(tmp_path, text("swendsen-wang"))
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        stage = file["stages/02-monte-carlo"]
        assert stage["trajectory/value"].shape == (5, 1, 120, 3)
        assert stage["series/magnetisation/value"].shape == (20, 6, 3)
        assert stage.attrs["rate_unit"] == "site updates/s"
        assert list(file["model/kappa"]) == [0.2, 0.3] * 3
        assert file["model"].attrs["lambda"] == 0.5
        # The last configuration gives the last numbers of the series.
        phi = stage["configuration"][0].astype(float).reshape(4, 5, 6, 3)
        links = (np.sum(phi * np.roll(phi, -1, axis=2)) + np.sum(phi[:, 1:] * phi[:, :-1])
                 + np.sum(phi * np.roll(phi, -1, axis=0)))
        square = np.sum(phi**2, axis=3)
        action = (-0.4 * links + np.sum(square + 0.5 * (square - 1) ** 2)) / 120

        def last(name):
            return stage[f"series/{name}/value"][-1, 0]

        assert last("action") == pytest.approx(action, abs=1e-12)
        assert last("magnetisation") == pytest.approx(phi.mean(axis=(0, 1, 2)), abs=1e-12)
        assert last("bond") == pytest.approx(links / (120 + 4 * 4 * 6 + 120), abs=1e-12)
        assert last("phi2") == pytest.approx(square.mean(), abs=1e-12)
        assert last("phi4") == pytest.approx((square**2).mean(), abs=1e-12)
        m2 = np.sum(phi.mean(axis=(0, 1, 2)) ** 2)
        assert last("m2") == pytest.approx(m2, abs=1e-12)
        assert last("m4") == pytest.approx(m2**2, abs=1e-12)
    with reader.open(output) as results:
        assert results.model.details["kind"] == "phi4"
        assert len(results.stages[1].averages["action"].value) == 2


def test_a_ladder_has_averages_of_every_kappa(tmp_path):
    run, output = run_study(tmp_path, text("swendsen-wang", replicas=12, kappa="[0.1, 0.2, 0.3]"))
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        stage = file["stages/02-monte-carlo"]
        assert list(stage["kappa"]) == [0.1, 0.2, 0.3]
        assert "temperature" not in stage
        for name, of_series in (("action", "action"), ("phi2", "phi2"),
                                ("improved_susceptibility", "improved_susceptibility")):
            series = stage[f"series/{of_series}/value"][:]
            for rung in range(3):
                assert stage[f"averages/{name}/value"][rung] == pytest.approx(
                    series[:, rung::3].mean(), rel=1e-12)
        assert len(stage["averages/susceptibility/value"]) == 3
        assert list(np.diff(stage["averages/bond/value"]) > 0) == [True, True]
    shown = larmor("show", output)
    assert shown.returncode == 0 and "kappa" in shown.stdout, shown.stdout + shown.stderr


def test_a_replica_of_a_ladder_is_that_of_a_study_of_its_own(tmp_path):
    """The number of a replica is part of the key of its random numbers, so the first replica does
    not depend on all others."""
    fields = []
    for replicas, kappa in ((2, "[0.2, 0.3]"), (1, "0.2")):
        folder = tmp_path / str(replicas)
        folder.mkdir()
        # Trials are tuned replica by replica, so that they also agree.
        run, output = run_study(folder, text(replicas=replicas, kappa=kappa))
        assert run.returncode == 0, run.stderr
        with h5py.File(output) as file:
            fields.append(file["stages/02-monte-carlo/configuration"][0])
    assert (fields[0] == fields[1]).all()


@pytest.mark.parametrize("scan, shape", [
    ('key = "phi4.kappa"\nvalues = [0.1, 0.2, 0.3]', (3,)),
    ('key = "phi4.lambda"\nvalues = [0.5, 2.0, inf]', (3,)),
    ('key = "lattice.size"\nvalues = [[4, 4], [3, 5, 2, 2]]', (2,)),
])
def test_couplings_and_size_are_scanned(tmp_path, scan, shape):
    study = text("swendsen-wang", replicas=2, kappa=0.2, sweeps=50).replace(
        "periodic = [true, false, true]\n", "")
    run, output = run_study(tmp_path, study + f"[[scan]]\n{scan}\n")
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        action = file["scan/summary/02-monte-carlo/action/value"][:]
        assert action.shape == shape and len(set(action)) == len(action)
        assert file["scan/stages/02-monte-carlo/kappa"].shape == shape
    shown = larmor("show", output)
    assert shown.returncode == 0 and "action" in shown.stdout, shown.stderr


def test_infinity_is_a_word_or_a_number(tmp_path):
    outputs = []
    for coupling in ('"infinity"', "inf"):
        folder = tmp_path / coupling.strip('"')
        folder.mkdir()
        run, output = run_study(folder, text(coupling=coupling))
        assert run.returncode == 0, run.stderr
        outputs.append(output)
    assert_same_bits(*outputs)


def test_fields_that_are_no_vectors_are_not_exported(tmp_path):
    run, output = run_study(tmp_path, text())
    assert run.returncode == 0, run.stderr
    refused = larmor("export", output)
    assert refused.returncode == 2 and "phi4" in refused.stderr, refused.stderr


def test_check_and_explain_tell_of_fields(tmp_path):
    (tmp_path / "study.toml").write_text(text("wolff", keys="clusters = 3"))
    checked = larmor("check", tmp_path / "study.toml")
    assert checked.returncode == 0, checked.stderr
    assert "O(3) phi^4, kappa 0.2, 0.3, lambda 0.5" in checked.stdout
    assert "wolff, 3 a sweep" in checked.stdout and "temperature" not in checked.stdout
    explained = larmor("explain", "phi4")
    assert explained.returncode == 0 and "self-coupling" in explained.stdout, explained.stdout


@pytest.mark.parametrize("old, new, words", [
    ("kappa = [0.2, 0.3]", "", "kappa"),
    ("kappa = [0.2, 0.3]", "kappa = []", "kappa"),
    ("kappa = [0.2, 0.3]", "kappa = [0.1, 0.2, 0.3, 0.4]", "multiple of it"),
    ("kappa = [0.2, 0.3]", "kappa = inf", "finite"),
    ("lambda = 0.5", "lambda = -1", "must not be negative"),
    ("lambda = 0.5", 'lambda = "much"', '"infinity"'),
    ("lambda = 0.5", "lambda = [1]", '"infinity"'),
    ("lambda = 0.5", "lambda = 0", "no lower bound"),
    ("components = 3", "components = 9", "at most 8"),
    ("components = 3", "components = 0", "at least 1"),
    ("size = [6, 5, 4]", "size = [6, 5, 4, 3, 2]", "more than four"),
    ("size = [6, 5, 4]", "size = [6, 0]", "at least 1"),
    ("periodic = [true, false, true]", "periodic = [true, false]", "one for each axis"),
    ("size = [6, 5, 4]", 'size = [6, 5, 4]\ntype = "sc"', "unknown key 'type'"),
    ("[phi4]", 'units = "reduced"\n[phi4]', "unknown key 'units'"),
    ("seed = 5", 'seed = 5\nunits = "material"', "no units"),
    ('sampler = "metropolis"', 'temperature = 1.5\nsampler = "metropolis"', "have no temperature"),
    ('sampler = "metropolis"', 'sampler = "heat-bath"', "no heat bath"),
    ('sampler = "metropolis"', 'sampler = "wolf"', "metropolis, heat-bath, swendsen-wang, wolff"),
    ('sampler = "metropolis"', 'sampler = "swendsen-wang"\nlocal_sweeps = 0', "clusters do not change"),
    ('sampler = "metropolis"', "local_sweeps = 2", "for samplers with clusters"),
    ('sampler = "metropolis"', 'sampler = "swendsen-wang"\nclusters = 2', "remove clusters"),
    ('measure = ["moments"]', 'measure = ["improved-susceptibility"]', "needs clusters"),
    ('measure = ["moments"]', 'measure = ["energy"]', "action"),
    ('kind = "monte-carlo"', 'kind = "anneal"', "monte-carlo"),
    ("[phi4]", "[[exchange]]\nJ = 1\n[phi4]", "unknown key 'exchange'"),
    ("[phi4]", '[initial]\nstate = "cold"\n[phi4]', "random, aligned"),
])
def test_what_makes_no_sense_is_refused(tmp_path, old, new, words):
    study = text()
    assert old in study
    run, output = run_study(tmp_path, study.replace(old, new, 1))
    assert run.returncode == 2 and words in run.stderr, run.stderr
    assert "study.toml:" in run.stderr and not output.exists()


def test_over_relaxation_of_one_component_is_refused(tmp_path):
    run, output = run_study(tmp_path, text(components=1, keys="over_relaxation = 2"))
    assert run.returncode == 2 and "one component" in run.stderr and not output.exists(), run.stderr
