"""larmor fit: coefficients against those of potentials that made the set, and against numpy."""
# Rooms: fitting

import json
import os
import pathlib
import re

import h5py
import numpy as np
import pytest

from program import larmor

# Sets of FitSNAP and of LAMMPS, if the environment names their folder.
REFERENCE = pathlib.Path(os.environ.get("LARMOR_TEST_REFERENCE", "none"))
ELEMENTS = {"W": (0.5, 1.0), "Be": (0.42, 0.96)}
FORM = {"rcutfac": 4.7, "twojmax": 2, "rfac0": 0.99363, "rmin0": 0, "bzeroflag": 0}
COMPONENTS = 5  # of 2J = 2
CONSTANT_AND_COMPONENTS = 1 + COMPONENTS
rng = np.random.default_rng(5)
BETA = rng.normal(0, 0.03, (2, CONSTANT_AND_COMPONENTS))


def write_potential(prefix, coefficients, form=FORM):
    """Files of LAMMPS for coefficients (element, number)."""
    text = f"{len(coefficients)} {len(coefficients[0])}\n"
    for (name, (radius, weight)), of_element in zip(ELEMENTS.items(), coefficients):
        text += f"{name} {radius} {weight}\n" + "".join(f"{c!r}\n" for c in map(float, of_element))
    prefix.with_suffix(".snapcoeff").write_text(text)
    prefix.with_suffix(".snapparam").write_text("".join(f"{k} {v}\n" for k, v in form.items()))
    return prefix


def read_coefficients(prefix):
    lines = prefix.with_suffix(".snapcoeff").read_text().splitlines()
    words = [line.split("#")[0].split() for line in lines]
    return np.array([float(row[0]) for row in words if len(row) == 1])


def random_structures(count, atoms=6, seed=1):
    """Extended XYZ of structures of tungsten and beryllium, without targets."""
    random = np.random.default_rng(seed)
    text = ""
    for n in range(count):
        cell = 4.6 * np.eye(3) + random.normal(0, 0.25, (3, 3))
        grid = np.array([[i, j, k] for i in (0, 0.5) for j in (0, 0.5) for k in (0, 0.5)])[:atoms]
        positions = (grid + random.normal(0, 0.03, grid.shape)) @ cell
        text += f'{atoms}\nLattice="{numbers(cell)}" Properties=species:S:1:pos:R:3 pbc="T T T"\n'
        for i, r in enumerate(positions):
            # Compositions differ, because otherwise constants would depend on each other.
            text += f"{('W', 'Be')[i <= n % 4]} {numbers(r)}\n"
    return text


def numbers(values):
    return " ".join(repr(float(v)) for v in np.ravel(values))


def evaluated(folder, structures, prefix, *options, name="set.xyz"):
    """Writes the structures with energies, forces and stresses of a potential into a file."""
    (folder / "bare.extxyz").write_text(structures)
    done = larmor("evaluate", folder / "bare.extxyz", "--snap", prefix, "-o", folder / name,
                  "--force", *options)
    assert done.returncode == 0, done.stderr
    return folder / name


