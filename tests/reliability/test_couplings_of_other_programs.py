"""Energies of the couplings of TB2J and Vampire, compared with sums over the rows of their files.

The files are those of the examples. If LARMOR_TEST_REFERENCE names a folder with `formats`, the files of two
calculations of iron are tested too.
"""
# Rooms: imports

import os
import pathlib
import re

import h5py
import numpy as np
import pytest

from program import ROOT, assert_same_bits, larmor

MEV = 1e-3
JOULE = 1 / 1.602176634e-19
EXAMPLES = ROOT / "examples"
FORMATS = pathlib.Path(os.environ.get("LARMOR_TEST_REFERENCE", "none")) / "formats"
ABACUS = FORMATS / "Abacus_Fe_no_SOC_TB2J_results"
SIESTA = FORMATS / "Siesta_bccFe_TB2J_results"
in_reference = pytest.mark.skipif(
    not FORMATS.is_dir(), reason="LARMOR_TEST_REFERENCE does not name a folder with files of other programs")

NUMBER = r"([-+.\deE]+)"
BOND = re.compile(rf"\s*(\w+)\s+(\w+)\s+\(\s*(-?\d+),\s*(-?\d+),\s*(-?\d+)\)\s*{NUMBER}\s+\(")


def rows_of_tb2j(path, with_J_ani=False):
    """(i, j, R, 3 x 3 matrix in eV) for each row, the number of atoms, and the weight of a row."""
    lines = path.read_text().splitlines()
    labels, rows = set(), []
    for n, line in enumerate(lines):
        if match := BOND.match(line):
            i, j, *R, J = match.groups()
            labels |= {i, j}
            rows.append([i, j, tuple(map(int, R)), float(J) * np.eye(3)])
        elif "DMI:" in line:
            x, y, z = map(float, re.findall(r"-?\d+\.\d+", line))
            rows[-1][3] = rows[-1][3] + np.array([[0, z, -y], [-z, 0, x], [y, -x, 0]])
        elif with_J_ani and "J_ani:" in line:
            numbers = re.findall(r"-?\d+\.\d*", "".join(lines[n + 1:n + 4]))
            rows[-1][3] = rows[-1][3] + np.array(numbers, float).reshape(3, 3)
    labels = sorted(labels)
    return [(labels.index(i), labels.index(j), R, MEV * A) for i, j, R, A in rows], len(labels), 1.0


def rows_of_unit_cell(path):
    """As rows_of_tb2j. Vampire counts each pair once, and the file has both directions."""
    lines = [line.split() for line in path.read_text().splitlines() if line.strip() and not line.startswith("#")]
    atoms = int(lines[4][0])
    rows = []
    for _, i, j, x, y, z, *J in lines[6 + atoms:]:
        J = np.array(J, float)
        A = J[0] * np.eye(3) if len(J) == 1 else J.reshape(3, 3)
        rows.append((int(i), int(j), (int(x), int(y), int(z)), JOULE * A))
    assert len(rows) == int(lines[5 + atoms][0])
    return rows, atoms, 0.5


def energy_per_site(rows, atoms, weight, spins, size):
    """@param spins (sites, 3) in Larmor's order: the atoms of a cell, then x, y and z"""
    cells = spins.reshape(*size[::-1], atoms, 3)
    total = 0
    for i, j, (x, y, z), A in rows:
        other = np.roll(cells[..., j, :], (-z, -y, -x), axis=(0, 1, 2))
        total -= weight * np.einsum("zyxa,ab,zyxb->", cells[..., i, :], A, other)
    return total / len(spins)


def energies_and_spins(path, tmp_path, size, *options):
    """Some states of Monte Carlo from random spins: energies a site in eV, and the spins."""
    output = tmp_path / "out.h5"
    changes = [f"lattice.size={list(size)}", "lattice.periodic=[true, true, true]", "initial={state=\"random\"}",
               "stage.1.temperature=\"5000 K\"", "stage.1.thermalisation=0", "stage.1.sweeps=3",
               "stage.1.measure_every=1", "stage.1.trajectory_every=1"]
    run = larmor("run", path, "-o", output, "--force", *options,
                 *(word for change in changes for word in ("--set", change)))
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        stage = file["stages/01-monte-carlo"]
        return stage["series/energy/value"][()].reshape(-1), stage["trajectory/value"][:, 0]


def assert_energies_are_sums(path, rows, tmp_path, size):
    energies, spins = energies_and_spins(path, tmp_path, size)
    assert len(energies) == len(spins) == 3
    for energy, state in zip(energies, spins):
        assert energy == pytest.approx(energy_per_site(*rows, state, size), rel=1e-10, abs=1e-13)


def couplings(rows):
    """Larmor's coupling of each directed bond, in eV."""
    bonds, _, weight = rows
    return {(i, j, R): 2 * weight * A for i, j, R, A in bonds}


def test_example_of_tb2j(tmp_path):
    path = EXAMPLES / "from-tb2j" / "exchange.out"
    assert_energies_are_sums(path, rows_of_tb2j(path), tmp_path, (4, 5, 6))


def test_example_of_vampire(tmp_path):
    path = EXAMPLES / "from-vampire" / "iron.ucf"
    assert_energies_are_sums(path, rows_of_unit_cell(path), tmp_path, (4, 5, 6))


@in_reference
def test_two_atoms_of_tb2j(tmp_path):
    path = ABACUS / "exchange.out"
    assert_energies_are_sums(path, rows_of_tb2j(path), tmp_path, (4, 5, 6))


