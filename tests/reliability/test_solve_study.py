"""larmor solve STUDY.toml: ground states of the couplings that a study draws."""
# Rooms: ground_states, study

import json

import h5py
import numpy as np
import pytest

from program import larmor

STUDY = """
title = "Samples"
seed = 1
replicas = {replicas}
{samples}
[model]
kind = "{kind}"
[lattice]
{lattice}
{exchange}
[field]
h = {h}
[[stage]]
kind = "monte-carlo"
temperature = 1.2
sampler = "metropolis"
sweeps = 4000
thermalisation = 0
measure_every = 1
keep_configurations = 0
"""
NORMAL = '[[exchange]]\nshell = 1\nJ = 0.25\ndisorder = 1.0\ndisorder_by_replica = true\ndisorder_seed = 5\n'
BIMODAL = NORMAL.replace("J = 0.25", 'J = 0.0\ndisorder_distribution = "bimodal"')
SQUARE, CHAIN = "grid = [3, 4]", 'type = "triangular"\nsize = [3, 3]'


def study(folder, lattice=SQUARE, exchange=NORMAL, h=0.0, replicas=12, samples="samples = 3", kind="ising"):
    path = folder / "study.toml"
    path.write_text(STUDY.format(lattice=lattice, exchange=exchange, h=h, replicas=replicas, samples=samples, kind=kind))
    return path


def solved(path, *arguments):
    done = larmor("solve", path.name, "--force", "--repeats", 4, "--sweeps", 200, *arguments, cwd=path.parent)
    assert done.returncode == 0, done.stderr
    return json.loads((path.parent / "study-solution.json").read_text()), done.stdout


def energies_of_run(path):
    """Energies per site, [sweep][replica]."""
    done = larmor("run", path.name, "--progress", "quiet", "-o", "study.h5", "--force", cwd=path.parent)
    assert done.returncode == 0, done.stderr
    with h5py.File(path.parent / "study.h5") as file:
        return file["stages/01-monte-carlo/series/energy/value"][()]


@pytest.mark.parametrize("lattice, exchange, h", [(SQUARE, NORMAL, 0.0), (SQUARE, BIMODAL, 0.0), (SQUARE, NORMAL, 0.3),
                                                  (CHAIN, NORMAL, 0.0), ("grid = [2, 2, 3]", BIMODAL, -0.2)],
                         ids=["normal", "bimodal", "field", "triangular", "three_axes"])
def test_the_ground_state_is_the_least_energy_of_the_run(tmp_path, lattice, exchange, h):
    path = study(tmp_path, lattice, exchange, h)
    least = energies_of_run(path).min(axis=0)
    proven = []
    for sample in range(3):
        found, text = solved(path, "--sample", sample, "--certify")
        sites = found["problem"]["variables"]
        assert f"study.toml, sample {sample}: {sites} spins" in text
        assert f"{found['best']['energy'] / sites:.10g} a site" in text
        assert found["problem"]["sample"] == sample and found["problem"]["format"] == "study"
        proven.append(found["certificate"]["energy"] / sites)
    # There are four replicas per sample, and a dozen spins find their ground state repeatedly. Runs
    # round couplings.
    np.testing.assert_allclose(least.reshape(3, 4).min(axis=1), proven, rtol=1e-6)
    assert len(set(proven)) > 1 or exchange == BIMODAL


def test_a_study_without_samples_needs_no_number(tmp_path):
    exchange = "[[exchange]]\nshell = 1\nJ = -1.0\n"
    path = study(tmp_path, "grid = [5]", exchange, replicas=2, samples="")
    found, text = solved(path, "--certify")
    # The ring is antiferromagnetic and odd, so one bond of five is broken.
    assert found["certificate"]["energy"] == -3 and found["certificate"]["degeneracy"] == 10
    assert "H = - sum J s s - h sum s" in text


def test_two_bonds_of_two_sites_add_up(tmp_path):
    path = study(tmp_path, "grid = [2, 2]", "[[exchange]]\nshell = 1\nJ = 1.0\n", h=0.5, replicas=1, samples="")
    found, _ = solved(path, "--certify")
    assert found["certificate"]["energy"] == -8 - 4 * 0.5 and found["problem"]["couplings"] == 4


def test_what_there_is_not_is_said(tmp_path):
    path = study(tmp_path)

    def refused(*arguments):
        done = larmor("solve", path.name, *arguments, cwd=tmp_path)
        assert done.returncode == 2, (done.stdout, done.stderr)
        assert not (tmp_path / "study-solution.json").exists()
        return done.stderr

    assert "3 samples, 0 to 2" in refused() and "--sample" in refused()
    assert "no sample 3" in refused("--sample", 3)
    assert "--ferromagnetic" in refused("--sample", 0, "--ferromagnetic")
    (tmp_path / "bonds.txt").write_text("0 1 1\n")
    done = larmor("solve", "bonds.txt", "--sample", 0, cwd=tmp_path)
    assert done.returncode == 2 and "--sample is for studies" in done.stderr
    path = study(tmp_path, kind="potts", exchange="[[exchange]]\nshell = 1\nJ = 1.0\n", samples="")
    assert "of potts, not of Ising spins" in refused()
