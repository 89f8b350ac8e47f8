"""The stage parsplice in the whole program: rates of wells that are known, equal bits for any workers and after kills,
the file of segments, pictures, and the refusal of invalid studies."""
# Rooms: study, parsplice, particles, atoms

import os
import re
import signal
import sqlite3
import sys

import h5py
import numpy as np
import pytest

from program import BACKEND, DEPTH, ROOT, assert_same_bits, is_complete, larmor, run_study
from ranks import needs_ranks, run_on_ranks
from running import assert_killed_runs_go_on, start, stop_after, wait_until_there

sys.path.insert(0, str(ROOT / "python"))

import larmor as reader
from larmor.pictures import Options, draw_all

pytestmark = pytest.mark.skipif(BACKEND == "cuda", reason="workers are threads of the processor")

WELL = """
seed = 3
[model]
kind = "particles"
[particles]
coordinates = ["x"]
potential = "h*(x^2-1)^2"
gradient = ["4*h*x*(x^2-1)"]
parameters = {{ h = {h} }}
start = [-1]
{particles}
[[stage]]
kind = "parsplice"
temperature = 1
timestep = 0.001
correlation_time = 0.8
segment_time = 4
time = {time}
{keys}
"""
# Half of the second eigenvalue of the Fokker-Planck operator in the double well of height h: the rate across the top.
RATE_ACROSS = {1: 0.7486816722 / 2, 3: 0.2418595821 / 2}
GROUP = "stages/01-parsplice"
EDGE = 5.6
ATOMS = """
seed = 4
units = "material"
[model]
kind = "atoms"
[structure]
file = "vacancy.extxyz"
[[zbl]]
inner = "3.4 Å"
outer = "4.2 Å"
[[stage]]
kind = "parsplice"
temperature = "{temperature} K"
timestep = "2 fs"
check_every = 20
correlation_time = "0.4 ps"
segment_time = "1 ps"
time = "{time} ps"
{keys}
"""


def well(h=1, time=200, keys="", particles=""):
    return WELL.format(h=h, time=time, keys=keys, particles=particles)


def write_vacancy(folder):
    """A small bcc crystal of tungsten without the atom at the origin."""
    corners = np.stack(np.meshgrid(*3 * [np.arange(2)], indexing="ij"), -1).reshape(-1, 3)
    sites = np.concatenate([corners, corners + 0.5])[1:] * EDGE / 2
    lines = "".join(f"W {x:.17g} {y:.17g} {z:.17g}\n" for x, y, z in sites)
    (folder / "vacancy.extxyz").write_text(
        f'{len(sites)}\nLattice="{EDGE} 0 0 0 {EDGE} 0 0 0 {EDGE}" Properties=species:S:1:pos:R:3\n{lines}')


def atoms(folder, time, keys="", temperature=6000):
    write_vacancy(folder)
    return ATOMS.format(time=time, keys=keys, temperature=temperature)


def rates_of(output):
    """{(from, to): (rate, error)} of a completed run."""
    with h5py.File(output) as file:
        rates = file[f"{GROUP}/rates"]
        return {(one, other): (value, error) for one, other, value, error in zip(
            rates["from"], rates["to"], rates["value"], rates["error"])}


METHODS = ("parsplice", "parallel-replica", "direct")


def of_method(method):
    return f'method = "{method}"\nparallel_replicas = 2\n'


@pytest.mark.parametrize("method", METHODS)
def test_a_double_well_has_its_exact_rates(tmp_path, method):
    # Tests of the state at intervals miss short visits, which makes rates smaller.
    h, time, check = (3, 60000, "check_every = 1") if DEPTH else (1, 2000, "")
    basins = method == "parsplice" and not DEPTH
    run, output = run_study(tmp_path, well(h, time, of_method(method) + check,
                                           "" if basins else 'state = "x > 0"'))
    assert run.returncode == 0, run.stderr
    rates = rates_of(output)
    # Both directions have one rate, and their errors are independent.
    (there, first), (back, second) = rates[0, 1], rates[1, 0]
    rate, error = (there + back) / 2, np.hypot(first, second) / 2
    assert error < (0.015 if DEPTH else 0.07) * rate
    assert abs(rate - RATE_ACROSS[h]) < 3 * error, (rate, error)
    assert abs(there - back) < 3 * np.hypot(first, second), (there, back)
    with h5py.File(output) as file:
        group = file[GROUP]
        assert (group["states/p_exponential"][()] > 0.005).all()
        np.testing.assert_allclose(np.abs(group["states/places"][:, 0]), 1, atol=1e-9)
        np.testing.assert_allclose(group["states/energy"], 0, atol=1e-12)
        assert group["trajectory/time"][()].sum() == pytest.approx(time)
        assert group["states/time"][()].sum() == pytest.approx(time)
        # The last exit counts only if some state was settled after it.
        assert len(group["waiting_times/time"]) - group["states/exits"][()].sum() in (0, 1)
    shown = larmor("show", output).stdout
    assert "rate_0_to_1" in shown and "speed_up" in shown


