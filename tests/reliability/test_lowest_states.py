"""Parallel tempering keeps the state of lowest energy among the measured states of each sample."""
# Rooms: tempering, study

import json

import h5py
import numpy as np
import pytest

from program import larmor, run_study

HEAD = """
title = "Lowest states"
seed = 4
replicas = {replicas}
{samples}
[model]
kind = "{kind}"
[lattice]
{lattice}
{exchange}
[[stage]]
kind = "tempering"
temperature = {{ from = 0.3, to = 3.0, points = 6 }}
thermalisation = 50
sweeps = {sweeps}
measure_every = 5
exchange_every = 1
{more}
"""
NORMAL = '[[exchange]]\nshell = 1\nJ = 0.0\ndisorder = 1.0\ndisorder_by_replica = true\n'
BIMODAL = NORMAL + 'disorder_distribution = "bimodal"\n'
PLAIN = "[[exchange]]\nshell = 1\nJ = 1.0\n"


def text_of(lattice="grid = [4, 3]", exchange=NORMAL, replicas=36, samples="samples = 3", sweeps=600, kind="ising", more=""):
    return HEAD.format(lattice=lattice, exchange=exchange, replicas=replicas, samples=samples, sweeps=sweeps, kind=kind,
                       more=more)


def lowest_of(folder, text, *arguments):
    done, output = run_study(folder, text, *arguments)
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        stage = file["stages/01-tempering"]
        found = {name: values[()] for name, values in stage["lowest-states"].items()}
        return found, stage["series/energy/value"][()], stage["series/energy/step"][()], stage["temperature"][()].ravel(), output


# The engines are those for any graph, for bits of a grid, for 64 samples in a word, and for
# vectors.
@pytest.mark.parametrize("options", [
    {}, {"exchange": BIMODAL},
    {"lattice": "grid = [4, 4, 4]", "exchange": BIMODAL, "replicas": 64 * 12, "samples": "samples = 64", "sweeps": 200},
    {"lattice": "grid = [8, 8]", "exchange": PLAIN, "replicas": 12, "samples": ""},
    {"lattice": 'type = "triangular"\nsize = [4, 4]', "exchange": PLAIN, "replicas": 12, "samples": "", "kind": "potts"},
    {"lattice": 'type = "square"\nsize = [4, 4]', "replicas": 24, "samples": "samples = 2", "kind": "spins"},
], ids=["normal", "bimodal", "words", "bits", "potts", "spins"])
def test_they_are_the_least_of_all_samples(tmp_path, options):
    found, energy, sweeps, temperature, _ = lowest_of(tmp_path, text_of(**options))
    samples, replicas = len(found["energy"]), energy.shape[1]
    for sample in range(samples):
        # Series are ordered by rung: replica = rung + rungs (copy + copies sample).
        own = energy[:, sample * replicas // samples:(sample + 1) * replicas // samples]
        assert found["energy"][sample] == pytest.approx(own.min(), abs=1e-9)
        # Finds the first sweep with this energy, and its temperature.
        when, where = np.argwhere(own < own.min() + 1e-9)[0]
        assert found["sweep"][sample] == sweeps[when]
        at = own[when, int(np.argmin(np.abs(temperature - found["temperature"][sample])))::len(temperature)]
        assert np.any(np.abs(at - own.min()) < 1e-9)
        assert sample * replicas // samples <= found["replica"][sample] < (sample + 1) * replicas // samples
    assert len(found["configuration"]) == samples


def test_states_are_the_proven_ground_states(tmp_path):
    found, _, _, _, output = lowest_of(tmp_path, text_of(sweeps=4000))
    study = next(tmp_path.glob("*.toml"))
    for sample in range(3):
        done = larmor("solve", study, "--sample", sample, "--certify", "--repeats", 1, "--sweeps", 10, "--force", "-o",
                      tmp_path / "proof.json")
        assert done.returncode == 0, done.stderr
        proof = json.loads((tmp_path / "proof.json").read_text())["certificate"]
        assert found["energy"][sample] == pytest.approx(proof["energy"] / 12, rel=1e-6)
        # With normal couplings, the ground state is unique up to a flip of all spins.
        assert proof["degeneracy"] == 2
        assert abs(np.dot(found["configuration"][sample].astype(int).ravel(), proof["state"])) == 12
    assert "lowest energies of 3 samples" in larmor("show", output).stdout


def test_words_of_samples_hold_the_states(tmp_path):
    """If a coupling is J with probability 0, all couplings are antiferromagnetic. Then the energies
    follow from the states."""
    options = {"lattice": "grid = [4, 4, 4]", "exchange": BIMODAL + "disorder_probability = 0.0\n", "replicas": 64 * 6,
               "samples": "samples = 64"}
    found, *_ = lowest_of(tmp_path, text_of(sweeps=40, **options))
    spins = found["configuration"].reshape(64, 4, 4, 4).astype(int)
    energy = sum((spins * np.roll(spins, 1, axis)).sum(axis=(1, 2, 3)) for axis in (1, 2, 3)) / 64
    assert found["energy"] == pytest.approx(energy)


def test_threads_change_nothing(tmp_path):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    one, *_ = lowest_of(tmp_path / "one", text_of(), "--threads", 1)
    two, *_ = lowest_of(tmp_path / "two", text_of(), "--threads", 2)
    assert all(np.array_equal(one[name], two[name]) for name in one)


@pytest.mark.parametrize("more", ["keep_configurations = 0"])
def test_they_may_be_left_out(tmp_path, more):
    done, output = run_study(tmp_path, text_of(more=more))
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        assert "lowest-states" not in file["stages/01-tempering"]
