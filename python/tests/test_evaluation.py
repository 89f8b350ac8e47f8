"""larmor.evaluation and the calculator of ASE, with the program."""

import importlib.util
import os
import shutil
from pathlib import Path

import larmor
import numpy as np
import pytest

from larmor.evaluation import Potential, Structure, evaluate, read_evaluated

PROGRAM = os.environ.get("LARMOR", str(Path(__file__).resolve().parents[2] / "build" / "release" / "larmor"))
needs_ase = pytest.mark.skipif(importlib.util.find_spec("ase") is None, reason="no ASE here")
CELL = np.array([[3.4, 0, 0], [0.5, 5.1, 0], [-0.3, 0.8, 4.6]])
SYMBOLS = ["W", "Be", "W", "W"]
POSITIONS = np.array([[0.1, 0.0, 0.2], [1.7, 1.1, 0.4], [0.3, 2.6, 2.1], [2.2, 3.9, 0.9]])


@pytest.fixture
def prefix(tmp_path):
    """Files of an artificial potential with 2J = 1."""
    if shutil.which(PROGRAM) is None:
        pytest.skip("no program here")
    (tmp_path / "x.snapcoeff").write_text("2 3\nW 0.5 1\n-0.3\n0.02\n-0.03\nBe 0.42 0.96\n0.2\n-0.01\n0.02\n")
    (tmp_path / "x.snapparam").write_text("rcutfac 4.7\ntwojmax 1\n")
    return tmp_path / "x"


def test_frames_of_the_program_are_read():
    header = ('Lattice="2 0 0 0 2 0 0 0 2" Properties=species:S:1:pos:R:3:energies:R:1:bispectrum:R:2:forces:R:3 '
              'pbc="T T T" energy=-3.5 virial="1 2 3 2 4 5 3 5 6"')
    text = f"2\n{header}\nW 0 0 0 -1 7 8 1 2 3\nW 1 1 1 -2.5 9 10 4 5 6\n"
    first, second = read_evaluated(text + text.replace(' virial="1 2 3 2 4 5 3 5 6"',
                                                       ' virial="1 0 0 0 1 0 0 0 1" stress="2 0 0 0 2 0 0 0 3"'))
    assert first.energy == -3.5 and list(first.energies) == [-1, -2.5]
    assert np.array_equal(first.forces, [[1, 2, 3], [4, 5, 6]])
    assert np.array_equal(first.bispectrum, [[7, 8], [9, 10]])
    assert np.array_equal(first.virial, [[1, 2, 3], [2, 4, 5], [3, 5, 6]]) and first.stress is None
    assert second.stress[2, 2] == 3


def test_structures_are_evaluated_together(prefix):
    strained = Structure(SYMBOLS, POSITIONS @ (np.eye(3) * 1.01), CELL @ (np.eye(3) * 1.01))
    cluster = Structure(SYMBOLS, POSITIONS, None, (False, False, False))
    structures = [Structure(SYMBOLS, POSITIONS, CELL), strained, cluster]
    found = evaluate(structures, Potential(prefix, zbl=(2.0, 3.1)), bispectrum=True, threads=2, program=PROGRAM)
    alone = [evaluate([s], Potential(prefix, zbl=(2.0, 3.1)), backend="cpu", program=PROGRAM)[0] for s in structures]
    assert [f.energy for f in found] == [f.energy for f in alone]
    assert found[0].bispectrum.shape == (4, 2) and alone[0].bispectrum is None
    assert np.allclose(found[0].stress, -found[0].virial / np.linalg.det(CELL), rtol=1e-14)
    assert found[2].stress is None
    assert np.abs(found[0].forces.sum(axis=0)).max() < 1e-11


def test_directions_are_periodic_where_there_is_a_cell():
    assert 'pbc="F F F"' in Structure(SYMBOLS, POSITIONS).text()
    assert 'pbc="T T T"' in Structure(SYMBOLS, POSITIONS, CELL).text()
    assert 'pbc="T F T"' in Structure(SYMBOLS, POSITIONS, CELL * [[1], [0], [1]]).text()
    assert 'pbc="T F F"' in Structure(SYMBOLS, POSITIONS, CELL, (True, False, False)).text()
    with pytest.raises(ValueError, match="a cell of shape"):
        Structure(SYMBOLS, POSITIONS, [3.0, 3.0, 3.0]).text()


