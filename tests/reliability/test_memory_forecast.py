"""Runs take the memory that `check` forecasts, for every stage and measurement."""
# Rooms: study

import pathlib
import re
import subprocess
import time

import pytest

from program import DEPTH, command, larmor

MiB = 2**20

LATTICE = """
replicas = {replicas}
[lattice]
type = "{type}"
size = {size}
[[exchange]]
shell = 1
J = 1
{more}
[[stage]]
{stage}
"""

FIELDS = """
replicas = {replicas}
[model]
kind = "phi4"
[lattice]
size = [{edge}, {edge}, {edge}]
[phi4]
components = 4
kappa = 0.3
[[stage]]
kind = "monte-carlo"
sampler = "swendsen-wang"
thermalisation = 2
sweeps = 2
measure_every = 2
measure = ["moments", "improved-susceptibility"]
"""

ATOMS = """
units = "material"
replicas = {replicas}
[model]
kind = "atoms"
[lattice]
type = "bcc"
size = [{edge}, {edge}, {edge}]
constant = "3 Å"
species = ["W"]
[[zbl]]
inner = "3.5 Å"
outer = "4.5 Å"
[[stage]]
kind = "md"
timestep = "1 fs"
steps = 2
"""

WORLD_LINES = """
[model]
kind = "quantum"
[lattice]
type = "square"
size = [64, 64]
[[exchange]]
shell = 1
J = 1
[field]
Gamma = 2
Gamma_disorder = 0.5
[[stage]]
kind = "quantum-monte-carlo"
temperature = {{ from = 1.0, to = 4.0, points = {points} }}
updates = "{updates}"
slices = {slices}
sweeps = {sweeps}
thermalisation = 2
measure_every = 1
"""

DYNAMICS = 'kind = "dynamics"\ntimestep = 0.02\nsteps = {steps}\n{more}'


def cubic(replicas, edge, stage, more=""):
    return LATTICE.format(replicas=replicas, type="sc", size=[edge] * 3, stage=stage, more=more)


def square(replicas, edge, stage):
    return LATTICE.format(replicas=replicas, type="square", size=[edge] * 2, stage=stage, more="")


def measuring(steps, what):
    return DYNAMICS.format(steps=steps, more=f"measure = [{{ what = {what} }}]")


STUDIES = {
    "rk4": cubic(16, 64, DYNAMICS.format(steps=2, more="")),
    "one_replica": cubic(1, 112, DYNAMICS.format(steps=2, more="")),
    "depondt": cubic(16, 64, DYNAMICS.format(
        steps=2, more='integrator = "depondt"\ndamping = 0.1\ntemperature = 1')),
    "dipoles": cubic(4, 48, DYNAMICS.format(steps=2, more=""), "[dipolar]\nstrength = 0.1"),
    "site_averages": cubic(16, 64, measuring(
        2, '"site-energy", every = 1 }, { what = "site-spins", every = 1')),
    "autocorrelation": cubic(16, 64, measuring(2, '"autocorrelation", every = 1')),
    "trajectory": cubic(16, 64, measuring(4, '"trajectory", every = 1, replicas = 16')),
    "structure_factor": square(4, 32, measuring(
        4000, '"structure-factor", path = ["G", "X", "M", "G"], points = 300, every = 2')),
    "structure_factor_everywhere": square(4, 48, measuring(
        1000, '"structure-factor", grid = true, every = 2')),
    "pairs_in_time": square(8, 40, measuring(
        200, '"pair-correlations", displacement = true, every = 2')),
    "pairs": square(64, 64, 'kind = "pair-correlations"\ndisplacement = true'),
    "monte_carlo": cubic(16, 64, 'kind = "monte-carlo"\ntemperature = 1\nsweeps = 2\n'
                         'thermalisation = 0\nmeasure_every = 2'),
    "sampled_trajectory": cubic(16, 48, 'kind = "monte-carlo"\ntemperature = 1\nsweeps = 4\n'
                                'thermalisation = 0\nmeasure_every = 1\ntrajectory_every = 1\n'
                                'keep_configurations = 16'),
    "sampled_structure_factor": cubic(4, 48, 'kind = "monte-carlo"\ntemperature = 1\nsweeps = 4\n'
                                      'thermalisation = 0\nmeasure_every = 2\n'
                                      'measure = [{ what = "structure-factor", grid = true }]'),
    "series": LATTICE.format(
        replicas=256, type="chain", size=[4], more="", stage='kind = "monte-carlo"\n'
        'temperature = 1\nsweeps = 8000\nthermalisation = 0\nmeasure_every = 1\n'
        'measure = ["energy-terms"]'),
    "series_in_time": LATTICE.format(
        replicas=256, type="chain", size=[4], more="", stage=measuring(
            8000, '"energy", every = 1 }, { what = "magnetisation", every = 1 }, '
            '{ what = "sublattices", every = 1')),
    "ladder": cubic(
        64, 40, 'kind = "tempering"\ntemperature = { from = 8.0, to = 8.1 }\nthermalisation = 2\nsweeps = 2\n'
        'measure_every = 1'),
    "many_samples_of_a_ladder": cubic(
        1024, 4, 'kind = "tempering"\ntemperature = { from = 4.0, to = 8.0, points = 8 }\nthermalisation = 2\n'
        'sweeps = 600\nmeasure_every = 1'),
    "population": cubic(64, 40, 'kind = "population-annealing"\ntemperature = [8.0]\nsweeps = 2'),
    "large_population": LATTICE.format(
        replicas=300000, type="chain", size=[4], more="", stage='kind = "population-annealing"\n'
        'temperature = [2.0, 1.0]\nsweeps = 2'),
    "minimise": cubic(16, 48, 'kind = "minimise"\nsteps = 3'),
    "path": cubic(1, 48, 'kind = "minimum-energy-path"\nimages = 9\nsteps = 2\n'
                  'final = { state = "aligned", direction = [1, 0, 0] }'),
    "atoms": ATOMS.format(replicas=2, edge=20),
    "many_replicas_of_atoms": ATOMS.format(replicas=256, edge=4),
    "fields": FIELDS.format(replicas=16, edge=64),
    "one_replica_of_fields": FIELDS.format(replicas=1, edge=128),
    "tables_of_local_moves": WORLD_LINES.format(points=32, updates="metropolis", slices=16, sweeps=2),
    "world_lines": WORLD_LINES.format(points=8, updates="lines", slices=64, sweeps=256),
}


