"""What a Monte Carlo stage measures by name is in `series`, of every kind of matter: one number a sample
and replica, whose mean is the average."""

import h5py
import pytest

from program import run_study

ISING = '[model]\nkind = "ising"\n[lattice]\ngrid = [8, 8]\n[[exchange]]\nshell = 1\nJ = 1.0\n'
POTTS = ISING.replace('"ising"', '"potts"') + "[potts]\nstates = 3\n"
SPINS = '[lattice]\ntype = "square"\nsize = [6, 6]\n[[exchange]]\nshell = 1\nJ = 1.0\n'
PHI4 = '[model]\nkind = "phi4"\n[lattice]\nsize = [4, 4]\n[phi4]\ncomponents = 2\nlambda = 1.0\n'
STAGE = '[[stage]]\nkind = "monte-carlo"\nthermalisation = 10\nsweeps = 25\nmeasure_every = 2\n'
OF_CLUSTERS = ["largest_cluster", "improved_magnetisation_squared"]
MOMENTS = ["magnetisation_squared", "magnetisation_fourth"]
MODULATED = MOMENTS + ["structure_factor_x", "structure_factor_y"]


def stage(sampler, measured, keys="temperature = [2.0, 1.5]"):
    names = ", ".join(f'"{name}"' for name in measured)
    return f'{STAGE}sampler = "{sampler}"\n{keys}\nmeasure = [{names}]\n'


CLUSTERS = ["cluster-sizes", "improved-susceptibility"]
STUDIES = {
    "ising": (ISING + stage("swendsen-wang", ["correlation-length", *CLUSTERS]),
              MODULATED + ["clusters"] + OF_CLUSTERS, 2),
    "ising-wolff": (ISING + stage("wolff", CLUSTERS), OF_CLUSTERS, 2),
    "potts": (POTTS + stage("swendsen-wang", ["magnetisation-moments", *CLUSTERS]),
              MOMENTS + ["clusters"] + OF_CLUSTERS, 2),
    "spins": (SPINS + stage("swendsen-wang", ["spin-temperature", *CLUSTERS]),
              ["clusters"] + OF_CLUSTERS, 2),
    "spins-wolff": (SPINS + stage("wolff", CLUSTERS), ["cluster_size"] + OF_CLUSTERS, 2),
    "phi4": (PHI4 + "kappa = 0.2\n" + stage("swendsen-wang", ["moments", "improved-susceptibility"], ""),
             ["bond", "phi2", "phi4", "m2", "m4", "improved_susceptibility"], 1),
}


@pytest.mark.parametrize("kind", STUDIES)
def test_measured_numbers_are_series(tmp_path, kind):
    text, names, points = STUDIES[kind]
    run, results = run_study(tmp_path, f"seed = 9\nreplicas = 3\n{text}")
    assert run.returncode == 0, run.stderr
    with h5py.File(results) as file:
        found = file["stages/01-monte-carlo"]
        for name in names:
            series = found[f"series/{name}"]
            values, point = series["value"][:], series["point"][:]
            assert values.shape == (13 * points, 3), name
            assert list(series["step"][:13]) == [*range(2, 25, 2), 25]
            for p in range(points):
                assert values[point == p].mean() == pytest.approx(found[f"averages/{name}/value"][p],
                                                                  rel=1e-12), name