class Set:
    """Targets of a file that `larmor evaluate` has written, to change and to write again."""

    def __init__(self, path):
        self.header, self.atoms, self.energy, self.stress, self.forces = [], [], [], [], []
        lines = path.read_text().splitlines()
        while lines:
            count = int(lines[0])
            keys = {k: q or w for k, q, w in re.findall(r'(\w+)=(?:"([^"]*)"|(\S+))', lines[1])}
            rows = [line.split() for line in lines[2:2 + count]]
            self.header.append(keys["Lattice"])
            self.atoms.append([row[:4] for row in rows])
            self.energy.append(float(keys["energy"]))
            self.stress.append(np.array(keys["stress"].split(), dtype=float).reshape(3, 3))
            self.forces.append(np.array([row[-3:] for row in rows], dtype=float))
            lines = lines[2 + count:]

    def volume(self, n):
        return abs(np.linalg.det(np.array(self.header[n].split(), dtype=float).reshape(3, 3)))

    def targets(self):
        """Energies per atom, forces, and the six numbers of stresses, as one list per kind."""
        energies = [e / len(a) for e, a in zip(self.energy, self.atoms)]
        stresses = [s[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]] for s in self.stress]
        return [np.array(energies), np.ravel(self.forces), np.ravel(stresses)]

    def add_noise(self, size, seed=3):
        random = np.random.default_rng(seed)
        for n in range(len(self.energy)):
            self.energy[n] += size * len(self.atoms[n]) * random.normal()
            self.forces[n] = self.forces[n] + size * random.normal(size=self.forces[n].shape)
            noise = size * random.normal(size=(3, 3))
            self.stress[n] = self.stress[n] + noise + noise.T

    def write(self, path, stress_factor=1.0):
        text = ""
        for lattice, atoms, energy, stress, forces in zip(
            self.header, self.atoms, self.energy, self.stress, self.forces
        ):
            text += (f'{len(atoms)}\nLattice="{lattice}" Properties=species:S:1:pos:R:3:forces:R:3 '
                     f'energy={energy!r} stress="{numbers(stress_factor * stress)}"\n')
            for atom, force in zip(atoms, forces):
                text += " ".join(atom) + " " + numbers(force) + "\n"
        path.write_text(text)


def table_of(form=FORM, solver='method = "qr"', weights=(1, 1, 1), more="", files="set.xyz"):
    text = "[snap]\n" + "".join(f"{k} = {v}\n" for k, v in form.items())
    for name, (radius, weight) in ELEMENTS.items():
        text += f'[[element]]\nname = "{name}"\nradius = {radius}\nweight = {weight}\n'
    text += f'[data]\nstress_unit = "eV/A^3"\n[solver]\n{solver}\n[output]\npotential = "fitted"\n'
    text += f'[[group]]\nname = "all"\nfiles = "{files}"\n'
    text += "".join(f"{k}_weight = {w}\n" for k, w in zip(("energy", "force", "stress"), weights))
    return text + more


def fit(folder, text, *options, name="fit.toml"):
    """Fits, and returns the coefficients."""
    (folder / name).write_text(text)
    done = larmor("fit", folder / name, "--force", "--progress", "quiet", *options)
    assert done.returncode == 0, done.stderr
    return read_coefficients(folder / "fitted")


def relative_error(found, expected):
    return np.abs(found - np.ravel(expected)).max() / np.abs(expected).max()


@pytest.fixture
def exact_set(tmp_path):
    prefix = write_potential(tmp_path / "made_up", BETA)
    return evaluated(tmp_path, random_structures(12), prefix)


@pytest.mark.parametrize("method", ["qr", "svd", "normal-equations"])
def test_the_coefficients_of_an_exact_set_come_back(tmp_path, exact_set, method):
    found = fit(tmp_path, table_of(solver=f'method = "{method}"'))
    assert relative_error(found, BETA) < 1e-10


@pytest.mark.parametrize("kind", range(3))
def test_each_kind_of_rows_determines_the_coefficients(tmp_path, exact_set, kind):
    if kind == 0:
        evaluated(tmp_path, random_structures(60), tmp_path / "made_up")
    weights = [0, 0, 0]
    weights[kind] = 2
    # Forces and stresses do not depend on the constants.
    form = FORM if kind == 0 else {**FORM, "constant": "false"}
    found = fit(tmp_path, table_of(form, weights=weights)).reshape(BETA.shape)
    expected = BETA if kind == 0 else BETA * np.array([0] + [1] * COMPONENTS)
    assert relative_error(np.ravel(found), expected) < 1e-8


def test_a_quadratic_potential_comes_back(tmp_path):
    form = {**FORM, "twojmax": 1, "quadraticflag": 1, "bzeroflag": 1}
    beta = rng.normal(0, 0.02, (2, 1 + 2 + 3))
    evaluated(tmp_path, random_structures(20), write_potential(tmp_path / "made_up", beta, form))
    assert relative_error(fit(tmp_path, table_of(form)), beta) < 1e-8


