"""Clusters of vector spins in the whole program: checkpoints, threads, ranks, results, and the refusal of
systems without clusters."""
# Rooms: clusters, spins, study


import h5py
import pytest

from program import assert_same_bits, larmor, run_study
from ranks import needs_ranks, run_on_ranks
from running import assert_killed_runs_go_on

STUDY = """
seed = 5
replicas = {replicas}
[lattice]
type = "sc"
size = [5, 4, 4]
moment = [1.5]
[[exchange]]
shell = 1
J = 1.0
disorder = 0.3
disorder_by_replica = true
[[stage]]
kind = "anneal"
temperature = {{ from = 3.0, to = 1.5, factor = 0.8 }}
sampler = "{sampler}"
sweeps = 20
[[stage]]
kind = "monte-carlo"
sampler = "{sampler}"
over_relaxation = 1
{keys}
temperature = [1.5, 1.4]
thermalisation = 50
sweeps = {sweeps}
measure_every = 5
trajectory_every = 4
measure = ["energy", "cluster-sizes", "improved-susceptibility", "energy-terms"]
"""

SAMPLERS = {"swendsen-wang": "", "wolff": "clusters = 3"}


def text(sampler, replicas=10, sweeps=100):
    return STUDY.format(sampler=sampler, keys=SAMPLERS[sampler], replicas=replicas, sweeps=sweeps)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_a_killed_run_goes_on_to_the_same_bits(tmp_path, sampler):
    study = tmp_path / "study.toml"
    study.write_text(text(sampler))
    assert_killed_runs_go_on(study)


@pytest.mark.parametrize("replicas", [2, 10])
@pytest.mark.parametrize("sampler", SAMPLERS)
def test_threads_change_no_bit(tmp_path, sampler, replicas):
    study = tmp_path / "study.toml"
    study.write_text(text(sampler, replicas=replicas))
    for threads in (1, 3):
        run = larmor("run", study, "-o", tmp_path / f"{threads}.h5", "--threads", threads)
        assert run.returncode == 0, run.stderr
    assert_same_bits(tmp_path / "1.h5", tmp_path / "3.h5")


@needs_ranks
@pytest.mark.parametrize("sampler", SAMPLERS)
def test_ranks_change_no_bit(tmp_path, sampler):
    run, output = run_study(tmp_path, text(sampler, replicas=20))
    assert run.returncode == 0, run.stderr
    together = run_on_ranks(3, "run", tmp_path / "study.toml", "-o", tmp_path / "ranks.h5")
    assert together.returncode == 0, together.stderr
    assert_same_bits(output, tmp_path / "ranks.h5")


@needs_ranks
def test_ranks_do_not_share_a_lattice(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(text("wolff", replicas=1))
    refused = run_on_ranks(2, "run", study, "-o", tmp_path / "out.h5")
    assert refused.returncode != 0 and "cannot share a lattice" in refused.stderr, refused.stderr


def test_results_and_words(tmp_path):
    run, output = run_study(tmp_path, text("wolff"))
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        averages = file["stages/02-monte-carlo/averages"]
        for name in ("cluster_size", "largest_cluster", "improved_susceptibility"):
            assert averages[name]["value"].shape == (2,)
        assert "acceptance" not in averages
    checked = larmor("check", tmp_path / "study.toml")
    assert "wolff, 3 clusters a sweep, 1 over-relaxations a sweep" in checked.stdout, checked.stdout
    explained = larmor("explain", "monte-carlo")
    assert "only for isotropic exchange" in explained.stdout, explained.stdout


@pytest.mark.parametrize("old, new, words", [
    ("[[exchange]]", '[[dmi]]\nshell = 1\nstrength = 0.1\ndirection = "bond"\n[[exchange]]', "dmi"),
    ("[[exchange]]", "[[anisotropy]]\nK = 0.1\n[[exchange]]", "anisotropy"),
    ("[[exchange]]", "[field]\nB = [0, 0, 1]\n[[exchange]]", "field"),
    ("[[exchange]]", "[dipolar]\nstrength = 0.1\n[[exchange]]", "dipolar"),
    ("[[exchange]]", "[[biquadratic]]\nshell = 1\nb = 0.1\n[[exchange]]", "biquadratic"),
    ('sampler = "swendsen-wang"', 'sampler = "swendsen-wang"\nclusters = 2', "remove clusters"),
    ('sampler = "swendsen-wang"', 'sampler = "wolf"',
     "metropolis, heat-bath, swendsen-wang, wolff"),
    ('sampler = "swendsen-wang"', 'sampler = "heat-bath"', "needs clusters"),
    ("[[exchange]]", '[[alloy]]\nby = "Y"\nfraction = 0.2\nmoment = 2.5\n[[exchange]]',
     "needs equal moments"),
])
def test_what_makes_no_sense_is_refused(tmp_path, old, new, words):
    study = text("swendsen-wang")
    assert old in study
    at = study.rindex(old)
    run, output = run_study(tmp_path, study[:at] + new + study[at + len(old):])
    assert run.returncode == 2 and words in run.stderr, run.stderr
    assert not output.exists()
