"""Problems, structures and fits that Python gives to the program."""
# Rooms: ground_states, evaluation, fitting

import enum
import itertools
import json
import random

import numpy as np
import pytest

import larmor
from program import LARMOR
from test_fit import evaluated, random_structures, read_coefficients, table_of, write_potential


@pytest.fixture(autouse=True)
def program(monkeypatch):
    monkeypatch.setenv("LARMOR", LARMOR)


def lowest(terms, values):
    """Least energy of terms {(i, j): value}, from all states."""
    labels = list(dict.fromkeys(label for pair in terms for label in pair))
    states = (dict(zip(labels, state)) for state in itertools.product(values, repeat=len(labels)))
    return min(energy(terms, state) for state in states)


def energy(terms, state):
    return sum(value * (state[i] if i == j else state[i] * state[j]) for (i, j), value in terms.items())


def random_terms(labels, seed):
    draw = random.Random(seed)
    return {pair: draw.gauss(0, 1) for pair in itertools.combinations_with_replacement(labels, 2)}


@pytest.mark.parametrize("vartype, values", [("SPIN", (-1, 1)), ("BINARY", (0, 1))])
def test_a_dictionary_is_solved_and_proven(vartype, values):
    terms = random_terms([(0, 0), (0, 1), "site", 7, None, 1.5, "a b", (1, 1)], 2)
    found = larmor.solve(terms, vartype=vartype, certify=True, sweeps=200, progress=False)
    assert found.energy == pytest.approx(lowest(terms, values), abs=1e-12)
    assert energy(terms, found.state) == pytest.approx(found.energy, abs=1e-12)
    assert found.is_proven and found.certificate.search_found_it and found.certificate.degeneracy == 1
    assert energy(terms, found.certificate.state) == pytest.approx(found.energy, abs=1e-12)
    assert found.found > 0 and found.sweeps_to_solution.value > 0 and found.time_to_solution.value > 0
    assert "proven" in repr(found)
    largest = larmor.solve(terms, vartype=vartype, maximise=True, sweeps=200, progress=False)
    assert largest.energy == pytest.approx(-lowest({k: -v for k, v in terms.items()}, values), abs=1e-12)
    assert not largest.is_proven


@pytest.mark.parametrize("vartype", ["SPIN", "BINARY"])
def test_a_model_of_dimod_has_the_energy_of_its_exact_solver(vartype):
    dimod = pytest.importorskip("dimod", reason="no dimod here")
    terms = random_terms(["x", ("y", 1), 3, "free", 8, 9], 5)
    model = dimod.BinaryQuadraticModel(vartype)
    for (i, j), value in terms.items():
        model.add_linear(i, value) if i == j else model.add_quadratic(i, j, value)
    model.add_variable("lonely")
    model.offset = 2.25
    exact = dimod.ExactSolver().sample(model).first
    found = larmor.solve(model, certify=True, sweeps=200, progress=False)
    assert found.energy == pytest.approx(exact.energy, abs=1e-12)
    assert found.state.keys() == set(model.variables) and model.energy(found.state) == pytest.approx(exact.energy)
    assert found.certificate.degeneracy == 2


@pytest.mark.parametrize("problem, words", [
    ({(0, 1, 2): 1.0}, "not a pair"), ({("a", "b"): float("nan")}, "finite")])
def test_a_wrong_dictionary_is_refused(problem, words):
    with pytest.raises(larmor.InputError) as refused:
        larmor.solve(problem, progress=False)
    assert words in str(refused.value) and ".coo" not in str(refused.value) and refused.value.remedy


def test_a_problem_without_variables_has_its_offset_as_energy(tmp_path):
    found = larmor.solve({}, progress=False)
    assert (found.energy, found.state, found.is_proven) == (0, {}, True)
    with pytest.raises(larmor.InputError, match="without variables has no file") as refused:
        larmor.solve({}, output=tmp_path / "solution.json")
    assert "output" in refused.value.remedy
    dimod = pytest.importorskip("dimod", reason="no dimod here")
    model = dimod.BinaryQuadraticModel("BINARY")
    model.offset = -2.5
    found = larmor.solve(model, certify=True, seed=3)
    assert found.energy == model.energy(found.state) == dimod.RandomSampler().sample(model).first.energy == -2.5
    assert found.certificate.degeneracy == 1 and found.certificate.gap is None


def test_a_certificate_tells_what_it_proves():
    ring = {(n, (n + 1) % 5): 1.0 for n in range(5)}
    proof = larmor.solve(ring, certify=True, sweeps=100, progress=False).certificate
    assert repr(proof) == f"<Certificate: energy -3, 10 states, gap 4, by {proof.method}>"
    assert repr(larmor.solve({}).certificate) == "<Certificate: energy 0, 1 state, by enumeration>"


def test_the_kind_of_variables_may_be_an_enumeration():
    kinds = enum.Enum("Vartype", ["SPIN", "BINARY"])
    assert larmor.solve({(0, 1): 1.0, 0: -2.0}, vartype=kinds.BINARY, progress=False).state == {0: 1, 1: 0}


