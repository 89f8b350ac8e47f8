"""Ising and Potts models in the whole program: checkpoints, threads, ranks, scans, results, Python, and the
refusal of invalid studies."""
# Rooms: ising, study

import signal
import sys

import h5py
import numpy as np
import pytest

from checkpoint_blocks import blocks_of
from program import PATIENCE, ROOT, assert_same_bits, larmor, run_study
from ranks import needs_ranks, run_on_ranks
from running import assert_killed_runs_go_on, start, wait_until_there

sys.path.insert(0, str(ROOT / "python"))

import larmor as reader

STUDY = """
seed = 5
replicas = {replicas}
[model]
kind = "{kind}"
{more}
[lattice]
type = "square"
size = [6, 5]
periodic = [true, false]
[[exchange]]
shell = 1
J = {J}
[[exchange]]
shell = 2
J = 0.25
{disorder}
[[stage]]
kind = "anneal"
temperature = {{ from = 4, to = 2, points = 3 }}
sweeps = 40
sampler = "glauber"
[[stage]]
kind = "monte-carlo"
temperature = [2.0, 3.0]
sampler = "{sampler}"
{keys}
thermalisation = 50
sweeps = {sweeps}
measure_every = 5
trajectory_every = 4
"""

DISORDER = """disorder = 1
disorder_distribution = "bimodal"
disorder_by_replica = true
"""


BY_CLUSTERS = ("swendsen-wang", "wolff")
OF_CLUSTERS = 'measure = ["cluster-sizes", "improved-susceptibility"]\n'


def text(kind="ising", sampler="metropolis", replicas=17, sweeps=200, J=1, disorder="", more="",
         keys=None):
    if kind == "potts":
        more = "[potts]\nstates = 5\n"
    if keys is None:
        keys = "clusters = 3\n" if sampler == "wolff" else ""
        if sampler in BY_CLUSTERS:
            keys += OF_CLUSTERS if not disorder else 'measure = ["cluster-sizes"]\n'
    return STUDY.format(kind=kind, sampler=sampler, replicas=replicas, sweeps=sweeps, J=J,
                        disorder=disorder, more=more, keys=keys)


KINDS = [("ising", "metropolis", DISORDER), ("ising", "heat-bath", ""),
         ("potts", "metropolis", ""), ("potts", "heat-bath", DISORDER),
         ("ising", "swendsen-wang", DISORDER), ("ising", "wolff", ""), ("potts", "swendsen-wang", ""),
         ("potts", "wolff", "")]


@pytest.mark.parametrize("kind, sampler, disorder", KINDS)
def test_a_killed_run_goes_on_to_the_same_bits(tmp_path, kind, sampler, disorder):
    def look(checkpoint):
        _, blocks = blocks_of(checkpoint)
        assert blocks["system/states"] == ("bytes", 17 * 30)

    study = tmp_path / "study.toml"
    study.write_text(text(kind, sampler, sweeps=40, disorder=disorder))
    assert_killed_runs_go_on(study, look)


@pytest.mark.parametrize("replicas", [1, 17])
@pytest.mark.parametrize("kind, sampler, disorder", KINDS)
def test_threads_change_no_bit(tmp_path, kind, sampler, disorder, replicas):
    study = tmp_path / "study.toml"
    study.write_text(text(kind, sampler, replicas, disorder=disorder))
    for threads in (1, 3):
        run = larmor("run", study, "-o", tmp_path / f"{threads}.h5", "--threads", threads)
        assert run.returncode == 0, run.stderr
    assert_same_bits(tmp_path / "1.h5", tmp_path / "3.h5")


@needs_ranks
@pytest.mark.parametrize("sampler, disorder", [("metropolis", DISORDER), ("swendsen-wang", DISORDER),
                                               ("wolff", "")])