def test_workers_change_no_bit(tmp_path):
    for method in METHODS:
        outputs = []
        for workers in (1, 3):
            folder = tmp_path / f"{method}{workers}"
            folder.mkdir()
            run, output = run_study(folder, well(keys=of_method(method) + f"workers = {workers}"))
            assert run.returncode == 0, run.stderr
            outputs.append(output)
        assert_same_bits(*outputs)


@needs_ranks
def test_ranks_change_no_bit(tmp_path):
    run, output = run_study(tmp_path, well())
    assert run.returncode == 0, run.stderr
    shared = run_on_ranks(2, "run", tmp_path / "study.toml", "-o", tmp_path / "ranks.h5")
    assert shared.returncode == 0, shared.stderr
    assert_same_bits(output, tmp_path / "ranks.h5")


@pytest.mark.parametrize("method", METHODS)
def test_killed_runs_go_on(tmp_path, method):
    study, whole, output = (tmp_path / name for name in ("study.toml", "whole.h5", "out.h5"))
    study.write_text(well(1, 300, of_method(method)))
    assert larmor("run", study, "-o", whole).returncode == 0
    for number in range(8 if DEPTH else 4):
        arguments = ("resume", output) if output.exists() else ("run", study, "-o", output)
        process = start(*arguments, "--checkpoint-every", "0.02")
        wait_until_there(process, output)
        code, _, errors = stop_after(process, 0.05 + 0.07 * number, signal.SIGKILL)
        assert code in (0, -signal.SIGKILL), errors
        # The kill may come after the last write.
        if is_complete(output):
            break
    else:
        resumed = larmor("resume", output)
        assert resumed.returncode == 0, resumed.stderr
    assert_same_bits(whole, output)


def test_kills_between_any_writes_lose_nothing(tmp_path):
    """Kills after a third and two thirds of all calls that change files, also those of SQLite."""
    (tmp_path / "study.toml").write_text(well(1, 60, "workers = 1"))
    assert_killed_runs_go_on(tmp_path / "study.toml")


def test_the_file_of_segments_has_them_all_and_belongs_to_its_run(tmp_path):
    run, output = run_study(tmp_path, well(time=100, keys="workers = 1"))
    assert run.returncode == 0, run.stderr
    file = tmp_path / "out.h5.segments"
    with h5py.File(output) as results:
        group = results[GROUP]
        steps = group.attrs["trajectory_timesteps"] / 20
        owner = int(results["provenance"].attrs["run"])
    with sqlite3.connect(file) as segments:
        assert segments.execute("SELECT owner FROM run").fetchone()[0] % 2**64 == owner
        assert segments.execute("SELECT count(*) FROM states").fetchone()[0] == 2
        stored = sum(np.frombuffer(stays, np.int64)[1::2].sum()
                     for (stays,) in segments.execute("SELECT stays FROM segments"))
    assert stored >= steps >= 100 / 0.02
    # A second run does not replace the results, nor does it take segments of another run.
    study = tmp_path / "study.toml"
    assert larmor("run", study, "-o", output).returncode == 2
    output.rename(tmp_path / "moved.h5")
    refused = larmor("run", study, "-o", output)
    assert refused.returncode == 2 and "has the segments of another run" in refused.stderr
    refused = larmor("run", study, "-o", output, "--force")
    assert refused.returncode == 2 and "has the segments of another run" in refused.stderr
    assert not output.exists()
    (tmp_path / "moved.h5").rename(output)
    before = file.read_bytes()
    replaced = larmor("run", study, "-o", output, "--force")
    assert replaced.returncode == 0, replaced.stderr
    assert file.exists() and file.read_bytes() != before
    file.write_text("a file of someone else")
    refused = larmor("run", study, "-o", output, "--force")
    assert refused.returncode == 2 and "has no segments of Larmor" in refused.stderr
    assert file.read_text() == "a file of someone else"