def test_atoms_without_a_cell_are_evaluated(prefix):
    cluster = Structure(SYMBOLS, POSITIONS, None, (False, False, False))
    found = evaluate([Structure(SYMBOLS, POSITIONS), cluster], Potential(prefix), program=PROGRAM)
    assert found[0].energy == found[1].energy and found[0].stress is None


def test_what_the_program_refuses_is_an_error(prefix):
    with pytest.raises(larmor.InputError, match="the potential has no element 'Fe'"):
        evaluate([Structure(["Fe"], np.zeros((1, 3)), CELL)], Potential(prefix), program=PROGRAM)
    with pytest.raises(larmor.InputError, match="^backend"):
        evaluate([Structure(["W"], np.zeros((1, 3)), CELL)], Potential(prefix), backend="abacus", program=PROGRAM)
    with pytest.raises(larmor.MachineError, match="there is no program"):
        evaluate([Structure(["W"], np.zeros((1, 3)), CELL)], Potential(prefix), program="no-such-program")
    assert evaluate([], Potential(prefix), program=PROGRAM) == []
    with pytest.raises(ValueError, match="2 symbols"):
        Structure(["W", "W"], np.zeros((1, 3))).text()


@needs_ase
def test_the_calculator_has_the_signs_and_the_order_of_ase(prefix):
    from ase import Atoms
    from ase.calculators.fd import calculate_numerical_forces, calculate_numerical_stress

    from larmor.ase import LarmorSnap

    atoms = Atoms(SYMBOLS, POSITIONS, cell=CELL, pbc=True, calculator=LarmorSnap(prefix, zbl=(2.0, 3.1), program=PROGRAM))
    assert np.allclose(atoms.get_forces(), calculate_numerical_forces(atoms, eps=1e-4), atol=1e-5)
    stress = atoms.get_stress()
    assert np.abs(stress).min() > 1e-5 and len(set(np.round(stress, 8))) == 6
    assert np.allclose(stress, calculate_numerical_stress(atoms, eps=1e-4), atol=1e-6 * np.abs(stress).max())
    assert atoms.get_potential_energies().sum() == pytest.approx(atoms.get_potential_energy(), rel=1e-13)
    assert atoms.calc.get_bispectrum(atoms).shape == (4, 2)


@needs_ase
def test_a_molecule_has_no_stress(prefix):
    from ase import Atoms
    from ase.calculators.calculator import PropertyNotImplementedError

    from larmor.ase import LarmorSnap

    pair = Atoms("WBe", [[0, 0, 0], [2.0, 0, 0]], calculator=LarmorSnap(prefix, program=PROGRAM))
    assert pair.get_forces()[0, 0] == -pair.get_forces()[1, 0] != 0
    with pytest.raises(PropertyNotImplementedError):
        pair.get_stress()


@needs_ase
def test_ase_reads_the_output(prefix, tmp_path):
    import subprocess

    from ase import Atoms
    from ase.io import read, write

    from larmor.ase import LarmorSnap

    atoms = Atoms(SYMBOLS, POSITIONS, cell=CELL, pbc=True)
    write(tmp_path / "in.extxyz", [atoms, atoms])
    subprocess.run([PROGRAM, "evaluate", tmp_path / "in.extxyz", "--snap", prefix, "--bispectrum", "-o",
                    tmp_path / "out.extxyz"], check=True, capture_output=True)
    back = read(tmp_path / "out.extxyz", index=1)
    atoms.calc = LarmorSnap(prefix, program=PROGRAM)
    assert back.get_potential_energy() == atoms.get_potential_energy()
    assert np.array_equal(back.get_forces(), atoms.get_forces())
    assert np.allclose(back.get_stress(), atoms.get_stress(), rtol=1e-14)
    assert back.arrays["bispectrum"].shape == (4, 2)