# For each engine, this is the study whose memory has most contributions. `make test-all` runs all
# studies.
OF_EACH_ENGINE = ["dipoles", "structure_factor_everywhere", "pairs", "monte_carlo", "many_samples_of_a_ladder",
                  "population", "path", "atoms", "fields", "tables_of_local_moves"]

# Each of these studies takes gigabytes to run.
LARGE_STUDIES = {
    "tempering": cubic(65536, 8, 'kind = "tempering"\ntemperature = { from = 4.0, to = 8.0, points = 8 }\n'
                       'thermalisation = 2\nsweeps = 20\nmeasure_every = 1'),
    "structure_factor": cubic(65536, 8, measuring(
        100, '"structure-factor", path = ["G", "X", "M", "G"], every = 2')),
    "minimise": cubic(16384, 8, 'kind = "minimise"\nsteps = 3'),
    "one_lattice": cubic(1, 256, DYNAMICS.format(steps=2, more="")),
    "atoms": ATOMS.format(replicas=1024, edge=6),
    "fields": FIELDS.format(replicas=65536, edge=8),
}


def peak(*arguments):
    """The largest memory of a run of the program, in bytes."""
    # The usage that `wait` returns would include the memory of this process.
    process = subprocess.Popen(command(*arguments), stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    status = pathlib.Path(f"/proc/{process.pid}/status")
    most = 0
    while process.poll() is None:
        found = re.search(r"VmHWM:\s*(\d+) kB", status.read_text())
        most = max(most, 1024 * int(found[1]) if found else 0)
        time.sleep(0.002)
    assert process.returncode == 0, process.stderr.read()
    return most


def forecast(study):
    checked = larmor("check", study, "--backend", "cpu", "--threads", "2")
    assert checked.returncode == 0, checked.stderr
    line = next(line for line in checked.stdout.splitlines() if line.startswith("memory"))
    return MiB * sum(map(float, re.findall(r"([\d.]+) MiB", line)))


def memory_of(folder, text):
    """Memory of the forecast, and measured memory."""
    study = folder / "study.toml"
    study.write_text(text)
    return forecast(study), peak("run", study, "-o", folder / "out.h5", "--force",
                                 "--backend", "cpu", "--threads", "2")


@pytest.fixture(scope="module")
def of_the_program(tmp_path_factory):
    """Memory for a study of eight spins."""
    nothing = cubic(1, 2, DYNAMICS.format(steps=2, more=""))
    return memory_of(tmp_path_factory.mktemp("nothing"), nothing)[1]


@pytest.mark.parametrize("name", STUDIES if DEPTH else OF_EACH_ENGINE)
def test_a_run_takes_what_check_says(tmp_path, of_the_program, name):
    said, taken = memory_of(tmp_path, STUDIES[name])
    taken -= of_the_program
    # The forecast includes a checkpoint, which a short run does not write.
    assert 0.4 * said < taken < 1.1 * said + 10 * MiB, (said / MiB, taken / MiB)


@pytest.mark.parametrize("name", LARGE_STUDIES)
def test_check_takes_little_of_what_it_forecasts(tmp_path, of_the_program, name):
    study = tmp_path / "study.toml"
    study.write_text(LARGE_STUDIES[name])
    said = forecast(study)
    taken = peak("check", study, "--backend", "cpu", "--threads", "2") - of_the_program
    assert said > 1024 * MiB
    # One replica cannot be reduced further.
    assert taken < (0.3 if name == "one_lattice" else 0.1) * said, (said / MiB, taken / MiB)