def test_files_of_a_study_are_found_in_its_folder(tmp_path):
    (tmp_path / "bonds.txt").write_text("0 1 1.0\n1 2 -2.0\n2 3 0.5\n")
    study = larmor.Study.from_dict({"model": {"kind": "ising"}, "lattice": {"sites": 4},
                                    "exchange": [{"file": "bonds.txt"}],
                                    "stage": [{"kind": "monte-carlo", "temperature": 1.0, "sweeps": 10}]},
                                   folder=tmp_path)
    assert larmor.solve(study, certify=True, progress=False).energy == pytest.approx(-3.5, abs=1e-12)
    study.folder = tmp_path / "elsewhere"
    with pytest.raises(larmor.InputError):
        larmor.solve(study, progress=False)


def test_a_graph_of_networkx_is_solved():
    networkx = pytest.importorskip("networkx", reason="no networkx here")
    ring = networkx.cycle_graph(7)
    frustrated = larmor.solve(ring, certify=True, sweeps=100, progress=False)
    assert frustrated.energy == -5 and frustrated.certificate.degeneracy == 14
    assert larmor.solve(ring, ferromagnetic=True, sweeps=100, progress=False).energy == -7
    ring.nodes[3]["bias"] = 0.5
    ring.edges[2, 3]["weight"] = -4
    found = larmor.solve(ring, sweeps=100, progress=False)
    assert found.energy == -10.5 and found.state[3] == found.state[2] == -1
    with pytest.raises(larmor.InputError, match="directions"):
        larmor.solve(networkx.DiGraph(ring))


def test_files_and_studies_are_solved(tmp_path):
    path = tmp_path / "chain.txt"
    path.write_text("0 1 1.5\n1 2 -1\n")
    found = larmor.solve(path, sweeps=100, output=tmp_path / "solution.json", progress=False)
    assert found.energy == -2.5 and found.state[0] == -found.state[1] == -found.state[2]
    assert found.details == json.loads((tmp_path / "solution.json").read_text())
    with pytest.raises(larmor.InputError, match="solution.json"):
        larmor.solve(path, output=tmp_path / "solution.json", progress=False)
    study = larmor.Study()
    study.model(kind="ising")
    study.lattice(type="chain", size=6)
    study.exchange(shell=1, J=1.0)
    study.stage("monte-carlo", temperature=1.0, sweeps=10)
    assert larmor.solve(study, sweeps=100, progress=False).energy == -6


def test_mistakes_in_problems_are_errors():
    with pytest.raises(larmor.InputError, match="the pair 2, 'a' is given twice"):
        larmor.solve({("a", 2): 1, (2, "a"): 1})
    with pytest.raises(larmor.InputError, match="of type int is not a problem"):
        larmor.solve(3)
    with pytest.raises(larmor.InputError, match="^rungs: "):
        larmor.solve({(0, 1): 1}, rungs=1, progress=False)
    with pytest.raises(larmor.InputError, match="coldest is not below hottest") as refused:
        larmor.solve({(0, 1): 1}, coldest=2, hottest=1, progress=False)
    assert "--" not in str(refused.value) + refused.value.problem + refused.value.remedy
    with pytest.raises(larmor.InputError, match="vartype is 'spin'"):
        larmor.solve({(0, 1): 1}, vartype="spin")


@pytest.fixture(scope="module")
def potential(tmp_path_factory):
    coefficients = np.random.default_rng(5).normal(0, 0.03, (2, 6))
    return write_potential(tmp_path_factory.mktemp("potential") / "x", coefficients)


def test_atoms_of_ase_are_evaluated(potential):
    ase = pytest.importorskip("ase", reason="no ASE here")
    atoms = ase.Atoms("WBe2", [[0, 0, 0], [1.9, 0.1, 0], [0.2, 2.2, 0.4]], cell=[4.4, 4.5, 4.6], pbc=True)
    snap = larmor.Potential(potential)
    one = larmor.evaluate(atoms, snap)
    several = larmor.evaluate([atoms, larmor.Structure.from_ase(atoms)], snap)
    assert [e.energy for e in several] == [one.energy] * 2 and one.forces.shape == (3, 3)
    atoms.positions[2, 2] = np.nan
    with pytest.raises(larmor.InputError):
        larmor.evaluate(atoms, snap)


def test_a_fit_returns_its_results(tmp_path, potential):
    evaluated(tmp_path, random_structures(24), potential)
    settings = tmp_path / "fit.toml"
    settings.write_text(table_of())
    with larmor.fit(settings, tmp_path / "fitted", progress=False) as results:
        expected = read_coefficients(potential).reshape(2, 6)
        assert np.allclose(results.fit.coefficients, expected, atol=1e-8)
    assert np.allclose(read_coefficients(tmp_path / "fitted").reshape(2, 6), expected, atol=1e-8)
    with pytest.raises(larmor.InputError, match="fitted"):
        larmor.fit(settings, tmp_path / "fitted", progress=False)
