"""Atoms in the whole program: ensembles, checkpoints, threads, ranks, scans, results, export, Python, and
the refusal of invalid studies."""
# Rooms: atoms, study

import re
import sys

import h5py
import numpy as np
import pytest

from program import BACKEND, DEPTH, ROOT, assert_same_bits, larmor, run_study
from ranks import assert_killed_ranks_go_on, needs_ranks, run_on_ranks
from running import assert_killed_runs_go_on

sys.path.insert(0, str(ROOT / "python"))

import larmor as reader
from larmor.pictures import Options, draw_all

# A crystal with only repulsion, which its box holds together.
SYSTEM = """
title = "atoms"
units = "material"
seed = 5
replicas = {replicas}
[model]
kind = "atoms"
[lattice]
type = "bcc"
size = [2, 2, 2]
constant = "2.9 Å"
species = ["W"]
[atoms]
temperature = "900 K"
{atoms}
[[zbl]]
inner = "3.4 Å"
outer = "4.2 Å"
"""

STAGE = """
[[stage]]
kind = "md"
timestep = "1 fs"
steps = {steps}
{keys}
measure = [{{ what = "thermodynamics", every = {every} }}, {{ what = "trajectory", every = {configurations}, replicas = 3 }}]
"""

ENSEMBLES = {
    "nve": "",
    "langevin": 'thermostat = "langevin"\ntemperature = { from = "600 K", to = "900 K" }',
    "nose-hoover": 'thermostat = "nose-hoover"\ntemperature = "500 K"\nthermostat_time = "40 fs"\nchain_length = 5',
    "bussi": 'thermostat = "bussi"\ntemperature = "500 K"\nthermostat_time = "40 fs"',
    "mtk": 'thermostat = "nose-hoover"\ntemperature = "500 K"\nbarostat = "mtk"\n'
           'pressure = { from = "430 GPa", to = "400 GPa" }\nshape = "triclinic"\nbarostat_time = "0.2 ps"',
    "nph": 'barostat = "mtk"\ntemperature = "500 K"\npressure = "430 GPa"\nbarostat_time = "0.2 ps"',
    "cell-rescaling": 'thermostat = "bussi"\ntemperature = "500 K"\nbarostat = "stochastic-cell-rescaling"\n'
                      'pressure = "430 GPa"\nshape = "anisotropic"\nbarostat_time = "0.2 ps"\n'
                      'bulk_modulus = "1000 GPa"',
}


def stage(keys="", steps=200, every=10):
    return STAGE.format(keys=keys, steps=steps, every=every, configurations=min(50, steps))


def system(replicas=2, atoms=""):
    return SYSTEM.format(replicas=replicas, atoms=atoms)


def all_ensembles(replicas=2, steps=60, atoms=""):
    return system(replicas, atoms) + "".join(stage(keys, steps, 7) for keys in ENSEMBLES.values())


def ran(folder, text, *options):
    """Results of a study that runs to its end."""
    run, output = run_study(folder, text, *options)
    assert run.returncode == 0, run.stderr
    return output


def series(output, name, stage="01-md"):
    with h5py.File(output) as file:
        return file[f"stages/{stage}/series/{name}/value"][()]


def mean(output, name, stage="01-md"):
    with h5py.File(output) as file:
        of = file[f"stages/{stage}/averages/{name}"]
        return of["value"][0], of["error"][0]


# ---- Equal bits for every way to run a study ----

@pytest.mark.parametrize("name", ENSEMBLES)
def test_killed_runs_go_on(tmp_path, name):
    study = tmp_path / "study.toml"
    study.write_text(system(3) + stage(ENSEMBLES[name], 150))
    assert_killed_runs_go_on(study)


