"""The diluted ferromagnet, compared with the number of bonds between spins and with equipartition."""
# Rooms: spins

import h5py
import numpy as np

from running import run_example


def test_low_temperatures_and_late_order(tmp_path):
    with h5py.File(run_example("diluted-ferromagnet", tmp_path)) as file:
        stage = file["/stages/01-monte-carlo"]
        temperature = stage["temperature"][:]
        energy, error = (stage[f"averages/energy/{part}"][:] for part in ("value", "error"))
        heat, heat_error = (
            stage[f"averages/specific_heat/{part}"][:] for part in ("value", "error")
        )
        magnetisation = stage["averages/magnetisation/value"][:]
        occupied = file["model/occupied"][:].astype(bool).reshape(10, 10, 10)
        mean_field = file["model"].attrs["mean_field_temperature"]
        spins = stage["configuration"][0]
    assert occupied.sum() == 800
    assert np.all(spins[~occupied.ravel()] == 0)
    bonds = sum((occupied & np.roll(occupied, 1, axis)).sum() for axis in range(3))
    ground = -bonds / 800
    assert abs(ground + 2.4) < 0.05
    assert abs(mean_field - 0.8 * 6 / 3) < 1e-12
    # Each of the two angles of a spin has k_B T / 2, except for the global rotation (1/N) and terms
    # of order T^2.
    cold = temperature <= 0.1
    assert cold.sum() == 2
    expected = ground + temperature * (1 - 1 / 800)
    assert np.all(np.abs(energy - expected)[cold] < 3.89 * error[cold] + 0.2 * temperature[cold] ** 2)
    assert np.all(np.abs(heat - 1)[cold] < 3.89 * heat_error[cold] + 0.4 * temperature[cold])
    # The perfect lattice orders at 1.443 J. The diluted lattice is disordered at 1.3 J and ordered
    # at 0.9 J.
    assert np.all(magnetisation[temperature >= 1.3] < 0.25)
    assert np.all(magnetisation[temperature <= 0.9] > 0.5)
    assert magnetisation[-1] > 0.95
