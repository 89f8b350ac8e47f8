"""If the error of an average is not known, the error is NaN, not 0, and `show` reports this."""
# Rooms: core, study

import h5py
import numpy as np
import pytest

from program import larmor, run_study

STUDY = """
replicas = {replicas}
[lattice]
type = "square"
size = [6, 6]
[[exchange]]
shell = 1
J     = 1.0
[initial]
state = "random"
[[stage]]
kind           = "monte-carlo"
temperature    = 0.5
thermalisation = 20
sweeps         = 10
measure_every  = 10
measure        = ["energy", {{ what = "structure-factor", q = [[0.5, 0, 0]], every = 10 }}]
[[stage]]
kind        = "anneal"
temperature = {{ from = 1.0, to = 0.5, points = 2 }}
sweeps      = 1
[[stage]]
kind  = "minimise"
[[stage]]
kind     = "hysteresis"
field    = {{ from = 0.1, to = 0.2, step = 0.1 }}
direction = [0, 0, 1]
"""


def errors(path):
    """The errors of all averages of all stages, by name."""
    found = {}
    with h5py.File(path) as file:
        for stage, group in file["stages"].items():
            for name, average in group["averages"].items():
                found[f"{stage}/{name}"] = average["error"][:]
            if "structure-factor" in group:
                found[f"{stage}/S(q)"] = group["structure-factor/static_error"][:]
    return found


def test_one_sample_of_one_replica_has_no_errors(tmp_path):
    run, output = run_study(tmp_path, STUDY.format(replicas=1))
    assert run.returncode == 0, run.stderr
    found = errors(output)
    assert len(found) > 20 and "01-monte-carlo/acceptance" in found
    for name, error in found.items():
        assert np.all(np.isnan(error)), name
    shown = larmor("show", output)
    assert shown.returncode == 0, shown.stderr
    lines = [line for line in shown.stdout.splitlines() if line.startswith("    ")]
    assert not [line for line in lines if "tau" in line or "(0)" in line]
    # Each average has one line, or one row per temperature or field.
    single = [line for line in lines if line.split()[0] in ("energy", "acceptance")]
    assert len(single) >= 2 and all("no error bar" in line for line in single)
    rows = [line for line in lines if line.split()[0] in ("1", "0.5", "0.1", "0.2")]
    assert len(rows) == 4
    for row in rows:
        # A value that is missing also has no error.
        assert all(cell == "-" or cell.endswith("(?)") for cell in row.split()[1:]), row
    assert shown.stdout.count("(?): no error bar") == 2
    (factor,) = [line for line in lines if "structure-factor" in line]
    assert "(no error bar)" in factor


def test_replicas_scatter(tmp_path):
    run, output = run_study(tmp_path, STUDY.format(replicas=24))
    assert run.returncode == 0, run.stderr
    found = errors(output)
    for name in ("01-monte-carlo/energy", "01-monte-carlo/acceptance", "01-monte-carlo/cone_angle",
                 "03-minimise/magnetisation_x"):
        assert np.all(found[name] > 0), name
    assert "no error bar" not in larmor("show", output).stdout


@pytest.mark.parametrize("replicas, says", [(1, True), (3, False)])
def test_a_scan_marks_what_has_no_error_bar(tmp_path, replicas, says):
    text = STUDY.format(replicas=replicas).split("[[stage]]")
    scan = '[[scan]]\nkey = "stage.1.temperature"\nvalues = [0.5, 1.0]\n'
    run, output = run_study(tmp_path, "[[stage]]".join(text[:2]) + scan)
    assert run.returncode == 0, run.stderr
    shown = larmor("show", output).stdout
    assert ("(?): no error bar" in shown) == says
    # There are energy and magnetisation of two points, and the note. One sample has no
    # fluctuations.
    assert (shown.count("(?)") >= 5) == says


ISING = """
seed = 1
replicas = {replicas}
[model]
kind = "ising"
[lattice]
{lattice}
[[exchange]]
shell = 1
J = {J}
[[stage]]
kind = "monte-carlo"
"""


def test_a_start_that_is_not_forgotten_is_told(tmp_path):
    # For a frustrated magnet, cluster updates need 7000 sweeps to forget a state.
    study = ISING.format(replicas=64, lattice='type = "triangular"\nsize = [4, 4]', J=-1.0)
    stage = 'sampler = "swendsen-wang"\ntemperature = 0.7\nthermalisation = {}\nsweeps = 40000\nmeasure_every = 10\n'
    run, output = run_study(tmp_path, study + stage.format(1000))
    assert run.returncode == 0 and "thermalisation = 1000 may be too few sweeps" in run.stderr, run.stderr
    with h5py.File(output) as file:
        averages = file["stages/01-monte-carlo/averages"]
        assert averages["energy/reliable"][0] == 0
        time = averages["energy/autocorrelation_time"][0]
        assert 10 * 10 * time > 1000
    output.unlink()
    # At this temperature, sites follow their neighbours and forget a state at once.
    study = ISING.format(replicas=64, lattice='type = "square"\nsize = [8, 8]', J=1.0)
    run, output = run_study(tmp_path, study + "temperature = 5.0\nthermalisation = 200\nsweeps = 4000\n")
    assert run.returncode == 0 and "thermalisation" not in run.stderr, run.stderr
    with h5py.File(output) as file:
        assert file["stages/01-monte-carlo/averages/energy/reliable"][0] == 1


def test_a_correlation_length_that_noise_hides_is_not_sure(tmp_path):
    study = ISING.format(replicas=8, lattice='type = "square"\nsize = [16, 16]', J=0.001)
    run, output = run_study(tmp_path, study + 'temperature = 50.0\nsweeps = 400\nmeasure = ["correlation-length"]\n')
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        for axis in "xy":
            length = file[f"stages/01-monte-carlo/averages/correlation_length_{axis}"]
            assert length["reliable"][0] == 0 and length["error"][0] > 0.05


def test_what_a_correlation_length_is_made_of_is_stored_once(tmp_path):
    study = ISING.format(replicas=8, lattice='type = "square"\nsize = [8, 8]', J=1.0)
    stage = 'temperature = [2.0, 3.0]\nsweeps = 200\nmeasure = ["magnetisation-moments", "correlation-length"]\n'
    run, output = run_study(tmp_path, study + stage)
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        averages = file["stages/01-monte-carlo/averages"]
        assert {len(averages[name]["value"]) for name in averages} == {2}
