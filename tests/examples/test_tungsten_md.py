"""The tungsten example: temperature, pressure, lattice constant and their fluctuations."""
# Rooms: atoms

import h5py
import numpy as np
import pytest

from running import require_potential, run_example

k_B = 8.617333262e-5
ATOMS = 54


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    """The second stage of the example, for a smaller crystal."""
    require_potential("W_2940_2017_2.snap")
    output = run_example("tungsten-md", tmp_path_factory.mktemp("tungsten"), "lattice.size=[3, 3, 3]",
                         "stage.2.steps=2500")
    with h5py.File(output) as file:
        found = file["stages/02-md"]
        return {name: (found[f"averages/{name}/value"][0], found[f"averages/{name}/error"][0],
                       found[f"series/{name}/value"][()]) for name in found["series"]}


def test_temperature_and_its_scatter(stage):
    mean, error, series = stage["temperature"]
    assert error < 8 and abs(mean - 300) < 4 * error
    assert series.std(axis=0) == pytest.approx(300 * np.sqrt(2 / (3 * ATOMS - 3)), rel=0.35)


def test_pressure_and_volume(stage):
    mean, error, _ = stage["pressure"]
    assert error < 0.5 and abs(mean) < 4 * error
    mean, error, series = stage["volume"]
    # The larger crystal of the example gives 3.1858(4).
    assert abs((mean / 27) ** (1 / 3) - 3.1858) < 0.006
    # The variance of the volume is k_B T V / B, with the bulk modulus B.
    bulk_modulus = 160.2176634 * k_B * 300 * mean / series.std(axis=0).mean() ** 2
    assert 200 < bulk_modulus < 450


def test_little_of_the_energy_is_lost(stage):
    conserved, total = stage["conserved_quantity"][2], stage["total_energy"][2]
    assert np.ptp(conserved, axis=0).max() < 0.01 < 0.02 * np.ptp(total, axis=0).min()