def test_ranks_change_no_bit(tmp_path, sampler, disorder):
    run, output = run_study(tmp_path, text(sampler=sampler, replicas=25, disorder=disorder))
    assert run.returncode == 0, run.stderr
    shared = run_on_ranks(3, "run", tmp_path / "study.toml", "-o", tmp_path / "ranks.h5")
    assert shared.returncode == 0, shared.stderr
    assert_same_bits(output, tmp_path / "ranks.h5")


def test_results_hold_values_of_spins(tmp_path):
    run, output = run_study(tmp_path, text())
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        stage = file["stages/02-monte-carlo"]
        assert stage["configuration"].dtype.kind == "i"
        assert stage["configuration"].shape == (1, 30)
        assert set(np.unique(stage["configuration"])) <= {-1, 1}
        assert stage["trajectory/value"].shape == (20, 1, 30)
        assert stage["series/magnetisation/value"].shape == (80, 17)
        assert stage.attrs["rate_unit"] == "site updates/s"
        # The last configuration gives the last magnetisation and energy.
        s = stage["configuration"][0].astype(float).reshape(5, 6)
        assert stage["series/magnetisation/value"][-1, 0] == pytest.approx(s.mean(), abs=1e-14)
        near = np.sum(s * np.roll(s, -1, axis=1)) + np.sum(s[1:] * s[:-1])
        diagonal = sum(np.sum(s[1:] * np.roll(s, shift, axis=1)[:-1]) for shift in (1, -1))
        assert stage["series/energy/value"][-1, 0] == pytest.approx(
            -(near + 0.25 * diagonal) / 30, abs=1e-14)
    with reader.open(output) as results:
        assert results.model.details["kind"] == "ising"
        assert len(results.stages["monte-carlo"].averages["energy"].value) == 2


@pytest.mark.parametrize("kind, column", [("ising", "spin"), ("potts", "state")])
def test_states_are_exported(tmp_path, kind, column):
    run, output = run_study(tmp_path, text(kind))
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        stage = file["stages/02-monte-carlo"]
        configurations = {(): stage["configuration"][0],
                          ("--frame", "3"): stage["trajectory/value"][3, 0]}
    for frame, states in configurations.items():
        exported = larmor("export", output, "--force", *frame)
        assert exported.returncode == 0, exported.stderr
        lines = (tmp_path / "out.extxyz").read_text().splitlines()
        assert lines[0] == "30" and f"Properties=species:S:1:pos:R:3:{column}:I:1 " in lines[1]
        rows = [line.split() for line in lines[2:]]
        assert [int(row[4]) for row in rows] == list(states)
        assert [[float(x) for x in row[1:4]] for row in rows[:7]] == [
            *([x, 0, 0] for x in range(6)), [0, 1, 0]]
    assert larmor("export", output, "--force", "--frame", "all").returncode == 0
    assert len((tmp_path / "out.extxyz").read_text().splitlines()) == 20 * 32
    refused = larmor("export", output, "--format", "ovf")
    assert refused.returncode == 2 and "have no vectors on a lattice" in refused.stderr, refused.stderr


def test_states_of_a_potts_model_are_numbered(tmp_path):
    run, output = run_study(tmp_path, text("potts"))
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        stage = file["stages/02-monte-carlo"]
        assert set(np.unique(stage["trajectory/value"])) == {0, 1, 2, 3, 4}
        share = np.bincount(stage["configuration"][0], minlength=5) / 30
        last = stage["series/magnetisation/value"][-1, 0]
        assert last == pytest.approx(np.sqrt(5 / 4) * (share - 0.2), abs=1e-14)
        assert file["model"].attrs["states"] == 5


