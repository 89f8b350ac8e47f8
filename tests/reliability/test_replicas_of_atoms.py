"""Replicas of atoms with temperatures, seeds and structures of their own, and parallel tempering of atoms:
equal bits for every way to run a study, results, export, Python, and the refusal of invalid studies."""
# Rooms: atoms, study

import sys

import h5py
import numpy as np
import pytest

from program import ROOT, assert_same_bits, assert_threads_change_no_bit, larmor, run_study
from ranks import assert_ranks_change_no_bit, needs_ranks
from running import assert_killed_runs_go_on

sys.path.insert(0, str(ROOT / "python"))

import larmor as reader

HEAD = """
units = "material"
seed = 5
replicas = {replicas}
[model]
kind = "atoms"
"""
ZBL = '[[zbl]]\ninner = "3.4 Å"\nouter = "4.2 Å"\n'
LATTICE = '[lattice]\ntype = "bcc"\nsize = [2, 2, 2]\nconstant = "2.9 Å"\nspecies = ["W"]\n'

# For each structure: cells along an axis, edge of a cell in Angstrom, species at the corners.
CRYSTALS = [(2, 2.9, "W"), (3, 2.8, "Be"), (2, 3.0, "Be")]
SEEDS = [11, 3, 2**63 - 1]
TEMPERATURES = ["300 K", "600 K", "900 K"]


def positions(cells, edge):
    corners = np.array([(x, y, z) for x in range(cells) for y in range(cells) for z in range(cells)], float)
    return edge * np.stack([corners, corners + 0.5], axis=1).reshape(-1, 3)


def write_structures(folder, crystals=None):
    text = ""
    for cells, edge, species in crystals or CRYSTALS:
        places = positions(cells, edge)
        length = cells * edge
        text += f'{len(places)}\nLattice="{length} 0 0 0 {length} 0 0 0 {length}" Properties=species:S:1:pos:R:3\n'
        for n, place in enumerate(places):
            text += f"{'W' if n % 2 else species} {place[0]} {place[1]} {place[2]}\n"
    (folder / "three.extxyz").write_text(text)


def md(temperature, keys="", steps=60, thermostat="langevin"):
    return (f'[[stage]]\nkind = "md"\ntimestep = "1 fs"\nsteps = {steps}\nthermostat = "{thermostat}"\n'
            f"temperature = {temperature}\nkeep_configurations = 3\n{keys}\n"
            'measure = [{ what = "thermodynamics", every = 10 }, { what = "trajectory", every = 20, replicas = 2 }]\n')


def listed(values):
    return "[" + ", ".join(f'"{value}"' for value in values) + "]"


def unequal(folder, stages=None):
    """A study of three boxes of unequal numbers of atoms."""
    write_structures(folder)
    pressures = 'barostat = "stochastic-cell-rescaling"\npressure = ["300 GPa", "100 GPa", "200 GPa"]'
    return (HEAD.format(replicas=3) + '[structure]\nfile = "three.extxyz"\nframes = "all"\n'
            f"[atoms]\ntemperature = {listed(TEMPERATURES)}\nseeds = {SEEDS}\n" + ZBL +
            (stages or md(listed(TEMPERATURES)) + md(listed(TEMPERATURES), pressures, thermostat="bussi") +
             '[[stage]]\nkind = "minimise"\nsteps = 30\nkeep_configurations = 3\n'))


def ladder(rungs=8, replicas=8, steps=100, tempering=""):
    """A ladder of crystals."""
    return (HEAD.format(replicas=replicas) + LATTICE + '[atoms]\ntemperature = "100 K"\n' + ZBL +
            f'[[stage]]\nkind = "tempering"\ntemperature = {{ from = "100 K", to = "300 K", points = {rungs} }}\n'
            f'timestep = "2 fs"\nexchange_every = 10\nthermalisation = 20\nsteps = {steps}\n{tempering}')


def ran(folder, text, *options):
    run, output = run_study(folder, text, *options)
    assert run.returncode == 0, run.stderr
    return output


