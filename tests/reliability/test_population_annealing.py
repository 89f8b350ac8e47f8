"""Population annealing in the whole program: checkpoints, threads, ranks, results, and the refusal of
invalid studies."""
# Rooms: tempering, study

import h5py
import numpy as np
import pytest

from program import assert_same_bits, larmor, run_study
from ranks import needs_ranks, run_on_ranks
from running import assert_killed_runs_go_on

ISING = """
[model]
kind = "ising"
[lattice]
grid = {grid}
[[exchange]]
shell = 1
J = 1
"""
SPINS = """
[lattice]
type = "square"
size = [5, 5]
[[exchange]]
shell = 1
J = 1
"""
STAGE = """
[[stage]]
kind = "population-annealing"
temperature = {temperature}
sweeps = {sweeps}
sampler = "{sampler}"
{keys}
"""
AFTER = """
[[stage]]
kind = "monte-carlo"
temperature = 1.0
thermalisation = 5
sweeps = 10
measure_every = 2
"""
CHOSEN = "{ to = 1.0, overlap = 0.8 }"
BITS, BYTES = ISING.format(grid="[64, 6]"), ISING.format(grid="[7, 6]")

CASES = {
    "bits": (BITS, "metropolis", ""),
    "bytes": (BYTES, "heat-bath", ""),
    "systematic": (BYTES, "metropolis", 'resampling = "systematic"\nmeasure = ["correlation-length"]'),
    "clusters": (BYTES, "swendsen-wang", ""),
    "potts": (BYTES.replace('"ising"', '"potts"'), "metropolis", ""),
    "spins": (SPINS, "metropolis", "population = 100"),
    "heat_bath": (SPINS, "heat-bath", 'measure = ["energy-terms", "topological-charge"]'),
}


def text(case="bytes", replicas=187, sweeps=12, temperature=CHOSEN, after=AFTER, **other):
    model, sampler, keys = CASES[case]
    values = {"sampler": sampler, "keys": keys, **other}
    return (f"seed = 3\nreplicas = {replicas}\n" + model
            + STAGE.format(sweeps=sweeps, temperature=temperature, **values) + after)


@pytest.mark.parametrize("case", CASES)
def test_a_killed_run_goes_on_to_the_same_bits(tmp_path, case):
    study = tmp_path / "study.toml"
    study.write_text(text(case))
    assert_killed_runs_go_on(study)


@pytest.mark.parametrize("case", CASES)
def test_threads_change_no_bit(tmp_path, case):
    study = tmp_path / "study.toml"
    study.write_text(text(case))
    for threads in (1, 3):
        run = larmor("run", study, "-o", tmp_path / f"{threads}.h5", "--threads", threads)
        assert run.returncode == 0, run.stderr
    assert_same_bits(tmp_path / "1.h5", tmp_path / "3.h5")


def test_results_hold_the_population(tmp_path):
    run, output = run_study(tmp_path, text(after=""))
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        stage = file["stages/01-population-annealing"]
        T = stage["temperature"][:]
        assert T[-1] == 1.0 and (np.diff(T) < 0).all()
        population = stage["population"]
        assert all(population[name].shape == T.shape for name in population)
        sizes = population["size"][:]
        assert len(set(sizes)) > 1 and (sizes <= 187).all() and (sizes > 60).all()
        assert (np.diff(population["families"][:]) <= 0).all()
        assert (population["mean_square_family_size"][:] >= 1).all()
        averages = stage["averages"]
        for name in ("energy", "magnetisation", "specific_heat", "free_energy", "entropy", "acceptance"):
            assert averages[name]["value"].shape == T.shape
        assert list(averages["energy/samples"][:]) == list(sizes)
        # For these replicas, F = E - T S.
        np.testing.assert_allclose(
            averages["free_energy/value"][:],
            averages["energy/value"][:] - T * averages["entropy/value"][:], rtol=0.02)
        lowest = stage["lowest-state"]
        s = lowest["configuration"][:].reshape(6, 7).astype(float)
        energy = -np.sum(s * np.roll(s, 1, axis=0) + s * np.roll(s, 1, axis=1)) / 42
        assert lowest.attrs["energy"] == pytest.approx(energy, abs=1e-14)
        assert lowest.attrs["families"] <= lowest.attrs["replicas"] <= sizes[-1]
        assert lowest.attrs["temperature"] in T
    assert "lowest energy" in run.stdout + run.stderr
    shown = larmor("show", output)
    assert shown.returncode == 0 and "free_energy" in shown.stdout, shown.stdout + shown.stderr


