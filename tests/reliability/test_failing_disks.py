"""Any file-changing call may fail, or be the last call of the program. Stored data must not be
lost, and the run must continue with equal bits."""
# Rooms: io, study

import json
import random
import shutil

import h5py
import pytest

from checkpoint_blocks import blocks_of
from program import DEPTH, datasets, is_complete, larmor
from running import run_with_faults as run
from running import with_faults

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

# Each kind of stage has one study. Another stage follows, so that there is more than one
# checkpoint.
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

# Either a single call fails, or all calls from this one on, as on a full or read-only disk.
KINDS = ["eio", "enospc", "erofs", "eio+", "enospc+", "erofs+", "torn", "kill"]


def contents(results):
    """All numbers of a study, or of every point of a scan."""
    with h5py.File(results) as file:
        if "points" not in file:
            return datasets(results)
        found = {}

        def collect(name, item):
            # The rank of a point, and its duration, differ from run to run.
            if isinstance(item, h5py.Dataset) and "provenance" not in name:
                values = item[()]
                found[name] = values.tobytes() if item.dtype != object else getattr(values, "tolist", lambda: values)()

        file["points"].visititems(collect)
        return found


def has_position(results):
    """Does the checkpoint have a position from which a run resumes? The first checkpoint has
    none."""
    newest = results.with_name(results.name + ".ckpt")
    checkpoints = [path for path in (newest, newest.with_name(newest.name + ".prev")) if path.exists()]
    return bool(checkpoints) and "position" in blocks_of(checkpoints[0])[1]


def goes_on(study, output, what):
    """Resumes the run if results exist, or else starts the run, as a user would."""
    if not output.exists():
        done = larmor("run", study, "-o", output)
        assert done.returncode == 0, (what, done.stderr)
        return
    parts = list(output.with_name(output.name + ".points").glob("*.h5")) or [output]
    loses_nothing = all(has_position(part) or is_complete(part) for part in parts)
    resumed = larmor("resume", output)
    if resumed.returncode == 2 and "complete" in resumed.stderr:
        assert is_complete(output), what
        return
    assert resumed.returncode == 0, (what, resumed.stderr)
    assert not loses_nothing or "anew" not in resumed.stderr, (what, resumed.stderr)


def faults_of(chance, calls, kinds, moments):
    """Faults of random calls in the syntax of faults.cpp, each fault once."""
    return dict.fromkeys(
        f"{kind.strip('+')}@{chance.randrange(1, calls + 1)}{'+' * kind.count('+')}"
        for kind in kinds
        for _ in range(moments)
    )


def require_an_end(failed, fault, what):
    """The run ends by the kill, or with a message of a few lines. If the disk fails for good,
    temporary files may remain."""
    killed = fault.startswith(("torn", "kill"))
    assert failed.returncode == -9 if killed else failed.returncode in (0, 3), what
    assert len(failed.stderr.splitlines()) <= 6, what


def temporaries(folder):
    return [str(path) for path in folder.rglob("*.tmp-*")]


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    """The file of a study, its numbers, and its file-changing calls, by name."""
    found = {}

    def of(name):
        if name not in found:
            folder = tmp_path_factory.mktemp(name)
            study, count = folder / "study.toml", folder / "count"
            study.write_text(STUDIES[name])
            done = run("run", study, "-o", folder / "whole.h5", count=count)
            assert done.returncode == 0, done.stderr
            found[name] = study, contents(folder / "whole.h5"), int(count.read_text())
            assert found[name][2] > 10
        return found[name]

    return of


@pytest.mark.parametrize("name", STUDIES)
def test_nothing_is_lost_wherever_a_disk_fails(tmp_path, uninterrupted, name):
    study, expected, calls = uninterrupted(name)
    chance = random.Random(name)
    kinds = KINDS if DEPTH else chance.sample(KINDS, 3)
    for fault in faults_of(chance, calls, kinds, 20 if DEPTH else 1):
        folder = tmp_path / fault
        folder.mkdir()
        output = folder / "out.h5"
        failed = run("run", study, "-o", output, fault=fault)
        what = (name, fault, failed.stderr)
        require_an_end(failed, fault, what)
        goes_on(study, output, what)
        assert contents(output) == expected, what
        left = temporaries(folder)
        assert not left or fault.endswith("+") or failed.returncode == 0, (what, left)