def stopped(folder, text):
    """Results of a run that was interrupted after its first checkpoint with segments."""
    study, output = folder / "study.toml", folder / "out.h5"
    study.write_text(text)
    process = start("run", study, "-o", output, "--checkpoint-every", "0.05")
    wait_until_there(process, folder / "out.h5.ckpt.prev")
    code, _, errors = stop_after(process, 0.3, signal.SIGINT)
    assert code == 130, errors
    return output


def test_lost_or_strange_segments_are_refused(tmp_path):
    output = stopped(tmp_path, well(6, 1e6))
    file = tmp_path / "out.h5.segments"
    kept = file.rename(tmp_path / "kept")
    refused = larmor("resume", output)
    assert refused.returncode == 2 and "with the segments of this run is lost" in refused.stderr
    assert "--force" in refused.stderr
    (tmp_path / "other").mkdir()
    run, _ = run_study(tmp_path / "other", well())
    assert run.returncode == 0
    (tmp_path / "other/out.h5.segments").rename(file)
    refused = larmor("resume", output)
    assert refused.returncode == 2 and "has the segments of another run" in refused.stderr
    with sqlite3.connect(kept) as segments:
        segments.execute("UPDATE segments SET state = state + 1 WHERE number = 0")
    segments.close()
    kept.replace(file)
    refused = larmor("resume", output)
    assert refused.returncode == 2 and re.search("is damaged|lacks a segment|unknown state", refused.stderr)
    assert len(refused.stderr.strip().splitlines()) <= 3


def test_a_vacancy_hops_between_equal_minima_with_equal_bits(tmp_path):
    outputs = []
    for workers in (1, 2):
        folder = tmp_path / str(workers)
        folder.mkdir()
        run, output = run_study(folder, atoms(folder, 10, f"workers = {workers}"))
        assert run.returncode == 0, run.stderr
        outputs.append(output)
    assert_same_bits(*outputs)
    with h5py.File(outputs[0]) as file:
        group = file[GROUP]
        known = np.isfinite(group["states/energy"][()])
        assert 2 <= known.sum() <= 16
        np.testing.assert_allclose(group["states/energy"][known], group["states/energy"][0], atol=1e-8)
        assert group["states/places"].shape[1:] == (15, 3)
        # Each state has its vacancy at another site of the crystal.
        sites = np.stack(np.meshgrid(*3 * [np.arange(2)], indexing="ij"), -1).reshape(-1, 3)
        sites = np.concatenate([sites, sites + 0.5]) * EDGE / 2
        vacant = set()
        for places in group["states/places"][known]:
            distance = np.abs(places[:, None] - sites) % EDGE
            distance = np.sqrt((np.minimum(distance, EDGE - distance) ** 2).sum(-1)).min(0)
            vacant.add(int(distance.argmax()))
            assert (distance > 0.7).sum() == 1
        assert len(vacant) == known.sum()


def test_tests_of_the_state_change_no_bit_of_the_motion(tmp_path):
    """Relaxations between timesteps, few or many, leave atoms and random numbers as they are."""
    ends = []
    for check in (10, 20):
        folder = tmp_path / str(check)
        folder.mkdir()
        text = atoms(folder, 2, "workers = 1\nlanes = 1", 1500).replace("check_every = 20", f"check_every = {check}")
        run, output = run_study(folder, text)
        assert run.returncode == 0, run.stderr
        with h5py.File(output) as file:
            assert len(file[f"{GROUP}/states/label"]) == 1
        with sqlite3.connect(folder / "out.h5.segments") as segments:
            ends.append(segments.execute("SELECT state, number, configuration FROM ends").fetchall())
    assert len(ends[0]) == 1 and ends[0] == ends[1]


