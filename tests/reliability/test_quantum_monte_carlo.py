"""Quantum Monte Carlo of the program: exact averages of small systems, extrapolation, samples, exchanges between
temperatures, interruption, threads, refused input."""
# Rooms: trotter, quantum, study

import re
import signal

import h5py
import numpy as np
import pytest

from program import larmor, run_study
from running import start, stop_once_there

RING = "type = 'chain'\nsize = [4]"
PAIR = "sites = 2"
BONDS = "[[exchange]]\nshell = 1\nJ = 1\n"
BOND = "[[exchange]]\npairs = [[0, 1]]\nJ = 0.7\n"
SCALARS = ("energy", "specific_heat", "susceptibility", "absolute_magnetisation", "magnetisation_squared",
           "magnetisation_4", "binder")


def stage(keys, temperature="[0.5, 1.0, 2.0]"):
    return f'[[stage]]\nkind = "quantum-monte-carlo"\ntemperature = {temperature}\n{keys}\n'


def full(keys="", temperature="[0.5, 1.0, 2.0]"):
    return f'[[stage]]\nkind = "full-spectrum"\ntemperature = {temperature}\n{keys}\n'


def study(lattice, exchange, field, stages, more=""):
    return (f'{more}\n[model]\nkind = "quantum"\n[lattice]\n{lattice}\n{exchange}[field]\n{field}\n{stages}')


def results_of(folder, text, *arguments):
    done, path = run_study(folder, text, "--progress", "quiet", "--force", *arguments)
    assert done.returncode == 0, done.stderr
    return stages_of(path)


def stages_of(path):
    """The numbers of each stage, by name."""
    with h5py.File(path) as file:
        found = []
        for name in sorted(file["stages"]):
            numbers = {}
            file["stages"][name].visititems(
                lambda key, item, numbers=numbers: numbers.__setitem__(key, item[()])
                if isinstance(item, h5py.Dataset) else None)
            found.append(numbers)
    return found


def deviations(found, name, exact, prefix="", point=None):
    """Deviations in units of the errors, of all numbers with an error."""
    value, error = found[prefix + name], found[prefix + name + "_error"]
    if point is not None:
        value, error = value[point], error[point]
    assert value.shape == exact.shape
    known = error > 0
    assert known.any()
    assert value[~known] == pytest.approx(exact[~known], abs=1e-12)
    return ((value - exact) / np.where(known, error, 1))[known]


def assert_agrees(found, exact, names, **where):
    """No deviation is large, and those of scalars are neither too large nor too small as a whole."""
    scalars = []
    for name in names:
        of_name = deviations(found, name, exact[name], **where)
        # Tables have many numbers, and their errors are less certain.
        assert (abs(of_name) < (4.5 if name in SCALARS else 6)).all(), (name, of_name)
        if name in ("energy", "absolute_magnetisation", "specific_heat"):
            scalars.extend(of_name)
    # The cube root of chi^2 is nearly normal (Wilson and Hilferty).
    width = 2 / (9 * len(scalars))
    normal = ((np.sum(np.square(scalars)) / len(scalars)) ** (1 / 3) - 1 + width) / np.sqrt(width)
    assert abs(normal) < 4, scalars


def test_one_spin_in_continuous_time(tmp_path):
    keys = "continuous = true\nthermalisation = 100\nsweeps = 4000"
    (found,) = results_of(tmp_path, study("sites = 1", "", "Gamma = 1.3", stage(keys), "replicas = 8"))
    temperature = found["temperature"]
    exact = {"energy": (-1.3 * np.tanh(1.3 / temperature))[None],
             "sx": np.tanh(1.3 / temperature)[None, :, None],
             "specific_heat": (1.3 / temperature / np.cosh(1.3 / temperature))[None] ** 2,
             "susceptibility": (np.tanh(1.3 / temperature) / 1.3)[None]}
    assert found["slices"].tolist() == [0]
    assert found["energy"].shape == (1, 1, 3)
    assert found["energy_reliable"].all()
    for name, values in exact.items():
        assert (abs(deviations(found, name, values, point=0)) < 4.5).all(), name