@pytest.mark.parametrize("name", STUDIES)
def test_nothing_is_lost_wherever_a_disk_fails_a_run_that_goes_on(tmp_path, uninterrupted, name):
    study, expected, calls = uninterrupted(name)
    half, count = tmp_path / "half", tmp_path / "count"
    half.mkdir()
    assert run("run", study, "-o", half / "out.h5", fault=f"kill@{calls // 2}").returncode == -9
    assert (half / "out.h5").exists()
    shutil.copytree(half, tmp_path / "counted")
    done = run("resume", tmp_path / "counted" / "out.h5", count=count)
    assert done.returncode == 0 and contents(tmp_path / "counted" / "out.h5") == expected, done.stderr
    chance = random.Random(name)
    kinds = KINDS if DEPTH else chance.sample(KINDS, 1)
    for fault in faults_of(chance, int(count.read_text()), kinds, 20 if DEPTH else 1):
        folder = shutil.copytree(half, tmp_path / fault)
        failed = run("resume", folder / "out.h5", fault=fault)
        what = (name, fault, failed.stderr)
        require_an_end(failed, fault, what)
        goes_on(study, folder / "out.h5", what)
        assert contents(folder / "out.h5") == expected, what


@pytest.mark.parametrize("part", [0.3, 0.6, 0.9] if DEPTH else [0.3])
def test_a_slow_disk_does_not_end_a_run_that_is_told_to_stop(tmp_path, uninterrupted, part):
    study, expected, calls = uninterrupted("monte-carlo")
    output = tmp_path / "out.h5"
    stopped = run("run", study, "-o", output, fault=f"stall@{int(part * calls)}")
    # If the call is one of the last, the run can no longer be stopped.
    assert stopped.returncode in (0, 143), stopped.stderr
    assert stopped.returncode == 0 or "larmor resume" in stopped.stdout
    goes_on(study, output, stopped.stderr)
    assert contents(output) == expected
    assert not temporaries(tmp_path)


def test_a_crash_within_a_copy_names_the_file_that_is_copied(tmp_path):
    # HDF5 itself copies datasets that are large enough.
    study = tmp_path / "study.toml"
    large = SPINS.replace("replicas = 2", "replicas = 1").replace("size = [4, 4]", "size = [220, 220]")
    study.write_text(large + '[[stage]]\nkind = "minimise"\nsteps = 1\n[[scan]]\nkey = "seed"\nvalues = [1]\n')
    named, read = [], 0
    while True:
        read += 1
        folder = tmp_path / str(read)
        folder.mkdir()
        crashed = with_faults("run", study, "-o", folder / "out.h5", "--progress", "quiet", fault=f"crash@{read}")
        if crashed.returncode == 0:
            break
        assert crashed.returncode == 3 and "the HDF5 library has crashed" in crashed.stderr, crashed.stderr
        named.append(crashed.stderr.split("'")[1])
        assert named[-1] == str(folder / "out.h5.points" / "0000.h5")
    assert len(named) > 3


FRAME = '2\nLattice="3 0 0 0 3 0 0 0 3" Properties=species:S:1:pos:R:3\nW 0 0 0\nW 1.5 1.5 1.4\n'
SET = "".join(FRAME.replace("1.4", f"1.{n}").replace(" Prop", f" energy={n}.5 Prop") for n in range(3, 8))
FIT = """[snap]
rcutfac = 4.7
twojmax = 0
[[element]]
name = "W"
[[group]]
name = "all"
files = ["set.extxyz"]
energy_weight = 1
force_weight = 0
stress_weight = 0
"""
SAMPLED = ISING + '[[stage]]\nkind = "monte-carlo"\ntemperature = [3.0, 2.5]\nsweeps = 200\nmeasure_every = 1\n'