def test_stages_follow_one_another_through_a_kill(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(all_ensembles(3, 21))
    assert_killed_runs_go_on(study)


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """Results of all ensembles on one thread."""
    return ran(tmp_path_factory.mktemp("first"), all_ensembles(), "--threads", "1")


@pytest.mark.parametrize("threads, atoms", [(2, ""), (3, ""), (3, 'skin = "0 Å"'), (2, 'skin = "0.2 Å"')])
def test_threads_and_skin_change_no_bit(tmp_path, first, threads, atoms):
    assert_same_bits(first, ran(tmp_path, all_ensembles(atoms=atoms), "--threads", threads))


def test_a_replica_does_not_depend_on_the_others(tmp_path, first):
    many = ran(tmp_path, all_ensembles(5))
    for number in range(1, len(ENSEMBLES) + 1):
        name = f"{number:02}-md"
        assert np.array_equal(series(first, "total_energy", name), series(many, "total_energy", name)[:, :2])
    assert len(set(series(many, "total_energy")[-1])) == 5


def test_completed_studies_run_again_to_the_same_bits(tmp_path, first):
    with h5py.File(first) as file:
        completed = file["study/completed"][()].decode()
    assert_same_bits(first, ran(tmp_path, completed))


@needs_ranks
def test_ranks_change_no_bit(tmp_path):
    text = all_ensembles(16, 30)
    alone = ran(tmp_path, text).rename(tmp_path / "alone.h5")
    study, output = tmp_path / "study.toml", tmp_path / "out.h5"
    run = run_on_ranks(2, "run", study, "-o", output)
    assert run.returncode == 0, run.stderr
    assert_same_bits(alone, output)


@needs_ranks
def test_ranks_with_unequal_shares_stay_together(tmp_path):
    """Two ranks have 8 and 16 of 24 replicas. No measurement during the run synchronises the
    ranks."""
    text = system(24) + stage(ENSEMBLES["nose-hoover"], 400, 400)
    alone = ran(tmp_path, text).rename(tmp_path / "alone.h5")
    output = tmp_path / "out.h5"
    run = run_on_ranks(2, "run", tmp_path / "study.toml", "-o", output)
    assert run.returncode == 0, run.stderr
    assert_same_bits(alone, output)


@needs_ranks
def test_killed_ranks_go_on_with_other_numbers(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(system(24) + stage(ENSEMBLES["mtk"], 1500))
    assert_killed_ranks_go_on(study)


@needs_ranks
def test_ranks_do_not_share_atoms_of_a_replica(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(all_ensembles(2))
    run = run_on_ranks(2, "run", study, "-o", tmp_path / "out.h5")
    assert run.returncode == 2 and "cannot share the sites of atoms" in run.stderr, run.stderr


# ---- Physics ----

def test_energy_is_conserved_to_the_second_order_of_the_timestep(tmp_path):
    def wander(timestep, steps):
        text = (system(2) + stage("", steps, 1)).replace('"1 fs"', f'"{timestep} fs"')
        return np.ptp(series(ran(tmp_path, text, "--force"), "total_energy"), axis=0).max()

    coarse, fine = wander(2, 300), wander(1, 600)
    assert 3 < coarse / fine < 5
    # For comparison, the kinetic energy fluctuates by about 1 eV.
    assert fine < 0.01


# The tests of physics use all thermostats, so one is enough here.
@pytest.mark.parametrize("name", ["langevin", *(["nose-hoover", "bussi"] if DEPTH else [])])
def test_thermostats_hold_their_temperature(tmp_path, name):
    keys = f'thermostat = "{name}"\ntemperature = "600 K"\nthermostat_time = "50 fs"'
    text = system(8) + stage(keys, 500, 10) + stage(keys, 4000, 10)
    output = ran(tmp_path, text)
    temperature, error = mean(output, "temperature", "02-md")
    assert error < 12
    assert abs(temperature - 600) < 4 * error
    kinetic, _ = mean(output, "kinetic_energy", "02-md")
    # The kinetic energy of 16 atoms is (3 N - 3) k_B T / 2.
    assert kinetic == pytest.approx(45 / 2 * 8.617333262e-5 * temperature, rel=1e-9)


@pytest.mark.parametrize("name, shape, warns", [("mtk", "triclinic", True), ("mtk", "anisotropic", False),
                                                ("nph", "triclinic", False), ("cell-rescaling", "triclinic", False)])
def test_one_chain_of_a_triclinic_box_is_told(tmp_path, name, shape, warns):
    study = tmp_path / "study.toml"
    keys = re.sub(r'shape = "\w+"\n?', "", ENSEMBLES[name]) + f'\nshape = "{shape}"'
    study.write_text(system() + stage(keys, 2, 1))
    checked, done = larmor("check", study), larmor("run", study, "-o", tmp_path / "out.h5")
    for said in (checked, done):
        assert said.returncode == 0, said.stderr
        words = " ".join((said.stdout + said.stderr).split())
        assert ("its single heat bath does not share the energy" in words) == warns
        assert ("stochastic-cell-rescaling\" gives the right fluctuations" in words) == warns


@pytest.mark.parametrize("name", ["mtk", *(["nph", "cell-rescaling"] if DEPTH else [])])
def test_barostats_hold_their_pressure(tmp_path, name):
    keys = re.sub(r"pressure = .*", 'pressure = "420 GPa"', ENSEMBLES[name]).replace("triclinic", "anisotropic")
    output = ran(tmp_path, system(8) + stage(keys, 1000) + stage(keys, 5000))
    pressure, error = mean(output, "pressure", "02-md")
    assert error < 3
    assert abs(pressure - 420) < 4 * error
    with h5py.File(output) as file:
        found = file["stages/02-md"]
        box = found["box"][0]
        assert found["series/volume/value"][-1, 0] == pytest.approx(np.linalg.det(box), rel=1e-12)
        assert found["series/cell_b/value"][-1, 0] == pytest.approx(np.linalg.norm(box[1]), rel=1e-12)
        assert "cell_alpha" not in found["series"]
        assert found["series/pressure/value"].attrs["unit"] == b"GPa" or \
            found["series/pressure/value"].attrs["unit"] == "GPa"


def test_pressure_is_the_slope_of_the_energy(tmp_path):
    # The energies of atoms at rest, for cells of three sizes.
    energies = []
    for constant in (2.899, 2.9, 2.901):
        text = (system(1) + stage("", 1, 1)).replace("2.9 Å", f"{constant} Å").replace("900 K", "0 K")
        output = ran(tmp_path, text, "--force")
        energies.append(series(output, "potential_energy")[0, 0])
        if constant == 2.9:
            pressure = series(output, "pressure")[0, 0]
            components = [series(output, f"pressure_{c}")[0, 0] for c in ("xx", "yy", "zz", "xy", "xz", "yz")]
    slope = (energies[2] - energies[0]) / (8 * (2.901**3 - 2.899**3))
    assert pressure == pytest.approx(-160.2176634 * slope, rel=1e-5)
    assert components == pytest.approx(3 * [pressure] + 3 * [0], abs=1e-9 * pressure)


def test_a_ramp_of_temperature_ends_where_it_says(tmp_path):
    keys = 'thermostat = "langevin"\ntemperature = { from = "0 K", to = "2000 K" }\nthermostat_time = "20 fs"'
    output = ran(tmp_path, system(16).replace("900 K", "0 K") + stage(keys, 4000, 10))
    temperature = series(output, "temperature").mean(axis=1)
    assert temperature[0] == 0
    for part in (1, 2, 3):
        around = temperature[100 * part - 20:100 * part + 21].mean()
        assert around == pytest.approx(500 * part, rel=0.1)


@pytest.mark.parametrize("scaled", ["true", "false"])
def test_velocities_begin_at_their_temperature_without_drift(tmp_path, scaled):
    text = system(200, f"scaled = {scaled}") + stage("", 1, 1).replace("replicas = 3", "replicas = 200")
    output = ran(tmp_path, text)
    temperature = series(output, "temperature")[0]
    if scaled == "true":
        assert temperature == pytest.approx(900, rel=1e-12)
    else:
        # The standard deviation is sqrt(2 / 45) times the mean.
        assert temperature.std() == pytest.approx(900 * np.sqrt(2 / 45), rel=0.2)
        assert temperature.mean() == pytest.approx(900, abs=4 * 190 / np.sqrt(200))
    with h5py.File(output) as file:
        velocities = file["stages/01-md/trajectory/velocities"][0]
    assert np.abs(velocities.mean(axis=1)).max() < 1e-12


# ---- Structures ----

EXTXYZ = """4
Lattice="4.1 0 0 0 4.2 0 0.3 0 4.3" Properties=species:S:1:pos:R:3:id:I:1:velocities:R:3
W 0 0 0 7 1 0 0.5
W 2 2 0.1 3 -1 0 0
Ta 2 0.1 2 1 0 2 0
Ta 0 2 2 2 0.25 0 0
2
Lattice="4 0 0 0 4 0 0 0 4" Properties=species:S:1:pos:R:3
W 0 0 0
W 2 2 2
"""

FILES = {
    "cells.extxyz": EXTXYZ,
    "POSCAR": "W\n1\n4 0 0\n0 4 0\n0 0 4\nW\n2\nDirect\n0 0 0\n0.5 0.5 0.5\n",
    "bulk.data": "LAMMPS\n\n2 atoms\n1 atom types\n0 4 xlo xhi\n0 4 ylo yhi\n0 4 zlo zhi\n\nMasses\n\n1 190.0\n\n"
                 "Atoms # atomic\n\n1 1 0 0 0\n2 1 2 2 2\n\nVelocities\n\n1 1 0 0\n2 -1 0 0\n",
}


def of_file(folder, name, more="", atoms=""):
    (folder / name).write_text(FILES[name])
    lattice = SYSTEM[SYSTEM.index("[lattice]"):SYSTEM.index("[atoms]")]
    text = system(2, atoms).replace(lattice, f'[structure]\nfile = "{name}"\n{more}\n')
    return text + stage('', 20, 10)


def test_structures_and_velocities_of_extended_xyz(tmp_path):
    text = of_file(tmp_path, "cells.extxyz", atoms='velocities = "file"').replace('temperature = "900 K"', "")
    output = ran(tmp_path, text)
    with h5py.File(output) as file:
        model = file["model"]
        assert model["positions"][1].tolist() == [2, 2, 0.1]
        assert model["cell"][2].tolist() == [0.3, 0, 4.3]
        assert model["ids"][()].tolist() == [7, 3, 1, 2]
        assert [s.decode() for s in model["species"]] == ["W", "W", "Ta", "Ta"]
        masses = model["masses"][()]
        assert masses == pytest.approx([183.84, 183.84, 180.947, 180.947], abs=0.01)
        velocities = file["stages/01-md/trajectory/velocities"][0, 0]
    given = np.array([[1, 0, 0.5], [-1, 0, 0], [0, 2, 0], [0.25, 0, 0]])
    assert velocities == pytest.approx(given - masses @ given / masses.sum(), abs=1e-14)


@pytest.mark.parametrize("name, more, atoms", [
    ("cells.extxyz", "frame = 1", 2), ("POSCAR", "", 2), ("bulk.data", 'elements = ["W"]', 2),
    ("POSCAR", "repeat = [2, 1, 3]", 12),
])
def test_structures_of_files(tmp_path, name, more, atoms):
    output = ran(tmp_path, of_file(tmp_path, name, more))
    with h5py.File(output) as file:
        model = file["model"]
        assert len(model["positions"]) == atoms
        assert set(model["species"][()]) == {b"W"}
        repeats = (2, 1, 3) if atoms == 12 else (1, 1, 1)
        assert model["cell"][()] == pytest.approx(np.diag([4.0 * n for n in repeats]))
        assert model["masses"][0] == (190 if name == "bulk.data" else pytest.approx(183.84))
        first = model["positions"][()]
        distances = np.linalg.norm(first[:, None] - first[None], axis=2)
        assert distances[np.triu_indices(atoms, 1)].min() == pytest.approx(2 * np.sqrt(3))


def test_masses_set_how_fast_atoms_move(tmp_path):
    heavy = ran(tmp_path, system(1, 'masses = { W = "735.36 u" }') + stage("", 1, 1)).rename(tmp_path / "heavy.h5")
    light = ran(tmp_path, system(1) + stage("", 1, 1))

    def first(output):
        with h5py.File(output) as file:
            return file["stages/01-md/trajectory/velocities"][0]

    assert first(light) == pytest.approx(2 * first(heavy), rel=1e-12)


COEFFICIENTS = "1 6\nW 0.5 1\n-0.3\n0.021\n-0.034\n0.011\n0.027\n-0.019\n"
PARAMETERS = "rcutfac 4.7\ntwojmax 2\nrfac0 0.99363\nrmin0 0\nbzeroflag 0\n"
SCRIPT = """pair_style hybrid/overlay zbl 3.4 4.2 snap
pair_coeff 1 1 zbl 74 74
pair_coeff * * snap w.snapcoeff w.snapparam W
"""


def test_ways_to_name_a_potential_give_the_same_bits(tmp_path, monkeypatch):
    potentials = tmp_path / "potentials"
    potentials.mkdir()
    for name, text in (("w.snapcoeff", COEFFICIENTS), ("w.snapparam", PARAMETERS), ("w.snap", SCRIPT)):
        (potentials / name).write_text(text)
    monkeypatch.setenv("LAMMPS_POTENTIALS", str(potentials))
    own, zbl = system().split("[[zbl]]")
    zbl = "[[zbl]]" + zbl
    listed = '[[snap]]\ncoefficients = "potentials/w.snapcoeff"\nparameters = "potentials/w.snapparam"\n'
    ways = ['[[snap]]\nprefix = "w"\n' + zbl, listed + zbl, '[[snap]]\nscript = "w.snap"\n']
    energies = [series(ran(tmp_path, own + way + stage("", 20), "--force"), "total_energy") for way in ways]
    assert np.array_equal(energies[0], energies[1]) and np.array_equal(energies[0], energies[2])
    without = series(ran(tmp_path, own + zbl + stage("", 20), "--force"), "total_energy")
    assert not np.allclose(energies[0], without, atol=1e-3)


def test_a_changed_potential_is_noticed(tmp_path):
    (tmp_path / "w.snapcoeff").write_text(COEFFICIENTS)
    (tmp_path / "w.snapparam").write_text(PARAMETERS)
    output = ran(tmp_path, system() + '[[snap]]\nprefix = "w"\n' + stage("", 20))
    with h5py.File(output) as file:
        files = [name.decode() for name in file["study/files"]]
    assert files == [str(tmp_path / "w.snapcoeff"), str(tmp_path / "w.snapparam")]


# ---- Use of results ----

def test_scans_over_temperature_pressure_and_lattice_constant(tmp_path):
    keys = ENSEMBLES["cell-rescaling"]
    scan = ('[[scan]]\nkey = "stage.1.temperature"\nvalues = ["300 K", "900 K"]\n'
            '[[scan]]\nkey = "lattice.constant"\nvalues = ["2.9 Å", "2.95 Å"]\n'
            'with = [{ key = "stage.1.pressure", values = ["430 GPa", "380 GPa"] }]\n')
    output = ran(tmp_path, system() + stage(keys, 100) + scan)
    with h5py.File(output) as file:
        volume = file["scan/summary/01-md/volume/value"][()]
        temperature = file["scan/summary/01-md/temperature/value"][()]
    assert volume.shape == (2, 2) and (volume[:, 1] > volume[:, 0]).all()
    assert (temperature[1] > temperature[0]).all()


def test_exports_are_read_back_and_run_on(tmp_path):
    keys = ENSEMBLES["mtk"]
    output = ran(tmp_path, system() + stage(keys, 100))
    exported = larmor("export", output, "--frame", "all", "--replica", "1", "-o", tmp_path / "all.extxyz")
    assert exported.returncode == 0, exported.stderr
    lines = (tmp_path / "all.extxyz").read_text().splitlines()
    assert len(lines) == 3 * 18 and lines[0] == "16"
    assert "id:I:1:masses:R:1:velocities:R:3:momenta:R:3" in lines[1] and lines[-17].endswith("Time=0.1")
    with h5py.File(output) as file:
        trajectory = file["stages/01-md/trajectory"]
        box = trajectory["box"][2, 1]
        words = lines[-1].split()
        assert [float(x) for x in words[1:4]] == trajectory["value"][2, 1, -1].tolist()
        assert [float(x) for x in words[-6:-3]] == trajectory["velocities"][2, 1, -1].tolist()
    cell = np.array(re.search(r'Lattice="([^"]*)"', lines[-17])[1].split(), dtype=float).reshape(3, 3)
    assert np.array_equal(cell, box)
    final = larmor("export", output, "-o", tmp_path / "final.extxyz")
    assert final.returncode == 0, final.stderr
    # As initial state of another study, the configuration has its old energy.
    lattice = SYSTEM[SYSTEM.index("[lattice]"):SYSTEM.index("[atoms]")]
    text = system(1, 'velocities = "file"').replace('temperature = "900 K"', "")
    text = text.replace(lattice, '[structure]\nfile = "final.extxyz"\n')
    last = series(output, "total_energy")[-1, 0]
    assert series(ran(tmp_path, text + stage("", 1, 1), "--force"), "total_energy")[0, 0] == pytest.approx(
        last, rel=1e-12)


@pytest.mark.parametrize("name", ["final.data", "final.dump", "final.poscar"])
def test_exports_of_every_format_are_read_back(tmp_path, name):
    output = ran(tmp_path, system() + stage(ENSEMBLES["mtk"], 20))
    exported = larmor("export", output, "-o", tmp_path / name)
    assert exported.returncode == 0, exported.stderr
    lattice = SYSTEM[SYSTEM.index("[lattice]"):SYSTEM.index("[atoms]")]
    text = system(1).replace(lattice, f'[structure]\nfile = "{name}"\nelements = ["W"]\n')
    last = series(output, "potential_energy")[-1, 0]
    assert series(ran(tmp_path, text + stage("", 1, 1), "--force"), "potential_energy")[0, 0] == pytest.approx(
        last, rel=1e-9)


def test_files_of_one_structure_take_one_frame(tmp_path):
    output = ran(tmp_path, system() + stage(ENSEMBLES["mtk"], 100))
    refused = larmor("export", output, "--frame", "all", "-o", tmp_path / "all.data")
    assert refused.returncode == 2 and "can hold only one frame" in refused.stderr, refused.stderr
    assert not (tmp_path / "all.data").exists()


def test_exported_velocities_are_those_of_ase(tmp_path):
    ase_io = pytest.importorskip("ase.io", reason="no ASE here")
    units = pytest.importorskip("ase.units", reason="no ASE here")
    output = ran(tmp_path, system() + stage("", 100))
    assert larmor("export", output, "--frame", "last", "-o", tmp_path / "last.extxyz").returncode == 0
    atoms = ase_io.read(tmp_path / "last.extxyz")
    with h5py.File(output) as file:
        velocities = file["stages/01-md/trajectory/velocities"][-1, 0]
        masses = file["model/masses"][()]
    # ASE uses the constants of CODATA 2014.
    assert atoms.get_masses() == pytest.approx(masses, rel=1e-12)
    assert atoms.get_velocities() == pytest.approx(velocities / (1000 * units.fs), rel=1e-7)
    assert atoms.get_momenta() == pytest.approx(masses[:, None] * velocities / (1000 * units.fs), rel=1e-7)
    assert atoms.get_kinetic_energy() == pytest.approx(series(output, "kinetic_energy")[-1, 0], rel=1e-7)
    # Larmor counts 3N - 3 degrees of freedom, and ASE counts 3N.
    degrees = (3 * len(atoms) - 3) / (3 * len(atoms))
    assert atoms.get_temperature() == pytest.approx(degrees * series(output, "temperature")[-1, 0], rel=1e-6)
    # The study starts with momenta that ASE has changed.
    atoms.set_momenta(2 * atoms.get_momenta())
    del atoms.arrays["velocities"]
    ase_io.write(tmp_path / "twice.extxyz", atoms)
    lattice = SYSTEM[SYSTEM.index("[lattice]"):SYSTEM.index("[atoms]")]
    text = system(1, 'velocities = "file"').replace('temperature = "900 K"', "")
    text = text.replace(lattice, '[structure]\nfile = "twice.extxyz"\n')
    run_on = ran(tmp_path, text + stage("", 1, 1), "--force")
    assert series(run_on, "kinetic_energy")[0, 0] == pytest.approx(atoms.get_kinetic_energy(), rel=1e-6)


def test_vectors_of_a_lattice_are_not_exported(tmp_path):
    output = ran(tmp_path, system() + stage("", 10))
    refused = larmor("export", output, "-o", tmp_path / "x.ovf")
    assert refused.returncode == 2 and "atoms" in refused.stderr, refused.stderr


def test_results_are_read_and_drawn_in_python(tmp_path):
    output = ran(tmp_path, system() + stage(ENSEMBLES["mtk"], 100))
    with reader.open(output) as results:
        assert results.model.details["kind"] == "atoms" and results.model.sites == 16
        assert results.model.masses == pytest.approx(183.84)
        found = results.stages[0]
        assert found.configuration.shape == found.velocities.shape == (1, 16, 3)
        assert found.box.shape == (1, 3, 3)
        assert found.trajectory.velocities.shape == (3, 2, 16, 3) and found.trajectory.box.shape == (3, 2, 3, 3)
        assert found.averages["pressure"].unit == "GPa"
        drawing = draw_all(results, None, results.stages, Options())
        assert [picture.kind for picture in drawing.pictures] == ["series"]
    shown = larmor("show", output)
    assert shown.returncode == 0 and "conserved_quantity" in shown.stdout


def test_check_and_explain_tell_of_atoms(tmp_path):
    (tmp_path / "study.toml").write_text(all_ensembles())
    checked = larmor("check", tmp_path / "study.toml")
    assert checked.returncode == 0, checked.stderr
    for words in ("16 W (183.84 g/mol)", "zbl (W; switched off from 3.4 to 4.2 Å)", "constant energy",
                  "langevin at 600 to 900 K", "mtk at 430 to 400 GPa (triclinic)"):
        assert words in checked.stdout, checked.stdout
    explained = larmor("explain", "md")
    assert explained.returncode == 0 and "barostat_time" in explained.stdout, explained.stdout


# ---- Refusals ----

def refused_at(folder, text, words, line=None):
    run, output = run_study(folder, text)
    assert run.returncode == 2, run.stdout + run.stderr
    assert words in run.stderr, run.stderr
    assert not output.exists()
    if line is not None:
        number = text[:text.index(line)].count("\n") + 1
        assert f"study.toml:{number}:" in run.stderr, run.stderr


LANGEVIN = 'thermostat = "langevin"\ntemperature = "300 K"'


@pytest.mark.parametrize("old, new, words", [
    ('units = "material"', "", 'units = "material"'),
    ('species = ["W"]', "", "lacks its species"),
    ('species = ["W"]', 'species = ["Xx"]', "no chemical element"),
    ('species = ["W"]', 'species = ["W", "Ta", "Fe"]', "3 entries for 2 basis atoms"),
    ('constant = "2.9 Å"', 'constant = "2.9 K"', "a length is needed"),
    ('constant = "2.9 Å"', 'constant = "0.001 Å"', "within the cutoff"),
    ("[atoms]", '[structure]\nfile = "x.data"\n[atoms]', "both [lattice] and [structure]"),
    ('temperature = "900 K"', 'temperature = "-1 K"', "at least 0"),
    ('temperature = "900 K"', 'masses = { Fe = "56 u" }', "no atom of 'Fe'"),
    ('temperature = "900 K"', 'masses = { W = "0 u" }', "not positive"),
    ('temperature = "900 K"', 'masses = { W = 183.84 }', "needs a unit of mass"),
    ('temperature = "900 K"', 'masses = 3', "must be a table"),
    ('temperature = "900 K"', 'velocities = "file"', "there is no file"),
    ('temperature = "900 K"', 'skin = "-1 Å"', "at least 0"),
    ('inner = "3.4 Å"', 'inner = "4.4 Å"', "outer is not larger than inner"),
    ('inner = "3.4 Å"', 'inner = "3.4 Å"\nelements = ["Ta"]', "no atom of 'Ta'"),
    ('inner = "3.4 Å"', 'inner = "3.4 Å"\ncharges = [74, 73]\nelements = ["W"]', "2 entries for 1 elements"),
    ("[[zbl]]", '[[snap]]\n[[zbl]]', "names no files"),
    ("[[zbl]]", '[[snap]]\nprefix = "w"\nscript = "w.snap"\n[[zbl]]', "several of"),
    ("[[zbl]]", '[[snap]]\ncoefficients = "w.snapcoeff"\n[[zbl]]', "one of coefficients and parameters"),
    ("[[zbl]]", '[[snap]]\nprefix = "absent"\n[[zbl]]', "absent.snapcoeff"),
    (LANGEVIN, 'thermostat = "langevin"', "has no temperature"),
    (LANGEVIN, 'temperature = "300 K"', "and no thermostat"),
    (LANGEVIN, 'thermostat_time = "1 ps"', "and no thermostat"),
    (LANGEVIN, LANGEVIN.replace("300", "-300"), "negative"),
    (LANGEVIN, LANGEVIN.replace("langevin", "nose-hoover").replace("300", "0"), "temperature of 0"),
    (LANGEVIN, LANGEVIN.replace('"300 K"', '{ from = "300 K" }'), "to"),
    (LANGEVIN, LANGEVIN.replace("langevin", "berendsen"), "berendsen"),
    (LANGEVIN, LANGEVIN + '\nthermostat_time = "0 ps"', "thermostat_time"),
    (LANGEVIN, LANGEVIN + '\npressure = "1 GPa"', "and no barostat"),
    (LANGEVIN, LANGEVIN + '\nshape = "triclinic"', "and no barostat"),
    (LANGEVIN, LANGEVIN + '\nbarostat = "mtk"', 'does not work with thermostat = "langevin"'),
    (LANGEVIN, LANGEVIN + '\nbarostat = "stochastic-cell-rescaling"', "works with bussi"),
    (LANGEVIN, 'barostat = "stochastic-cell-rescaling"', 'does not work with thermostat = "none"'),
    (LANGEVIN, 'barostat = "mtk"', "sets the mass of the box"),
    (LANGEVIN, 'barostat = "mtk"\ntemperature = { from = "300 K", to = "400 K" }', "must be one positive number"),
    (LANGEVIN, 'barostat = "mtk"\ntemperature = "0 K"', "must be one positive number"),
    (LANGEVIN, LANGEVIN + "\nchain_length = 3", "and no nose-hoover"),
    (LANGEVIN, LANGEVIN.replace("langevin", "nose-hoover") + "\nchain_length = 9", "at most 8"),
    (LANGEVIN, LANGEVIN.replace("langevin", "nose-hoover") + '\nbarostat = "mtk"\nbulk_modulus = "1 GPa"',
     "and no stochastic-cell-rescaling"),
    (LANGEVIN, LANGEVIN.replace("langevin", "nose-hoover") + '\nbarostat = "mtk"\npressure = "1 eV"', "pressure"),
    ('timestep = "1 fs"', "timestep = 1", "unit of time"),
    ('timestep = "1 fs"', 'timestep = "0 fs"', "positive"),
    ('"trajectory"', '"energy"', "energy"),
    pytest.param("[atoms]", '[device]\nprecision = "single"\n[atoms]', "double precision",
                 marks=pytest.mark.skipif(BACKEND == "cuda", reason="a GPU has single precision")),
])
def test_what_makes_no_sense_is_refused(tmp_path, old, new, words):
    text = system() + stage(LANGEVIN, 20)
    assert old in text
    refused_at(tmp_path, text.replace(old, new, 1), words)


def test_refusals_name_the_line(tmp_path):
    text = system() + stage(LANGEVIN + '\nbarostat = "mtk"', 20)
    refused_at(tmp_path, text, "does not work with", 'barostat = "mtk"')
    refused_at(tmp_path, system(1, 'masses = { W = "0 u" }') + stage(), "not positive", "masses = ")
    text = (system() + stage()).replace('species = ["W"]', 'species = ["W"]\nperiodic = [true, true, false]')
    mtk = 'thermostat = "nose-hoover"\ntemperature = "300 K"\nbarostat = "mtk"'
    refused_at(tmp_path, text + stage(mtk), "open in a direction", 'barostat = "mtk"')


@pytest.mark.parametrize("name, old, new, words", [
    ("cells.extxyz", "frame = 0", "frame = 2", "frames 0 to 1"),
    ("cells.extxyz", "2 2 0.1", "0 0 0", "at the same place"),
    ("cells.extxyz", "frame = 0", 'repeat = [2, 1, 1]\n[atoms]\nvelocities = "file"', "equal in all copies"),
    ("POSCAR", "frame = 0", '[atoms]\nvelocities = "file"', "no velocities"),
    ("POSCAR", "0.5 0.5 0.5", "0.5 0.5 x", "POSCAR:10"),
    ("POSCAR", "frame = 0", "repeat = [0, 1, 1]", "at least 1"),
    ("POSCAR", "frame = 0", "repeat = [2000, 2000, 2000]", "2^31"),
])
def test_structures_that_make_no_sense_are_refused(tmp_path, name, old, new, words):
    text = of_file(tmp_path, name, "frame = 0").replace('[atoms]\ntemperature = "900 K"', "")
    (tmp_path / name).write_text(FILES[name].replace(old, new))
    refused_at(tmp_path, text.replace(old, new), words)


def test_a_moving_single_atom_has_no_thermostat(tmp_path):
    text = (system() + stage(LANGEVIN)).replace('"bcc"', '"sc"').replace("[2, 2, 2]", "[1, 1, 1]")
    refused_at(tmp_path, text, "a single atom", 'thermostat = "langevin"')


# ---- Errors during a run ----

def test_dynamics_that_explodes_says_so_and_keeps_its_checkpoint(tmp_path):
    # The time step of the second stage is far too large.
    text = system() + stage("", 300) + stage("", 300).replace('"1 fs"', '"200 fs"')
    run, output = run_study(tmp_path, text)
    assert run.returncode == 4, run.stderr
    assert run.stderr.count("error:") == 1 and "timestep" in run.stderr and "replica" in run.stderr
    assert "at step" in run.stderr, run.stderr
    assert output.with_suffix(".h5.ckpt").exists()
    assert len(series(output, "total_energy")) == 31
    again = larmor("resume", output)
    assert again.returncode == 4, again.stderr


def test_a_box_that_collapses_is_told(tmp_path):
    keys = ENSEMBLES["cell-rescaling"].replace('"430 GPa"', '"900000 GPa"').replace("0.2 ps", "1 fs")
    run, _ = run_study(tmp_path, system() + stage(keys, 200))
    assert run.returncode == 4, run.stderr
    assert run.stderr.count("error:") == 1 and "box of replica" in run.stderr, run.stderr