@pytest.mark.parametrize("sampler", BY_CLUSTERS)
def test_clusters_are_counted_by_size(tmp_path, sampler):
    run, output = run_study(tmp_path, text(sampler=sampler))
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        stage = file["stages/02-monte-carlo"]
        sizes = stage["cluster-sizes"]
        assert list(sizes["size"]) == [1, 2, 4, 8, 16] and list(sizes["temperature"]) == [2, 3]
        assert sizes["value"].shape == sizes["error"].shape == (2, 5)
        assert (0 < stage["averages/largest_cluster/value"][:]).all()
        if sampler == "wolff":
            assert np.sum(sizes["value"], axis=1) == pytest.approx([1, 1], abs=1e-12)
        else:
            assert np.sum(sizes["value"], axis=1) == pytest.approx(
                stage["averages/clusters/value"][:], abs=1e-12)
        improved = stage["averages/improved_magnetisation_squared/value"][:]
        assert stage["averages/improved_susceptibility/value"][:] == pytest.approx(
            30 * improved / [2, 3])
        squared = np.mean(stage["series/magnetisation/value"][40:] ** 2)
        assert improved[1] == pytest.approx(squared, rel=0.1)
        assert "acceptance" not in stage["averages"]
    shown = larmor("show", output)
    assert shown.returncode == 0 and "improved_susceptibility" in shown.stdout, shown.stdout


def test_clusters_of_a_sweep_are_told(tmp_path):
    (tmp_path / "study.toml").write_text(text(sampler="wolff"))
    checked = larmor("check", tmp_path / "study.toml")
    assert checked.returncode == 0 and "wolff, 3 clusters a sweep" in checked.stdout, checked.stderr


def test_temperature_and_size_are_scanned(tmp_path):
    scan = '[[scan]]\nkey = "lattice.size"\nvalues = [[6, 5], [4, 4]]\n'
    run, output = run_study(tmp_path, text(replicas=4) + scan)
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        assert file["scan/summary/02-monte-carlo/energy/value"].shape == (2, 2)


def test_all_sites_begin_in_one_state(tmp_path):
    study = text().replace("[[exchange]]", '[initial]\nstate = "aligned"\nvalue = -1\n[[exchange]]', 1)
    study = study[:study.index("[[stage]]")] + (
        '[[stage]]\nkind = "monte-carlo"\ntemperature = 0.01\nthermalisation = 0\nsweeps = 10\n')
    run, output = run_study(tmp_path, study)
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        assert (file["stages/01-monte-carlo/configuration"][:] == -1).all()


@pytest.mark.parametrize("kind, old, new, words", [
    ("ising", "[model]", 'units = "material"\n[model]', "reduced units"),
    ("ising", "temperature = [2.0, 3.0]", "temperature = -1", "temperature must be positive"),
    ("ising", "type = \"square\"", 'type = "square"\nmoment = 2', "unknown key 'moment'"),
    ("ising", 'sampler = "metropolis"', 'sampler = "wolf"', "did you mean"),
    ("ising", 'sampler = "metropolis"', 'sampler = "wolff"\nclusters = 0', "at least 1"),
    ("ising", 'sampler = "metropolis"', 'sampler = "metropolis"\nclusters = 2',
     'clusters belongs to sampler = "wolff"'),
    ("ising", 'sampler = "metropolis"', 'measure = ["cluster-sizes"]', "the sampler is metropolis"),
    ("potts", "states = 5", "states = 1.5", "states"),
    ("ising", 'sampler = "metropolis"', 'move = "uniform"', "unknown key 'move'"),
    ("ising", "[[exchange]]", "[potts]\nstates = 3\n[[exchange]]", "unknown key 'potts'"),
    ("ising", "[[exchange]]", '[initial]\nstate = "aligned"\nvalue = 0\n[[exchange]]',
     "Ising spins are 1 or -1"),
    ("ising", "[[exchange]]", "[initial]\nvalue = 1\n[[exchange]]", 'state = "aligned"'),
    ("ising", 'kind = "anneal"', 'kind = "dynamics"', "there are anneal, monte-carlo"),
    ("ising", "shell = 2", "pairs = [[0, 1], [1, 0]]", "given twice"),
    ("ising", "shell = 2", "pairs = [[0, 30]]", "does not exist"),
    ("ising", "shell = 2", "pairs = [[3, 3]]", "couples a site with itself"),
    ("ising", "J = 0.25", "", "lacks its coupling J"),
    ("potts", "states = 5", "states = 1", "at least 2"),
    ("potts", "states = 5", "states = 256", "at most 255"),
    ("ising", "size = [6, 5]", "size = [6, 5]\nsites = 3", "has sites and keys of another kind"),
    ("ising", "size = [6, 5]", "size = [60000, 60000]", "2^31"),
])
def test_what_makes_no_sense_is_refused(tmp_path, kind, old, new, words):
    study = text(kind)
    assert old in study
    run, output = run_study(tmp_path, study.replace(old, new, 1))
    assert run.returncode == 2 and words in run.stderr, run.stderr
    assert "study.toml:" in run.stderr and not output.exists()