# ---- Bits ----

def test_each_replica_has_the_bits_of_the_same_box_alone(tmp_path):
    together = ran(tmp_path, unequal(tmp_path))
    first = np.cumsum([0] + [2 * cells**3 for cells, _, _ in CRYSTALS])
    pressures = ["300 GPa", "100 GPa", "200 GPa"]
    for r in range(3):
        folder = tmp_path / str(r)
        folder.mkdir()
        text = (unequal(folder).replace("replicas = 3", "replicas = 1", 1).replace("seed = 5", f"seed = {SEEDS[r]}")
                .replace(f"seeds = {SEEDS}\n", "").replace('frames = "all"', f"frame = {r}")
                .replace(listed(TEMPERATURES), f'"{TEMPERATURES[r]}"').replace(listed(pressures), f'"{pressures[r]}"'))
        with h5py.File(ran(folder, text)) as alone, h5py.File(together) as all_of:
            for name, stage in alone["stages"].items():
                mine = all_of[f"stages/{name}"]
                for quantity, series in stage["series"].items():
                    values = mine[f"series/{quantity}/value"][:, r]
                    # A minimisation ends when the slowest of its replicas has converged.
                    if name.endswith("minimise"):
                        values = values[:len(series["value"])]
                    assert np.array_equal(series["value"][:, 0], values), (name, quantity)
                rows = slice(first[r], first[r + 1])
                for quantity in ("configuration", "velocities"):
                    assert np.array_equal(stage[quantity][0], mine[quantity][rows]), (name, quantity)
                assert np.array_equal(stage["box"][0], mine["box"][r])


@pytest.mark.parametrize("make", [unequal, lambda folder: ladder()], ids=["unequal", "ladder"])
def test_threads_change_no_bit(tmp_path, make):
    study = tmp_path / "study.toml"
    study.write_text(make(tmp_path))
    assert_threads_change_no_bit(study)


@pytest.mark.parametrize("make", [unequal, lambda folder: ladder(), lambda folder: ladder(tempering='thermostat = "bussi"')],
                         ids=["unequal", "langevin", "bussi"])
def test_killed_runs_go_on(tmp_path, make):
    study = tmp_path / "study.toml"
    study.write_text(make(tmp_path) + "\n[checkpoint]\nevery = 0.001\n")
    assert_killed_runs_go_on(study)


def many_unequal(folder):
    """Twelve replicas, which two ranks share."""
    write_structures(folder)
    temperatures = [f"{100 * n} K" for n in range(1, 13)]
    return (HEAD.format(replicas=12) + f'[structure]\nfile = "three.extxyz"\nframes = {[0, 1, 2, 2, 1, 0] * 2}\n'
            f'[atoms]\ntemperature = "100 K"\nseeds = {list(range(12))}\n' + ZBL + md(listed(temperatures)) +
            '[[stage]]\nkind = "minimise"\nsteps = 20\nkeep_configurations = 12\n')


@needs_ranks
@pytest.mark.parametrize("make", [many_unequal, lambda folder: ladder(16, 16, 40), lambda folder: ladder(8, 16, 40)],
                         ids=["unequal", "one-ladder", "two-ladders"])
def test_ranks_change_no_bit(tmp_path, make):
    study = tmp_path / "study.toml"
    study.write_text(make(tmp_path))
    assert_ranks_change_no_bit(study)


# ---- Results ----

def test_results_list_the_atoms_of_unequal_replicas_one_after_another(tmp_path):
    output = ran(tmp_path, unequal(tmp_path))
    with reader.open(output) as results:
        model, stage = results.model, results.stages[0]
        assert list(model.first_atom) == [0, 16, 70, 86]
        assert model.cell.shape == (3, 3, 3) and model.periodic.shape == (3, 3)
        for r, (cells, edge, species) in enumerate(CRYSTALS):
            mine = model.atoms_of(r)
            np.testing.assert_allclose(model.positions[mine], positions(cells, edge), atol=1e-12)
            assert model.species[mine][:2] == [species, "W"]
            np.testing.assert_allclose(model.cell[r], cells * edge * np.eye(3))
        assert stage.configuration.shape == (86, 3)
        assert stage.trajectory.value.shape == (4, 70, 3)
        assert "4 frames of 2 replicas, 70 atoms together" in repr(stage.trajectory)
    with h5py.File(output) as file:
        assert file["stages/01-md/averages/total_energy/value"].shape == (3,)
        np.testing.assert_array_equal(file["stages/01-md/temperature"], [300, 600, 900])