@pytest.mark.skipif(not DEPTH, reason="takes minutes")
def test_spliced_and_direct_rates_of_a_vacancy_agree(tmp_path):
    found = []
    for method in METHODS:
        folder = tmp_path / method
        folder.mkdir()
        run, output = run_study(folder, atoms(folder, 1500, f'method = "{method}"\nparallel_replicas = 4'))
        assert run.returncode == 0, run.stderr
        with h5py.File(output) as file:
            exits = file[f"{GROUP}/states/exits"][()].sum()
            found.append((exits / file[f"{GROUP}/states/settled_time"][()].sum(), exits**-0.5))
    for rate, error in found:
        assert error < 0.1
        assert abs(rate / found[-1][0] - 1) < 3 * np.hypot(error, found[-1][1]), found


def test_atoms_that_are_killed_go_on(tmp_path):
    study, whole, output = (tmp_path / name for name in ("study.toml", "whole.h5", "out.h5"))
    study.write_text(atoms(tmp_path, 6))
    assert larmor("run", study, "-o", whole).returncode == 0
    process = start("run", study, "-o", output, "--checkpoint-every", "0.02")
    wait_until_there(process, tmp_path / "out.h5.segments")
    stop_after(process, 0.4, signal.SIGKILL)
    resumed = larmor("resume", output)
    assert resumed.returncode == 0 or "is complete" in resumed.stderr, resumed.stderr
    assert_same_bits(whole, output)


def test_pictures_are_drawn(tmp_path):
    run, output = run_study(tmp_path, well())
    assert run.returncode == 0, run.stderr
    with reader.open(output) as results:
        drawing = draw_all(results, None, results.stages, Options())
    assert [picture.kind for picture in drawing.pictures] == ["transitions"] and not drawing.skipped


def test_it_is_checked_explained_and_scanned(tmp_path):
    scan = '[[scan]]\nkey = "particles.parameters.h"\nvalues = [1, 2]\n'
    (tmp_path / "study.toml").write_text(well())
    checked = larmor("check", tmp_path / "study.toml")
    assert checked.returncode == 0 and "200 by parsplice" in checked.stdout, checked.stderr
    assert "segments of many workers" in larmor("explain", "parsplice.method").stdout
    assert "formula of the potential" in larmor("explain", "particles.potential").stdout
    run, output = run_study(tmp_path, well() + scan)
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        assert file["scan/summary/01-parsplice/rate_0_to_1/value"].shape[0] == 2
    assert not (tmp_path / "out.h5.points").exists()


@pytest.mark.parametrize("old, new, words", [
    ('potential = "h*(x^2-1)^2"', 'potential = "h*(z^2-1)^2"', "the formula 'h*(z^2-1)^2' is wrong"),
    ('potential = "h*(x^2-1)^2"', 'potential = "log(x)"', "the potential at start is"),
    ("start = [-1]", "start = [-1, 2]", "start has 2 entries for 1 coordinates"),
    ("4*h*x", "4.1*h*x", "differs from dV/dx"),
    ("{ h = 1 }", '{ h = "one" }', "the parameter h must be a finite number"),
    ("{ h = 1 }", "{ h = 1, x = 2 }", "has the name 'x' twice"),
    ("start = [-1]", 'start = [-1]\nstate = "x / 3"', "the formula of states gives"),
    ("start = [-1]", 'start = [-1]\nstate = "x > -1.5"', "no error"),
    ("start = [-1]", "start = [-1]\nfriction = 1\ndiffusion = 2", "both friction and diffusion"),
    ("timestep = 0.001", "timestep = 0.1", "correlation_time is shorter than the time 2 between two checks"),
    ("timestep = 0.001", "timestep = -1", "timestep"),
    ("seed = 3", "seed = 3\nreplicas = 4", "has no replicas"),
    ("seed = 3", 'seed = 3\nunits = "material"', "have no units"),
    ("temperature = 1", 'temperature = 1\nmethod = "prasplice"', "did you mean"),
    ("temperature = 1", "temperature = 1\nlanes = 0", "lanes"),
    ("time = 200", "time = 1e14", "10^12 checks"),
    ("time = 200", "time = 0.5", "time is not longer than correlation_time (0.8)"),
])
def test_what_is_wrong_is_refused_in_one_message(tmp_path, old, new, words):
    text = well()
    assert old in text
    (tmp_path / "study.toml").write_text(text.replace(old, new, 1))
    checked = larmor("check", tmp_path / "study.toml")
    if words == "no error":
        assert checked.returncode == 0, checked.stderr
        return
    assert checked.returncode == 2 and words in checked.stderr, checked.stderr
    assert checked.stderr.count("error") == 1