def test_channels_of_elements_are_fitted_by_the_shortest_solution(tmp_path):
    form = {**FORM, "twojmax": 1, "chemflag": 1, "wselfallflag": 1, "bnormflag": 1}
    beta = rng.normal(0, 0.02, (2, 1 + 2 * 8))
    evaluated(tmp_path, random_structures(30), write_potential(tmp_path / "made_up", beta, form))
    (tmp_path / "refused.toml").write_text(table_of(form))
    refused = larmor("fit", tmp_path / "refused.toml")
    assert refused.returncode == 2
    assert "does not determine all coefficients" in refused.stderr and "svd" in refused.stderr
    found = fit(tmp_path, table_of(form, 'method = "svd"'))
    assert np.linalg.norm(found) < np.linalg.norm(beta)
    with h5py.File(tmp_path / "fitted.h5") as file:
        assert file["fit"].attrs["rank"] < file["fit"].attrs["columns"]
        for kind in ("energy", "force", "stress"):
            assert file[f"fit/errors/{kind}/largest"][-1, 0] < 1e-10


def test_the_reference_is_subtracted(tmp_path):
    prefix = write_potential(tmp_path / "made_up", BETA)
    evaluated(tmp_path, random_structures(12), prefix, "--zbl", "2.0", "3.1")
    found = fit(tmp_path, table_of(more="[reference]\nzbl = [2.0, 3.1]\n"))
    assert relative_error(found, BETA) < 1e-9
    # The include file has the reference, so it gives the targets.
    done = larmor("evaluate", tmp_path / "bare.extxyz", "--potential", tmp_path / "fitted.mod",
                  "-o", tmp_path / "again.xyz")
    assert done.returncode == 0, done.stderr
    again, wanted = Set(tmp_path / "again.xyz"), Set(tmp_path / "set.xyz")
    for kind in range(3):
        assert np.allclose(again.targets()[kind], wanted.targets()[kind], atol=1e-9)


def test_bits_do_not_depend_on_threads(tmp_path, exact_set):
    noisy = Set(exact_set)
    noisy.add_noise(0.01)
    noisy.write(exact_set)
    files = []
    for threads in (1, 2, 5):
        fit(tmp_path, table_of(), "--threads", threads)
        files.append((tmp_path / "fitted.snapcoeff").read_bytes())
    assert files[0] == files[1] == files[2]


def design_matrix(folder, structures, weights):
    """Rows of a set from energies, forces and stresses of potentials with one coefficient 1."""
    count = BETA.size
    columns = []
    for n in range(count):
        unit = np.zeros(count)
        unit[n] = 1
        prefix = write_potential(folder / "unit", unit.reshape(BETA.shape))
        columns.append(Set(evaluated(folder, structures, prefix, name="unit.xyz")).targets())
    return [w * np.array([c[kind] for c in columns]).T for kind, w in enumerate(weights)]


def test_noisy_sets_are_solved_as_by_numpy(tmp_path, exact_set):
    weights, structures = (7.0, 0.5, 30.0), random_structures(12)
    noisy = Set(exact_set)
    noisy.add_noise(0.02)
    noisy.write(exact_set)
    A = design_matrix(tmp_path, structures, weights)
    b = [w * t for w, t in zip(weights, noisy.targets())]
    whole_A, whole_b = np.concatenate(A), np.concatenate(b)
    expected, residual = np.linalg.lstsq(whole_A, whole_b, rcond=None)[:2]
    for method in ("qr", "svd", "normal-equations"):
        found = fit(tmp_path, table_of(solver=f'method = "{method}"', weights=weights))
        assert relative_error(found, expected) < 1e-9
        with h5py.File(tmp_path / "fitted.h5") as file:
            variance = residual[0] / (len(whole_b) - len(expected))
            covariance = variance * np.linalg.inv(whole_A.T @ whole_A)
            assert np.allclose(file["fit/covariance"][()], covariance, rtol=1e-6,
                               atol=1e-9 * np.abs(covariance).max())
            condition = file["fit"].attrs["condition"]
            assert condition == pytest.approx(np.linalg.cond(whole_A), rel=1e-5)
            for kind, name in enumerate(("energy", "force", "stress")):
                difference = (A[kind] @ expected - b[kind]) / weights[kind]
                errors = file[f"fit/errors/{name}"]
                assert errors["mean_absolute"][-1, 0] == pytest.approx(np.abs(difference).mean())
                square = (difference**2).mean()
                assert errors["root_mean_square"][-1, 0] == pytest.approx(square**0.5)
                assert errors["count"][-1, 0] == len(difference)
    alpha = 0.3
    ridge = np.linalg.solve(whole_A.T @ whole_A + alpha * np.eye(BETA.size), whole_A.T @ whole_b)
    solver = f'method = "ridge"\nalpha = {alpha}'
    assert relative_error(fit(tmp_path, table_of(solver=solver, weights=weights)), ridge) < 1e-9


