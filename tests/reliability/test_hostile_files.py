"""Randomly changed files of every kind that the program reads. Each gives results or one message, never a
signal, a hang or an internal error (exit code 70)."""
# Rooms: io, study

import random
import shutil
import signal
import subprocess

import pytest

from program import DEPTH, command, larmor
from running import start, stop_once_there
from test_solve import bqm_bytes

CHANGED = 500 if DEPTH else 40
PATIENCE = 20

STUDY = """title = "whole"
seed = 3
replicas = 2
[lattice]
type = "square"
size = [4, 4]
[[exchange]]
shell = 1
J = 1.0
[[dmi]]
shell = 1
strength = 0.2
direction = "interface"
[[stage]]
kind = "monte-carlo"
temperature = [1.0, 0.8]
sweeps = 40
measure_every = 5
measure = [{ what = "structure-factor", path = ["G", "X"] }]
"""
XYZ = """4
Lattice="4 0 0 0 4 0 0 0 4" Properties=species:S:1:pos:R:3:moment:R:1 pbc="T T F" energy=-1.5
Fe 0 0 0 2.2
Fe 1 0 0 2.2
Co 0 1 0 1.7
Co 1 1 0 1.7
"""
POSITIONS = '[lattice]\nfile = "a.xyz"\n[[exchange]]\nshell = 1\nJ = 1.0\n[[stage]]\nkind = "minimise"\n'
GRAPH = "# bonds\n0 1 1.0\n1 2 -0.5\n2 3 0.25\n3 0 1.0\n"
ON_GRAPH = ('[model]\nkind = "ising"\n[lattice]\nsites = 4\n[[exchange]]\nfile = "a.txt"\n'
            '[[stage]]\nkind = "monte-carlo"\ntemperature = 1.0\nsweeps = 10\n')
BQM = """{"type": "BinaryQuadraticModel", "use_bytes": false, "variable_type": "SPIN", "num_variables": 3,
"num_interactions": 2, "variable_labels": ["a", ["x", 1], 7], "offset": 0.25, "linear_biases": [1.5, 0, -2],
"quadratic_head": [0, 1], "quadratic_tail": [1, 2], "quadratic_biases": [1, -0.5]}
"""
QUBO = "c a comment\nc offset : 1.5\np qubo 0 4 2 1\n0 0 -1\n3 3 2.5\n0 3 4\n"
CUT = "4 3\n1 2 1\n2 3 -1\n3 4 2\n"

# For each name: the changed file, its contents, further files, and the commands.
TEXTS = {
    "study": ("a.toml", STUDY, {}, [("check", "{}"), ("run", "{}", "--force", "-o", "out.h5")]),
    "positions": ("a.xyz", XYZ, {"s.toml": POSITIONS}, [("run", "s.toml", "--force", "-o", "out.h5")]),
    "graph": ("a.txt", GRAPH, {"s.toml": ON_GRAPH}, [("run", "s.toml", "--force", "-o", "out.h5")]),
    "list": ("a.coo", GRAPH, {}, [("solve", "{}", "--sweeps", "5", "--repeats", "2", "--force", "-o", "out.json")]),
    "bqm": ("a.json", BQM, {}, [("solve", "{}", "--sweeps", "5", "--repeats", "2", "--force", "-o", "out.json")]),
    "qubo": ("a.qubo", QUBO, {}, [("solve", "{}", "--sweeps", "5", "--repeats", "2", "--force", "-o", "out.json")]),
    "cut": ("a.mc", CUT, {}, [("solve", "{}", "--sweeps", "5", "--repeats", "2", "--force", "-o", "out.json")]),
}


def changed(contents, draw):
    """The bytes of a file. Some of them are changed, removed, doubled, or copied from another
    place."""
    data = bytearray(contents)
    for _ in range(draw.choice((1, 1, 2, 5, 20))):
        if not data:
            break
        at, size = draw.randrange(len(data)), draw.choice((1, 2, 8, 64))
        how = draw.randrange(6)
        if how == 0:
            data[at] ^= 1 << draw.randrange(8)
        elif how == 1:
            data[at] = draw.choice(b"\x00\xff09.-+eE=[]{}\"' \n#,")
        elif how == 2:
            del data[at : at + size]
        elif how == 3:
            data[at:at] = data[at : at + size] * draw.choice((1, 3, 1000))
        elif how == 4:
            other = draw.randrange(len(data))
            data[at : at + size] = data[other : other + size]
        else:
            del data[at:]
    return bytes(data)


