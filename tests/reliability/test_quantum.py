"""Quantum spins: levels, full spectra and random states of the program, samples, interruption, refused input."""
# Rooms: quantum, study

import signal

import h5py
import numpy as np
import pytest

from program import larmor, run_study
from running import start, stop_once_there

SPECTRUM = '[[stage]]\nkind = "spectrum"\n'
FULL = '[[stage]]\nkind = "full-spectrum"\ntemperature = [0.5, 2.0]\n'
TYPICAL = '[[stage]]\nkind = "typicality"\ntemperature = [0.5, 2.0]\nvectors = 8\nsteps = 40\n'
RING = "[[exchange]]\nshell = 1\nJ = 1\n"


def study(lattice, field="Gamma = 1.0", exchange=RING, stage=SPECTRUM, more=""):
    return f'{more}\n[model]\nkind = "quantum"\n[lattice]\n{lattice}\n{exchange}[field]\n{field}\n{stage}'


def results_of(folder, text, *arguments):
    done, path = run_study(folder, text, "--progress", "quiet", "--force", *arguments)
    assert done.returncode == 0, done.stderr
    return numbers_of(path)


def numbers_of(path):
    found = {}
    with h5py.File(path) as file:
        file["stages"].visititems(
            lambda name, item: found.__setitem__(name.split("/", 1)[1], item[()])
            if isinstance(item, h5py.Dataset) else None)
    return found


def mode_energies(gamma, wave_numbers):
    return 2 * np.sqrt(1 + gamma**2 - 2 * gamma * np.cos(wave_numbers))


def explicit_matrix(sites, bonds, h, gamma):
    """@param bonds (i, j, Jz, Jxy)"""
    paulis = [np.array([[0, 1], [1, 0]]), np.array([[0, 1j], [-1j, 0]]), np.array([[-1, 0], [0, 1]])]

    def at(pauli, site):
        return np.kron(np.eye(2 ** (sites - 1 - site)), np.kron(paulis[pauli], np.eye(2**site)))

    matrix = np.zeros((2**sites, 2**sites), complex)
    for i, j, jz, jxy in bonds:
        matrix -= jz * at(2, i) @ at(2, j) + jxy * (at(0, i) @ at(0, j) + at(1, i) @ at(1, j))
    for i in range(sites):
        matrix -= h[i] * at(2, i) + gamma[i] * at(0, i)
    return matrix


def test_a_critical_chain_has_the_levels_of_free_fermions(tmp_path):
    found = results_of(tmp_path, study("type = 'chain'\nsize = [14]"))
    n = np.arange(14)
    even = -mode_energies(1, (2 * n + 1) * np.pi / 14).sum() / 2
    odd = -mode_energies(1, 2 * n * np.pi / 14).sum() / 2
    assert found["even/energy"][0, 0] == pytest.approx(even, abs=1e-11)
    assert found["odd/energy"][0, 0] == pytest.approx(odd, abs=1e-11)
    assert found["ground_state_energy"][0] == pytest.approx(even, abs=1e-11)
    assert found["gap"][0] == pytest.approx(odd - even, abs=1e-11)
    # At the critical point sx and the bond have equal averages.
    assert found["sx"][0] == pytest.approx(np.full(14, -even / 28), abs=1e-9)
    assert (found["sz"] == 0).all()


def test_heisenberg_rings(tmp_path):
    exchange = "[[exchange]]\nshell = 1\nJ = -1\nisotropic = true\n"
    found = results_of(tmp_path, study("type = 'chain'\nsize = [6]", "", exchange, SPECTRUM + "correlations = true\n",
                                       "quantum.operators = 'spin'"))
    assert found["ground_state_energy"][0] == pytest.approx(-2.8027756377319946, abs=1e-12)
    # The average of M^4 is not a sector.
    assert [found[f"M_{M}/energy"][0][0] for M in (2, 4, 6)] == pytest.approx([-2.118034, -0.5, 1.5], abs=1e-6)
    assert found["magnetisation_4"][0] == pytest.approx(0, abs=1e-12)
    # A singlet is isotropic.
    assert found["sxsx"] == pytest.approx(found["szsz"], abs=1e-9)
    assert found["sysy"] == pytest.approx(found["szsz"], abs=1e-9)
    assert found["szsz"][0, 0, 1] == pytest.approx(-2.8027756377319946 * 4 / 18, abs=1e-9)