def test_cross_validation_leaves_out_what_it_says(tmp_path, exact_set):
    noisy = Set(exact_set)
    noisy.add_noise(0.02)
    noisy.write(exact_set)
    lines = exact_set.read_text().splitlines(keepends=True)
    frames = ["".join(lines[8 * n:8 * n + 8]) for n in range(12)]
    (tmp_path / "a.xyz").write_text("".join(frames[:8]))
    (tmp_path / "b.xyz").write_text("".join(frames[8:]))
    group = ('[[group]]\nname = "{0}"\nfiles = "{0}.xyz"\nenergy_weight = 3\nforce_weight = 1\n'
             "stress_weight = 9\ntraining = {1}\ntesting = {2}\n")
    head = table_of(solver="folds = 4\nleave_one_group_out = true").split("[[group]]")[0]
    fit(tmp_path, head + group.format("a", 1, 0) + group.format("b", 1, 0))
    with h5py.File(tmp_path / "fitted.h5") as file:
        left = {n: [file[f"fit/left-out-groups/{kind}/root_mean_square"][n]
                    for kind in ("energy", "force", "stress")] for n in (0, 1)}
        fold = file["fit/folds/force/root_mean_square"][1]
    # These are the errors of a fit that only tests group b.
    fit(tmp_path, head.replace("folds = 4\nleave_one_group_out = true", "") + group.format("a", 1, 0)
        + group.format("b", 0, 1))
    with h5py.File(tmp_path / "fitted.h5") as file:
        tested = [file[f"fit/errors/{kind}/root_mean_square"][1, 1]
                  for kind in ("energy", "force", "stress")]
        assert file["fit"].attrs["tests"] == 4
    assert left[1] == pytest.approx(tested, rel=1e-9)
    # Fold 2 has the configurations 1 and 5 of each group.
    parts = {"in": [*(frames[:8][n] for n in (0, 2, 3, 4, 6, 7)), *(frames[8:][n] for n in (0, 2, 3))],
             "out": [frames[1], frames[5], frames[9]]}
    for name, chosen in parts.items():
        (tmp_path / f"{name}.xyz").write_text("".join(chosen))
    fit(tmp_path, head.replace("folds = 4\nleave_one_group_out = true", "")
        + group.format("in", 1, 0) + group.format("out", 0, 1))
    with h5py.File(tmp_path / "fitted.h5") as file:
        assert fold == pytest.approx(file["fit/errors/force/root_mean_square"][-1, 1], rel=1e-9)


