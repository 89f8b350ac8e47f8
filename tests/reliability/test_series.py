"""`series` holds the measurements of a Monte Carlo stage by name, for every model kind: one number per sample and
replica. The mean of a series is the average."""
# Rooms: study

import signal

import h5py
import pytest

from checkpoint_blocks import blocks_of
from program import assert_same_bits, larmor, run_study
from running import start, stop_after, wait_until_there

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


# A sample takes 4 kB, so that after 4000 sweeps the program no longer keeps all samples in memory.
MANY = (
    'replicas = 64\n[lattice]\ntype = "chain"\nsize = [4]\n[[exchange]]\nshell = 1\nJ = 1.0\n'
    '[[stage]]\nkind = "monte-carlo"\ntemperature = [2.0, 1.0]\nthermalisation = 10\nsweeps = {sweeps}\n'
    'measure_every = 1\nmeasure = ["energy-terms", "spin-temperature"]\n'
    '[[stage]]\nkind = "dynamics"\ntimestep = 0.01\nsteps = 500\ntemperature = 1.0\ndamping = 0.1\n'
    'measure = [{{ what = "energy", every = 1 }}, {{ what = "spin-temperature", every = 2 }}]\n'
)


def test_series_longer_than_memory_has_room_for_have_the_same_bits(tmp_path):
    study, whole, output = tmp_path / "study.toml", tmp_path / "whole.h5", tmp_path / "out.h5"
    study.write_text(MANY.format(sweeps=6000))
    assert larmor("run", study, "-o", whole).returncode == 0
    process = start("run", study, "-o", output, "--checkpoint-every", "0.05")
    wait_until_there(process, tmp_path / "out.h5.ckpt.prev")
    code, _, errors = stop_after(process, 0.2, signal.SIGKILL)
    assert code == -signal.SIGKILL, errors
    assert larmor("resume", output).returncode == 0
    assert_same_bits(whole, output)
    with h5py.File(whole) as file:
        found = file["stages/01-monte-carlo"]
        for name in ("energy", "energy_exchange"):
            values, point = found[f"series/{name}/value"][:], found[f"series/{name}/point"][:]
            for p in range(2):
                assert values[point == p].mean() == pytest.approx(found[f"averages/{name}/value"][p], rel=1e-12)
                assert found[f"averages/{name}/samples"][p] == 6000 * 64
        parts = found["series/spin_temperature/parts"][6000:].sum(axis=(0, 1))
        assert parts[0] / parts[1] == pytest.approx(found["averages/spin_temperature/value"][1], rel=1e-4)


def test_checkpoints_hold_no_samples(tmp_path):
    study, output, checkpoint = tmp_path / "study.toml", tmp_path / "out.h5", tmp_path / "out.h5.ckpt"
    study.write_text(MANY.format(sweeps=200000))
    process = start("run", study, "-o", output, "--checkpoint-every", "0.05")
    wait_until_there(process, tmp_path / "out.h5.ckpt.prev")
    code, _, errors = stop_after(process, 0.3, signal.SIGTERM)
    assert code == 143, errors
    with h5py.File(output) as file:
        samples = len(file["stages/01-monte-carlo/series/energy/value"])
    assert samples > 1000
    _, found = blocks_of(checkpoint)
    # Spins and tuned values of every replica.
    assert sum(count for _, count in found.values()) < 64 * 100
