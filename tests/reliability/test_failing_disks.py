"""Whichever call that changes a file fails, or is the last of the program: nothing that was stored is lost, and the
run goes on to the same bits."""

import os
import random
import subprocess

import h5py
import pytest

from program import DEPTH, LARMOR, PATIENCE, datasets, is_complete, larmor

FAULTS = os.environ.get("LARMOR_FAULTS")
pytestmark = pytest.mark.skipif(FAULTS is None, reason="no faults: LARMOR_FAULTS names no library")

SPINS = """seed = 5
replicas = 2
[lattice]
type = "square"
size = [4, 4]
[[exchange]]
shell = 1
J = 1.0
[[anisotropy]]
K = 0.1
"""
ISING = SPINS.replace("[lattice]", '[model]\nkind = "ising"\n[lattice]').replace("[[anisotropy]]\nK = 0.1\n", "")
PHI4 = """seed = 5
replicas = 2
[model]
kind = "phi4"
[lattice]
size = [4, 4]
[phi4]
components = 2
kappa = 0.2
lambda = 1.0
"""
ONE = SPINS.replace("replicas = 2", "replicas = 1") + '[initial]\nstate = "aligned"\n'
ATOMS = """units = "material"
seed = 5
replicas = 2
[model]
kind = "atoms"
[lattice]
type = "bcc"
size = [2, 2, 2]
constant = "2.9 Å"
species = ["W"]
[atoms]
temperature = "900 K"
[[zbl]]
inner = "3.4 Å"
outer = "4.2 Å"
"""
LADDER = "temperature = { from = 1.0, to = 1.5, points = 2 }\n"

# A study with each kind of stage, which then hands on to another stage: so there is more than one checkpoint.
STUDIES = {
    "anneal": SPINS + '[[stage]]\nkind = "anneal"\ntemperature = { from = 3.0, to = 0.5, factor = 0.8 }\nsweeps = 5\n',
    "monte-carlo": SPINS + '[[stage]]\nkind = "monte-carlo"\ntemperature = [1.0, 0.8]\nsweeps = 12\nmeasure_every = 3\n'
    'trajectory_every = 2\nmeasure = ["energy-terms", "site-spins", { what = "structure-factor", path = ["G", "X"] }]\n',
    "tempering": SPINS + f'[[stage]]\nkind = "tempering"\n{LADDER}sweeps = 40\nthermalisation = 10\n',
    "population": SPINS.replace("replicas = 2", "replicas = 80") + '[[stage]]\nkind = "population-annealing"\n'
    "temperature = { from = 4.0, to = 1.0, points = 4 }\nsweeps = 5\n",
    "dynamics": SPINS + '[[stage]]\nkind = "dynamics"\ntimestep = 0.05\nsteps = 40\n'
    'measure = [{ what = "energy", every = 5 }, { what = "structure-factor", path = ["G", "X"], every = 5 },'
    ' { what = "trajectory", every = 20 }]\n',
    "minimise": SPINS + '[[stage]]\nkind = "minimise"\n',
    "hysteresis": SPINS + '[[stage]]\nkind = "hysteresis"\nfield = { from = 1, to = -1, points = 4 }\n'
    "direction = [0, 0.1, 1]\n",
    "path": ONE + '[[stage]]\nkind = "minimum-energy-path"\n'
    'final = { state = "aligned", direction = [0, 0, -1] }\nimages = 5\nsteps = 200\n',
    "spin-waves": ONE + '[[stage]]\nkind = "spin-waves"\npath = ["G", "X"]\n',
    "pair-correlations": SPINS + '[[stage]]\nkind = "pair-correlations"\npath = ["G", "X"]\n',
    "ising": ISING + '[[stage]]\nkind = "monte-carlo"\ntemperature = [3.0, 2.5]\nsweeps = 8\nmeasure_every = 2\n',
    "atoms": ATOMS + '[[stage]]\nkind = "md"\ntimestep = "1 fs"\nsteps = 20\n'
    'measure = [{ what = "thermodynamics", every = 2 }, { what = "trajectory", every = 10 }]\n',
    "atoms-minimise": ATOMS + '[[stage]]\nkind = "minimise"\nsteps = 50\n',
    "phi4": PHI4 + '[[stage]]\nkind = "monte-carlo"\nsweeps = 8\nmeasure_every = 2\n',
    "scan": SPINS + '[[stage]]\nkind = "monte-carlo"\ntemperature = 1.0\nsweeps = 4\nmeasure_every = 2\n'
    '[[scan]]\nkey = "seed"\nvalues = [1, 2, 3]\n',
}

# Of one call, and of all from then on, as of a disk that stays full or has become read-only.
KINDS = ["eio", "enospc", "erofs", "eio+", "enospc+", "erofs+", "torn", "kill"]


def run(*arguments, fault=None, count=None):
    environment = {**os.environ, "LD_PRELOAD": FAULTS, "OMP_NUM_THREADS": "1"}
    if fault:
        environment["LARMOR_FAULT"] = fault
    if count:
        environment["LARMOR_FAULT_COUNT"] = str(count)
    return subprocess.run([LARMOR, *map(str, arguments), "--progress", "quiet", "--checkpoint-every", "1e-9"],
                          capture_output=True, text=True, timeout=PATIENCE, env=environment)


def contents(results):
    """All numbers of a study, or of every point of a scan."""
    with h5py.File(results) as file:
        if "points" not in file:
            return datasets(results)
        found = {}

        def collect(name, item):
            # Which rank ran a point, and how long, differs from run to run.
            if isinstance(item, h5py.Dataset) and "provenance" not in name:
                values = item[()]
                found[name] = values.tobytes() if item.dtype != object else getattr(values, "tolist", lambda: values)()

        file["points"].visititems(collect)
        return found


def goes_on(study, output):
    """As a user would: resumed where there are results, begun where there are none."""
    if not output.exists():
        return larmor("run", study, "-o", output)
    resumed = larmor("resume", output)
    if resumed.returncode == 2 and "complete" in resumed.stderr:
        assert is_complete(output)
        resumed.returncode = 0
    return resumed


@pytest.mark.parametrize("name", STUDIES)
def test_nothing_is_lost_wherever_a_disk_fails(tmp_path, name):
    study, whole, count = tmp_path / "study.toml", tmp_path / "whole.h5", tmp_path / "count"
    study.write_text(STUDIES[name])
    done = run("run", study, "-o", whole, count=count)
    assert done.returncode == 0, done.stderr
    expected, calls = contents(whole), int(count.read_text())
    assert calls > 10
    chance = random.Random(name)
    for kind in KINDS if DEPTH else chance.sample(KINDS, 4):
        moments = [chance.randrange(1, calls + 1) for _ in range(20 if DEPTH else 1)]
        for moment in moments:
            output = tmp_path / f"{kind[:-1]}{kind[-1]}-{moment}.h5"
            fault = kind.replace("+", "") + f"@{moment}" + ("+" if kind.endswith("+") else "")
            failed = run("run", study, "-o", output, fault=fault)
            what = (name, fault, failed.stderr)
            assert failed.returncode == (-9 if kind in ("torn", "kill") else failed.returncode), what
            assert failed.returncode in (0, 3, -9), what
            assert len(failed.stderr.splitlines()) <= 6, what
            resumed = goes_on(study, output)
            assert resumed.returncode == 0, (what, resumed.stderr)
            assert contents(output) == expected, what
            left = [path.name for path in tmp_path.glob(output.name + "*.tmp-*")]
            assert not left or kind.endswith("+") or failed.returncode == 0, (what, left)