FITSNAP = """# an input of FitSNAP
[BISPECTRUM]
numTypes = 2
twojmax = 2
rcutfac = 4.7
rfac0 = 0.99363
rmin0 = 0.0
wj = 1.0 0.96
radelem = 0.5 0.42
type = W Be
wselfallflag = 0
chemflag = 0
bzeroflag = 0
quadraticflag = 0

[CALCULATOR]
calculator = LAMMPSSNAP
energy = 1
force = 1
stress = 1

[ESHIFT]
W = 0.25
Be = 0.0

[SOLVER]
solver = SVD
compute_testerrs = 1

[SCRAPER]
scraper = XYZ

[PATH]
dataPath = data

[OUTFILE]
metrics = metrics.md
potential = fitted

[REFERENCE]
units = metal
pair_style = hybrid/overlay zero 10.0 zbl 2.0 3.1
pair_coeff1 = * * zero
pair_coeff2 = 1 1 zbl 74 74
pair_coeff3 = 1 2 zbl 74 4
pair_coeff4 = 2 2 zbl 4 4

[GROUPS]
group_sections = name training_size testing_size eweight fweight vweight
group_types = str float float float float float
smartweights = 0
random_sampling = 0
first = 1.0 0.0 100 1 1e-6   # a comment
second = 0.5 0.5 1 1 1e-8
"""
BAR = 1.6021765e6  # LAMMPS's size of 1 eV/Angstrom^3


@pytest.fixture
def fitsnap_set(tmp_path):
    """Two groups in eV, Angstrom and bar, positive under compression."""
    (tmp_path / "data").mkdir()
    prefix = write_potential(tmp_path / "made_up", BETA)
    for name, seed in (("first", 1), ("second", 2)):
        path = evaluated(tmp_path, random_structures(10, seed=seed), prefix, "--zbl", 2.0, 3.1,
                         name=f"data/{name}.xyz")
        targets = Set(path)
        for n, atoms in enumerate(targets.atoms):
            targets.energy[n] -= 0.25 * sum(atom[0] == "W" for atom in atoms)
        targets.write(path, stress_factor=-BAR)
    return tmp_path


def test_an_input_of_fitsnap_is_obeyed(fitsnap_set):
    found = fit(fitsnap_set, FITSNAP, name="fit.in")
    assert relative_error(found, BETA) < 1e-9
    with h5py.File(fitsnap_set / "fitted.h5") as file:
        assert file["fit"].attrs["configurations"] == 20 and file["fit"].attrs["tests"] == 5
        assert file["fit/errors/stress/count"][1].tolist() == [30, 30]
    done = larmor("fit", fitsnap_set / "fit.in", "--force")
    for key in ("[SOLVER] compute_testerrs", "[OUTFILE] metrics"):
        assert key in done.stdout


def test_options_ask_for_a_cross_validation(fitsnap_set):
    fit(fitsnap_set, FITSNAP, "--folds", 3, "--leave-one-group-out", name="fit.in")
    with h5py.File(fitsnap_set / "fitted.h5") as file:
        assert len(file["fit/folds/name"]) == 3 and len(file["fit/left-out-groups/name"]) == 2
        assert max(file["fit/folds/force/root_mean_square"]) < 1e-10
        assert sum(file["fit/folds/energy/count"]) == 15


def test_json_files_of_fitsnap_are_read(fitsnap_set):
    as_xyz = fit(fitsnap_set, FITSNAP, name="fit.in")
    for name in ("first", "second"):
        path = fitsnap_set / "data" / f"{name}.xyz"
        targets = Set(path)
        path.unlink()
        folder = fitsnap_set / "data" / name
        folder.mkdir()
        for n, atoms in enumerate(targets.atoms):
            data = {
                "Lattice": np.array(targets.header[n].split(), dtype=float).reshape(3, 3).tolist(),
                "AtomTypes": [atom[0] for atom in atoms],
                "Positions": [[float(x) for x in atom[1:]] for atom in atoms],
                "Energy": targets.energy[n],
                "Forces": targets.forces[n].tolist(),
                "Stress": targets.stress[n].tolist(),
                "NumAtoms": len(atoms),
            }
            whole = {"Dataset": {"Data": [data], "StressStyle": "bar", "Label": "made up"}}
            (folder / f"{n:02}.json").write_text("# made up\n" + json.dumps(whole))
    as_json = fit(fitsnap_set, FITSNAP.replace("= XYZ", "= JSON"), name="fit.in")
    assert as_json.tolist() == as_xyz.tolist()
    # If there are both, the scraper decides.
    for name in ("first", "second"):
        (fitsnap_set / "data" / f"{name}.xyz").write_text("not a set\n")
    fit(fitsnap_set, FITSNAP.replace("= XYZ", "= JSON"), name="fit.in")
    assert larmor("fit", fitsnap_set / "fit.in", "--force").returncode == 0
    (fitsnap_set / "fit.in").write_text(FITSNAP)
    assert "first.xyz:1" in larmor("fit", fitsnap_set / "fit.in", "--force").stderr