def test_samples_with_random_couplings_are_explicit_matrices(tmp_path):
    exchange = ("[[exchange]]\npairs = [[0, 1], [1, 2], [2, 3], [0, 3], [0, 2]]\nJ = 0.3\ndisorder = 1.0\n"
                "disorder_by_replica = true\nisotropic = true\n")
    field = "h_by_site = [0.1, -0.2, 0.3, 0.0]\nGamma_by_site = [1.0, 0.5, 0.25, 0.0]"
    found = results_of(tmp_path, study("sites = 4", field, exchange, FULL, "replicas = 3"))
    assert found["level"].shape == (3, 16)
    assert len({levels[0] for levels in found["level"]}) == 3
    assert found["level"].sum(axis=1) == pytest.approx(np.zeros(3), abs=1e-12)
    for levels, ln_z, energy in zip(found["level"], found["ln_Z"], found["energy"]):
        weights = np.exp(-levels / 0.5)
        assert ln_z[0] == pytest.approx(np.log(weights.sum()))
        assert energy[0] * 4 == pytest.approx((weights * levels).sum() / weights.sum())


UNIFORM = "disorder_distribution = 'uniform'\ndisorder_by_replica = true\n"
RANDOM_CHAIN = study(
    "type = 'chain'\nsize = [6]\nperiodic = false", f"Gamma = 0.5\nGamma_disorder = 0.5\n{UNIFORM}",
    f"[[exchange]]\nshell = 1\nJ = 0.5\ndisorder = 0.5\n{UNIFORM}", SPECTRUM, "replicas = 40")


def model_of(folder):
    with h5py.File(folder / "out.h5") as file:
        return {name: file["model"][name][()] for name in ("bonds", "J", "Jxy", "h", "Gamma")}


def free_chain_levels(J, gamma):
    """The ground state and the gap of a chain with free ends: the singular values of a bidiagonal matrix."""
    values = np.linalg.svd(np.diag(gamma) - np.diag(J, 1), compute_uv=False)
    return -values.sum(), 2 * values.min()


def test_random_chains_are_free_fermions_of_the_couplings_in_results(tmp_path):
    found = results_of(tmp_path, RANDOM_CHAIN)
    model = model_of(tmp_path)
    assert model["J"].shape == (40, 5) and model["Gamma"].shape == (40, 6)
    assert (model["bonds"] == [[n, n + 1] for n in range(5)]).all()
    assert (model["Jxy"] == 0).all() and (model["h"] == 0).all()
    numbers = np.concatenate([model["J"].ravel(), model["Gamma"].ravel()])
    assert ((numbers > 0) & (numbers < 1)).all() and len(set(numbers)) == 440
    # Five standard errors of the mean and the variance of a uniform distribution.
    assert abs(numbers.mean() - 0.5) < 5 * (1 / 12 / 440) ** 0.5
    assert abs(((numbers - 0.5) ** 2).mean() - 1 / 12) < 5 * (1 / 180 / 440) ** 0.5
    for sample, (J, gamma) in enumerate(zip(model["J"], model["Gamma"])):
        energy, gap = free_chain_levels(J, gamma)
        assert found["ground_state_energy"][sample] == pytest.approx(energy, abs=1e-10)
        assert found["gap"][sample] == pytest.approx(gap, abs=1e-10)


@pytest.mark.parametrize("distribution", ["normal", "bimodal", "uniform"])
def test_random_fields_are_explicit_matrices(tmp_path, distribution):
    field = ("h = 0.1\nh_disorder = 0.6\nGamma_by_site = [0.1, 0.2, 0.3, 0.4]\nGamma_disorder = 0.7\n"
             f"disorder_distribution = '{distribution}'\ndisorder_by_replica = true\ndisorder_seed = 7\n")
    exchange = f"[[exchange]]\nshell = 1\nJ = 1\nJxy = 0.3\ndisorder = 0.5\n{UNIFORM}"
    found = results_of(tmp_path, study("type = 'chain'\nsize = [4]", field, exchange, FULL, "replicas = 5"))
    model = model_of(tmp_path)
    assert len({tuple(h) for h in model["h"]}) > 1 and (model["Gamma"] >= 0).all() and (model["Jxy"] == 0.3).all()
    if distribution == "bimodal":
        assert np.unique(model["h"]) == pytest.approx([-0.5, 0.7])
        assert set(np.round(model["Gamma"][:, 0], 12)) == {0.6, 0.8}
    if distribution == "uniform":
        assert (abs(model["h"] - 0.1) < 0.6).all() and (model["Gamma"] < 1.1).all()
    for sample in range(5):
        bonds = [(*ends, J, 0.3) for ends, J in zip(model["bonds"], model["J"][sample])]
        matrix = explicit_matrix(4, bonds, model["h"][sample], model["Gamma"][sample])
        assert found["level"][sample] == pytest.approx(np.linalg.eigvalsh(matrix), abs=1e-12)