# The files that each command writes.
COMMANDS = {
    "export": (("export", "spins.h5", "-o", "out.extxyz"), {"out.extxyz"}),
    "evaluate": (("evaluate", "in.extxyz", "--snap", "w", "-o", "out.extxyz", "--progress", "quiet"), {"out.extxyz"}),
    "solve": (("solve", "problem.txt", "--repeats", "2", "-o", "out.json", "--progress", "quiet"), {"out.json"}),
    "reweight": (("reweight", "samples.h5", "-o", "out.h5"), {"out.h5"}),
    "new": (("new", "spin-waves", "out.toml"), {"out.toml"}),
    "fit": (("fit", "fit.toml", "-o", "out", "--progress", "quiet"),
            {"out.snapcoeff", "out.snapparam", "out.mod", "out.h5"}),
}


def require_whole(written, expected):
    """Are both files equal, except for times?"""
    if written.suffix == ".json":
        assert json.loads(written.read_text()).keys() == json.loads(expected.read_text()).keys()
    elif written.suffix == ".h5":
        with h5py.File(written) as one, h5py.File(expected) as other:
            found, wanted = [], []
            one.visit(found.append)
            other.visit(wanted.append)
            assert found == wanted
    else:
        assert written.read_bytes() == expected.read_bytes()


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("inputs")
    for name, text in (("spins", SPINS + '[[stage]]\nkind = "minimise"\n'), ("samples", SAMPLED)):
        (folder / f"{name}.toml").write_text(text)
        done = larmor("run", folder / f"{name}.toml", "-o", folder / f"{name}.h5")
        assert done.returncode == 0, done.stderr
    (folder / "in.extxyz").write_text(FRAME * 100)
    (folder / "w.snapcoeff").write_text("1 2\nW 0.5 1\n-1\n0.1\n")
    (folder / "w.snapparam").write_text("rcutfac 4.7\ntwojmax 0\n")
    (folder / "set.extxyz").write_text(SET)
    (folder / "fit.toml").write_text(FIT)
    (folder / "problem.txt").write_text("0 1 1\n1 2 -1\n0 2 1\n")
    return folder


@pytest.mark.parametrize("replaces", [False, True], ids=["new-file", "force"])
@pytest.mark.parametrize("name", COMMANDS)
def test_what_a_command_writes_is_whole_or_as_before(inputs, tmp_path, name, replaces):
    words, written = COMMANDS[name]
    words += ("--force",) if replaces else ()
    prepared = shutil.copytree(inputs, tmp_path / "prepared")
    if replaces:
        assert with_faults(*[word for word in words if word != "--force"], cwd=prepared).returncode == 0
    before = {path.name: path.read_bytes() for path in prepared.iterdir()}
    counted = shutil.copytree(prepared, tmp_path / "counted")
    done = with_faults(*words, count=tmp_path / "count", cwd=counted)
    assert done.returncode == 0, done.stderr
    calls = int((tmp_path / "count").read_text())
    faults = [f"{kind.strip('+')}@{call}{'+' * kind.count('+')}" for kind in KINDS for call in range(1, calls + 1)]
    if not DEPTH:
        faults = random.Random(name).sample(faults, 4)
    for fault in faults:
        folder = shutil.copytree(prepared, tmp_path / fault)
        failed = with_faults(*words, fault=fault, cwd=folder)
        what = (name, fault, failed.stderr)
        require_an_end(failed, fault, what)
        after = {path.name: path.read_bytes() for path in folder.iterdir()}
        for file in written:
            if file in after and after[file] != before.get(file):
                require_whole(folder / file, counted / file)
            elif replaces:
                assert after[file] == before[file], what
        assert {name: after[name] for name in before if name not in written} == {
            name: before[name] for name in before if name not in written}, what
        left = temporaries(folder)
        assert not left or fault.startswith(("torn", "kill")) or fault.endswith("+"), (what, left)
        if failed.returncode == 0:
            assert written <= after.keys(), what
        again = with_faults(*words, *([] if replaces or written.isdisjoint(after) else ["--force"]), cwd=folder)
        assert again.returncode == 0 and not temporaries(folder), (what, again.stderr, temporaries(folder))