def test_fitsnap_turns_cells_to_the_orientation_of_lammps(fitsnap_set):
    """With noise, the fit of stresses depends on the orientation, and that of LAMMPS counts."""
    turned = fitsnap_set / "turned"
    turned.mkdir()
    for name in ("first", "second"):
        targets = Set(fitsnap_set / "data" / f"{name}.xyz")
        for stress in targets.stress:
            noise = 3e4 * np.random.default_rng(4).normal(size=(3, 3))
            stress += noise + noise.T
        targets.write(fitsnap_set / "data" / f"{name}.xyz")
        for n, lattice in enumerate(targets.header):
            cell = np.array(lattice.split(), dtype=float).reshape(3, 3)
            q, r = np.linalg.qr(cell.T)
            q = q * np.sign(np.diag(r))
            assert not np.allclose(q, np.eye(3))
            targets.header[n] = numbers(cell @ q)
            targets.stress[n] = q.T @ targets.stress[n] @ q
            targets.forces[n] = targets.forces[n] @ q
            targets.atoms[n] = [[a[0], *numbers(np.array(a[1:], float) @ q).split()]
                                for a in targets.atoms[n]]
        targets.write(turned / f"{name}.xyz")
    before = fit(fitsnap_set, FITSNAP, name="fit.in")
    after = fit(fitsnap_set, FITSNAP, "--data", turned, name="fit.in")
    assert relative_error(before, after) < 1e-9
    assert relative_error(before, BETA) > 1e-4


def test_smartweights_divide_by_numbers_of_rows(fitsnap_set):
    """Equal to weights that the user has divided."""
    for name in ("first", "second"):
        targets = Set(fitsnap_set / "data" / f"{name}.xyz")
        targets.add_noise(0.05)
        targets.write(fitsnap_set / "data" / f"{name}.xyz")
    smart = fit(fitsnap_set, FITSNAP.replace("smartweights = 0", "smartweights = 1"), name="fit.in")
    divided = FITSNAP.replace("100 1 1e-6 ", f"10 {1 / (10 * 3 * 6)!r} {1e-6 / (10 * 6)!r}")
    divided = divided.replace("0.5 0.5 1 1 1e-8", f"0.5 0.5 0.2 {1 / (5 * 3 * 6)!r} {1e-8 / 30!r}")
    assert relative_error(smart, fit(fitsnap_set, divided, name="fit.in")) < 1e-9


WRONG_FITSNAP = {
    "unknown key": ("rcutfac = 4.7", "rcutfact = 4.7", "did you mean 'rcutfac'"),
    "unknown section": ("[ESHIFT]", "[ACE]", "not a section"),
    "solver": ("= SVD", "= LASSO", "write SVD or RIDGE"),
    "other orders": ("twojmax = 2", "twojmax = 2 4", "one value"),
    "reference": ("zbl 2.0 3.1", "coul/cut 3.1", "references are zero and zbl"),
    "units": ("units = metal", "units = real", "metal"),
    "a weight is missing": ("100 1 1e-6", "100 1", "4 of 5 values"),
    "no column of weights": ("eweight fweight vweight\ngroup_types = str float float float float float",
                             "eweight fweight\ngroup_types = str float float float float",
                             "5 of 4 values"),
    "no such folder": ("= data", "= nowhere", "--data"),
    "no such group": ("second =", "third =", "has no files"),
    "shift of a stranger": ("W = 0.25", "Mo = 0.25", "no element 'Mo'"),
    "random choice": ("random_sampling = 0", "random_sampling = 1", "cannot be repeated"),
    "nonlinear": ("energy = 1\n", "energy = 1\nnonlinear = 1\n", "linear"),
}