@pytest.mark.parametrize("updates", ["lines", "metropolis", "heat-bath", "clusters"])
def test_slices_have_the_averages_of_their_product_formula(tmp_path, updates):
    keys = f"slices = 4\nupdates = '{updates}'\nsweeps = 20000\nthermalisation = 200\nmeasure_every = 5"
    (found,) = results_of(tmp_path, study(PAIR, BOND, "Gamma = 1.1", stage(keys), "replicas = 8"))
    sx, sz, one = np.array([[0, 1], [1, 0]]), np.diag([1, -1]), np.eye(2)
    bond, transverse = -0.7 * np.kron(sz, sz), -1.1 * (np.kron(sx, one) + np.kron(one, sx))
    m = (np.kron(sz, one) + np.kron(one, sz)).diagonal() / 2

    def exponential(matrix):
        levels, vectors = np.linalg.eigh(matrix)
        return vectors @ np.diag(np.exp(levels)) @ vectors.T

    def powers(beta):
        step = beta / 4
        return np.linalg.matrix_power(
            exponential(-step * bond / 2) @ exponential(-step * transverse) @ exponential(-step * bond / 2), 4)

    def ln_z(beta):
        return np.log(np.trace(powers(beta)))

    for t, temperature in enumerate(found["temperature"]):
        beta, d = 1 / temperature, 1e-3
        energy = -(ln_z(beta + d) - ln_z(beta - d)) / (2 * d) / 2
        heat = beta**2 * (ln_z(beta + d) - 2 * ln_z(beta) + ln_z(beta - d)) / d**2 / 2
        weights = powers(beta).diagonal() / np.trace(powers(beta))
        for name, exact in (("energy", energy), ("specific_heat", heat), ("magnetisation_squared", weights @ m**2),
                            ("absolute_magnetisation", weights @ abs(m))):
            deviation = (found[name][0, 0, t] - exact) / found[name + "_error"][0, 0, t]
            assert abs(deviation) < 4.5, (name, temperature, deviation)


@pytest.mark.parametrize("keys, field", [
    ("continuous = true", "Gamma = 1.0"),
    ("continuous = true", "h_by_site = [0.3, -0.2, 0.1, 0.0]\nGamma_by_site = [1.0, 0.5, 0.8, 0.0]"),
    ("continuous = true\ntempering = true\nexchange_every = 3", "Gamma = 0.6")],
    ids=["ring", "sites", "tempering"])
def test_continuous_time_agrees_with_the_full_spectrum(tmp_path, keys, field):
    keys += "\nsweeps = 4000\nthermalisation = 200\ncorrelations = true\nimaginary_times = 3"
    text = study(RING, BONDS, field, full("imaginary_times = 3") + stage(keys), "replicas = 4")
    exact, found = results_of(tmp_path, text)
    assert_agrees(found, exact, SCALARS + ("sx", "sz", "szsz", "time_correlation", "local_time_correlation"), point=0)
    assert (found["imaginary_time"] == exact["imaginary_time"]).all()
    if "tempering" in keys:
        assert ((found["exchange_acceptance"] > 0.1) & (found["exchange_acceptance"] < 1)).all()


def test_a_ladder_of_transverse_fields(tmp_path):
    fields = [0.3, 0.7, 1.2]
    exact_stages = full(temperature="0.8")
    keys = f"Gamma = {fields}\ncontinuous = true\ntempering = true\nsweeps = 4000"
    (found,) = results_of(tmp_path, study(RING, BONDS, "", stage(keys, "0.8"), "replicas = 4"))
    assert found["Gamma"].tolist() == fields
    assert (found["exchange_acceptance"] > 0.2).all()
    for rung, field in enumerate(fields):
        (exact,) = results_of(tmp_path, study(RING, BONDS, f"Gamma = {field}", exact_stages))
        for name in SCALARS:
            deviation = (found[name][0, 0, rung] - exact[name][0, 0]) / found[name + "_error"][0, 0, rung]
            assert abs(deviation) < 4.5, (name, field, deviation)
    # Fields of spins S = s / 2 are half as large for Pauli matrices.
    spins = study(RING, "[[exchange]]\nshell = 1\nJ = 4\n", "", stage(keys, "0.8"),
                  "replicas = 4\nquantum.operators = 'spin'").replace(str(fields), str([2 * g for g in fields]))
    (same,) = results_of(tmp_path, spins)
    assert (same["energy"] == found["energy"]).all()


def test_several_numbers_of_slices_are_extrapolated(tmp_path):
    keys = "slices = [4, 8, 16]\nextrapolation_power = 4\nsweeps = 8000\ncorrelations = true\nimaginary_times = 3"
    text = study(RING, BONDS, "Gamma = 1.0", full("imaginary_times = 3", "[1.0, 2.0]") + stage(keys, "[1.0, 2.0]"),
                 "replicas = 8")
    exact, found = results_of(tmp_path, text)
    assert found["energy"].shape == (3, 1, 2)
    assert_agrees(found, exact, SCALARS + ("sx", "szsz", "time_correlation"), prefix="extrapolated/")
    # Without the extrapolation, four slices are wrong.
    assert abs(deviations(found, "energy", exact["energy"], point=0)).max() > 20
    assert found["extrapolated/energy_residual"].shape == (3, 1, 2)
    assert found["extrapolated/energy_chi2"] == pytest.approx(
        np.square(found["extrapolated/energy_residual"]).sum(axis=0))


