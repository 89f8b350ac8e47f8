"""Every dataset and attribute of the results has a reader in Python. Each kind of stage has a small study here."""
# Rooms: study

import json
import os
import sys

import pytest

from program import ROOT, larmor, run_study
from test_atom_paths import EDGE, RATES, vacancy, write
from test_atom_paths import text as atom_path
from test_atoms import of_file
from test_fit import BETA, evaluated, fit, random_structures, table_of, write_potential
from test_replicas_of_atoms import ladder, unequal

sys.path[:0] = [str(ROOT / "python"), str(ROOT / "python" / "tests")]

from reading import unread

SPINS = '[lattice]\ntype = "square"\nsize = [4, 4]\n[[exchange]]\nshell = 1\nJ = 1\n'
ISING = '[model]\nkind = "ising"\n' + SPINS
GRID = '[model]\nkind = "ising"\n[lattice]\ngrid = [4, 4, 4]\n[[exchange]]\nshell = 1\nJ = 1\n'
DISORDER = "disorder = 1\ndisorder_by_replica = true\n"
QUANTUM = '[model]\nkind = "quantum"\n[lattice]\ntype = "chain"\nsize = [4]\n[[exchange]]\nshell = 1\nJ = 1\n'
FIELD = "[field]\nGamma = 0.7\n"
SWEEPS = "thermalisation = 8\nsweeps = 32\n"
ZBL = '[[zbl]]\ninner = "3.4 Å"\nouter = "4.2 Å"\n'
ATOMS = 'units = "material"\nreplicas = 2\n[model]\nkind = "atoms"\n'
CRYSTAL = '[lattice]\ntype = "bcc"\nsize = [2, 2, 2]\nconstant = "2.9 Å"\nspecies = ["W"]\n' + ZBL
MD = 'timestep = "1 fs"\nsteps = 32\nthermostat = "langevin"\n'
PARTICLE = ('[model]\nkind = "particles"\n[particles]\ncoordinates = ["x"]\npotential = "h*(x^2-1)^2"\n'
            'gradient = ["4*h*x*(x^2-1)"]\nparameters = { h = 3 }\nstart = [-1]\nstate = "x > 0"\n')


def stage(kind, keys=""):
    return f'[[stage]]\nkind = "{kind}"\n{keys}'


TEMPERING = stage("tempering", "temperature = { from = 1.0, to = 2.0, points = 3 }\nexchange_every = 1\n" + SWEEPS)
ANNEALED = "temperature = { from = 3, to = 1, points = 3 }\n"
PATHS = '{ what = "structure-factor", path = ["G", "X"], every = 2, components = true }'
IN_TIME = ('{ what = "pair-correlations", every = 2, distance = { width = 1.0, bins = 2 }, displacement = true, '
           'groups = "basis" }')