@pytest.mark.parametrize("case", WRONG_FITSNAP)
def test_wrong_inputs_of_fitsnap_are_refused_with_their_line(fitsnap_set, case):
    old, new, words = WRONG_FITSNAP[case]
    assert old in FITSNAP
    (fitsnap_set / "fit.in").write_text(FITSNAP.replace(old, new, 1))
    done = larmor("fit", fitsnap_set / "fit.in")
    assert done.returncode == 2, done.stdout
    assert words in done.stderr and re.search(r"fit\.in:\d+", done.stderr), done.stderr
    assert done.stderr.count("error:") == 1
    assert not list(fitsnap_set.glob("fitted*"))


WRONG_TABLES = {
    "unknown key": (lambda t: t.replace("twojmax", "twojmx"), "did you mean 'twojmax'"),
    "unit of stress": (lambda t: t.replace('stress_unit = "eV/A^3"', ""), "set stress_unit"),
    "element": (lambda t: t.replace('"Be"', '"Mo"'), "no element 'Be'"),
    "weight": (lambda t: t.replace("force_weight = 1\n", ""), "'force_weight' is missing"),
    "files": (lambda t: t.replace("set.xyz", "no.xyz"), "no file has the name"),
    "one fold": (lambda t: t.replace('method = "qr"', "folds = 1"), "folds is 1"),
    "alpha without ridge": (lambda t: t.replace('method = "qr"', 'method = "qr"\nalpha = 0.1'),
                            'alpha has no effect with method = "qr"'),
    "cut without svd": (lambda t: t.replace('method = "qr"', "cut = 1e-9"), 'write method = "svd"'),
    "two groups of one name": (lambda t: t + t[t.index("[[group]]"):].split("\n[", 1)[0].rstrip("[") + "\n",
                               "two groups have the name 'all'"),
    "too few rows without a group": (lambda t: t.replace('method = "qr"', "leave_one_group_out = true"),
                                     "without 'all'"),
    "too few rows": (lambda t: t.replace("force_weight = 1", "force_weight = 0").replace(
        "stress_weight = 1", "stress_weight = 0").replace("energy_weight = 1",
                                                         "energy_weight = 1\ntraining = 3"),
                     "does not determine"),
}


@pytest.mark.parametrize("case", WRONG_TABLES)
def test_wrong_tables_are_refused(tmp_path, exact_set, case):
    change, words = WRONG_TABLES[case]
    (tmp_path / "fit.toml").write_text(change(table_of()))
    done = larmor("fit", tmp_path / "fit.toml")
    assert done.returncode == 2 and words in done.stderr, done.stderr
    assert not list(tmp_path.glob("fitted*"))


@pytest.mark.parametrize("pattern, words", [
    (r" energy=\S+", "has no energy"),
    (r' stress="[^"]*"', "has no stress"),
    (r":forces:R:3", "more than"),
])
def test_a_missing_target_is_named_with_its_line(tmp_path, exact_set, pattern, words):
    frames = Set(exact_set)
    frames.write(exact_set)
    lines = exact_set.read_text().splitlines(keepends=True)
    lines[9] = re.sub(pattern, "", lines[9])  # the second frame
    exact_set.write_text("".join(lines))
    (tmp_path / "fit.toml").write_text(table_of())
    done = larmor("fit", tmp_path / "fit.toml")
    assert done.returncode == 2 and words in done.stderr, done.stderr
    assert re.search(r"set\.xyz:(9|11)\b", done.stderr), done.stderr
    assert not list(tmp_path.glob("fitted*"))


def test_errors_of_kinds_without_weight_are_told(tmp_path, exact_set):
    fit(tmp_path, table_of(weights=(1, 1, 0)))
    with h5py.File(tmp_path / "fitted.h5") as file:
        assert file["fit"].attrs["rows"] == 12 * (1 + 3 * 6)
        assert file["fit/errors/stress/count"][-1, 0] == 72
        assert file["fit/errors/stress/largest"][-1, 0] < 1e-10
    # Without its unit, a stress without weight is ignored.
    fit(tmp_path, table_of(weights=(1, 1, 0)).replace('stress_unit = "eV/A^3"', ""))
    with h5py.File(tmp_path / "fitted.h5") as file:
        assert file["fit/errors/stress/count"][-1, 0] == 0