def test_the_fit_of_two_powers_tells_when_it_fails(tmp_path):
    keys = "slices = [2, 4, 8, 16]\nsweeps = 10000"
    (found,) = results_of(tmp_path, study(RING, BONDS, "Gamma = 1.0", stage(keys, "0.5"), "replicas = 8"))
    assert found["extrapolated/energy_chi2"][0, 0] > 30


def test_the_gap_of_a_ring(tmp_path):
    keys = "continuous = true\nsweeps = 20000\nimaginary_times = 17\ngap_from = 0.2"
    text = study(RING, BONDS, "Gamma = 1.5", '[[stage]]\nkind = "spectrum"\n' + stage(keys, "0.25"), "replicas = 4")
    levels, found = results_of(tmp_path, text)
    deviation = (found["gap"][0, 0, 0] - levels["gap"][0]) / found["gap_error"][0, 0, 0]
    assert abs(deviation) < 4.5
    assert found["gap_error"][0, 0, 0] < 0.05


def test_local_correlations_give_the_gap_of_a_staggered_state(tmp_path):
    # Gauge symmetry gives J = -1 the levels of J = 1, but the lowest odd state of J = -1 has no magnetisation: the
    # total correlation is that of higher levels.
    text = study(RING, BONDS.replace("J = 1", "J = -1"), "Gamma = 1.0", '[[stage]]\nkind = "spectrum"\n' + "".join(
        stage(f"continuous = true\nsweeps = 20000\nimaginary_times = 33\n{keys}", "0.125")
        for keys in ("gap_from = 0.25\ngap_correlation = 'local'", "gap_from = 0.05\ngap_correlation = 'total'")),
        "replicas = 4")
    levels, local, total = results_of(tmp_path, text)
    assert abs(local["gap"] - levels["gap"]).item() < 4.5 * local["gap_error"].item() < 0.2
    # Its levels are about those of fermions, 2 |Gamma - J| above the ground state.
    assert total["gap"].item() > 2 * levels["gap"].item()


def test_samples_of_a_glass_have_their_own_averages_and_overlaps(tmp_path):
    disorder = ("[[exchange]]\npairs = [[0, 1], [1, 2], [2, 3], [0, 3], [0, 2], [1, 3]]\nJ = 0\ndisorder = 1.0\n"
                "disorder_by_replica = true\n")
    keys = "slices = [32]\noverlap = true\nsweeps = 8000\ncorrelations = true\ntempering = true\nmeasure_every = 2"
    text = study("sites = 4", disorder, "Gamma = 0.7", full() + stage(keys), "replicas = 12\nsamples = 3")
    exact, found = results_of(tmp_path, text)
    assert found["energy"].shape == (1, 3, 3)
    for name in ("absolute_magnetisation", "magnetisation_squared", "szsz"):
        of_name = deviations(found, name, exact[name], point=0)
        # The error of 32 slices is of the order of the statistical one.
        assert (abs(of_name) < 6).all(), (name, of_name)
    # Copies are independent, so q^2 is the mean square of all correlations.
    q2 = np.square(exact["szsz"]).mean(axis=(2, 3))
    deviation = (found["overlap_squared"][0] - q2) / found["overlap_squared_error"][0]
    assert (abs(deviation) < 6).all(), deviation
    assert (found["overlap_4"] < found["overlap_squared"]).all()


def test_a_large_lattice_needs_no_vectors_of_states(tmp_path):
    keys = "slices = 8\nsweeps = 50\nthermalisation = 10"
    (found,) = results_of(tmp_path, study("type = 'square'\nsize = [12, 12]", BONDS, "Gamma = 3.0", stage(keys, "1.0")))
    assert found["sx"].shape == (1, 1, 1, 144)