def test_it_is_explained_and_checked(tmp_path):
    explained = larmor("explain", "population-annealing")
    assert explained.returncode == 0
    for key in ("temperature", "overlap", "population", "resampling", "sampler"):
        assert key in explained.stdout
    (tmp_path / "study.toml").write_text(text())
    checked = larmor("check", tmp_path / "study.toml")
    assert checked.returncode == 0 and "steps of overlap 0.8 to 1" in checked.stdout, checked.stderr


def test_all_replicas_may_share_a_sample_of_the_disorder(tmp_path):
    disorder = 'J = 0\ndisorder = 1\ndisorder_distribution = "bimodal"\ndisorder_by_replica = true'
    run, output = run_study(tmp_path, "samples = 1\n" + text(after="").replace("J = 1", disorder, 1))
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        stage = file["stages/01-population-annealing"]
        # Copying favours low energies, so the energies of one sample fall with T.
        assert (np.diff(stage["averages/energy/value"][:]) < 0).all()


@needs_ranks
def test_several_ranks_are_refused(tmp_path):
    (tmp_path / "study.toml").write_text(text())
    run = run_on_ranks(2, "run", tmp_path / "study.toml", "-o", tmp_path / "out.h5")
    assert run.returncode == 2 and "start one rank" in run.stderr, run.stderr


@pytest.mark.parametrize("old, new, words", [
    (CHOSEN, "[2.0, 3.0]", "a population is cooled, and temperature goes from 2 to 3"),
    (CHOSEN, "[2.0, 2.0]", "a population is cooled"),
    (CHOSEN, "[2.0, -1.0]", "temperature must be positive"),
    (CHOSEN, "[2.0, nan]", "temperature"),
    (CHOSEN, "[]", "temperature is an empty list"),
    (CHOSEN, "{ to = 1.0 }", "temperature needs from, or the overlap of its steps"),
    (CHOSEN, "{ from = 3.0, to = 1.0 }", "exactly one of factor, step and points"),
    (CHOSEN, "{ from = 1.0, to = 3.0, points = 4 }", "a population is cooled"),
    (CHOSEN, "{ from = 1.0, to = 3.0, overlap = 0.8 }", "a population is cooled"),
    (CHOSEN, "{ from = 3.0, to = 1.0, overlap = 0.8, points = 4 }",
     "only one of factor, step, points and overlap"),
    (CHOSEN, "{ to = 1.0, overlap = 1.2 }", "at most 0.99"),
    (CHOSEN, "{ to = 1.0, overlap = 0.1 }", "at least 0.5"),
    (CHOSEN, "{ to = 0, overlap = 0.8 }", "positive"),
    ("replicas = 187", "replicas = 10", "a population has 20 replicas or more"),
    ("replicas = 187", "", "a population has 20 replicas or more"),
    ("sweeps = 12", "sweeps = 0", "at least 1"),
    ("sweeps = 12", "sweeps = 12\npopulation = 180",
     "replicas = 187 allows a population of at most 129, as its size changes, not 180"),
    ("sweeps = 12", 'sweeps = 12\nresampling = "systematic"\npopulation = 188',
     "replicas = 187 allows a population of at most 187, not 188"),
    ("sweeps = 12", "sweeps = 12\npopulation = 3", "at least 20"),
    ("sweeps = 12", 'sweeps = 12\nresampling = "sistematic"', "did you mean"),
    ('sampler = "heat-bath"', 'sampler = "swendsen-wang"\nmeasure = ["cluster-sizes"]',
     "population-annealing cannot measure cluster-sizes of a population"),
    ("sweeps = 12", 'sweeps = 12\nmeasure = ["energies"]', "this stage has no measurement"),
    ("sweeps = 12", "sweeps = 12\nthermalisation = 5", "unknown key 'thermalisation'"),
    ("J = 1", 'J = 0\ndisorder = 1\ndisorder_distribution = "bimodal"\ndisorder_by_replica = true',
     "their quenched disorder differs"),
])
def test_what_makes_no_sense_is_refused(tmp_path, old, new, words):
    study = text()
    assert old in study
    run, output = run_study(tmp_path, study.replace(old, new, 1))
    assert run.returncode == 2 and words in run.stderr, run.stderr
    assert "study.toml:" in run.stderr and not output.exists()