def test_the_first_of_two_errors_is_told(tmp_path, exact_set):
    lines = exact_set.read_text().splitlines(keepends=True)
    for frame in (3, 9):
        lines[8 * frame + 4] = lines[8 * frame + 3]
    exact_set.write_text("".join(lines))
    (tmp_path / "fit.toml").write_text(table_of())
    for threads in (1, 4):
        done = larmor("fit", tmp_path / "fit.toml", "--threads", threads)
        assert done.returncode == 2 and "set.xyz:29" in done.stderr, done.stderr
    assert not list(tmp_path.glob("fitted*"))


def test_files_are_not_replaced_silently(tmp_path, exact_set):
    fit(tmp_path, table_of())
    before = {path: path.read_bytes() for path in tmp_path.glob("fitted*")}
    assert len(before) == 4
    done = larmor("fit", tmp_path / "fit.toml")
    assert done.returncode == 2 and "exists" in done.stderr
    assert before == {path: path.read_bytes() for path in tmp_path.glob("fitted*")}


def test_show_prints_the_errors(tmp_path, exact_set):
    fit(tmp_path, table_of())
    done = larmor("show", tmp_path / "fitted.h5")
    assert done.returncode == 0 and "condition number" in done.stdout
    assert re.search(r"all +stress +training +72 ", done.stdout), done.stdout


needs_reference = pytest.mark.skipif(
    not (REFERENCE / "fit").is_dir(),
    reason="LARMOR_TEST_REFERENCE does not name a folder with sets for fits",
)


@needs_reference
def test_the_tantalum_set_of_fitsnap(tmp_path):
    folder = REFERENCE / "fit" / "ta_jcp2014"
    done = larmor("fit", folder / "Ta-example.in", "--data", folder, "-o", tmp_path / "Ta")
    assert done.returncode == 0, done.stderr
    with h5py.File(tmp_path / "Ta.h5") as file:
        # The errors that FitSNAP prints, to their last digit.
        for kind, printed in (("energy", "0.112787"), ("force", "0.0757576"), ("stress", "68338.6")):
            assert f"{file[f'fit/errors/{kind}/mean_absolute'][-1, 0]:.6g}" == printed
        condition = file["fit"].attrs["condition"]
    found, expected = read_coefficients(tmp_path / "Ta"), read_coefficients(folder / "Ta_pot")
    assert relative_error(found, expected) < condition * np.finfo(float).eps


@needs_reference
@pytest.mark.parametrize("method", ["qr", "svd", "normal-equations"])
def test_the_set_of_a_tungsten_potential(tmp_path, method):
    for path in (REFERENCE / "fit" / "w_generated").glob("*.xyz"):
        # LAMMPS computed the stresses in bar, with its size of bar. The set has them in eV/A^3.
        text = re.sub(r'stress="([^"]*)"', lambda found: 'stress="' + numbers(
            np.array(found[1].split(), dtype=float) * 1.602176634e6) + '"', path.read_text())
        (tmp_path / path.name).write_text(text)
    (tmp_path / "W.toml").write_text(
        "[snap]\nrcutfac = 4.73442\ntwojmax = 8\nbzeroflag = 0\n[[element]]\nname = 'W'\n"
        "[data]\nstress_unit = 'bar'\nstress_sign = 'tension'\n"
        "[[group]]\nname = 'all'\nfiles = '*.xyz'\nenergy_weight = 1\nforce_weight = 1\n"
        f"stress_weight = 6e-5\n[solver]\nmethod = '{method}'\n[output]\npotential = 'W'\n")
    done = larmor("fit", tmp_path / "W.toml")
    assert done.returncode == 0, done.stderr
    expected = read_coefficients(REFERENCE / "snap" / "potentials" / "W_2940_2017_2")
    assert relative_error(read_coefficients(tmp_path / "W"), expected) < 1e-11