def test_a_scan_has_the_averages_of_all_points(tmp_path):
    keys = "slices = [8, 16]\nsweeps = 100\nthermalisation = 10"
    text = study(RING, BONDS, "Gamma = 1.0", stage(keys, "1.0"))
    done, path = run_study(tmp_path, text + '[[scan]]\nkey = "field.Gamma"\nvalues = [0.5, 1.0, 1.5]\n')
    assert done.returncode == 0, done.stderr
    with h5py.File(path) as file:
        energy = file["scan/summary/01-quantum-monte-carlo/energy"]
        points = [point["stages/01-quantum-monte-carlo/extrapolated/energy"][0, 0] for point in file["points"].values()]
        assert energy["value"][()].tolist() == points
        assert (energy["error"][()] > 0).all()


INTERRUPTED = {
    "slices": "slices = [8, 16]\nsweeps = 800\noverlap = true\ntempering = true\nexchange_every = 7",
    "continuous": "continuous = true\nsweeps = 1200\ntempering = true\ncorrelations = true",
    "metropolis": "slices = [16, 64]\nupdates = 'metropolis'\nsweeps = 20000",
}


@pytest.mark.parametrize("keys", INTERRUPTED.values(), ids=INTERRUPTED.keys())
def test_an_interrupted_stage_goes_on_with_equal_numbers(tmp_path, keys):
    text = study("type = 'square'\nsize = [6, 6]", BONDS, "Gamma = 2.0", stage(keys), "replicas = 4")
    (whole,) = results_of(tmp_path, text)
    cut = tmp_path / "cut.h5"
    process = start("run", tmp_path / "study.toml", "-o", cut, "--checkpoint-every", "0.02")
    code, _, _ = stop_once_there(process, tmp_path / "cut.h5.ckpt", signal.SIGKILL)
    assert code == -signal.SIGKILL
    done = larmor("resume", cut)
    assert done.returncode == 0, done.stderr
    (again,) = stages_of(cut)
    assert whole.keys() == again.keys()
    for name, values in whole.items():
        assert np.array_equal(again[name], values, equal_nan=True), name


@pytest.mark.parametrize("keys", [
    "slices = [4, 64]\ntempering = true\noverlap = true", "continuous = true\ntempering = true\nimaginary_times = 3",
    "slices = 16\nupdates = 'clusters'", "slices = 16\nupdates = 'heat-bath'"],
    ids=["lines", "continuous", "clusters", "local"])
def test_threads_do_not_change_the_numbers(tmp_path, keys):
    text = study("type = 'square'\nsize = [4, 4]", BONDS, "Gamma = 2.0", stage(keys + "\nsweeps = 200"), "replicas = 6")
    (one,) = results_of(tmp_path, text + "[device]\nthreads = 1\n")
    (three,) = results_of(tmp_path, text + "[device]\nthreads = 3\n")
    for name, values in one.items():
        assert np.array_equal(three[name], values, equal_nan=True), name


TRIANGLE = "[[exchange]]\npairs = [[0, 1], [1, 2], [0, 2]]\nJ = -1\n"