def test_random_fields_of_all_replicas_are_those_of_the_first(tmp_path):
    results_of(tmp_path, RANDOM_CHAIN)
    own = model_of(tmp_path)
    results_of(tmp_path, RANDOM_CHAIN.replace("disorder_by_replica = true", "disorder_by_replica = false"))
    shared = model_of(tmp_path)
    assert (shared["Gamma"] == own["Gamma"][:1]).all() and (shared["J"] == own["J"][:1]).all()
    results_of(tmp_path, "samples = 20\n" + RANDOM_CHAIN)
    assert (model_of(tmp_path)["Gamma"] == own["Gamma"][:20]).all()


def test_files_and_tables_of_bonds_are_explicit_matrices(tmp_path):
    (tmp_path / "bonds.txt").write_text("0 1 0.7\n1 2 -0.4\n")
    exchange = ("[[exchange]]\nfile = 'bonds.txt'\nJxy = 0.2\n"
                "[[exchange]]\npairs = [[0, 3], [2, 3]]\nJ = 0.5\n[[exchange]]\nfile = 'bonds.txt'\nisotropic = true\n")
    found = results_of(tmp_path, study("sites = 4", "h = 0.3\nGamma = 0.9", exchange, FULL))
    bonds = [(0, 1, 0.7, 0.2), (1, 2, -0.4, 0.2), (0, 3, 0.5, 0), (2, 3, 0.5, 0), (0, 1, 0.7, 0.7), (1, 2, -0.4, -0.4)]
    levels, vectors = np.linalg.eigh(explicit_matrix(4, bonds, [0.3] * 4, [0.9] * 4))
    assert found["level"][0] == pytest.approx(levels, abs=1e-12)
    weights = np.exp(-(levels - levels[0]) / 2.0)
    spins = np.array([[(x >> i & 1) * 2 - 1 for x in range(16)] for i in range(4)])
    probabilities = (abs(vectors) ** 2) @ (weights / weights.sum())
    assert found["szsz"][0, 1] == pytest.approx((spins * probabilities) @ spins.T, abs=1e-12)
    assert found["sz"][0, 1] == pytest.approx(spins @ probabilities, abs=1e-12)


def test_random_states_agree_with_the_full_spectrum(tmp_path):
    exact = results_of(tmp_path, study("type = 'chain'\nsize = [9]", stage=FULL + "imaginary_times = 3\n"))
    assert exact["time_correlation"].shape == (1, 2, 3)
    found = results_of(tmp_path, study("type = 'chain'\nsize = [9]", stage=TYPICAL.replace("8", "40")))
    for name in ("ln_Z", "energy", "specific_heat", "magnetisation_squared", "binder", "sx"):
        deviation = (found[name] - exact[name]) / found[name + "_error"]
        assert (abs(deviation) < 4.5).all(), (name, deviation)
        assert (found[name + "_error"] > 0).all()
    # The errors are not too large: those of a mean of 40 vectors with hundreds of states.
    assert found["energy_error"][0, 1] < 0.03


@pytest.mark.parametrize("stage", [SPECTRUM, TYPICAL.replace("8", "2")], ids=["spectrum", "typicality"])
def test_an_interrupted_stage_goes_on_with_equal_numbers(tmp_path, stage):
    text = study("type = 'chain'\nsize = [15]",
                 exchange=RING + "disorder = 0.5\ndisorder_by_replica = true\n", stage=stage, more="replicas = 10")
    whole = results_of(tmp_path, text)
    cut = tmp_path / "cut.h5"
    process = start("run", tmp_path / "study.toml", "-o", cut, "--checkpoint-every", "0.02")
    stop_once_there(process, tmp_path / "cut.h5.ckpt", signal.SIGKILL)
    done = larmor("resume", cut)
    assert done.returncode == 0, done.stderr
    again = numbers_of(cut)
    assert whole.keys() == again.keys()
    for name, values in whole.items():
        assert (again[name] == values).all(), name


def test_threads_do_not_change_the_numbers(tmp_path):
    for stage in (SPECTRUM + "correlations = true\n", TYPICAL):
        text = study("type = 'chain'\nsize = [13]", stage=stage)
        one = results_of(tmp_path, text + "[device]\nthreads = 1\n")
        three = results_of(tmp_path, text + "[device]\nthreads = 3\n")
        for name, values in one.items():
            assert (three[name] == values).all(), name


