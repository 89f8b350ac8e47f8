"""Simulations in the process of Python: bits, chunks, arrays, interrupts, threads, errors."""
# Rooms: study

import gc
import os
import shutil
import signal
import subprocess
import sys
import threading

import h5py
import numpy as np
import pytest

from program import BACKEND, LARMOR, PATIENCE, ROOT, assert_same_bits, is_complete, larmor
from running import SOON

sys.path.insert(0, str(ROOT / "python"))
os.environ["LARMOR"] = LARMOR

import larmor as package
from larmor import engine

try:
    engine.load()
except package.MachineError as error:
    if "is missing" not in str(error):
        raise
    pytest.skip("no module of Python here", allow_module_level=True)

pytestmark = pytest.mark.filterwarnings("ignore::larmor.LarmorWarning")
views_of_numpy = pytest.mark.skipif(BACKEND == "cuda", reason="views on a GPU are for other libraries")

SPINS = """
title = "stages of spins"
seed = 3
replicas = {replicas}
[lattice]
type = "square"
size = [6, 5]
moment = 1.5
[[exchange]]
shell = 1
J = 1.0
[[dmi]]
shell = 1
strength = 0.3
direction = "interface"
[[anisotropy]]
K = 0.4
axis = [0, 1, 0]
[field]
B = [0.1, 0.2, 0.3]
[initial]
state = "random"
"""
SAMPLING = """
[[stage]]
kind = "monte-carlo"
temperature = [0.7, 0.5]
thermalisation = 25
sweeps = 60
"""
DYNAMICS = """
[[stage]]
kind = "dynamics"
timestep = 0.01
steps = {steps}
"""
BATH = """
temperature = 0.3
damping = 0.1
keep_configurations = 2
measure = [{ what = "energy", every = 6 }, { what = "magnetisation", every = 9 }]
"""
MINIMISE = '[[stage]]\nkind = "minimise"\n'
ISING = """
seed = 5
replicas = 3
[model]
kind = "ising"
[lattice]
type = "square"
size = [64, 64]
[[exchange]]
J = 1.0
shell = 1
[[stage]]
kind = "monte-carlo"
sampler = "{sampler}"
temperature = [2.2, 2.3]
thermalisation = 30
sweeps = 50
keep_configurations = 3
"""
ATOMS = """
units = "material"
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
[[stage]]
kind = "md"
timestep = "1 fs"
steps = 110
thermostat = "langevin"
temperature = "500 K"
measure = [{ what = "thermodynamics", every = 6 }, { what = "trajectory", every = 25 }]
"""

STUDIES = {
    "one_replica": SPINS.format(replicas=1) + SAMPLING + DYNAMICS.format(steps=130) + BATH + MINIMISE,
    "nine_replicas": SPINS.format(replicas=9) + SAMPLING + DYNAMICS.format(steps=130) + BATH,
    "ising_bits": ISING.format(sampler="metropolis"),
    "ising_clusters": ISING.format(sampler="wolff"),
    "atoms": ATOMS,
}
LONG = SPINS.format(replicas=1) + DYNAMICS.format(steps=1_000_000)


def start(text, output=None, **options):
    """Starts the simulation of a text."""
    return engine.start(text, output, backend=BACKEND, **options)


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """A function that gives the results of the program for one of STUDIES."""
    known = {}

    def results(name):
        if name not in known:
            folder = tmp_path_factory.mktemp(name)
            (folder / "study.toml").write_text(STUDIES[name])
            run = larmor("run", folder / "study.toml", "-o", folder / "reference.h5")
            assert run.returncode == 0, run.stderr
            known[name] = folder / "reference.h5"
        return known[name]

    return results


