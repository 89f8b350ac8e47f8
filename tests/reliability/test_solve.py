"""larmor solve: its output, read without code of Larmor. Equal bits, signals and wrong input are
tested."""
# Rooms: ground_states, io

import itertools
import json
import os
import random
import signal
import struct
import time

import pytest

from program import larmor
from running import start, stop_after


def write_list(path, spins, whole, bits=False, pairs=None, seed=1):
    """Writes the couplings of all pairs, or of the given ones; rows i i value are fields."""
    draw = random.Random(seed)
    number = (lambda: draw.randint(-4, 4)) if whole else (lambda: draw.gauss(0, 1))
    pairs = pairs or itertools.combinations_with_replacement(range(spins), 2)
    rows = [f"{i} {j} {number()!r}" for i, j in pairs]
    header = ["# vartype=BINARY"] if bits else []
    path.write_text("\n".join(header + rows) + "\n")
    return path


def energy(path, state):
    """Energy by the values of the variables in the file."""
    rows = [row.split() for row in path.read_text().splitlines() if not row.startswith("#")]
    return sum(
        float(value) * (state[int(i)] if i == j else state[int(i)] * state[int(j)])
        for i, j, value in rows
    )


def solved(path, *options):
    """The solution, as JSON."""
    run = larmor("solve", path, "--progress", "quiet", *options)
    assert run.returncode == 0, run.stderr
    return json.loads(path.with_name(f"{path.stem}-solution.json").read_text())


@pytest.mark.parametrize("bits", [False, True], ids=["spins", "bits"])
@pytest.mark.parametrize("whole", [False, True], ids=["real", "whole"])
def test_the_ground_state_of_all_states(tmp_path, whole, bits):
    path = write_list(tmp_path / "problem.txt", 11, whole, bits)
    found = solved(path, "--sweeps", "200", "--certify")
    values = (0, 1) if bits else (-1, 1)
    energies = sorted(energy(path, state) for state in itertools.product(values, repeat=11))
    best, proof = found["best"], found["certificate"]
    assert best["energy"] == pytest.approx(energies[0], abs=1e-12)
    assert energy(path, best["state"]) == pytest.approx(best["energy"], abs=1e-12)
    digits = {(-1): "-", 1: "+"} if not bits else {0: "0", 1: "1"}
    assert best["state_text"] == "".join(digits[value] for value in best["state"])
    levels = [e for n, e in enumerate(energies) if n == 0 or e - energies[n - 1] > 1e-9]
    assert proof["search_found_it"]
    assert proof["energy"] == pytest.approx(levels[0], abs=1e-12)
    assert proof["degeneracy"] == sum(e < levels[0] + 1e-9 for e in energies)
    assert proof["gap"] == pytest.approx(levels[1] - levels[0], abs=1e-9)
    assert found["search"]["found"] > 0
    assert found["search"]["time_to_solution"]["value"] > 0


def test_names_of_dimods_variables_come_back(tmp_path):
    path = tmp_path / "model.json"
    model = {
        "type": "BinaryQuadraticModel",
        "version": {"bqm_schema": "3.0.0"},
        "use_bytes": False,
        "num_variables": 3,
        "num_interactions": 2,
        "variable_labels": ["a", [0, 1], 7],
        "variable_type": "BINARY",
        "offset": 0.125,
        "info": {},
        "linear_biases": [-1.0, 2.0, -0.5],
        "quadratic_biases": [3.0, -2.25],
        "quadratic_head": [0, 1],
        "quadratic_tail": [1, 2],
    }
    path.write_text(json.dumps(model))
    found = solved(path, "--sweeps", "50")
    assert found["best"]["energy"] == -1.375
    assert found["best"]["state"] == [1, 0, 1]
    assert found["best"]["variable_labels"] == ["a", [0, 1], 7]


# H = 1/4 + 3/2 a - 2 (x,1) + 0 c + a c - 1/2 a (x,1); by variable, the neighbours with their biases.
LINEAR = [1.5, 0.0, -2.0]
NEIGHBOURS = [[(1, 1.0), (2, -0.5)], [(0, 1.0)], [(0, -0.5)]]
LABELS = ["a", 7, ["x", 1]]


