"""Potts models at T_c. The energy has one peak for three states and two peaks for ten. Positions
and weights are exact except for finite-size corrections."""
# Rooms: ising

import numpy as np
import pytest

import larmor
from running import run_example, script_of_example

SITES = 400
exact = script_of_example("potts-first-order")


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return run_example("potts-first-order", tmp_path_factory.mktemp("potts"), "scan.1.with.2.values=[2000, 20000]")


@pytest.fixture(scope="module")
def series(results):
    with larmor.open(results) as file:
        return {q: file.point(number).stages[0].series["energy"].value for number, q in ((0, 3), (1, 10))}


def peaks(energy):
    """Positions of the maxima of a histogram with wide bins."""
    counts, edges = np.histogram(energy, np.linspace(-2.05, -0.55, 16))
    inner = counts[1:-1]
    highest = (inner > counts[:-2]) & (inner > counts[2:])
    return ((edges[1:-2] + edges[2:-1]) / 2)[highest]


def test_three_states_have_one_peak(series):
    (place,) = peaks(series[3])
    assert place == pytest.approx(exact.energies_at_t_c(3)[0], abs=0.11)


def test_ten_states_have_two_near_the_energies_of_order_and_disorder(series):
    order, disorder = peaks(series[10])
    # The lattice is so small that the peaks lie up to a tenth too low and too high. Bins are a
    # tenth wide.
    assert (order, disorder) == pytest.approx(exact.energies_at_t_c(10), abs=0.13)


def test_order_weighs_q_times_as_much_as_disorder(series):
    (share, error), (temperature, scatter) = exact.measured(series[10], 10, SITES)
    assert abs(share - 10 / 11) < 4 * error + 0.01 and error < 0.05
    order, disorder = exact.energies_at_t_c(10)
    equal = 1 / (1 / exact.critical_temperature(10) - np.log(10) / ((disorder - order) * SITES))
    assert abs(temperature - equal) < 4 * scatter + 5e-4 and scatter < 1e-3


def test_mean_energies_are_those_of_the_phases(series):
    mean, error = exact.with_error(np.mean, series[10])
    order, disorder = exact.energies_at_t_c(10)
    assert abs(mean - (10 * order + disorder) / 11) < 4 * error + 0.01 and error < 0.04
    # At a continuous transition, energies have corrections of L^(1 / nu - 2) = L^(-4/5), with nu =
    # 5/6.
    mean, error = exact.with_error(np.mean, series[3])
    assert -0.06 < mean - exact.energies_at_t_c(3)[0] < -0.01 and error < 0.005


def test_the_latent_heat_is_baxters():
    order, disorder = exact.energies_at_t_c(10)
    assert disorder - order == pytest.approx(0.696050, abs=1e-6)
    # At q = 4, the latent heat vanishes. Duality fixes the mean of both energies.
    order, disorder = exact.energies_at_t_c(5)
    assert disorder - order == pytest.approx(0.0529, abs=1e-4)
    assert (order + disorder) / 2 == pytest.approx(-(1 + 1 / np.sqrt(5)))


def test_the_script_draws_and_prints_them(results, capsys):
    picture = results.with_name("energies.png")
    exact.main(str(results), str(picture))
    assert picture.stat().st_size > 10000
    assert "share of order" in capsys.readouterr().out
