"""If there are too few replicas, ranks share the sites of Ising and Potts models on grids and give
the bits of one rank. Systems that cannot be shared are refused. Skips if the program was built
without MPI or there is no mpirun."""
# Rooms: ising

import pytest

from program import assert_same_bits, larmor
from ranks import assert_killed_ranks_go_on, needs_ranks, run_on_ranks

pytestmark = needs_ranks

STUDY = """
seed = 5
replicas = 2
[model]
kind = "{kind}"
{more}
[lattice]
{lattice}
[[exchange]]
shell = 1
J = {J}
{disorder}
[[stage]]
kind = "anneal"
temperature = {{ from = 4, to = 2, points = 3 }}
sweeps = 20
sampler = "{first}"
[[stage]]
kind = "monte-carlo"
temperature = [2.0, 3.0]
sampler = "{sampler}"
thermalisation = 10
sweeps = {sweeps}
measure_every = 5
trajectory_every = 20
measure = ["energy", "magnetisation", "correlation-length"{measured}]
"""

SQUARE = 'type = "square"\nsize = [64, 14]'
CUBIC = 'type = "sc"\nsize = [64, 4, 5]\nperiodic = [true, true, false]'
SIGNS = 'disorder = 1\ndisorder_distribution = "bimodal"\ndisorder_by_replica = true'
POTTS = "[potts]\nstates = 3"


def text(kind="ising", more="", lattice=SQUARE, J=1, disorder="", first="glauber", sampler="metropolis",
         measured="", sweeps=40):
    return STUDY.format(kind=kind, more=more, lattice=lattice, J=J, disorder=disorder, first=first,
                        sampler=sampler, measured=measured, sweeps=sweeps)


CASES = {
    "metropolis": text(),
    "signs": text(J=0, disorder=SIGNS),
    "cubic": text(lattice=CUBIC, sampler="heat-bath"),
    "clusters": text(sampler="swendsen-wang", measured=', "cluster-sizes"'),
    "bits_after_clusters": text(first="swendsen-wang"),
    "potts": text(kind="potts", more=POTTS, first="swendsen-wang", sampler="swendsen-wang"),
}


@pytest.mark.parametrize("case", CASES)
def test_ranks_change_no_bit(tmp_path, case):
    study = tmp_path / "study.toml"
    study.write_text(CASES[case])
    run = larmor("run", study, "-o", tmp_path / "1.h5")
    assert run.returncode == 0, run.stderr
    for ranks in (2, 3):
        run = run_on_ranks(ranks, "run", study, "-o", tmp_path / f"{ranks}.h5")
        assert run.returncode == 0, run.stderr
        assert_same_bits(tmp_path / "1.h5", tmp_path / f"{ranks}.h5")


@pytest.mark.parametrize("sampler", ["metropolis", "swendsen-wang"])
def test_killed_ranks_go_on(tmp_path, sampler):
    study = tmp_path / "study.toml"
    study.write_text(text(sampler=sampler, sweeps=4000))
    assert_killed_ranks_go_on(study)


@pytest.mark.parametrize("study, why", [
    (text(sampler="wolff"), "a Wolff cluster grows on one rank"),
    (text(kind="potts", more=POTTS), "not stored as bits"),
    (text(lattice='type = "triangular"\nsize = [64, 14]'), "not stored as bits"),
    (text(lattice='type = "square"\nsize = [64, 2]'), "2 planes"),
])
def test_what_cannot_be_shared_is_refused(tmp_path, study, why):
    (tmp_path / "study.toml").write_text(study)
    run = run_on_ranks(3, "run", tmp_path / "study.toml", "-o", tmp_path / "out.h5")
    assert run.returncode == 2
    assert why in run.stderr
    assert not (tmp_path / "out.h5").exists()