STUDIES = {
    "spins": "replicas = 3\n" + SPINS + stage("anneal", ANNEALED + "sweeps = 10\n") + stage(
        "monte-carlo", 'temperature = [2, 1]\nmeasure_every = 2\ntrajectory_every = 8\nmeasure = ["energy-terms", '
        f'"spin-temperature", "spin-currents", "site-energy", "site-spins", {PATHS}]\n' + SWEEPS) + stage(
        "dynamics", f'timestep = 0.05\nsteps = 32\nmeasure = [{PATHS.replace(", components = true", "")}, {IN_TIME}, '
        '{ what = "trajectory", every = 8 }, { what = "autocorrelation", every = 4 }]\n') + stage(
        "pair-correlations", 'path = ["G", "X"]\ngroups = "basis"\ndistance = { width = 1.0, bins = 3 }\n'
        "displacement = true\ndistribution = {}\n") + TEMPERING + stage("minimise") + stage(
        "hysteresis", "direction = [0, 0, 1]\nfield = [1.0, 0.0, -1.0]\n"),
    "spin-waves": SPINS + '[[anisotropy]]\nK = 0.1\n[initial]\nstate = "aligned"\ndirection = [0, 0, 1]\n' + stage(
        "spin-waves", 'path = ["G", "X"]\ntemperature = 0.01\nmap = { width = 0.05, points = 20 }\n'
        "density_of_states = { grid = [6, 6], bins = 10 }\n"),
    "path of spins": '[lattice]\ntype = "chain"\nsize = [1]\nperiodic = false\n[[anisotropy]]\nK = 0.5\n'
                     '[[anisotropy]]\nK = -0.2\naxis = [1, 0, 0]\n[initial]\nstate = "aligned"\n' + stage(
        "minimum-energy-path", 'final = { state = "aligned", direction = [0, 0, -1] }\nimages = 7\n'
        "lifetime = { temperature = 0.02, damping = 0.1 }\n"),
    "ising": "replicas = 100\n" + ISING + stage(
        "monte-carlo", 'sampler = "wolff"\nclusters = 3\ntemperature = [2, 3]\n'
        'measure = ["cluster-sizes", "improved-susceptibility"]\n' + SWEEPS) + stage(
        "population-annealing", ANNEALED + "sweeps = 4\n") + stage("anneal", ANNEALED + "sweeps = 4\n"),
    "grid": "replicas = 4\n" + GRID + stage(
        "monte-carlo", 'temperature = [4, 5]\nmeasure = ["axis-correlations"]\n' + SWEEPS),
    "glass": "replicas = 12\nsamples = 2\n" + ISING + DISORDER + TEMPERING.replace(
        "exchange_every", 'measure = ["overlap"]\nexchange_every'),
    "strip": '[model]\nkind = "ising"\n[lattice]\ngrid = [4, 8]\n[[exchange]]\nshell = 1\nJ = 1\n' + stage(
        "transfer-matrix", "temperature = [2, 3]\n"),
    "strip of rows": "replicas = 2\n" + '[model]\nkind = "ising"\n[lattice]\ngrid = [4, 8]\nperiodic = [true, false]\n'
                     "[[exchange]]\nshell = 1\nJ = 1\n" + DISORDER + stage(
        "transfer-matrix", "temperature = [2, 3]\nlyapunov = 2\n"),
    "quantum": "replicas = 4\nsamples = 2\n" + QUANTUM + DISORDER + FIELD + stage("spectrum", "correlations = true\nlevels = 3\n")
               + stage("full-spectrum", "temperature = [1, 2]\nimaginary_times = 4\n")
               + stage("typicality", "temperature = [1, 2]\n")
               + stage("quantum-monte-carlo", "temperature = [1, 2]\nslices = [8, 16]\noverlap = true\n"
                       "imaginary_times = 5\ncorrelations = true\ngap_from = 0\n" + SWEEPS),
    "tempered quantum": QUANTUM + FIELD + stage(
        "quantum-monte-carlo", "temperature = 1\nGamma = [0.5, 0.8]\ntempering = true\nslices = 4\n" + SWEEPS),
    "phi4": 'replicas = 2\n[model]\nkind = "phi4"\n[lattice]\nsize = [4, 4]\n[phi4]\nkappa = [0.2, 0.3]\nlambda = 0.5\n'
            + stage("monte-carlo", 'measure = ["moments"]\n' + SWEEPS),
    "atoms": ATOMS + CRYSTAL + stage("minimise") + stage(
        "md", MD + 'temperature = "300 K"\nmeasure = [{ what = "thermodynamics", every = 4 }, '
        '{ what = "trajectory", every = 8 }, { what = "radial-distribution", r_max = "2.8 Å", bins = 10, every = 4, '
        'blocks = 2 }, { what = "mean-squared-displacement", every = 2, blocks = 2 }, '
        '{ what = "velocity-autocorrelation", every = 2, blocks = 2 }, '
        '{ what = "phonon-density-of-states", every = 2, blocks = 2 }]\n'),
    "vacancies": "replicas = 3\n" + SPINS + '[[alloy]]\nby = "vacancy"\nfraction = 0.2\n' + stage(
        "monte-carlo", 'temperature = 1\nmeasure = [{ what = "structure-factor", path = ["G", "X"], connected = true }]\n'
        + SWEEPS) + stage("tempering", "temperature = 0.5\nfield = { from = 0.1, to = 0.4, points = 3 }\nexchange_every = 1\n"
                          + SWEEPS),
    "states": PARTICLE + stage(
        "parsplice", "temperature = 1\ntimestep = 0.001\ncheck_every = 2\ncorrelation_time = 0.8\nsegment_time = 5\n"
        "time = 100\n"),
    "scan": SPINS + "[field]\nB = [0, 0, 0]\n" + stage("monte-carlo", "temperature = [1, 2]\n" + SWEEPS) +
            '[[scan]]\nkey = "lattice.size"\nvalues = [[4, 4], [6, 6]]\n[[scan]]\nkey = "field.B.3"\nvalues = [0.0, 0.1]\n',
}


@pytest.mark.parametrize("name", STUDIES)
def test_every_dataset_has_a_reader(tmp_path, name):
    done, output = run_study(tmp_path, STUDIES[name], "--progress", "quiet")
    assert done.returncode == 0, done.stderr
    assert unread(output) == set()


def test_every_dataset_of_a_path_of_atoms_has_a_reader(tmp_path):
    first, last, _ = vacancy(EDGE, 2)
    write(tmp_path / "first.extxyz", first, EDGE)
    write(tmp_path / "last.extxyz", last, EDGE)
    done, output = run_study(tmp_path, atom_path(RATES), "--progress", "quiet")
    assert done.returncode == 0, done.stderr
    assert unread(output) == set()


@pytest.mark.parametrize("make", [unequal, lambda folder: ladder(4, 4), lambda folder: of_file(folder, "cells.extxyz")],
                         ids=["structures", "ladder", "identifiers"])
def test_every_dataset_of_atoms_has_a_reader(tmp_path, make):
    done, output = run_study(tmp_path, make(tmp_path), "--progress", "quiet")
    assert done.returncode == 0, done.stderr
    assert unread(output) == set()


def test_every_dataset_of_a_fit_has_a_reader(tmp_path):
    evaluated(tmp_path, random_structures(12), write_potential(tmp_path / "made_up", BETA))
    second = '[[group]]\nname = "again"\nfiles = "set.xyz"\nenergy_weight = 1\nforce_weight = 1\nstress_weight = 1\n'
    fit(tmp_path, table_of(solver="folds = 2\nleave_one_group_out = true", more=second))
    assert unread(tmp_path / "fitted.h5") == set()


def test_every_reweighted_curve_has_a_reader(tmp_path):
    done, output = run_study(tmp_path, ISING + stage("monte-carlo", "temperature = [2.2, 2.4]\nsweeps = 2000\n"))
    assert done.returncode == 0, done.stderr
    done = larmor("reweight", output)
    assert done.returncode == 0, done.stderr
    assert unread(output.with_name("out-reweighted.h5")) == set()


def test_each_kind_of_stage_has_a_study():
    kinds = {name for of in json.loads(larmor("explain", "--json").stdout)["model_kinds"] for name in of["stages"]}
    assert kinds == {line.split('"')[1] for text in [*STUDIES.values(), atom_path(), ladder()] for line in text.splitlines()
                     if line.startswith("kind") and line.split('"')[1] in kinds}