def test_export_writes_a_replica_of_its_own_number_of_atoms(tmp_path):
    output = ran(tmp_path, unequal(tmp_path))
    for options, where, first in ((("--replica", 2), "configuration", None), (("--replica", 1, "--frame", 3), None, 3)):
        exported = tmp_path / "one.extxyz"
        run = larmor("export", output, "--stage", "1", "-o", exported, "--force", *options)
        assert run.returncode == 0, run.stderr
        lines = exported.read_text().splitlines()
        with h5py.File(output) as file:
            stage = file["stages/01-md"]
            expected = stage["configuration"][70:86] if where else stage["trajectory/value"][first][16:70]
            species = [word.decode() for word in (file["model/species"][70:86] if where else file["model/species"][16:70])]
        assert int(lines[0]) == len(expected)
        rows = [line.split() for line in lines[2:]]
        assert [row[0] for row in rows] == species
        assert np.array_equal([[float(x) for x in row[1:4]] for row in rows], expected)
    run = larmor("export", output, "--stage", "1", "--replica", 3, "-o", tmp_path / "none.extxyz")
    assert run.returncode == 2 and "replica" in run.stderr


def test_structures_of_equal_atoms_keep_the_shape_of_results(tmp_path):
    write_structures(tmp_path, [(2, 2.9, "W"), (2, 2.8, "W")])
    curves = ('[[stage]]\nkind = "md"\ntimestep = "1 fs"\nsteps = 40\nmeasure = [{ what = "radial-distribution", '
              'every = 10, r_max = "4 Å", bins = 20 }, { what = "mean-squared-displacement", every = 5 }]\n')
    text = (HEAD.format(replicas=2) + '[structure]\nfile = "three.extxyz"\nframes = [1, 0]\n'
            '[atoms]\ntemperature = "300 K"\n' + ZBL + md('"300 K"') + curves)
    with h5py.File(ran(tmp_path, text)) as file:
        assert file["stages/01-md/configuration"].shape == (2, 16, 3)
        np.testing.assert_allclose(file["model/cell"][:, 0, 0], [5.6, 5.8])
        assert file["stages/02-md/radial-distribution/value"].shape == (1, 20)


def test_tempering_of_atoms_can_be_reweighted(tmp_path):
    output = ran(tmp_path, ladder(4, 4, 2000))
    with h5py.File(output) as file:
        stage = file["stages/01-tempering"]
        assert {"energy", "kinetic_energy", "potential_energy", "pressure", "temperature", "total_energy",
                "configurational_specific_heat"} == set(stage["averages"])
        energies = stage["averages/energy/value"][()]
        temperatures = stage["temperature"][()]
        assert stage["configuration"].shape == (1, 16, 3)
    curve = tmp_path / "curve.h5"
    options = ("--temperatures", f"{temperatures[1]}:{temperatures[2]}:2", "-o", curve)
    run = larmor("reweight", output, "--order", "kinetic_energy", *options)
    assert run.returncode == 2 and "velocities" in run.stderr, run.stderr
    run = larmor("reweight", output, "--order", "potential_energy", *options)
    assert run.returncode == 0, run.stderr
    with h5py.File(curve) as file:
        found = file["reweighted/systems/01/curves/energy"]
        assert np.all(np.abs(found["value"][()].ravel() - energies[1:3]) < 4 * found["error"][()].ravel())


# ---- Refusals ----

