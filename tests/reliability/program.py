"""Runs the program under test and reads its results."""

import os
import pathlib
import subprocess

import h5py

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Longest time in seconds for a run that must end. Machines under load are many times slower than
# others.
PATIENCE = 600
LARMOR = os.environ.get("LARMOR", str(ROOT / "build" / "release" / "larmor"))

# If this is set, as in `make test-all`, tests try more random cases and more sizes.
DEPTH = "LARMOR_TEST_DEPTH" in os.environ

# If this is "cuda", studies and potentials use a GPU, unless a test chooses another device.
BACKEND = os.environ.get("LARMOR_TEST_BACKEND")


def command(*arguments):
    """The program and its arguments, for subprocess."""
    line = [LARMOR, *map(str, arguments)]
    runs = bool(arguments) and arguments[0] in ("run", "resume", "check", "evaluate")
    if BACKEND and runs and "--backend" not in arguments:
        line += ["--backend", BACKEND]
    return line


def larmor(*arguments, cwd=None, **options):
    """Runs the program to its end, without an exception for its exit code."""
    return subprocess.run(
        command(*arguments),
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        **options,
    )


def run_study(folder, text, *options):
    """Runs a study with this text in a folder. @return the completed process and the path of the results"""
    study, output = folder / "study.toml", folder / "out.h5"
    study.write_text(text)
    return larmor("run", study, "-o", output, *options), output


def is_complete(results):
    """Is the run of these results complete? Missing results are not complete."""
    if not results.exists():
        return False
    with h5py.File(results) as file:
        return file.attrs["completed"] == 1


def datasets(path):
    """Every dataset of the stages and the model as bytes, by name."""
    contents = {}

    def collect(name, item):
        if isinstance(item, h5py.Dataset):
            values = item[()]
            # An array of texts has objects, whose bytes are addresses in memory.
            if getattr(values, "dtype", None) == object:
                values = values.tolist()
            contents[name] = values.tobytes() if hasattr(values, "tobytes") else values

    with h5py.File(path) as file:
        for group in ("stages", "model"):
            file[group].visititems(lambda name, item, g=group: collect(f"{g}/{name}", item))
    return {name: value for name, value in contents.items() if not name.endswith("species")}


def assert_threads_change_no_bit(study):
    outputs = [study.with_name(f"{threads}.h5") for threads in ("1", "3")]
    for output in outputs:
        run = larmor("run", study, "-o", output, env={**os.environ, "OMP_NUM_THREADS": output.stem})
        assert run.returncode == 0, run.stderr
    assert_same_bits(*outputs)


def assert_same_bits(one, other):
    first, second = datasets(one), datasets(other)
    assert first.keys() == second.keys()
    different = [name for name in first if first[name] != second[name]]
    assert not different, different
    assert len(first) > 10


# This study has many features: two samplers, several temperatures, trajectories, correlations.
STUDY = """
title = "everything in a few seconds"
seed = 7
replicas = {replicas}

[lattice]
type = "square"
size = [16, 16]

[[exchange]]
shell = 1
J = 1.0

[[dmi]]
shell = 1
strength = 0.2
direction = "interface"

[[anisotropy]]
K = 0.1

[field]
B = [0, 0, 0.3]

[[stage]]
kind = "anneal"
temperature = {{ from = 3.0, to = 0.5, factor = 0.8 }}
sweeps = {sweeps}

[[stage]]
kind = "monte-carlo"
sampler = "heat-bath"
over_relaxation = 1
temperature = [0.5, 0.4]
thermalisation = {sweeps}
sweeps = {sweeps}
measure_every = 5
measure = ["energy", "magnetisation", "energy-terms", "spin-temperature", "spin-currents",
           "site-energy", "site-spins",
           {{ what = "structure-factor", path = ["G", "X", "M"], every = 3, components = true }}]
trajectory_every = 4

[[stage]]
kind = "dynamics"
timestep = 0.05
steps = {sweeps}
measure = [
  {{ what = "structure-factor", path = ["G", "X", "M"], every = 5, connected = {connected} }},
  {{ what = "energy", every = 10 }},
  {{ what = "site-energy", every = 5 }},
  {{ what = "spin-temperature", every = 10 }},
  {{ what = "trajectory", every = 20 }},
]

[[stage]]
kind = "dynamics"
timestep = 0.05
steps = {sweeps}
damping = 0.2
temperature_schedule = [{{ time = 0, temperature = 0.1 }}, {{ time = 5, temperature = 0.4 }}]
pulse = [{{ B = [0.2, 0, 0], shape = "sine", frequency = 0.1 }}]
torque = [{{ kind = "spin-transfer", velocity = [0.1, 0, 0], beta = 0.3, duration = 10 }}]
measure = [
  {{ what = "autocorrelation", every = 7 }},
  {{ what = "site-spins", every = 9 }},
]

# This stage begins with the cones of the annealing.
[[stage]]
kind = "monte-carlo"
temperature = 0.4
thermalisation = 0
sweeps = {sweeps}
"""


def write_study(path, replicas=9, sweeps=600):
    path.write_text(
        STUDY.format(replicas=replicas, sweeps=sweeps, connected=str(replicas > 1).lower())
    )
    return path


# The alloy has vacancies, a second species, and other disorder in every replica.
ALLOY = """[[alloy]]
by = "vacancy"
fraction = 0.2
seed = 3

[[alloy]]
by = "B"
fraction = 0.25
moment = 1.7
damping = 0.4

[[random-field]]
width = 0.1
by_replica = true

[[exchange]]
shell = 1
J = 1.0
between = ["A", "A"]
disorder = 0.3
disorder_by_replica = true

[[exchange]]
shell = 1
J = 0.7
between = ["A", "B"]
"""


def write_alloy_study(path, replicas=9, sweeps=600):
    """Writes the stages of STUDY for a random alloy with vacancies."""
    study = write_study(path, replicas, sweeps)
    plain = "[[exchange]]\nshell = 1\nJ = 1.0\n"
    assert study.read_text().count(plain) == 1
    # Currents are undefined if couplings differ from replica to replica.
    text = study.read_text().replace(' "spin-currents",', "")
    study.write_text(text.replace(plain, ALLOY))
    return study
