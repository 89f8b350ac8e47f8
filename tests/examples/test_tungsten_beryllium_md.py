"""The example of beryllium in tungsten: the site of the atom at high temperature."""
# Rooms: atoms

import h5py
import numpy as np
import pytest

from running import require_potential, run_example


@pytest.fixture(scope="module", autouse=True)
def potential():
    require_potential("WBe_Wood_PRB2019.snap")


def test_beryllium_goes_to_the_bond_centre(tmp_path):
    output = run_example("tungsten-beryllium", tmp_path, "stage.2.steps=600")
    with h5py.File(output) as file:
        found = file["stages/02-md/radial-distribution"]
        [line] = [number for number, pair in enumerate(found["pairs"].asstr()) if pair == "Be-W"]
        edges, value = found["edges"][()], found["value"][line]
        volume = np.linalg.det(file["stages/02-md/box"][0])
        tungsten = len(file["model/positions"]) - 1
    atoms = value * tungsten / volume * 4 * np.pi / 3 * np.diff(edges**3)
    # The atom starts among 4 atoms at 2.06 Angstrom. A bond centre has 2 atoms at 1.88 and 6 atoms
    # at 2.68.
    assert edges[:-1][np.argmax(np.where(edges[1:] < 2.3, value, 0))] == pytest.approx(1.88, abs=0.05)
    assert 1.9 < atoms[edges[1:] < 2.3].sum() < 2.7
    assert 7 < atoms[edges[1:] < 3].sum() < 8.2