@pytest.mark.parametrize("text, parts", [
    (study(RING, BONDS, "Gamma = 1", stage("slices = 5")), ["slices = 5", "even", "study.toml:"]),
    (study(RING, BONDS, "Gamma = 1", stage("slices = [4, 0]")), ["slices = 0", "even"]),
    (study(RING, BONDS, "Gamma = 1", stage("slices = -2")), ["slices = -2", "even"]),
    (study(RING, BONDS, "Gamma = 1", stage("slices = [4, 4]")), ["4 twice", "different"]),
    (study(RING, BONDS, "Gamma = 1", stage("")), ["neither slices nor continuous", "continuous = true"]),
    (study(RING, BONDS, "Gamma = 1", stage("slices = 4\ncontinuous = true")), ["both slices and continuous"]),
    (study(RING, BONDS, "Gamma = 1", '[[stage]]\nkind = "quantum-monte-carlo"\nslices = 4\n'),
     ["temperature", "missing"]),
    (study(RING, BONDS, "Gamma = 1", stage("slices = 4", "0")), ["temperature must be positive"]),
    (study(RING, BONDS + "Jxy = 0.5\n", "Gamma = 1", stage("slices = 4")), ["exchange has Jxy", "typicality"]),
    (study(RING, BONDS + "isotropic = true\n", "Gamma = 1", stage("slices = 4")), ["exchange has Jxy", "isotropic"]),
    (study("sites = 3", TRIANGLE, "Gamma = 1", stage("slices = 4\nupdates = 'clusters'")),
     ["frustrated", "updates = \"lines\"", "study.toml:"]),
    (study(RING, BONDS, "Gamma_by_site = [1, 1, 0, 1]", stage("slices = 4\nupdates = 'metropolis'")),
     ["Gamma is 0", "lines", "study.toml:"]),
    (study(RING, BONDS, "Gamma = 1", stage("continuous = true\nupdates = 'clusters'")), ["clusters", "slices"]),
    (study(RING, BONDS, "Gamma = 1", stage("slices = 6\nimaginary_times = 3")), ["imaginary times", "multiple"]),
    (study(RING, BONDS, "Gamma = 1", stage("slices = 4\ntempering = true", "1.0")), ["several temperatures"]),
    (study(RING, BONDS, "", stage("slices = 4\nGamma = [1, 2]")), ["both temperature and Gamma"]),
    (study(RING, BONDS, "", stage("slices = 4\nGamma = -1", "1.0")), ["Gamma", "0"]),
    (study(RING, BONDS, "", stage("slices = 4\nGamma = [0, 1]\nupdates = 'heat-bath'", "1.0")), ["Gamma is 0"]),
    (study(RING, BONDS, "Gamma_by_site = [1, 1, 0.5, 1]", stage("slices = 4\nGamma = [1, 2]", "1.0")),
     ["different transverse fields", "study.toml:"]),
    (study(RING, BONDS, "Gamma = 1", stage("slices = 4\noverlap = true")), ["two copies", "replicas = 2"]),
    (study(RING, BONDS, "Gamma = 1", stage("slices = 4\ngap_from = 0.1")), ["three imaginary times"]),
    (study(RING, BONDS, "Gamma = 1\nh = 0.1", stage("slices = 32\nimaginary_times = 9\ngap_from = 0.1")),
     ["gap_from", "field h"]),
    (study(RING, BONDS, "Gamma = 1", stage("slices = 4\ngap_correlation = 'local'")), ["no gap_from"]),
    (study(RING, BONDS, "Gamma = 1", stage("slices = [4, 8]\nextrapolation_power = 4")), ["three", "fourth power"]),
    (study(RING, BONDS, "Gamma = 1", stage("slices = 4\nsweeps = 10\nmeasure_every = 11")), ["measure_every = 11"]),
], ids=["odd", "zero", "negative", "twice", "neither", "both", "no_temperature", "cold", "Jxy", "isotropic",
        "frustrated", "rigid", "continuous_clusters", "times", "one_rung", "two_ladders", "negative_Gamma", "rigid_rung", "uneven_rungs", "one_copy", "few_times", "gap_in_a_field",
        "correlation_of_no_gap", "fourth_power", "seldom"])
def test_bad_input_is_refused_in_one_message(tmp_path, text, parts):
    failed, path = run_study(tmp_path, text)
    assert failed.returncode == 2
    for part in parts:
        assert part in failed.stderr, failed.stderr
    assert failed.stderr.count("error") <= 1
    assert not path.exists()


def test_show_has_a_row_for_each_temperature(tmp_path):
    study = tmp_path / "study.toml"
    stages = "".join(f'[[stage]]\nkind = "{kind}"\ntemperature = [2.0, 1.5, 1.0]\n{keys}' for kind, keys in (
        ("typicality", ""), ("full-spectrum", ""),
        ("quantum-monte-carlo", "slices = 8\nthermalisation = 10\nsweeps = 200\n")))
    study.write_text('seed = 2\n[model]\nkind = "quantum"\n[lattice]\ntype = "square"\nsize = [2, 3]\n'
                     f"[[exchange]]\nshell = 1\nJ = 1.0\n[field]\nGamma = 1.75\n{stages}")
    output = tmp_path / "out.h5"
    assert larmor("run", study, "-o", output).returncode == 0
    shown = larmor("show", output).stdout
    assert len(re.findall(r"^ +(?:2|1\.5|1)  .*\d", shown, re.M)) == 9, shown
    rows = [line.split(",") for line in larmor("show", output, "--csv").stdout.splitlines()]
    stored = h5py.File(output)["stages"]
    column = rows[0].index("energy")
    for row in rows[1:]:
        stage = stored[row[0]]
        place = list(stage["temperature"]).index(float(row[1]))
        assert float(row[column]) == stage["energy"][()].reshape(-1)[place]
    # A scan keeps the row of each temperature of each point.
    study.write_text(study.read_text() + '[[scan]]\nkey = "field.Gamma"\nvalues = [1.0, 2.0]\n')
    assert larmor("run", study, "-o", tmp_path / "scan.h5").returncode == 0
    lines = larmor("show", tmp_path / "scan.h5", "--csv").stdout.splitlines()
    assert len(lines) == 1 + 3 * 3 * 2, lines
