"""Atoms that the stage `minimise` relaxes, and measurements of molecular dynamics that are not series."""
# Rooms: atoms, study

import h5py
import numpy as np
import pytest

from program import assert_same_bits
from ranks import needs_ranks, run_on_ranks
from running import assert_killed_runs_go_on
from test_atoms import mean, ran, refused_at, series, stage, system

MINIMISE = """
[[stage]]
kind = "minimise"
{keys}
"""
LBFGS = 'tolerance = "1e-9 eV/Å"\nrelax_box = "triclinic"\npressure = "300 GPa"\nmeasure_every = 3'
FIRE = 'method = "fire"\ntolerance = "1e-7 eV/Å"\nrelax_box = "anisotropic"\npressure = "200 GPa"'
MEASURED = """
[[stage]]
kind = "md"
timestep = "1 fs"
steps = {steps}
measure = [{{ what = "radial-distribution", r_max = "6 Å", bins = 60, every = 5 }},
           {{ what = "radial-distribution", r_max = "3 Å", bins = 30, every = 10, blocks = 2 }},
           {{ what = "mean-squared-displacement", every = 3, origin_every = 2 }},
           {{ what = "velocity-autocorrelation", every = 2, weight = "mass", max_time = "30 fs" }},
           {{ what = "phonon-density-of-states", every = 2, blocks = 3 }}]
"""


def minimise(keys=""):
    return MINIMISE.format(keys=keys)


def everything(replicas=2, steps=200):
    return system(replicas) + MEASURED.format(steps=steps) + minimise(LBFGS) + minimise(FIRE) + stage("", 40, 10)


def attributes(output, name):
    with h5py.File(output) as file:
        return dict(file[f"stages/{name}"].attrs)


# ---- Equal bits for every way to run a study ----

