"""Overlaps of copies and isoenergetic moves in the whole program: checkpoints, threads, ranks, results, and
the refusal of studies without copies."""
# Rooms: overlaps, study

import h5py
import numpy as np
import pytest

from program import assert_threads_change_no_bit, run_study
from ranks import assert_ranks_change_no_bit, needs_ranks, run_on_ranks
from running import assert_killed_runs_go_on

EXCHANGE = """
[[exchange]]
shell = 1
J = 0.0
disorder = 1.0
disorder_by_replica = true
"""
BIMODAL = EXCHANGE + 'disorder_distribution = "bimodal"\n'
ISING = '[model]\nkind = "ising"\n[lattice]\ntype = "sc"\nsize = [4, 4, 4]\n'
MATTERS = {
    "ising": ISING + EXCHANGE,
    "bits": ISING.replace("[4, 4, 4]", "[64, 4, 4]") + BIMODAL,
    "potts": '[model]\nkind = "potts"\n[lattice]\ngrid = [4, 4]\n' + BIMODAL,
    "four-axes": '[model]\nkind = "ising"\n[lattice]\ngrid = [4, 3, 4, 2]\n' + EXCHANGE,
    "all-pairs": '[model]\nkind = "ising"\n[lattice]\nsites = 20\n' + EXCHANGE.replace("shell = 1", "all_pairs = true"),
    "spins": '[lattice]\ntype = "sc"\nsize = [4, 4, 4]\n' + EXCHANGE,
}
by_matter = pytest.mark.parametrize("matter", MATTERS)


def text(matter, samples=4, of_sample=8, sweeps=60, keys="", measure='["overlap"]', kind="tempering"):
    ladder = {"tempering": "[0.8, 1.1, 1.5, 2.1]\nexchange_every = 2", "monte-carlo": "[1.0, 2.0]"}[kind]
    moves = "isoenergetic_every = 3" if kind == "tempering" and matter != "spins" else ""
    return f"""
seed = 3
replicas = {samples * of_sample}
samples = {samples}
{MATTERS[matter]}
[[stage]]
kind = "{kind}"
temperature = {ladder}
sampler = "heat-bath"
thermalisation = 20
sweeps = {sweeps}
measure_every = 4
measure = {measure}
{moves}
{keys}
"""


@by_matter
def test_killed_runs_go_on_with_the_same_bits(tmp_path, matter):
    study = tmp_path / "study.toml"
    # The run is long enough for three kills.
    study.write_text(text(matter))
    assert_killed_runs_go_on(study)


@by_matter
@pytest.mark.parametrize("kind", ["tempering", "monte-carlo"])
def test_threads_change_no_bit(tmp_path, matter, kind):
    study = tmp_path / "study.toml"
    study.write_text(text(matter, kind=kind))
    assert_threads_change_no_bit(study)


@needs_ranks
@by_matter
def test_ranks_that_have_whole_samples_change_no_bit(tmp_path, matter):
    study = tmp_path / "study.toml"
    study.write_text(text(matter))
    assert_ranks_change_no_bit(study)


@needs_ranks
def test_ranks_that_share_a_sample_are_refused(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(text("ising", samples=1, of_sample=32))
    run = run_on_ranks(2, "run", study, "-o", tmp_path / "2.h5")
    assert run.returncode == 2
    assert "share the copies of a sample" in run.stderr


def test_results_have_every_rung_and_block(tmp_path):
    run, output = run_study(tmp_path, text("ising", sweeps=300))
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as results:
        overlap = results["stages/01-tempering/overlap"]
        # Blocks end after 4, 8, .. sweeps.
        assert list(overlap["blocks/last_sweep"]) == [4, 8, 16, 32, 64, 128, 256, 300]
        for name in ("overlap_square", "link_overlap", "correlation_length_ratio", "energy", "energy_from_links"):
            assert overlap[name + "/value"].shape == (4,)
            assert overlap[name + "/error"].shape == (4,)
            assert overlap[f"blocks/{name}/value"].shape == (8, 4)
        edges, density = overlap["distribution/edges"][()], overlap["distribution/value"][()]
        assert density.shape == (4, 65)
        np.testing.assert_allclose(density @ np.diff(edges), 1, atol=1e-12)
        # The blocks have 1, 1, 2, 4, .. samples, and together all samples.
        weights = np.diff([0, 1, 2, 4, 8, 16, 32, 64, 75])
        np.testing.assert_allclose(weights @ overlap["blocks/overlap_square/value"][()] / 75,
                                   overlap["overlap_square/value"][()], rtol=1e-12)
        # The energy that the stage reports.
        np.testing.assert_allclose(overlap["energy/value"][()],
                                   results["stages/01-tempering/averages/energy/value"][()], rtol=1e-9)


def test_monte_carlo_has_a_row_for_each_temperature(tmp_path):
    run, output = run_study(tmp_path, text("ising", kind="monte-carlo", sweeps=16))
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as results:
        overlap = results["stages/01-monte-carlo/overlap"]
        assert overlap["overlap_square/value"].shape == (2,)
        assert list(overlap["blocks/last_sweep"]) == [4, 8, 16, 4, 8, 16]
        assert list(overlap["blocks/point"]) == [0, 0, 0, 1, 1, 1]
        assert overlap["distribution/value"].shape == (2, 65)


def test_isoenergetic_moves_are_made(tmp_path):
    last = {}
    for name in ("with", "without"):
        folder = tmp_path / name
        folder.mkdir()
        study = text("ising")
        run, output = run_study(folder, study if name == "with" else study.replace("isoenergetic_every = 3", ""))
        assert run.returncode == 0, run.stderr
        with h5py.File(output) as results:
            last[name] = results["stages/01-tempering/series/energy/value"][-1]
    assert not np.array_equal(last["with"], last["without"])


REFUSED = {
    "no copies": ("ising", {"of_sample": 4}, "overlap needs two copies"),
    "no copies to move": ("ising", {"of_sample": 4, "measure": "[]"}, "isoenergetic moves need two copies"),
    "no discrete states": ("spins", {"keys": "isoenergetic_every = 2"}, "isoenergetic moves swap states"),
    "no bins": ("ising", {"measure": '[{ what = "overlap", bins = 1 }]'}, "bins"),
    "twice": ("ising", {"measure": '["overlap", "overlap"]'}, "measured twice"),
    "moves without sweeps": ("ising", {"keys": "isoenergetic_every = 0"}, "isoenergetic_every"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_makes_no_sense_is_refused(tmp_path, case):
    matter, changes, words = REFUSED[case]
    study = text(matter, **changes)
    if case in ("no copies", "moves without sweeps"):
        study = study.replace("isoenergetic_every = 3", "")
    run, _ = run_study(tmp_path, study)
    assert run.returncode == 2, run.stderr
    assert words in run.stderr
    assert "study.toml" in run.stderr


@pytest.mark.parametrize("keys, words", [
    ("disorder_probability = 0.3", "belongs to a bimodal distribution"),
    ('disorder_distribution = "bimodal"\ndisorder_probability = 1.5', "disorder_probability"),
    ('disorder_distribution = "bimodal"\ndisorder_probability = nan', "disorder_probability"),
    ("all_pairs = true", "several ways"),
])
def test_disorder_that_makes_no_sense_is_refused(tmp_path, keys, words):
    run, _ = run_study(tmp_path, text("ising").replace("shell = 1", "shell = 1\n" + keys))
    assert run.returncode == 2, run.stderr
    assert words in run.stderr
    assert "study.toml" in run.stderr