@pytest.mark.parametrize("text, parts", [
    (study("type = 'chain'\nsize = [50]"), ["2^50", "bytes", "at most 40"]),
    (study("type = 'chain'\nsize = [39]"), ["the study needs"]),
    (study("type = 'chain'\nsize = [20]", stage=FULL), ["524288", "bytes", "typicality"]),
    (study("type = 'chain'\nsize = [4]", "Gamma = -1.0"), ["Gamma is negative", "rotation"]),
    (study("type = 'chain'\nsize = [4]", "Gamma_by_site = [1, 2]"), ["Gamma_by_site", "4 sites"]),
    (study("type = 'chain'\nsize = [4]", "h = 1.0\nh_by_site = [1, 2, 3, 4]"), ["both h and h_by_site"]),
    (study("type = 'chain'\nsize = [4]", "disorder_by_replica = true"), ["no disorder", "give h_disorder"]),
    (study("type = 'chain'\nsize = [4]", "Gamma = 1\ndisorder_distribution = 'uniform'"),
     ["no disorder", "give h_disorder"]),
    (study("type = 'chain'\nsize = [4]", "Gamma = 1\nGamma_disorder = -1"), ["Gamma_disorder"]),
    (study("type = 'chain'\nsize = [4]", "Gamma = 1\nGamma_disorder = 1\ndisorder_distribution = 'bimodal'"),
     ["may be 0", "differs from Gamma"]),
    (study("type = 'chain'\nsize = [4]", stage='[[stage]]\nkind = "typicality"\n'), ["temperature", "missing"]),
    (study("type = 'chain'\nsize = [4]", stage='[[stage]]\nkind = "full-spectrum"\n'), ["temperature", "missing"]),
    (study("type = 'chain'\nsize = [4]", stage=FULL.replace("0.5", "-0.5")), ["temperature", "positive"]),
    (study("type = 'chain'\nsize = [4]", "h = 0.1\nGamma = 1.0", stage=SPECTRUM + "sectors = ['odd']\n"),
     ["no odd states", "leave out"]),
    (study("type = 'chain'\nsize = [4]", stage=SPECTRUM + "sectors = ['up']\n"), ["up", "choices"]),
    (study("type = 'chain'\nsize = [4]", stage=SPECTRUM + "magnetisation = [0]\n"),
     ["transverse field", "magnetisation"]),
    (study("type = 'chain'\nsize = [4]", "h = 0.1", stage=SPECTRUM + "magnetisation = [1]\n"),
     ["no state of 4 spins", "-4, -2"]),
    (study("type = 'chain'\nsize = [4]", stage=SPECTRUM + "levels = 99\n"), ["levels", "at most 20"]),
    (study("type = 'chain'\nsize = [4]", exchange=RING + "Jxy = 1\nisotropic = true\n"), ["isotropic", "Jxy"]),
    (study("type = 'chain'\nsize = [4]", exchange="[[exchange]]\nshell = 1\nJxy = 1\n"), ["lacks its coupling J"]),
    (study("type = 'chain'\nsize = [4]", more="units = 'material'"), ["reduced units"]),
    (study("type = 'chain'\nsize = [4]", stage='[[stage]]\nkind = "monte-carlo"\ntemperature = 1\n'),
     ["spectrum", "typicality"]),
], ids=["long", "memory", "dense", "negative", "list", "both", "no_disorder", "distribution_of_none", "negative_disorder",
        "no_field_left", "no_temperature", "no_temperature_of_spectrum", "cold", "odd", "unknown_sector", "magnetisation", "parity_of_M", "levels", "isotropic", "no_J", "units", "stage"])
def test_bad_input_is_refused_in_one_message(tmp_path, text, parts):
    failed, path = run_study(tmp_path, text)
    assert failed.returncode in (2, 3)
    for part in parts:
        assert part in failed.stderr, failed.stderr
    assert failed.stderr.count("error") <= 1
    assert not path.exists()


def test_levels_of_frustrated_lattices_scale(tmp_path):
    # Weak fields lead to nearly degenerate levels, and to tiny elements in chains of Lanczos.
    def energies(J, Gamma):
        found = results_of(tmp_path, study("type = 'kagome'\nsize = [2, 2]", f"Gamma = {Gamma}",
                                           f"[[exchange]]\nshell = 1\nJ = {J}\n"))
        return np.concatenate([found["even/energy"][0], found["odd/energy"][0]])

    assert energies(-1, 0.1) == pytest.approx(2 * energies(-0.5, 0.05), rel=1e-11)


def test_show_prints_the_levels(tmp_path):
    done, path = run_study(tmp_path, study("type = 'chain'\nsize = [1]", exchange=""), "--progress", "quiet")
    assert done.returncode == 0, done.stderr
    shown = dict(line.split()[:2] for line in larmor("show", path).stdout.splitlines() if len(line.split()) == 2)
    assert float(shown["ground_state_energy"]) == pytest.approx(-1) and float(shown["gap"]) == pytest.approx(2), shown