@pytest.mark.parametrize("kind, old, new, words", [
    ("ising", "[[exchange]]", "[field]\nh = 0.5\n[[exchange]]", "cluster updates work only without a field"),
    ("potts", "J = 0.25", "J = -0.25", "need J > 0"),
    ("potts", "J = 0.25", "J = 0", "need J > 0"),
    ("potts", "J = 0.25", "J = 0.25\ndisorder = 0.1", "need J > 0"),
    ("ising", "J = 0.25", "J = -0.25", "couplings that are not negative"),
    ("ising", "J = 0.25", "J = 0.25\ndisorder = 0.1", "couplings that are not negative"),
])
@pytest.mark.parametrize("sampler", BY_CLUSTERS)
def test_what_has_no_clusters_is_refused(tmp_path, sampler, kind, old, new, words):
    run, output = run_study(tmp_path, text(kind, sampler).replace(old, new, 1))
    assert run.returncode == 2 and words in run.stderr, run.stderr
    assert "study.toml:" in run.stderr and not output.exists()


@pytest.mark.parametrize("J, is_rounded", [("1", False), ("1000", False), ("3.14159", True)])
def test_couplings_that_are_rounded_are_told_of(tmp_path, J, is_rounded):
    (tmp_path / "study.toml").write_text(text(J=J))
    checked = larmor("check", tmp_path / "study.toml")
    assert checked.returncode == 0, checked.stderr
    assert ("couplings are rounded" in checked.stdout + checked.stderr) == is_rounded


GRAPH = """
seed = 5
replicas = 8
[model]
kind = "ising"
[lattice]
sites = 6
[[exchange]]
file = "bonds.txt"
[[stage]]
kind = "monte-carlo"
temperature = 1.5
sweeps = 200
"""
BONDS = """# i j J
0 1  1.0
1 2 -0.5

2 3  0.25
! a ring but for one
3 4  1.0
5 0  0.75
"""


@pytest.mark.parametrize("sampler", ["metropolis", "swendsen-wang", "wolff"])
def test_bonds_of_a_file_are_those_of_pairs(tmp_path, sampler):
    (tmp_path / "bonds.txt").write_text(BONDS)
    study = GRAPH + f'sampler = "{sampler}"\n'
    run, output = run_study(tmp_path, study)
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        energies = file["stages/01-monte-carlo/series/energy/value"][()]
        s = file["stages/01-monte-carlo/configuration"][0].astype(int)
        pairs = [(0, 1, 1.0), (1, 2, -0.5), (2, 3, 0.25), (3, 4, 1.0), (5, 0, 0.75)]
        assert energies[-1, 0] == pytest.approx(-sum(J * s[i] * s[j] for i, j, J in pairs) / 6)
    output.unlink()
    tables = "".join(f"[[exchange]]\nJ = {J}\npairs = [[{i}, {j}]]\n" for i, j, J in pairs)
    run, output = run_study(tmp_path, study.replace('[[exchange]]\nfile = "bonds.txt"\n', tables))
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        assert np.array_equal(file["stages/01-monte-carlo/series/energy/value"][()], energies)