STUDIES = {"unequal": unequal, "ladder": lambda folder: ladder()}


@pytest.mark.parametrize("make, old, new, words", [
    ("unequal", listed(TEMPERATURES), '["300 K", "600 K"]', "2 values for replicas = 3"),
    ("unequal", f"seeds = {SEEDS}", "seeds = [1]", "1 values for replicas = 3"),
    ("unequal", f"seeds = {SEEDS}", "seeds = [1, 2, -3]", "seeds"),
    ("unequal", 'pressure = ["300 GPa", ', 'pressure = [', "2 values for replicas = 3"),
    ("unequal", f"\ntemperature = {listed(TEMPERATURES)}\nkeep", '\ntemperature = []\nkeep', "empty list"),
    ("unequal", 'frames = "all"', "frames = [0, 1]", "2 structures for replicas = 3"),
    ("unequal", "replicas = 3", "replicas = 2", "3 values for replicas = 2"),
    ("unequal", 'frames = "all"', "frames = [0, 1, 3]", "frames 0 to 2"),
    ("unequal", 'frames = "all"', "frames = [0, 1, -1]", "0 or more"),
    ("unequal", 'frames = "all"', 'frames = "some"', 'a list or "all"'),
    ("unequal", 'frames = "all"', 'frames = "all"\nframe = 1', "both frame and frames"),
    ("unequal", '{ what = "thermodynamics", every = 10 }', '{ what = "mean-squared-displacement" }',
     "averages over replicas"),
    ("unequal", f"\ntemperature = {listed(TEMPERATURES)}\nkeep", '\ntemperature = "300 K"\nkeep', None),
    ("unequal", f'thermostat = "langevin"\ntemperature = {listed(TEMPERATURES)}\nkeep_configurations = 3\n\n'
                'measure = [{ what = "thermodynamics"', 'measure = [{ what = "velocity-autocorrelation"',
     "begin at different temperatures"),
    ("ladder", 'timestep = "2 fs"', "", "timestep"),
    ("ladder", 'timestep = "2 fs"', 'timestep = "2 fs"\nthermostat = "nose-hoover"', "nose-hoover"),
    ("ladder", "steps = 100", "sweeps = 100", "sweeps"),
    ("ladder", "steps = 100", "steps = 100\nisoenergetic_every = 10", "isoenergetic_every"),
    ("ladder", "replicas = 8", "replicas = 12", "no whole ladders"),
])
def test_what_makes_no_sense_is_refused(tmp_path, make, old, new, words):
    text = STUDIES[make](tmp_path)
    assert old in text
    if words is None:  # The replicas of the first stage then differ in their structures only.
        text = text.replace(old, new, 1).replace('{ what = "thermodynamics", every = 10 }',
                                                 '{ what = "radial-distribution", r_max = "2 Å" }', 1)
        words = "structures have different atoms"
    run, output = run_study(tmp_path, text.replace(old, new, 1))
    assert run.returncode == 2, run.stdout + run.stderr
    assert run.stderr.count("error:") == 1 and words in run.stderr, run.stderr
    assert not output.exists()


def test_replicas_of_different_atoms_or_boxes_do_not_exchange(tmp_path):
    write_structures(tmp_path, [(2, 2.9, "W"), (2, 2.8, "W"), (2, 2.9, "Be")])
    text = ladder(2, 2).replace(LATTICE, '[structure]\nfile = "three.extxyz"\nframes = [0, 1]\n')
    for frames, words in ((None, "different boxes"), ("[0, 2]", "different atoms")):
        run, _ = run_study(tmp_path, text.replace("[0, 1]", frames) if frames else text)
        assert run.returncode == 2 and words in run.stderr, run.stderr
    moved = ladder(2, 2).replace("[[stage]]", md('"300 K"', 'barostat = "stochastic-cell-rescaling"', 20, "bussi") +
                                 "[[stage]]", 1)
    run, _ = run_study(tmp_path, moved)
    assert run.returncode == 2 and "moved the boxes apart" in run.stderr, run.stderr