@in_reference
def test_one_atom_of_an_old_tb2j(tmp_path):
    path = SIESTA / "exchange.out"
    assert_energies_are_sums(path, rows_of_tb2j(path), tmp_path, (4, 5, 7))


@in_reference
@pytest.mark.parametrize("folder", [ABACUS, SIESTA], ids=["abacus", "siesta"])
def test_unit_cells_of_tb2j(tmp_path, folder):
    path = folder / "vampire.UCF"
    assert_energies_are_sums(path, rows_of_unit_cell(path), tmp_path, (4, 5, 6))


@in_reference
def test_one_calculation_has_equal_couplings_in_both_formats():
    tb2j, vampire = (couplings(rows) for rows in (rows_of_tb2j(ABACUS / "exchange.out"),
                                                  rows_of_unit_cell(ABACUS / "vampire.UCF")))
    assert tb2j.keys() == vampire.keys()
    # TB2J writes four digits of J in meV, and Larmor's coupling is twice J.
    assert max(np.abs(tb2j[bond] - vampire[bond]).max() for bond in tb2j) < 2 * 0.51e-4 * MEV


@in_reference
def test_old_unit_cells_of_tb2j_have_half_of_the_couplings():
    tb2j, vampire = (couplings(rows) for rows in (rows_of_tb2j(SIESTA / "exchange.out"),
                                                  rows_of_unit_cell(SIESTA / "vampire.UCF")))
    largest = max(np.abs(A).max() for A in tb2j.values())
    for bond in tb2j.keys() & vampire.keys():
        assert np.abs(tb2j[bond] - 2 * vampire[bond]).max() < 1e-4 * largest
    noted = larmor("check", SIESTA / "vampire.UCF")
    assert "J half as large as Vampire needs" in noted.stderr


def number(pattern, text):
    return float(re.search(pattern, text)[1])


@pytest.mark.parametrize("folder", [pytest.param(ABACUS, marks=in_reference, id="abacus"),
                                    pytest.param(SIESTA, marks=in_reference, id="siesta"),
                                    pytest.param(EXAMPLES / "from-tb2j", id="example")])
def test_notes_have_the_numbers_of_the_check(folder):
    shown = larmor("check", folder / "exchange.out")
    assert shown.returncode == 0, shown.stderr
    bonds, atoms, _ = rows_of_tb2j(folder / "exchange.out")
    J0 = sum(A[0, 0] for i, _, _, A in bonds if i == 0) / MEV
    assert number(r"J0 of Fe1, [^:]*: (\S+) meV along x", shown.stderr) == pytest.approx(J0, rel=1e-5)
    energy = number(r"ferromagnetic bond energy (\S+) eV a site", shown.stdout)
    mean = sum(A[0, 0] for _, _, _, A in bonds) / atoms
    assert energy == pytest.approx(-mean, rel=1e-5)
    assert number(r"energy of the ferromagnet in both programs: (\S+) meV", shown.stderr) == pytest.approx(
        energy / MEV, rel=1e-5)
    # For a ferromagnet of equal atoms, k_B T_c = 2/3 J0.
    T_c = number(r"mean-field T_c (\S+) K", shown.stdout)
    assert T_c == pytest.approx(2 / 3 * J0 * MEV / 8.617333262e-5, rel=1e-3)
    assert number(r"mean-field T_c: (\S+) K", shown.stderr) == pytest.approx(T_c, rel=1e-5)


@in_reference
def test_anisotropic_exchange_of_one_direction_is_taken_only_on_demand(tmp_path):
    path = SIESTA / "exchange.out"
    notes = larmor("check", path).stderr
    assert "J_ani is left out" in notes
    study = tmp_path / "iron.toml"
    converted = larmor("convert", path, "--anisotropic", "-o", study)
    assert converted.returncode == 0, converted.stderr
    assert "warning: J_ani comes from one direction" in converted.stderr
    along = [number(rf"J0 of Fe1, [^:]*: .*?(\S+) meV along {axis}", converted.stderr) for axis in "xyz"]
    assert along == pytest.approx([213.372, 213.372, -251.152], abs=1e-3)
    assert_energies_are_sums(study, rows_of_tb2j(path, with_J_ani=True), tmp_path, (4, 5, 6))


@pytest.mark.parametrize("path", [EXAMPLES / "from-tb2j" / "exchange.out", EXAMPLES / "from-vampire" / "input"],
                         ids=["tb2j", "vampire"])
def test_converted_studies_give_equal_bits(tmp_path, path):
    study = tmp_path / "study.toml"
    converted = larmor("convert", path, "-o", study)
    assert converted.returncode == 0, converted.stderr
    changes = ["--set", "lattice.size=[5, 5, 5]", "--set", "stage.1.sweeps=50", "--set", "stage.1.thermalisation=10"]
    outputs = []
    for source in (path, study):
        outputs.append(tmp_path / f"{source.stem}-{len(outputs)}.h5")
        run = larmor("run", source, "-o", outputs[-1], *changes)
        assert run.returncode == 0, run.stderr
    assert_same_bits(*outputs)


@in_reference
@pytest.mark.parametrize("folder", [ABACUS, SIESTA], ids=["abacus", "siesta"])
def test_inputs_of_vampire_from_tb2j_are_accepted(folder):
    shown = larmor("check", folder / "input", "--set", "lattice.size=[6, 6, 6]")
    assert shown.returncode == 0, shown.stderr
    assert "not needed" in shown.stderr
