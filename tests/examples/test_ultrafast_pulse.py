"""Order is lost within a picosecond and comes back; the spins' own temperature follows the bath, at the
rate that the gyromagnetic ratio and the damping set."""

import h5py
import numpy as np

from running import run_example

# rad/(ps T), eV/T and eV/K, from CODATA and not from the program; of the study alpha and the moment (μB).
GAMMA, MU_B, K_B = 0.176085963, 5.7883818e-5, 8.617333e-5
ALPHA, MOMENT = 0.05, 2.23
# ps and K, as the study has them.
BATH = np.array([[0.3, 300], [0.5, 1300], [0.6, 1170], [0.7, 1059], [0.8, 966], [1.0, 819], [1.2, 715],
                 [1.5, 611], [1.8, 547], [2.2, 500], [2.7, 472], [3.5, 456], [5.0, 450]])


def heat_taken_up(time, energy, temperature):
    """Energy per atom that the bath has given by each time, in units of gamma: of pairs of spins alone,

        dE/dt = alpha gamma / ((1 + alpha^2) mu) 2 <e.h> k_B (T_bath - T_spins),   <e.h> = - 2 E,

    exactly, where the spin temperature is <|e x h|^2> / (2 k_B <e.h>)."""
    bath = np.interp(time, *BATH.T)
    rate = (ALPHA / ((1 + ALPHA**2) * MOMENT * MU_B) * -4 * energy * K_B
            * (bath[:, None] - temperature)).mean(1)
    steps = 0.5 * (rate[1:] + rate[:-1]) * np.diff(time)
    return np.concatenate(([0], np.cumsum(steps)))


def test_demagnetisation_and_recovery(tmp_path):
    with h5py.File(run_example("ultrafast-pulse", tmp_path)) as file:
        cold = file["stages/01-monte-carlo/averages/magnetisation/value"][0]
        series = file["stages/02-dynamics/series"]
        time = series["magnetisation/time"][:]
        m = np.linalg.norm(series["magnetisation/value"][:], axis=2).mean(1)
        of_spins = series["spin_temperature/value"][:]
        energy = series["energy/value"][:]
    temperature = of_spins.mean(1)
    before = time < 0.3
    lowest = np.argmin(m)
    assert np.allclose(m[before], cold, rtol=0.02)
    assert np.allclose(temperature[before].mean(), 300, rtol=0.03)
    # The order is lowest after the bath was hottest, at 0.5 ps.
    assert 0.6 < time[lowest] < 1.1
    assert 0.3 * cold < m[lowest] < 0.5 * cold
    # The spins never get as hot as the bath, and end where it does.
    hottest = np.argmax(temperature)
    assert 0.5 < time[hottest] < 0.8 and 1000 < temperature[hottest] < 1300
    end = time > 5.5
    assert np.allclose(temperature[end].mean(), 450, rtol=0.03)
    assert m[lowest] < m[end].mean() < cold
    # Heat flows in while the bath is hotter, and out again, as fast as the equation of motion says.
    heat = heat_taken_up(time, energy, of_spins)
    gained = energy.mean(1) - energy.mean(1)[0]
    peak = np.argmax(gained)
    assert gained[peak] > 0.05  # eV an atom
    assert abs(gained[peak] / heat[peak] / GAMMA - 1) < 0.03
    late = np.searchsorted(time, 2.5)
    released = (gained[late] - gained[peak]) / (heat[late] - heat[peak])
    assert abs(released / GAMMA - 1) < 0.03