def bqm_bytes(version=2, vartype="SPIN", labels=LABELS, neighbours=NEIGHBOURS, real="d", index="i"):
    """A file as dimod's BinaryQuadraticModel.to_file writes it."""
    numbers = {"d": "float64", "f": "float32", "i": "int32", "q": "int64"}
    header = json.dumps({
        "dtype": numbers[real], "itype": numbers[index], "ntype": numbers[index],
        "shape": [len(LINEAR), sum(map(len, neighbours)) // 2], "type": "BinaryQuadraticModel",
        "variables": labels if version == 1 else labels != [0, 1, 2], "vartype": vartype,
    }, sort_keys=True) + "\n"
    header = header.encode() + b" " * (-(len(header) + 14) % 64)
    contents = b"DIMODBQM" + struct.pack("<BBI", version, 0, len(header)) + header
    contents += struct.pack("<" + real, 0.25)
    begins = itertools.accumulate(map(len, neighbours), initial=0)
    contents += b"".join(struct.pack("<" + index + real, *pair) for pair in zip(begins, LINEAR))
    contents += b"".join(struct.pack("<" + index + real, *entry) for row in neighbours for entry in row)
    if version == 1 or labels == [0, 1, 2]:
        return contents
    text = json.dumps(labels).encode()
    text += b" " * (-(len(text) + 8) % 64)
    return contents + b"VARS" + struct.pack("<I", len(text)) + text


@pytest.mark.parametrize("name", ["model.bqm", "model", "model.json"])
@pytest.mark.parametrize(
    "options",
    [{}, {"version": 1}, {"vartype": "BINARY"}, {"labels": [0, 1, 2]}, {"real": "f", "index": "q"}],
    ids=["spins", "version-1", "bits", "unlabelled", "float32"],
)
def test_binary_models_of_dimod(tmp_path, options, name):
    path = tmp_path / name
    path.write_bytes(bqm_bytes(**options))
    found = solved(path, "--sweeps", "50", "--certify")
    values = (0, 1) if options.get("vartype") else (-1, 1)

    def value(a, c, x):
        return 0.25 + 1.5 * a - 2 * x + a * c - 0.5 * a * x

    least = min(itertools.product(values, repeat=3), key=lambda state: value(*state))
    assert found["problem"]["format"] == "bqm"
    assert found["best"]["variable_labels"] == options.get("labels", LABELS)
    assert value(*found["best"]["state"]) == found["best"]["energy"] == value(*least)
    assert found["certificate"]["energy"] == value(*least)


def test_the_same_bytes_as_dimod(tmp_path):
    dimod = pytest.importorskip("dimod", reason="no dimod here")
    couplings = {("a", 7): 1.0, ("a", ("x", 1)): -0.5}
    model = dimod.BinaryQuadraticModel({"a": 1.5, 7: 0, ("x", 1): -2}, couplings, 0.25, "SPIN")
    for version in (1, 2):
        assert model.to_file(version=version).read() == bqm_bytes(version)


@pytest.mark.parametrize(
    "contents, message",
    [
        (bqm_bytes()[:-1], "the file ends within the labels"),
        (bqm_bytes()[:200], "the file ends within the linear biases, after 0 of 36 bytes"),
        (bqm_bytes() + b"x", "bytes follow the end of the model"),
        (bqm_bytes()[:8] + b"\x03" + bqm_bytes()[9:], "the file has version 3.0 of the format"),
        (b"DIMODCQM" + bqm_bytes()[8:], "a model of dimod, but not a BinaryQuadraticModel"),
        (bqm_bytes(vartype="INTEGER"), 'vartype is "INTEGER"'),
        (bqm_bytes(labels=["a", "b"]), "the list has 2 entries"),
        (bqm_bytes(neighbours=[[(1, 1.0)], [(0, 2.0)], []]), "variables 0 and 1 must both list their coupling"),
        (bqm_bytes(neighbours=[[(1, 1.0)], [(2, 1.0)], []]), "a coupling is listed at only one of"),
        (bqm_bytes(neighbours=[[(0, 1.0), (0, 1.0)], [], []]), "variable 0 is coupled with variable 0"),
        (bqm_bytes(neighbours=[[(5, 1.0)], [(0, 1.0)], []]), "variable 0 is coupled with variable 5, but a neighbour"),
        (bqm_bytes(neighbours=[[(1, float("nan"))], [(0, float("nan"))], []]), "variables 0 and 1 must both list their coupling"),
        (bqm_bytes(neighbours=[[(1, 1e300)], [(0, 1e300)], []]), "the bias of a coupling is 1e+300"),
        (bqm_bytes(neighbours=[[(2, 1.0), (1, 1.0)], [(0, 1.0)], [(0, 1.0)]]), "do not ascend"),
    ],
    ids=["short", "shorter", "longer", "version", "other-model", "vartype", "labels", "asymmetric", "one-sided",
         "itself", "unknown", "nan", "large", "unordered"],
)
def test_a_wrong_binary_model_gets_one_message(tmp_path, contents, message):
    path = tmp_path / "problem.bqm"
    path.write_bytes(contents)
    run = larmor("solve", path)
    assert run.returncode == 2
    assert message in run.stderr
    assert run.stderr.count("error:") == 1 and "problem.bqm" in run.stderr
    assert not run.stdout
    assert [file.name for file in tmp_path.iterdir()] == ["problem.bqm"]


def test_a_cut_is_told(tmp_path):
    path = tmp_path / "triangle.mc"
    path.write_text("3 3\n1 2 1\n2 3 2\n1 3 4\n")
    found = solved(path, "--sweeps", "50")
    assert found["best"]["cut"] == 6
    assert found["best"]["energy"] == -6
    run = larmor("solve", path, "--force", "--progress", "quiet", "--sweeps", "50")
    assert "cut 6" in run.stdout


@pytest.mark.parametrize("options", [[], ["--anneal"]], ids=["tempering", "annealing"])
@pytest.mark.parametrize("bits", [False, True], ids=["spins", "bits"])
def test_the_largest_value_of_all_states(tmp_path, bits, options):
    path = write_list(tmp_path / "problem.txt", 9, True, bits)
    text = path.read_text()
    path.write_text("# offset=2.5\n" + text)
    found = solved(path, "--maximise", "--sweeps", "200", "--certify", *options)
    path.write_text(text)
    values = (0, 1) if bits else (-1, 1)
    energies = [2.5 + energy(path, state) for state in itertools.product(values, repeat=9)]
    levels = sorted(set(energies), reverse=True)
    best, search, proof = found["best"], found["search"], found["certificate"]
    assert found["problem"]["sense"] == "maximise"
    assert best["energy"] == search["solved_at"] == proof["energy"] == levels[0]
    assert 2.5 + energy(path, best["state"]) == 2.5 + energy(path, proof["state"]) == levels[0]
    assert proof["gap"] == levels[0] - levels[1]
    assert proof["degeneracy"] == energies.count(levels[0]) and proof["search_found_it"]
    assert max(repeat["energy"] for repeat in search["each"]) == levels[0]
    assert search["time_to_solution"]["value"] > 0


def test_a_target_of_the_largest_value_is_reached_from_below(tmp_path):
    path = write_list(tmp_path / "problem.txt", 60, True)
    largest = solved(path, "--maximise")["best"]["energy"]
    target = largest // 2
    search = solved(path, "--maximise", "--force", "--target-energy", str(target))["search"]
    assert search["solved_at"] == target and search["found"] == search["repeats"]
    assert all(target <= repeat["energy"] <= largest for repeat in search["each"])
    assert all(repeat["sweeps"] == repeat["found_at"] for repeat in search["each"])
    run = larmor("solve", path, "--maximise", "--force", "--progress", "plain", "--target-energy", target)
    assert f"{target} or more in 16 of 16 repeats" in run.stdout
    assert f"energy -{largest}" not in run.stdout + run.stderr


def test_many_repeats_of_the_largest_value_are_told_by_their_energies(tmp_path):
    path = write_list(tmp_path / "problem.txt", 12, True)
    search = solved(path, "--maximise", "--anneal", "--sweeps", "2", "--repeats", "10001")["search"]
    levels = [level["energy"] for level in search["energies"]]
    assert levels == sorted(levels, reverse=True) and levels[0] == search["solved_at"] > 0
    assert search["lower"] == 0 and "higher" not in search


def test_the_largest_cut_is_the_same_both_ways(tmp_path):
    path = tmp_path / "triangle.mc"
    path.write_text("3 3\n1 2 1\n2 3 2\n1 3 4\n")
    least = solved(path, "--sweeps", "50")
    most = solved(path, "--sweeps", "50", "--maximize", "--certify", "--force")
    assert (least["best"]["energy"], least["problem"]["sense"]) == (-6, "minimise")
    assert (most["best"]["energy"], most["best"]["cut"], most["certificate"]["energy"]) == (6, 6, 6)
    assert most["best"]["state"] == least["best"]["state"]


def test_a_study_with_the_largest_energy(tmp_path):
    path = tmp_path / "chain.toml"
    path.write_text('[model]\nkind = "ising"\n[lattice]\ntype = "chain"\nsize = [8]\n[[exchange]]\nshell = 1\n'
                    'J = 1.0\n[[stage]]\nkind = "monte-carlo"\ntemperature = 1.0\nsweeps = 10\n')
    assert solved(path, "--sweeps", "50", "--maximise")["best"]["energy"] == 8


def test_variables_that_are_set_are_named_where_they_are_few(tmp_path):
    path = tmp_path / "few.json"
    model = {
        "use_bytes": False, "num_variables": 3, "num_interactions": 0, "variable_labels": ["a", ["x", 1], 7],
        "variable_type": "BINARY", "linear_biases": [-1, 2, -3], "quadratic_biases": [], "quadratic_head": [],
        "quadratic_tail": [],
    }
    path.write_text(json.dumps(model))
    run = larmor("solve", path, "--progress", "quiet", "--sweeps", "20")
    assert '2 of 3 bits are 1: "a", 7\n' in run.stdout
    path = tmp_path / "many.coo"
    rows = [f"{n} {n} {-1 if n >= 59 else 1}" for n in range(100)]
    path.write_text("\n".join(rows))
    run = larmor("solve", path, "--progress", "quiet", "--sweeps", "20")
    assert "41 of 100 spins are +1, named in the solution\n" in run.stdout
    path.write_text("\n".join(rows).replace("59 59 -1", "59 59 1"))
    run = larmor("solve", path, "--progress", "quiet", "--sweeps", "20", "--force")
    assert "40 of 100 spins are +1: 60, 61, " in run.stdout


def test_a_graph_without_weights_is_known_by_its_rows(tmp_path):
    path = tmp_path / "G0"
    path.write_text("4 4\n1 2\n2 3\n3 4\n4 1\n")
    assert solved(path, "--sweeps", "20")["best"]["cut"] == 4


@pytest.mark.parametrize("header", ["4 5 1", "4 5 0", "4 5 -1.5"])
def test_a_header_of_three_numbers_is_no_coupling(tmp_path, header):
    path = tmp_path / "G0.txt"
    path.write_text(f"{header}\n1 2 1\n2 3 1\n3 4 1\n4 1 1\n1 3 1\n")
    run = larmor("solve", path)
    assert run.returncode == 2
    assert "G0.txt:1:1: error: the first row may be the header of a graph" in run.stderr
    assert "--format maxcut" in run.stderr
    run = larmor("solve", path, "--format", "maxcut")
    assert run.returncode == 2
    assert "G0.txt:1:1: error: the first row has 3 columns" in run.stderr
    found = solved(path, "--format", "coo", "--sweeps", "20")
    assert found["problem"]["variables"] == 5


SQUARE = [(i, i // 10 * 10 + (i + 1) % 10) for i in range(100)] + [(i, (i + 10) % 100) for i in range(100)]


@pytest.mark.parametrize("pairs", [None, SQUARE], ids=["dense", "sparse"])
@pytest.mark.parametrize("whole", [False, True], ids=["real", "whole"])
@pytest.mark.parametrize("method", [[], ["--anneal"]], ids=["tempering", "annealing"])
def test_no_thread_or_vector_changes_a_bit(tmp_path, method, whole, pairs):
    path = write_list(tmp_path / "problem.txt", 60, whole, pairs=pairs)
    options = ["--sweeps", "60", "--repeats", "3", "--seed", "5", "--force", *method]

    def run(threads, instruction_set=None):
        environment = dict(os.environ)
        if instruction_set:
            environment["LARMOR_INSTRUCTION_SET"] = instruction_set
        done = larmor(
            "solve", path, "--threads", threads, "--progress", "quiet", *options, env=environment
        )
        if "this processor only runs kernels up to" in done.stderr:
            pytest.skip("this processor has fewer instruction sets")
        assert done.returncode == 0, done.stderr
        found = json.loads((tmp_path / "problem-solution.json").read_text())
        del found["timing"], found["command"]
        return found

    first = run(1)
    assert run(2) == first
    assert run(5) == first
    # If a build has one instruction set, it refuses all others.
    for instruction_set in () if " only, " in larmor("devices").stdout else ("v2", "v3"):
        assert run(2, instruction_set) == first
    options[options.index("--seed") + 1] = "6"
    assert run(1)["search"]["each"] != first["search"]["each"]


def test_a_file_that_is_there_is_kept(tmp_path):
    path = write_list(tmp_path / "problem.txt", 8, True)
    kept = tmp_path / "problem-solution.json"
    kept.write_text("mine")
    run = larmor("solve", path)
    assert run.returncode == 2
    assert "problem-solution.json" in run.stderr and "--force" in run.stderr
    assert kept.read_text() == "mine"
    assert larmor("solve", path, "-o", path, "--force").returncode == 2
    solved(path, "--force", "--sweeps", "20")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["problem-solution.json", "problem.txt"]


@pytest.mark.parametrize(
    "text, message",
    [
        ("0 1 nan\n", "problem.txt:1:5: error: the coefficient is"),
        ("0 1 1\n1 1 2\n1 0 3\n", "problem.txt:3:1: error: the pair of 1 and 0 is given twice"),
        ("3 2\n1 2 1\n", "give --format maxcut"),
        ("0 1 2 3\n", "a row has 4 columns"),
        ("# a graph\n3 2\n1 2\n2 3 1\n", "problem.txt:4:1: error: a row has 3 columns, but the rows before have 2"),
        ("", "the file lists nothing"),
    ],
    ids=["nan", "doubled", "ambiguous", "columns", "mixed", "empty"],
)
def test_a_wrong_file_gets_one_message(tmp_path, text, message):
    path = tmp_path / "problem.txt"
    path.write_text(text)
    run = larmor("solve", path)
    assert run.returncode == 2
    assert message in run.stderr
    assert run.stderr.count("error:") == 1
    assert not run.stdout
    assert [file.name for file in tmp_path.iterdir()] == ["problem.txt"]


@pytest.mark.parametrize(
    "options, message",
    [
        (["--format", "mps"], "--format"),
        (["--repeats", "0"], "--repeats"),
        (["--sweeps", "1.5"], "--sweeps"),
        (["--seconds", "-1"], "--seconds"),
        (["--target-energy", "nan"], "--target-energy"),
        (["--rungs", "1"], "--rungs"),
        (["--coldest", "2", "--hottest", "1"], "--coldest is not below --hottest"),
        (["--rungs", "1000", "--repeats", "100000"], "too many"),
        (["--certify"], "too many to go through all states"),
    ],
    ids=lambda value: value[0][2:] if isinstance(value, list) else "",
)
def test_a_wrong_option_is_told_before_anything_runs(tmp_path, options, message):
    path = write_list(tmp_path / "problem.txt", 41, True)
    begun = time.monotonic()
    run = larmor("solve", path, *options)
    assert run.returncode == 2
    assert message in run.stderr
    assert not run.stdout
    assert time.monotonic() - begun < 30
    assert [file.name for file in tmp_path.iterdir()] == ["problem.txt"]


def test_a_missing_gpu_is_told_before_the_search(tmp_path):
    path = write_list(tmp_path / "problem.txt", 20, True)
    run = larmor("solve", path, "--certify", "--backend", "cuda", "--sweeps", "50")
    if run.returncode == 0:
        pytest.skip("there is a GPU here")
    assert run.returncode == 3
    assert run.stderr.startswith("error:")
    assert not run.stdout
    assert [file.name for file in tmp_path.iterdir()] == ["problem.txt"]


def test_a_missing_file_is_told(tmp_path):
    run = larmor("solve", tmp_path / "no.txt")
    assert run.returncode == 2
    assert "there is no file" in run.stderr


def test_a_killed_search_leaves_no_solution(tmp_path):
    path = write_list(tmp_path / "problem.txt", 200, False)
    process = start("solve", path, "--sweeps", "100000000")
    returncode, _, _ = stop_after(process, 1, signal.SIGKILL)
    assert returncode == -signal.SIGKILL
    assert not (tmp_path / "problem-solution.json").exists()
    # If a file exists from before, it does not block the run.
    solved(path, "--sweeps", "20")


def test_a_search_that_is_interrupted_tells_what_it_has(tmp_path):
    path = write_list(tmp_path / "problem.txt", 200, False)
    process = start("solve", path, "--sweeps", "100000000")
    returncode, out, _ = stop_after(process, 2, signal.SIGINT)
    assert returncode == 128 + signal.SIGINT
    assert "energy" in out
    best = json.loads((tmp_path / "problem-solution.json").read_text())["best"]
    assert energy(path, best["state"]) == pytest.approx(best["energy"], abs=1e-9)


def test_seconds_and_a_target_end_a_search(tmp_path):
    path = write_list(tmp_path / "problem.txt", 150, False)
    begun = time.monotonic()
    found = solved(path, "--seconds", "2")
    assert 2 <= time.monotonic() - begun < 30
    target = found["best"]["energy"] * 0.9
    each = solved(path, "--force", "--target-energy", str(target))["search"]["each"]
    for repeat in each:
        assert repeat["energy"] <= target
        assert repeat["sweeps"] == repeat["found_at"] < 4000


NEVER_ENDS = ["--sweeps", "100000000000", "--repeats", "1"]


@pytest.mark.parametrize("method", [[], ["--anneal"]], ids=["tempering", "annealing"])
def test_seconds_end_a_repeat_that_is_under_way(tmp_path, method):
    path = write_list(tmp_path / "problem.txt", 20, True)
    begun = time.monotonic()
    run = larmor("solve", path, "--progress", "quiet", "--seconds", "0.5", *NEVER_ENDS, *method)
    assert run.returncode == 0, run.stderr
    assert time.monotonic() - begun < 20
    assert "1 more repeat is not complete" in run.stdout
    assert "time to solution (99 %): not known, as no repeat is complete" in run.stdout
    found = json.loads((tmp_path / "problem-solution.json").read_text())
    search = found["search"]
    assert (search["repeats"], search["unfinished"], search["each"]) == (0, 1, [])
    assert search["time_to_solution"] == {"value": None, "lower": None, "upper": None}
    assert energy(path, found["best"]["state"]) == found["best"]["energy"]


@pytest.mark.parametrize("method", [[], ["--anneal"]], ids=["tempering", "annealing"])
def test_a_signal_ends_a_repeat_that_is_under_way(tmp_path, method):
    path = write_list(tmp_path / "problem.txt", 20, True)
    process = start("solve", path, *NEVER_ENDS, *method)
    time.sleep(1)
    sent = time.monotonic()
    returncode, _, _ = stop_after(process, 0, signal.SIGTERM)
    assert returncode == 128 + signal.SIGTERM
    assert time.monotonic() - sent < 10
    best = json.loads((tmp_path / "problem-solution.json").read_text())["best"]
    assert energy(path, best["state"]) == best["energy"]


@pytest.mark.parametrize("method", [[], ["--anneal"]], ids=["tempering", "annealing"])
def test_a_search_that_has_no_time_says_so(tmp_path, method):
    path = write_list(tmp_path / "problem.txt", 20, True)
    run = larmor("solve", path, "--progress", "quiet", "--seconds", "1e-9", *method)
    assert run.returncode == 0, run.stderr
    assert "no sweep was done before the end" in run.stdout
    found = json.loads((tmp_path / "problem-solution.json").read_text())
    assert (found["search"]["repeats"], found["search"]["unfinished"]) == (0, 0)
    assert energy(path, found["best"]["state"]) == found["best"]["energy"]


def test_seconds_end_the_certificate(tmp_path):
    path = write_list(tmp_path / "problem.txt", 40, False)
    begun = time.monotonic()
    run = larmor("solve", path, "--progress", "quiet", "--certify", "--backend", "cpu",
                 "--sweeps", "20", "--repeats", "2", "--seconds", "1")
    assert run.returncode == 0, run.stderr
    assert time.monotonic() - begun < 20
    assert "certificate: none" in run.stdout
    found = json.loads((tmp_path / "problem-solution.json").read_text())
    assert "certificate" not in found
    assert found["search"]["repeats"] == 2


def test_repeats_with_seconds_alone_are_complete_when_the_time_is_over(tmp_path):
    path = write_list(tmp_path / "problem.txt", 30, True)
    search = solved(path, "--seconds", "0.5", "--repeats", "3")["search"]
    assert (search["repeats"], search["unfinished"]) == (3, 0)
    assert search["time_to_solution"]["value"] > 0


def test_many_repeats_are_told_by_their_energies(tmp_path):
    path = write_list(tmp_path / "problem.txt", 12, True)
    options = ["--anneal", "--sweeps", "2"]
    few = solved(path, *options, "--repeats", "10000")
    many = solved(path, *options, "--repeats", "10001", "--force")
    each = [repeat["energy"] for repeat in few["search"]["each"]]
    assert len(each) == len(few["timing"]["found_after"]) == 10000
    search = many["search"]
    assert "each" not in search and "found_after" not in many["timing"]
    assert sum(level["repeats"] for level in search["energies"]) == 10001
    assert search["higher"] == 0
    levels = {level["energy"]: level["repeats"] for level in search["energies"]}
    assert list(levels) == sorted(levels)
    for value, repeats in levels.items():
        assert repeats - each.count(value) in (0, 1)
    assert search["found"] == levels[many["best"]["energy"]]
    # The bootstrap uses other random draws.
    one, other = few["search"]["time_to_solution"], search["time_to_solution"]
    assert other["value"] == pytest.approx(one["value"], rel=1e-3)
    assert other["lower"] == pytest.approx(one["lower"], rel=0.02)
    assert other["upper"] == pytest.approx(one["upper"], rel=0.02)


def test_memory_does_not_grow_with_repeats(tmp_path):
    path = write_list(tmp_path / "problem.txt", 3, True)

    def peak(repeats):
        process = start("solve", path, "--anneal", "--sweeps", "1", "--repeats", repeats, "--force")
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        assert status == 0
        return usage.ru_maxrss

    assert peak(300000) < peak(11000) + 8192


def test_repeats_have_random_numbers_of_their_own(tmp_path):
    # Each rung has two replicas.
    path = write_list(tmp_path / "problem.txt", 100, True, pairs=SQUARE)
    run = larmor("solve", path, "--repeats", "1000000", "--rungs", "10", "--progress", "quiet")
    assert run.returncode == 2
    assert "too many" in run.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["problem.txt"]


def test_few_sweeps_find_something(tmp_path):
    path = write_list(tmp_path / "problem.txt", 30, True)
    found = solved(path, "--sweeps", "1", "--repeats", "1")
    assert energy(path, found["best"]["state"]) == found["best"]["energy"]


def test_a_problem_without_couplings_is_solved(tmp_path):
    path = tmp_path / "problem.txt"
    path.write_text("0 0 0\n1 1 0\n2 2 0\n")
    found = solved(path, "--certify", "--sweeps", "10")
    assert found["best"]["energy"] == 0
    assert found["certificate"]["degeneracy"] == 8
    assert found["certificate"]["gap"] is None