def test_a_file_may_leave_its_couplings_to_the_study(tmp_path):
    (tmp_path / "bonds.txt").write_text("0 1\n1 2\n2 0\n")
    run, output = run_study(tmp_path, GRAPH.replace('"bonds.txt"', '"bonds.txt"\nJ = 2'))
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        s = file["stages/01-monte-carlo/configuration"][0].astype(int)
        energy = -2 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]) / 6
        assert file["stages/01-monte-carlo/series/energy/value"][-1, 0] == pytest.approx(energy)


@pytest.mark.parametrize("bonds, place, words", [
    ("0 1 1\n1 2 1\n# again\n2 1 0.5\n", "bonds.txt:4:", "is given twice, first in line 2"),
    ("0 1 1\n1 6 1\n", "bonds.txt:2:", "there is no site 6"),
    ("0 1 1\n-1 2 1\n", "bonds.txt:2:", "there is no site -1"),
    ("0 1 1\n3 3 1\n", "bonds.txt:2:", "with itself"),
    ("0 1 1\n1 2\n", "bonds.txt:2:", "i j J"),
    ("0 1 1 7\n", "bonds.txt:1:", "4 columns"),
    ("0 1 one\n", "bonds.txt:1:", "J"),
    ("0 1 nan\n", "bonds.txt:1:", "J"),
    ("0.5 1 1\n", "bonds.txt:1:", "i"),
    ("# nothing\n", "bonds.txt:", "lists no bond"),
    (None, "", "bonds.txt"),
])
def test_bonds_of_a_file_that_make_no_sense_are_refused(tmp_path, bonds, place, words):
    if bonds is not None:
        (tmp_path / "bonds.txt").write_text(bonds)
    run, output = run_study(tmp_path, GRAPH)
    assert run.returncode == 2 and words in run.stderr and place in run.stderr, run.stderr
    assert not output.exists()


@pytest.mark.parametrize("more, words", [("shell = 1", "in several ways"), ("pairs = [[0, 1]]", "in several ways"),
                                         ("J = 1\ndisorder = 1", "both file and disorder")])
def test_keys_that_do_not_go_with_a_file_are_refused(tmp_path, more, words):
    (tmp_path / "bonds.txt").write_text("0 1\n" if "J" in more else BONDS)
    run, output = run_study(tmp_path, GRAPH.replace('"bonds.txt"', f'"bonds.txt"\n{more}'))
    assert run.returncode == 2 and words in run.stderr and "study.toml:" in run.stderr, run.stderr
    assert not output.exists()


def test_potts_clusters_of_a_file_need_positive_couplings(tmp_path):
    (tmp_path / "bonds.txt").write_text(BONDS)
    study = GRAPH.replace('"ising"', '"potts"') + 'sampler = "wolff"\n'
    run, output = run_study(tmp_path, study)
    assert run.returncode == 2 and "need J > 0" in run.stderr and "-0.5" in run.stderr, run.stderr


def test_a_file_of_bonds_must_not_change(tmp_path):
    (tmp_path / "bonds.txt").write_text(BONDS)
    (tmp_path / "study.toml").write_text(GRAPH.replace("sweeps = 200", "sweeps = 100000000"))
    process = start("run", tmp_path / "study.toml", "-o", tmp_path / "out.h5", "--checkpoint-every", "0.02")
    wait_until_there(process, tmp_path / "out.h5.ckpt")
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    (tmp_path / "bonds.txt").write_text(BONDS.replace("1.0", "2.0"))
    resumed = larmor("resume", tmp_path / "out.h5")
    assert resumed.returncode == 2 and "has changed" in resumed.stderr, resumed.stderr


def test_a_graph_knows_no_distances(tmp_path):
    study = text().replace('type = "square"\nsize = [6, 5]\nperiodic = [true, false]', "sites = 4")
    run, output = run_study(tmp_path, study)
    assert run.returncode == 2 and "has no distances" in run.stderr, run.stderr
    assert not output.exists()
