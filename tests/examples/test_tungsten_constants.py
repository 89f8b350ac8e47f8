"""The example of tungsten's constants: the numbers of its page, which agree with LAMMPS, and phonons
compared with elasticity."""
# Rooms: atoms

import os

import numpy as np
import pytest

from running import LARMOR, require_potential, run_example, script_of_example


@pytest.fixture(scope="module")
def script():
    return script_of_example("tungsten-constants", "constants")


@pytest.fixture(scope="module")
def cells(script, tmp_path_factory):
    """The perfect cell and one with a vacancy."""
    require_potential("W_2940_2017_2.snap")
    os.environ.setdefault("LARMOR", LARMOR)
    return list(script.relaxed_cells(run_example("tungsten-constants", tmp_path_factory.mktemp("constants"))))


@pytest.fixture(scope="module")
def constant(cells):
    return cells[0].volume ** (1 / 3)


def test_relaxed_cells(script, cells, constant):
    # Numbers of LAMMPS 22 July 2025, docs/benchmarks/peers/tungsten_constants.py, to their last digit.
    assert constant == pytest.approx(3.180460, abs=1e-6)
    assert cells[0].energy / 2 == pytest.approx(-11.028325, abs=1e-6)
    energy, volume = script.vacancy_formation(*cells)
    assert energy == pytest.approx(3.22300, abs=1e-5)
    assert volume == pytest.approx(0.67950, abs=1e-5)


def test_elastic_constants(script, constant):
    assert script.elastic_constants(constant) == pytest.approx((517.727, 194.529, 144.294), abs=1e-3)


def test_phonons(script, constant):
    phonons = script.force_constants(constant)
    points = 2 * np.pi / constant * np.array([script.POINTS[name] for name in "HPN"])
    assert phonons.frequencies(points) == pytest.approx(
        np.array([[5.1836] * 3, [5.4110] * 3, [4.1214, 4.2995, 6.0861]]), abs=1e-4)
    # Long waves are sound waves.
    velocities = script.sound(script.elastic_constants(constant), constant)
    for name, point in (("H", points[0]), ("N", points[2])):
        q = 0.01 * point
        found = 2 * np.pi * phonons.frequencies(q[None])[0] / np.linalg.norm(q)
        assert found == pytest.approx(velocities[name], rel=1e-3)
