"""Lengths, axes and wave vectors of three to six digits are read as the exact values that were
rounded, with one tolerance. Ambiguous values give a note."""
# Rooms: lattice, study

import math

import h5py
import numpy as np
import pytest

from program import larmor, run_study

THIRD = 1 / 3


def honeycomb(digits, terms="[[exchange]]\nshell = 1\nJ = 1.0", stage='kind = "spin-waves"\nq = [[0, 0, 0]]'):
    """A honeycomb by cell and basis, rounded to a number of digits."""
    one, two = round(THIRD, digits), round(2 * THIRD, digits)
    return f"""
replicas = 1
[lattice]
cell = [[1, 0, 0], [-0.5, {round(math.sqrt(0.75), digits)}, 0], [0, 0, 10]]
basis = [[{one}, {two}, 0], [{two}, {one}, 0]]
size = [6, 6, 1]
periodic = [true, true, false]
{terms}
[initial]
state = "aligned"
direction = [0, 0, 1]
[[stage]]
{stage}
"""


def energies(results):
    with h5py.File(results) as file:
        return file["stages/01-monte-carlo/series/energy/value"][()]


TERMS = {
    "exchange": "[[exchange]]\nshell = 1\nJ = 1.0",
    "dmi": "[[exchange]]\nshell = 2\nJ = 0.2\n[[dmi]]\nshell = 1\nstrength = 0.7\ndirection = \"interface\"",
    "kitaev": "[[kitaev]]\nshell = 1\nK = 0.8\nGamma = 0.3",
}


@pytest.mark.parametrize("term", TERMS)
@pytest.mark.parametrize("digits", [4, 5, 6])
def test_a_honeycomb_of_few_digits_is_one(tmp_path, term, digits):
    stage = 'kind = "monte-carlo"\nsampler = "heat-bath"\ntemperature = 2.0\nthermalisation = 0\nsweeps = 20'
    run, rounded = run_study(tmp_path, honeycomb(digits, TERMS[term], stage))
    assert run.returncode == 0 and "digits" not in run.stderr, run.stderr
    found = energies(rounded)
    rounded.unlink()
    run, exact = run_study(tmp_path, honeycomb(17, TERMS[term], stage))
    # Later samples would belong to different random walks.
    np.testing.assert_allclose(found[0], energies(exact)[0], atol=1e-2)


def test_shells_that_lie_close_to_each_other_are_told(tmp_path):
    (tmp_path / "study.toml").write_text(honeycomb(3))
    check = larmor("check", tmp_path / "study.toml")
    assert check.returncode == 0 and "write positions with more digits" in check.stdout + check.stderr


def test_hexagonal_close_packing_of_five_digits_has_twelve_neighbours(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text("""
replicas = 1
[model]
kind = "ising"
[lattice]
cell = [[1, 0, 0], [-0.5, 0.86603, 0], [0, 0, 1.63299]]
basis = [[0.33333, 0.66667, 0.25], [0.66667, 0.33333, 0.75]]
size = [4, 4, 4]
[[exchange]]
shell = 1
J = 1.0
[[stage]]
kind = "monte-carlo"
temperature = 5.0
sweeps = 10
""")
    check = larmor("check", study)
    assert check.returncode == 0 and "up to 12 bonds a site" in check.stdout, check.stdout + check.stderr


def cubic(axes):
    return f"""
replicas = 1
[lattice]
type = "sc"
size = [2, 2, 2]
periodic = false
[[cubic-anisotropy]]
K4 = 0.5
axes = {axes}
[initial]
state = "aligned"
direction = [1, 0.2, 0.1]
[[stage]]
kind = "minimise"
"""


def test_axes_of_four_digits_are_at_right_angles(tmp_path):
    run, output = run_study(tmp_path, cubic("[[0.5774, 0.5774, 0.5774], [0.7071, -0.7071, 0], [0.4082, 0.4082, -0.8165]]"))
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        # Along an axis, the energy is - K4.
        assert file["stages/01-minimise/averages/energy/value"][0] == pytest.approx(-0.5, abs=1e-12)
    run, _ = run_study(tmp_path, cubic("[[1, 0, 0], [0.05, 1, 0], [0, 0, 1]]"), "--force")
    assert run.returncode == 2 and "from right angles by 2.9 degrees" in run.stderr, run.stderr


def dipoles(q):
    return f"""
replicas = 1
[lattice]
type = "triangular"
size = [6, 6]
[[exchange]]
shell = 1
J = 1.0
[dipolar]
strength = 0.01
method = "fft"
[field]
B = [0, 0, 3]
[initial]
state = "aligned"
direction = [0, 0, 1]
[[stage]]
kind = "spin-waves"
q = [[{q}, {q}, 0]]
"""


def test_a_third_of_three_digits_is_a_wave_vector_of_the_lattice(tmp_path):
    def frequency(q):
        run, output = run_study(tmp_path, dipoles(q), "--force")
        assert run.returncode == 0, run.stderr
        with h5py.File(output) as file:
            stage = file["stages/01-spin-waves/dispersion"]
            return stage["q"][()], stage["frequency"][()]

    q, exact = frequency(repr(THIRD))
    for digits in "0.333", "0.333333":
        of_digits, rounded = frequency(digits)
        np.testing.assert_array_equal(of_digits, q)
        np.testing.assert_array_equal(rounded, exact)
    run, _ = run_study(tmp_path, dipoles("0.34"), "--force")
    assert run.returncode == 2 and "is not one of them" in run.stderr


def test_a_shell_beyond_half_of_the_box_is_told_as_that(tmp_path):
    atoms = "\n".join(f"Fe {x} {y} {z}" for x in range(3) for y in range(3) for z in range(3))
    (tmp_path / "cube.xyz").write_text(f'27\nLattice="3 0 0 0 3 0 0 0 3" Properties=species:S:1:pos:R:3\n{atoms}\n')
    run, _ = run_study(tmp_path, '[lattice]\nfile = "cube.xyz"\n[[exchange]]\nshell = 4\nJ = 1.0\n'
                       '[[stage]]\nkind = "monte-carlo"\ntemperature = 1.0\nsweeps = 10\n')
    assert run.returncode == 2 and "not within half of the periodic box, 1.5" in run.stderr, run.stderr