@pytest.mark.parametrize("steps", [1, 7, 100, None], ids=str)
@pytest.mark.parametrize("name", STUDIES)
def test_chunks_change_no_bit(tmp_path, reference, name, steps):
    with start(STUDIES[name], tmp_path / "out.h5") as sim:
        chunks = 0
        while not sim.done:
            sim.run(steps)
            chunks += 1
    assert is_complete(tmp_path / "out.h5")
    assert (chunks == 1) if steps is None else (chunks > 100 // steps)
    assert_same_bits(tmp_path / "out.h5", reference(name))


def test_arrays_are_the_state_in_the_results(tmp_path):
    """The last spins are those that the stage stores, and the energy is that of the series."""
    text = SPINS.format(replicas=9) + DYNAMICS.format(steps=60) + "keep_configurations = 9\n"
    with start(text, tmp_path / "out.h5") as sim:
        sim.run()
        spins, energies = sim.spins, sim.energies
    with h5py.File(tmp_path / "out.h5") as file:
        stage = file["stages/01-dynamics"]
        np.testing.assert_array_equal(stage["configuration"][()], spins)
        np.testing.assert_allclose(stage["series/energy/value"][-1], energies / 30, rtol=1e-13)


def test_arrays_of_ising_spins_and_atoms(tmp_path):
    with start(STUDIES["ising_bits"], tmp_path / "ising.h5") as sim:
        sim.run(40)
        spins = sim.spins.astype(int).reshape(3, 64, 64)
        bonds = (spins * (np.roll(spins, 1, 1) + np.roll(spins, 1, 2))).sum((1, 2))
        np.testing.assert_array_equal(sim.energies, -bonds)
        sim.run()
        with h5py.File(tmp_path / "ising.h5") as file:
            np.testing.assert_array_equal(file["stages/01-monte-carlo/configuration"][()], sim.spins)
    with start(ATOMS) as sim:
        assert sim.positions.shape == sim.velocities.shape == (2, 16, 3)
        assert sim.cells.shape == (2, 3, 3)
        first = sim.positions
        forces, energies = sim.forces, sim.energies
        assert abs(forces).max() < 1e-9  # a perfect crystal
        sim.run(1)
        moved = sim.positions - first
        assert sim.step == 1 and sim.time == pytest.approx(0.001) and sim.time_unit == "ps"
        # To second order in the time step, the potential energy falls by the work of the forces.
        fall = ((forces + sim.forces) / 2 * moved).sum((1, 2))
        np.testing.assert_allclose(energies - sim.energies, fall, rtol=1e-2)


@pytest.mark.parametrize("replicas", [1, 2, 9])
def test_fields_are_derivatives_of_the_energy(replicas):
    """The component of the field along any turn of a spin is minus the derivative of the energy."""
    sim = start(SPINS.format(replicas=replicas) + DYNAMICS.format(steps=100))
    spins, fields = np.array(sim.spins), sim.fields()
    np.testing.assert_array_equal(sim.torques(), np.cross(spins, fields))
    random = np.random.default_rng(replicas)
    angle = 1e-4
    for _ in range(10):
        replica, site = random.integers(replicas), random.integers(30)
        spin = spins[replica, site]
        across = np.cross(spin, random.normal(size=3))
        across /= np.linalg.norm(across)
        energies = []
        for turn in (angle, -angle):
            turned = spins.copy()
            turned[replica, site] = np.cos(turn) * spin + np.sin(turn) * across
            sim.spins = turned
            energies.append(sim.energies[replica])
        slope = (energies[0] - energies[1]) / (2 * angle)
        assert fields[replica, site] @ across == pytest.approx(-slope, abs=1e-6)


def test_torques_turn_the_moments():
    """Without damping, de/dt = -(gamma / mu) e x h, with gamma = 1 in reduced units."""
    sim = start(SPINS.format(replicas=1) + DYNAMICS.format(steps=100), set={"stage.1.timestep": 1e-6})
    spins, torques = sim.spins, sim.torques()
    np.testing.assert_array_equal(sim.moments, np.full(30, 1.5))
    sim.run(1)
    np.testing.assert_allclose((sim.spins - spins) / 1e-6, -torques / 1.5, atol=1e-4)


@views_of_numpy
@pytest.mark.parametrize("replicas", [1, 9])
def test_views_share_the_memory_of_the_engine(replicas):
    sim = start(SPINS.format(replicas=replicas) + DYNAMICS.format(steps=100))

    def canonical(view):
        spins = np.empty_like(sim.spins)
        for replica in range(replicas):
            spins[replica, sim.site_order] = view[replica // 8, replica % 8]
        return spins

    view, before = sim.state, sim.spins
    np.testing.assert_array_equal(canonical(view), before)
    sim.run(5)
    assert not np.array_equal(before, sim.spins)
    np.testing.assert_array_equal(canonical(view), sim.spins)
    assert np.shares_memory(view, sim.view("spins"))
    assert not np.shares_memory(view, sim.spins)
    np.testing.assert_array_equal(canonical(sim.view("fields")), sim.fields())
    with pytest.raises(ValueError, match="read-only"):
        view[0, 0, 0, 0] = 1
    last = canonical(view)
    sim.close()
    del sim
    gc.collect()
    assert abs(np.linalg.norm(last, axis=-1) - 1).max() < 1e-12
    np.testing.assert_allclose(np.linalg.norm(view[0, 0], axis=-1), 1)


@views_of_numpy
def test_views_of_atoms_and_fields_are_in_canonical_order():
    sim = start(ATOMS)
    view = sim.state
    sim.run(7)
    np.testing.assert_array_equal(view, sim.positions)
    np.testing.assert_array_equal(sim.view("forces"), sim.forces)
    phi4 = start("""
        replicas = 2
        [model]
        kind = "phi4"
        [lattice]
        size = [6, 6]
        [phi4]
        kappa = 0.2
        lambda = 1.0
        components = 2
        [[stage]]
        kind = "monte-carlo"
        thermalisation = 10
        sweeps = 20
    """)
    phi4.run(12)
    assert phi4.array("phi").shape == (2, 36, 2)
    np.testing.assert_array_equal(phi4.state, phi4.array("phi"))


def test_spins_can_be_set(tmp_path):
    """The simulation goes on from the new spins: those along their field stay there."""
    text = SPINS.format(replicas=2) + DYNAMICS.format(steps=100)
    along_y = text.replace("strength = 0.3", "strength = 0.0").replace("[0.1, 0.2, 0.3]", "[0, 0.5, 0]")
    with start(along_y, tmp_path / "out.h5") as sim:
        sim.run(10)
        sim.spins = np.broadcast_to(np.float32([0, 1, 0]), sim.spins.shape)
        sim.run(20)
        np.testing.assert_allclose(sim.spins[..., 1], 1, rtol=1e-14)
        spins = sim.spins
        sim.spins = spins
        np.testing.assert_array_equal(sim.spins, spins)
        sim.checkpoint()
    with h5py.File(tmp_path / "out.h5") as file:
        assert file["stages/01-dynamics"].attrs["state_set"] == 1


def test_wrong_spins_are_refused():
    sim = start(SPINS.format(replicas=2) + MINIMISE)
    spins = sim.spins
    with pytest.raises(package.InputError, match=r"shape \[2, 30, 3\], not \[30, 3\]"):
        sim.spins = spins[0]
    with pytest.raises(package.InputError, match="spin 4 of replica 1 has the length 1.1"):
        wrong = spins.copy()
        wrong[1, 4] *= 1.1
        sim.spins = wrong
    with pytest.raises(package.InputError, match="length nan"):
        sim.spins = np.full_like(spins, np.nan)
    np.testing.assert_array_equal(sim.spins, spins)
    with pytest.raises(package.InputError, match="cannot be set"):
        sim.set("fields", spins)
    sim.run(1)
    with pytest.raises(package.InputError, match="minimise stage keeps numbers"):
        sim.spins = spins


def test_leaving_early_writes_a_checkpoint(tmp_path, reference):
    output = tmp_path / "out.h5"
    with start(STUDIES["nine_replicas"], output) as sim:
        sim.run(43)
    assert not is_complete(output)
    with pytest.raises(package.InputError, match="closed"):
        sim.run(1)
    with engine.resume(output) as sim:
        assert sim.step > 40
        sim.run_stage()
        assert sim.stage == (2, "dynamics") and sim.step == 0
        sim.run(17)
    assert larmor("resume", output).returncode == 0
    assert_same_bits(output, reference("nine_replicas"))


def test_a_forgotten_simulation_writes_a_checkpoint(tmp_path):
    sim = start(LONG, tmp_path / "out.h5")
    sim.run(10)
    del sim
    gc.collect()
    with engine.resume(tmp_path / "out.h5") as sim:
        assert sim.step == 10


SCRIPT = """
import sys
import larmor
from larmor import engine
sim = engine.start(larmor.Study.from_toml(sys.argv[1]), sys.argv[2], threads=1)
with sim:
    sim.each(20, lambda sim: print(sim.step, flush=True))
    try:
        sim.run()
    except larmor.Interrupted as error:
        assert str(error.output) == sys.argv[2]
        print("interrupted", flush=True)
        raise
"""


def test_ctrl_c_writes_a_checkpoint(tmp_path):
    """A signal within a chunk ends it at the next block, and the run goes on with equal bits."""
    text = LONG.replace("1000000", "20000") + BATH
    output = tmp_path / "out.h5"
    script = SCRIPT.replace("sim.each(20", "sim.each(200")
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    process = subprocess.Popen([sys.executable, "-c", script, text, output], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, env=environment)
    assert process.stdout.readline() == "200\n"
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode != 0 and "Interrupted" in errors, errors
    assert "interrupted" in out, errors
    with engine.resume(output) as sim:
        assert 200 <= sim.step < 20_000
        sim.run()
    (tmp_path / "study.toml").write_text(text)
    run = larmor("run", tmp_path / "study.toml", "-o", tmp_path / "reference.h5", "--threads", 1,
                 "--backend", "cpu")
    assert run.returncode == 0, run.stderr
    assert_same_bits(output, tmp_path / "reference.h5")


def test_ctrl_c_in_a_callback_writes_a_checkpoint(tmp_path):
    """A signal that Python meets between two chunks, too."""
    with start(LONG, tmp_path / "out.h5") as sim:
        sim.each(50, lambda sim: signal.raise_signal(signal.SIGINT))
        with pytest.raises(package.Interrupted) as caught:
            sim.run(200)
        assert caught.value.output == tmp_path / "out.h5"
        assert sim.step == 50
        for end in ("h5", "h5.ckpt"):
            shutil.copy(tmp_path / f"out.{end}", tmp_path / f"copy.{end}")
        with engine.resume(tmp_path / "copy.h5") as copy:
            assert copy.step == 50
        with pytest.raises(package.Interrupted):
            sim.run_stage()
        assert sim.step == 100
    with start(LONG) as sim:
        sim.each(50, lambda sim: signal.raise_signal(signal.SIGINT))
        with pytest.raises(KeyboardInterrupt) as caught:
            sim.run(200)
        assert not isinstance(caught.value, package.Interrupted)


def test_other_threads_run_while_the_engine_computes():
    """Only a thread that runs while the engine computes can meet a simulation in use. Either thread may be the one that
    meets it."""
    sim = start(LONG)
    messages = []

    def until_met(work):
        while not messages and not sim_is_done.is_set():
            try:
                work()
            except package.InputError as error:
                messages.append(str(error))

    sim_is_done = threading.Event()

    def advance():
        sim.run(200)
        if sim.done:
            sim_is_done.set()

    worker = threading.Thread(target=until_met, args=[advance])
    worker.start()
    until_met(lambda: sim.step)
    worker.join(SOON)
    assert messages and "another thread uses this simulation" in messages[0]


def test_simulations_in_one_process_do_not_meet(tmp_path, reference):
    """Two simulations in turn, and one in another thread, have the bits of runs of their own."""
    names = ["one_replica", "atoms", "ising_bits"]
    sims = [start(STUDIES[name], tmp_path / f"{name}.h5") for name in names]

    def to_the_end(sim):
        while not sim.done:
            sim.run(9)

    other = threading.Thread(target=to_the_end, args=[sims[2]])
    other.start()
    while not all(sim.done for sim in sims[:2]):
        for sim in sims[:2]:
            if not sim.done:
                sim.run(10)
    other.join(PATIENCE)
    for name in names:
        assert_same_bits(tmp_path / f"{name}.h5", reference(name))


def test_a_forked_process_gets_an_error():
    sim = start(LONG)
    sim.run(3)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            sim.run(1)
        except package.InputError as error:
            code = 0 if "forked process" in str(error) else 2
        finally:
            del sim
            gc.collect()
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    sim.run(3)
    assert sim.step == 6


@pytest.mark.parametrize("first", ["h5py", "engine"])
def test_h5py_reads_results_of_a_simulation(tmp_path, first):
    """Two copies of HDF5 live in one process, in any order, also while the file is written."""
    imports = ["import h5py", "import larmor; from larmor import engine; engine.load()"]
    script = "\n".join(imports if first == "h5py" else imports[::-1]) + """
import sys
path = sys.argv[2]
with engine.start(larmor.Study.from_toml(sys.argv[1]), path) as sim:
    for part in range(3):
        sim.run(40)
        sim.checkpoint()
        with h5py.File(path) as file:
            assert file["stages/01-dynamics/series/energy/value"].shape[0] == 4 * part + 4
            with engine.start(larmor.Study.from_toml(sys.argv[1])) as other:
                other.run(10)
    sim.run()
results = larmor.open(path)
assert len(results.stages["dynamics"].series["energy"].value) == 21
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    text = LONG.replace("1000000", "200")
    run = subprocess.run([sys.executable, "-c", script, text, tmp_path / "out.h5"], capture_output=True,
                         text=True, env=environment, timeout=PATIENCE)
    assert run.returncode == 0, run.stderr


def test_callbacks_are_called_every_few_steps():
    sim = start(SPINS.format(replicas=1) + DYNAMICS.format(steps=50) + DYNAMICS.format(steps=20) + MINIMISE)
    seen = []
    sim.each(20, lambda sim: seen.append((sim.stage.number, sim.step)))
    sim.run(30)
    assert seen == [(1, 20)]
    sim.run_stage()
    assert seen == [(1, 20), (1, 40)]
    sim.run_stage()
    assert len(seen) == 3 and sim.stage == (3, "minimise") and sim.step is None
    sim.run()
    assert len(seen) > 3 and sim.done and sim.fraction == 1

    def stop(sim):
        raise StopIteration

    sim = start(LONG)
    sim.each(30, stop)
    with pytest.raises(StopIteration):
        sim.run()
    assert sim.step == 30


def test_callbacks_are_cancelled():
    seen = []
    with start(SPINS.format(replicas=1) + DYNAMICS.format(steps=100)) as sim:
        def once(sim):
            seen.append(("once", sim.step))
            handle.cancel()
            other.cancel()

        handle = sim.each(10, once)
        other = sim.each(5, lambda sim: seen.append(("other", sim.step)))
        assert repr(other) == "<Callback every 5 steps>"
        sim.run(50)
        # The first callback is called before the second one at step 10.
        assert seen == [("other", 5), ("once", 10)] and sim.step == 50
        assert repr(handle) == "<Callback every 10 steps, cancelled>"
        handle.cancel()
        third = sim.each(20, lambda sim: seen.append(("third", sim.step)))
        sim.run(10)
        third.cancel()
        sim.run()
    assert seen[2:] == [("third", 60)] and sim.done


def test_masked_spins_are_refused():
    with start(SPINS.format(replicas=1) + DYNAMICS.format(steps=10)) as sim:
        with pytest.raises(package.InputError, match="masked entries") as refused:
            sim.spins = np.ma.masked_less(sim.spins, 0)
        assert refused.value.key.startswith("spins.1.")


def test_a_key_that_is_missing_is_named():
    with pytest.raises(package.InputError, match="the key 'timestep' is missing") as refused:
        start(LONG.replace("timestep = 0.01", ""))
    assert refused.value.key == "stage.1.timestep"
    with pytest.raises(package.InputError) as refused:
        start(LONG.replace("size = [6, 5]", ""))
    assert refused.value.key == "lattice.size"


def test_errors_have_the_text_and_key_of_the_program(tmp_path):
    text = LONG.replace("timestep = 0.01", "timestep = -1")
    study = tmp_path / "study.toml"
    study.write_text(text)
    run = larmor("run", study, "-o", tmp_path / "out.h5")
    with pytest.raises(package.InputError) as caught:
        engine.start(study, tmp_path / "out.h5")
    assert str(caught.value) == run.stderr.rstrip("\n")
    assert caught.value.key == "stage.1.timestep"
    assert caught.value.problem == "timestep must be positive, not -1"
    assert "timestep" in caught.value.remedy
    assert not (tmp_path / "out.h5").exists()


def test_a_failed_simulation_is_closed(tmp_path):
    text = LONG.replace("timestep = 0.01", 'timestep = 50.0\nintegrator = "midpoint"')
    with start(text, tmp_path / "out.h5") as sim:
        with pytest.raises(package.UnphysicalError, match="midpoint") as caught:
            sim.run(10)
        assert caught.value.output == tmp_path / "out.h5"
        with pytest.raises(package.InputError, match="closed"):
            sim.run(10)
        assert sim.spins.shape == (1, 30, 3)


def test_misuse_gets_a_clear_error(tmp_path, monkeypatch):
    with pytest.raises(package.InputError, match="a scan is many studies") as caught:
        start(LONG + '[[scan]]\nkey = "seed"\nvalues = [1, 2]\n')
    assert "larmor.run" in caught.value.remedy
    (tmp_path / "out.h5").write_text("")
    with pytest.raises(package.InputError, match="exists"):
        start(LONG, tmp_path / "out.h5")
    sim = start(LONG)
    with pytest.raises(package.InputError, match="no array \"torqes\"") as caught:
        sim.array("torqes")
    assert "did you mean 'torques'" in caught.value.remedy
    with pytest.raises(package.InputError, match="0 steps"):
        sim.run(0)
    with pytest.raises(package.InputError, match="no results file"):
        sim.checkpoint()
    with pytest.raises(package.InputError, match="does not hold the array"):
        sim.view("torques")
    monkeypatch.delitem(sys.modules, engine.NAME)
    monkeypatch.setenv("LARMOR", sys.executable)
    with pytest.raises(package.MachineError, match="the module of the engine is missing"):
        engine.load()


def test_without_output_no_file_stays(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    with start(SPINS.format(replicas=1) + SAMPLING + DYNAMICS.format(steps=100)) as sim:
        sim.run(200)
        assert list(tmp_path.iterdir())
    del sim
    gc.collect()
    assert not list(tmp_path.iterdir())


def test_two_simulations_do_not_write_one_file(tmp_path):
    output = tmp_path / "out.h5"
    with start(LONG, output):
        with pytest.raises(package.InputError, match="another simulation"):
            start(LONG, output, force=True)
    with start(LONG, output, force=True) as sim:
        sim.run(10)


@pytest.mark.parametrize("options, words", [
    ({"threads": 0}, "threads = 0"), ({"precision": "half"}, "precision = 'half'"),
    ({"checkpoint_every": -1}, "checkpoint_every = -1"), ({"checkpoint_every": float("nan")}, "checkpoint_every = nan")],
    ids=lambda value: str(value)[:20])
def test_wrong_options_are_refused(tmp_path, options, words):
    with pytest.raises(package.InputError, match=words) as refused:
        start(LONG, tmp_path / "out.h5", **options)
    assert refused.value.remedy and not list(tmp_path.iterdir())
    with pytest.raises(package.InputError, match=words):
        engine.resume(tmp_path / "out.h5", **options)
    with pytest.raises(package.InputError, match="backend = 'gpu'"):
        engine.start(LONG, backend="gpu")