def assert_tidy_end(arguments, folder, name):
    try:
        ended = subprocess.run(command(*arguments), cwd=folder, capture_output=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        shutil.copy(folder / name, f"hangs-{name}")
        pytest.fail(f"{arguments} does not end over hangs-{name}")
    if ended.returncode not in (0, 2, 3, 4):
        shutil.copy(folder / name, f"crashes-{name}")
        pytest.fail(f"{arguments} ended with {ended.returncode} over crashes-{name}: {ended.stderr[-500:]}")
    if ended.returncode:
        assert b"error: " in ended.stderr


@pytest.mark.parametrize("kind", TEXTS)
def test_texts(tmp_path, kind):
    name, contents, others, commands = TEXTS[kind]
    for other, text in others.items():
        (tmp_path / other).write_text(text)
    draw = random.Random(kind)
    for n in range(CHANGED + 1):
        data = contents.encode()
        (tmp_path / name).write_bytes(changed(data, draw) if n else data)
        for arguments in commands:
            filled = [name if word == "{}" else word for word in arguments]
            if n == 0:
                assert larmor(*filled, cwd=tmp_path).returncode == 0
            else:
                assert_tidy_end(filled, tmp_path, name)


@pytest.mark.parametrize("version", [1, 2])
def test_binary_models(tmp_path, version):
    draw = random.Random(version)
    solve = ("solve", "a.bqm", "--sweeps", "5", "--repeats", "2", "--force", "-o", "out.json")
    for _ in range(CHANGED):
        (tmp_path / "a.bqm").write_bytes(changed(bqm_bytes(version), draw))
        assert_tidy_end(solve, tmp_path, "a.bqm")


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Results of a completed study, and of a stopped one with its checkpoint."""
    folder = tmp_path_factory.mktemp("results")
    (folder / "done.toml").write_text(STUDY)
    assert larmor("run", folder / "done.toml", cwd=folder).returncode == 0
    (folder / "stopped.toml").write_text(STUDY.replace("sweeps = 40", "sweeps = 4000000"))
    process = start("run", folder / "stopped.toml", "-o", folder / "stopped.h5", "--checkpoint-every", "0.05")
    code, _, errors = stop_once_there(process, folder / "stopped.h5.ckpt", signal.SIGTERM)
    assert code == 143, errors
    return folder


READ = [("show", "a.h5"), ("show", "--json", "a.h5"), ("export", "a.h5", "--force", "-o", "out.extxyz"),
        ("reweight", "a.h5", "--force", "-o", "curves.h5")]


@pytest.mark.parametrize("arguments", READ, ids=lambda words: "-".join(words[:2]).replace("--", ""))
def test_results(tmp_path, results, arguments):
    draw = random.Random(" ".join(arguments))
    data = (results / "done.h5").read_bytes()
    for _ in range(CHANGED):
        (tmp_path / "a.h5").write_bytes(changed(data, draw))
        assert_tidy_end(arguments, tmp_path, "a.h5")


@pytest.mark.parametrize("which", ["stopped.h5", "stopped.h5.ckpt"])
def test_what_a_run_goes_on_from(tmp_path, results, which):
    """If the run continues, it would take very long. The test stops it, and it must end at any
    moment."""
    draw = random.Random(which)
    for _ in range(CHANGED // 2):
        for name in ("stopped.h5", "stopped.h5.ckpt"):
            shutil.copy(results / name, tmp_path / name)
        (tmp_path / which).write_bytes(changed((results / which).read_bytes(), draw))
        process = subprocess.Popen(command("resume", "stopped.h5"), cwd=tmp_path, stderr=subprocess.PIPE,
                                   stdout=subprocess.PIPE)
        try:
            process.wait(0.15)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGTERM)
        try:
            _, errors = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            pytest.fail(f"resume heeds no signal over a changed {which}")
        assert process.returncode in (0, 2, 3, 4, 143, -signal.SIGTERM), (process.returncode, errors[-500:])