def test_killed_runs_go_on(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(everything(3))
    assert_killed_runs_go_on(study)


@pytest.mark.parametrize("keys", [LBFGS, FIRE])
def test_killed_minimisations_go_on(tmp_path, keys):
    study = tmp_path / "study.toml"
    # The dynamics moves atoms far from their sites.
    study.write_text(system(3) + stage("", 60, 60) + minimise(keys))
    assert_killed_runs_go_on(study)


def test_threads_and_a_second_run_of_the_completed_study_change_no_bit(tmp_path):
    first = ran(tmp_path, everything(), "--threads", "1").rename(tmp_path / "first.h5")
    assert_same_bits(first, ran(tmp_path, everything(), "--threads", "3"))
    with h5py.File(first) as file:
        completed = file["study/completed"][()].decode()
    assert_same_bits(first, ran(tmp_path, completed, "--force"))


def test_a_replica_does_not_depend_on_the_others(tmp_path):
    few = ran(tmp_path, everything(2)).rename(tmp_path / "few.h5")
    many = ran(tmp_path, everything(5))
    for name in ("02-minimise", "03-minimise"):
        with h5py.File(few) as one, h5py.File(many) as other:
            assert np.array_equal(one[f"stages/{name}/configuration"][0], other[f"stages/{name}/configuration"][0])
        assert np.array_equal(series(few, "enthalpy", name)[-1], series(many, "enthalpy", name)[-1][:2])


@needs_ranks
def test_ranks_change_no_bit(tmp_path):
    alone = ran(tmp_path, everything(16)).rename(tmp_path / "alone.h5")
    output = tmp_path / "out.h5"
    run = run_on_ranks(2, "run", tmp_path / "study.toml", "-o", output)
    assert run.returncode == 0, run.stderr
    assert_same_bits(alone, output)


# ---- minimise ----

@pytest.mark.parametrize("method", ["lbfgs", "fire"])
def test_a_box_relaxes_to_where_dynamics_finds_its_pressure(tmp_path, method):
    keys = f'method = "{method}"\ntolerance = "1e-8 eV/Å"\nrelax_box = "isotropic"\npressure = "300 GPa"'
    output = ran(tmp_path, system(2).replace("900 K", "0 K") + minimise(keys))
    found = attributes(output, "01-minimise")
    assert found["converged"] == 1 and found["replicas_converged"] == 2
    assert mean(output, "pressure", "01-minimise")[0] == pytest.approx(300, abs=2e-3)
    volume = mean(output, "volume", "01-minimise")[0]
    energy = mean(output, "potential_energy", "01-minimise")[0]
    enthalpy = mean(output, "enthalpy", "01-minimise")[0]
    assert enthalpy == pytest.approx(energy + 300 / 160.2176634 * volume, rel=1e-9)
    # For comparison, another stage has a crystal at rest with the edge that the minimisation found.
    at_rest = (system(1).replace("900 K", "0 K") + stage("", 1, 1)).replace(
        '"2.9 Å"', f'"{float((volume / 8) ** (1 / 3))!r} Å"')
    output = ran(tmp_path, at_rest, "--force")
    assert series(output, "pressure")[0, 0] == pytest.approx(300, abs=2e-3)
    assert series(output, "potential_energy")[0, 0] == pytest.approx(energy, rel=1e-10)


def test_boxes_stay_as_they_are_unless_asked(tmp_path):
    output = ran(tmp_path, system(2) + stage("", 40, 10) + minimise())
    with h5py.File(output) as file:
        assert np.array_equal(file["stages/02-minimise/box"][0], file["model/cell"])
        assert np.array_equal(file["stages/02-minimise/velocities"], file["stages/01-md/velocities"])
        assert "volume" not in file["stages/02-minimise/series"]
    force = series(output, "largest_force", "02-minimise")
    assert (force[0] > 1).all() and (force[-1] <= 1e-3).all()
    assert (np.diff(series(output, "potential_energy", "02-minimise"), axis=0) <= 1e-10).all()


def test_too_few_steps_leave_a_note(tmp_path):
    text = system(2) + stage("", 40, 10) + minimise("steps = 3")
    output = ran(tmp_path, text)
    found = attributes(output, "02-minimise")
    assert found["converged"] == 0 and found["replicas_converged"] == 0 and found["steps"] == 3


@pytest.mark.parametrize("keys, words, line", [
    ('pressure = "1 GPa"', "and the box is fixed", "pressure = "),
    ('pressure_tolerance = "1 GPa"', "and the box is fixed", "pressure_tolerance = "),
    ('method = "cg"', "lbfgs", "method = "),
    ("tolerance = 0.1", "needs a unit of force", "tolerance = 0.1"),
    ('max_step = "0 Å"', "positive", "max_step = "),
])
def test_keys_that_make_no_sense_are_refused(tmp_path, keys, words, line):
    refused_at(tmp_path, system() + minimise(keys), words, line)


def test_open_boxes_do_not_relax_and_have_no_density(tmp_path):
    text = system().replace('species = ["W"]', 'species = ["W"]\nperiodic = [true, true, false]')
    refused_at(tmp_path, text + minimise('relax_box = "isotropic"'), "open in a direction", "relax_box = ")
    refused_at(tmp_path, text + MEASURED.format(steps=200), "open in a direction", "measure = ")


# ---- Measurements of md ----

def test_the_crystal_has_its_shells(tmp_path):
    text = (system(1) + MEASURED.format(steps=200)).replace("900 K", "0.1 K")
    with h5py.File(ran(tmp_path, text)) as file:
        g = file["stages/01-md/radial-distribution"]
        edges, value = g["edges"][()], g["value"][0]
        assert [name.decode() for name in g["pairs"]] == ["W-W"]
        assert g["edges"].attrs["unit"] == "Å" and value.shape == (60,)
        assert file["stages/01-md/radial-distribution-2/value"].shape == (1, 30)
        assert file["stages/01-md/radial-distribution-2"].attrs["blocks"] == 2
    around = np.cumsum(value * 4 / 3 * np.pi * np.diff(edges**3) * 2 / 2.9**3)
    # There are 8 neighbours at sqrt(3)/2, 6 at 1, 12 at sqrt(2), 24 at sqrt(11)/2, and 8 at sqrt(3)
    # edges.
    for distance, count in ((2.7, 8), (3.5, 14), (4.5, 26), (4.9, 50), (5.5, 58)):
        assert around[round(distance * 10) - 1] == pytest.approx(count, rel=1e-9)


def test_correlations_of_velocities_begin_with_the_kinetic_energy(tmp_path):
    text = system(4) + MEASURED.format(steps=399) + '\n[[stage]]\nkind = "md"\ntimestep = "1 fs"\nsteps = 399\n' \
        'measure = [{ what = "thermodynamics", every = 2 }, { what = "velocity-autocorrelation", every = 2 }]'
    # The two stages continue one trajectory, and the second stage is compared with its own series.
    output = ran(tmp_path, text)
    kinetic = series(output, "kinetic_energy", "02-md")
    with h5py.File(output) as file:
        plain = file["stages/02-md/velocity-autocorrelation"]
        assert plain["value"].attrs["unit"] == "Å^2/ps^2"
        mass = 183.84 * 1.0364269656e-4
        assert 16 * mass * plain["value"][0, 0] == pytest.approx(2 * kinetic.mean(), rel=1e-6)
        weighted = file["stages/01-md/velocity-autocorrelation"]
        assert weighted["value"].attrs["unit"] == "eV"
        assert weighted["time"][()] == pytest.approx(np.arange(16) * 0.002)
        displaced = file["stages/01-md/mean-squared-displacement"]
        assert displaced["value"][0, 0] == 0 and displaced["error"][0, 0] == 0
        # At short times, atoms move freely, and the displacement is <v^2> t^2.
        assert displaced["value"][0, 1] == pytest.approx(plain["value"][0, 0] * 0.003**2, rel=0.3)
        phonons = file["stages/01-md/phonon-density-of-states"]
        assert np.trapezoid(phonons["value"][()], phonons["frequency"][()]) == pytest.approx(45, rel=1e-9)
        assert phonons["by-species/value"][0] == pytest.approx(phonons["value"][()])
        assert phonons.attrs["modes"] == 45 and phonons["frequency"].attrs["unit"] == "THz"


@pytest.mark.parametrize("old, new, words", [
    ('max_time = "30 fs"', 'max_time = "30 ps"', "a block lasts"),
    ("blocks = 3", "blocks = 300", "samples for 300 blocks"),
    ('r_max = "6 Å"', 'r_max = "0 Å"', "positive"),
    ('r_max = "6 Å", ', "", "r_max"),
    ('r_max = "6 Å"', 'r_max = "6000 Å"', "within the cutoff"),
    ("origin_every = 2", "origin_every = 0", "at least 1"),
    ('weight = "mass"', 'weight = "charge"', "mass"),
])
def test_measurements_that_make_no_sense_are_refused(tmp_path, old, new, words):
    text = system() + MEASURED.format(steps=200)
    assert old in text
    refused_at(tmp_path, text.replace(old, new), words)


def test_displacements_are_not_measured_where_the_box_moves(tmp_path):
    keys = 'thermostat = "bussi"\ntemperature = "500 K"\nbarostat = "stochastic-cell-rescaling"\nmeasure = ['
    refused_at(tmp_path, system() + MEASURED.format(steps=200).replace("measure = [", keys), "barostat moves the box",
               "mean-squared-displacement")
