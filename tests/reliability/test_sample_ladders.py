"""Ladders of many spin-glass samples, 64 in a word, in the whole program. Bits do not depend on
interruptions, threads or ranks, and averages agree with ladders of replicas."""
# Rooms: ising, study

import h5py
import numpy as np
import pytest

from program import DEPTH, assert_threads_change_no_bit, larmor, run_study
from ranks import assert_ranks_change_no_bit, needs_ranks, run_on_ranks
from running import assert_killed_runs_go_on

RUNGS, COPIES = 4, 2


CUBE = 'type = "sc"\nsize = [4, 4, 3]'
HYPERCUBE = "grid = [2, 3, 4, 2]\nperiodic = [true, false, true, true]"


def text(samples=64, sweeps=600, engine="samples", after="", keys="", lattice=CUBE):
    replicas = samples * RUNGS * COPIES
    return f"""
seed = 11
replicas = {replicas}
samples = {samples}
[model]
kind = "ising"
[lattice]
{lattice}
[[exchange]]
shell = 1
J = 0.0
disorder = 1.5
disorder_distribution = "bimodal"
disorder_by_replica = true
[[stage]]
kind = "tempering"
temperature = {{ from = 1.5, to = 3.0, points = {RUNGS}, spacing = "constant-acceptance" }}
engine = "{engine}"
thermalisation = 1200
sweeps = {sweeps}
exchange_every = 3
measure_every = 4
measure = ["overlap", "correlation-length"]
keep_configurations = {replicas}
{keys}
{after}
"""


def stage_of(results):
    return results["stages/01-tempering"]


@pytest.mark.parametrize("samples", [64, 20])
def test_killed_runs_go_on_with_the_same_bits(tmp_path, samples):
    study = tmp_path / "study.toml"
    study.write_text(text(samples=samples, sweeps=60))
    assert_killed_runs_go_on(study)


def test_threads_change_no_bit(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(text(sweeps=300))
    assert_threads_change_no_bit(study)


# The cases have a word for each rank, a word that both ranks share, and words that samples do not
# fill.
@needs_ranks
@pytest.mark.parametrize("samples", [128, 64, 20, 136])
def test_ranks_change_no_bit(tmp_path, samples):
    study = tmp_path / "study.toml"
    study.write_text(text(samples=samples, sweeps=300))
    assert_ranks_change_no_bit(study)


@needs_ranks
def test_ranks_cannot_share_a_sample(tmp_path):
    study = tmp_path / "study.toml"
    # Three blocks of eight replicas belong to two samples.
    study.write_text(text(samples=2).replace(f"points = {RUNGS}", "points = 6").replace("replicas = 16", "replicas = 24"))
    run = run_on_ranks(2, "run", study, "-o", tmp_path / "2.h5")
    assert run.returncode == 2 and "would split the copies and rungs" in run.stderr and not (tmp_path / "2.h5").exists()


@pytest.mark.parametrize("samples", [2, 20, 70])
def test_samples_do_not_depend_on_how_many_there_are(tmp_path, samples):
    """If samples do not fill a word, the word holds further samples, which change nothing."""
    found = {}
    for count in (samples, 128):
        folder = tmp_path / str(count)
        folder.mkdir()
        run, output = run_study(folder, text(samples=count, sweeps=40).replace("constant-acceptance", "geometric"))
        assert run.returncode == 0, run.stderr
        with h5py.File(output) as results:
            stage = stage_of(results)
            found[count] = [stage["series/energy/value"][()], stage["series/magnetisation/value"][()],
                            stage["configuration"][()].T, stage["ladder/round_trips"][()][None]]
    for few, many in zip(*found.values()):
        assert np.array_equal(few, many[:, :few.shape[1]])


LATTICES = {"cube": CUBE, **({"hypercube": HYPERCUBE} if DEPTH else {})}


@pytest.mark.parametrize("lattice", LATTICES.values(), ids=LATTICES)
def test_ladders_of_replicas_sample_the_same(tmp_path, lattice):
    """The ladders are compared sample by sample, with equal disorder."""
    energy, overlap = {}, {}
    for engine in "samples", "general":
        folder = tmp_path / engine
        folder.mkdir()
        fixed = text(engine=engine, sweeps=3000, lattice=lattice).replace("constant-acceptance", "geometric")
        run, output = run_study(folder, fixed)
        assert run.returncode == 0, run.stderr
        with h5py.File(output) as results:
            stage = stage_of(results)
            series = stage["series/energy/value"][()].reshape(-1, 64, COPIES, RUNGS)
            energy[engine] = series.mean(axis=(0, 2))
            overlap[engine] = [stage[f"overlap/{name}/value"][()] for name in
                               ("overlap_square", "link_overlap", "correlation_length_ratio")]
    difference = energy["samples"] - energy["general"]
    # For comparison, differences between samples are ten times as large.
    assert np.all(np.std(difference, axis=0) < 0.2 * np.std(energy["general"], axis=0))
    assert np.all(abs(difference.mean(axis=0)) < 5 * np.std(difference, axis=0) / 8)
    np.testing.assert_allclose(overlap["samples"], overlap["general"], rtol=0.05)


def test_the_stage_that_follows_finds_replicas_by_rung(tmp_path):
    cold = """
[[stage]]
kind = "monte-carlo"
temperature = 1e-3
thermalisation = 0
sweeps = 1
measure_every = 1
"""
    run, output = run_study(tmp_path, text(after=cold))
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as results:
        before = stage_of(results)["series/energy/value"][-1]
        then = results["stages/02-monte-carlo/series/energy/value"][-1]
        assert np.all(then <= before + 1e-12)
        assert np.corrcoef(before, then)[0, 1] > 0.8
        spins = stage_of(results)["configuration"][()]
        assert set(np.unique(spins)) == {-1, 1}
        m = stage_of(results)["series/magnetisation/value"][-1]
        np.testing.assert_allclose(spins.reshape(len(m), -1).mean(axis=1), m, atol=1e-12)


def test_samples_are_chosen_where_they_can_be(tmp_path):
    study = tmp_path / "study.toml"
    for samples, words in (64, "64 samples in a word"), (20, "64 samples in a word"), (8, "fewer than 12 samples are faster one by one"):
        study.write_text(text(samples=samples, engine="automatic", keys="", sweeps=300))
        check = larmor("check", study)
        assert check.returncode == 0 and words in check.stdout


REFUSED = {
    "normal": (text().replace('"bimodal"', '"normal"'), "couplings are not all equal"),
    "isoenergetic": (text(keys="isoenergetic_every = 5"), "isoenergetic"),
    "field": (text(after="[field]\nh = 0.5"), "field"),
    "monte-carlo": (text(after='[[stage]]\nkind = "monte-carlo"\ntemperature = 1.0\nengine = "samples"'),
                    "belongs to the stage tempering"),
    "clusters": (text(keys='sampler = "wolff"'), "single sites"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_samples_is_refused(tmp_path, case):
    study, words = REFUSED[case]
    run, output = run_study(tmp_path, study)
    assert run.returncode == 2 and words in run.stderr and "study.toml:" in run.stderr
    assert not output.exists()
