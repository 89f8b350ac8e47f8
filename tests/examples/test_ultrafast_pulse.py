"""Order is lost within a picosecond and returns. The spin temperature follows the bath at the rate of the
gyromagnetic ratio and the damping."""
# Rooms: spins

import h5py
import numpy as np

from running import run_example

# Constants in rad/(ps T), eV/T and eV/K from CODATA, not from the program; alpha and the moment
# (μB) of the study.
GAMMA, MU_B, K_B = 0.176085963, 5.7883818e-5, 8.617333e-5
ALPHA, MOMENT = 0.05, 2.23
# Temperatures of the bath (ps, K) during the heating, with times since the start of the study.
BATH = np.array([[0, 300], [0.2, 1300], [0.3, 1170]])


def series_of(path, *names):
    with h5py.File(path) as file:
        series = file["stages/02-dynamics/series"]
        return [series["energy/time"][:], *(series[f"{name}/value"][:] for name in names)]


def test_demagnetisation_and_recovery(tmp_path):
    # The crystal is smaller than in the example.
    path = run_example("ultrafast-pulse", tmp_path, "lattice.size=[8, 8, 8]")
    with h5py.File(path) as file:
        cold = file["stages/01-monte-carlo/averages/magnetisation/value"][0]
    time, moment, of_spins = series_of(path, "magnetisation", "spin_temperature")
    m = np.linalg.norm(moment, axis=2).mean(1)
    temperature = of_spins.mean(1)
    before = time < 0.3
    lowest = np.argmin(m)
    assert np.allclose(m[before], cold, rtol=0.02)
    assert np.allclose(temperature[before].mean(), 300, rtol=0.03)
    # The order is lowest after 0.5 ps, when the bath was hottest.
    assert 0.6 < time[lowest] < 1.1
    assert 0.3 * cold < m[lowest] < 0.5 * cold
    # The spins never get as hot as the bath, and finally reach its temperature.
    hottest = np.argmax(temperature)
    assert 0.5 < time[hottest] < 0.8 and 1000 < temperature[hottest] < 1300
    end = time > 5.5
    assert np.allclose(temperature[end].mean(), 450, rtol=0.03)
    assert m[lowest] < m[end].mean() < cold


def test_heat_comes_as_fast_as_the_gyromagnetic_ratio_says(tmp_path):
    """For pair interactions of spins, exactly,

        dE/dt = alpha gamma / ((1 + alpha^2) mu) 2 <e.h> k_B (T_bath - T_spins),     <e.h> = -2 E,

    with the spin temperature <|e x h|^2> / (2 k_B <e.h>). The variance of the noise in dE is proportional to
    T_bath T_spins <e.h>: with these weights, gamma comes out to one percent. An error of a tenth is detected."""
    schedule = ", ".join(f'{{ time = "{time} ps", temperature = "{kelvin} K" }}' for time, kelvin in BATH)
    finer = ["replicas=48", "stage.1.sweeps=10", "stage.2.timestep=0.5 fs", "stage.2.steps=600"]
    finer += [f"stage.2.measure.{n}.every=40" for n in (1, 2, 3)] + [f"stage.2.temperature_schedule=[{schedule}]"]
    path = run_example("ultrafast-pulse", tmp_path, *finer)
    time, energy, temperature = series_of(path, "energy", "spin_temperature")
    assert time[-1] < BATH[-1, 0] + 0.01
    energy, temperature = energy.mean(1), temperature.mean(1)
    bath = np.interp(time, *BATH.T)
    over_gamma = (ALPHA / ((1 + ALPHA**2) * MOMENT * MU_B) * -4 * energy
                  * K_B * (bath - temperature))
    expected = 0.5 * (over_gamma[1:] + over_gamma[:-1]) * np.diff(time)
    weight = (bath - temperature)[:-1] / (bath * temperature)[:-1]
    gamma = np.sum(weight * np.diff(energy)) / np.sum(weight * expected)
    assert abs(gamma / GAMMA - 1) < 0.05