@pytest.mark.parametrize("method", ["parsplice", "parallel-replica"])
def test_states_that_are_left_too_soon_end_the_run_with_a_message(tmp_path, method):
    text = well(keys=f'method = "{method}"\n').replace("correlation_time = 0.8", "correlation_time = 20")
    run, _ = run_study(tmp_path, text.replace("segment_time = 4", "segment_time = 30"))
    if method == "parallel-replica" and run.returncode == 0:
        return  # no state is ever settled, so there are no replicas
    assert run.returncode == 2 and "left its state 1000 times before the correlation time" in run.stderr, run.stderr
    assert "study.toml" in run.stderr and "correlation_time = 20" in run.stderr


def test_direct_dynamics_relax_only_settled_configurations(tmp_path):
    # The saddle is not at x = 0. So near x = 0, the descent may end in the other state.
    text = well(keys='method = "direct"\ncheck_every = 2\n').replace('coordinates = ["x"]', 'coordinates = ["x", "y"]')
    text = text.replace('"h*(x^2-1)^2"', '"2.5*(x^2-1)^2+2*(y-0.3*x)^2+0.4*x"').replace("start = [-1]", "start = [-1, 0]")
    text = text.replace('gradient = ["4*h*x*(x^2-1)"]\n', "").replace("[[stage]]", 'state = "x > 0"\n[[stage]]')
    for seed in (1, 2, 3):
        (tmp_path / str(seed)).mkdir()
        run, output = run_study(tmp_path / str(seed), text.replace("seed = 3", f"seed = {seed}"))
        assert run.returncode == 0, run.stderr
        with h5py.File(output) as file:
            assert np.isfinite(file[f"{GROUP}/states/energy"][()]).all()


def test_two_stages_of_segments_are_refused(tmp_path):
    text = well()
    stage = text[text.index("[[stage]]"):]
    run, output = run_study(tmp_path, text + stage)
    assert run.returncode == 2 and "two stages of spliced segments" in run.stderr
    assert not output.exists()
    run, output = run_study(tmp_path, text + stage + 'method = "direct"\n')
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        # The second stage has other random numbers.
        one, other = (file[f"stages/0{n}-parsplice/trajectory/time"][()] for n in (1, 2))
        assert not np.array_equal(one[:5], other[:5])


def test_a_potential_without_a_minimum_ends_with_a_message(tmp_path):
    run, output = run_study(tmp_path, well().replace("h*(x^2-1)^2", "h*x").replace("4*h*x*(x^2-1)", "h"))
    assert run.returncode == 2 and "finds no minimum" in run.stderr, run.stderr
    assert not output.exists()


def test_a_timestep_that_is_too_long_ends_with_a_message(tmp_path):
    run, _ = run_study(tmp_path, well().replace("timestep = 0.001", "timestep = 0.04").replace("h = 1", "h = 40"))
    assert run.returncode == 4 and "shorter timestep" in run.stderr, run.stderr


def test_open_boxes_are_refused(tmp_path):
    text = atoms(tmp_path, 1)
    path = tmp_path / "vacancy.extxyz"
    path.write_text(path.read_text().replace("Properties", 'pbc="T T F" Properties'))
    run, _ = run_study(tmp_path, text)
    assert run.returncode == 2 and "periodic in all directions" in run.stderr, run.stderr


def test_the_library_of_formulas_is_named_if_it_is_missing(tmp_path):
    """A folder of libraries that hides muParser by an empty file."""
    (tmp_path / "libmuparser.so.2").write_bytes(b"")
    (tmp_path / "study.toml").write_text(well())
    refused = larmor("check", tmp_path / "study.toml", env={**os.environ, "LD_LIBRARY_PATH": str(tmp_path)})
    assert refused.returncode == 3 and re.search("install the package libmuparser", refused.stderr), refused.stderr
