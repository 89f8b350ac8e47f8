"""Averages and series as they stand on the axes."""

import h5py
import larmor
import numpy as np
import pytest
import results_file as synthetic
from larmor.plot_averages import plot_averages, uses_log_axis
from larmor.plot_series import plot_series


def axes_labelled(figure, text):
    found = [axes for axes in figure.axes if text in axes.get_ylabel()]
    assert len(found) == 1, [axes.get_ylabel() for axes in figure.axes]
    return found[0]


def error_bars(axes):
    """Lengths of the bars; None of a point that has none."""
    return [np.ptp(ends[:, 1]) if len(ends) else None
            for ends in axes.containers[0].lines[2][0].get_segments()]


def test_energy_in_mev_with_its_error_bars(thermal):
    with larmor.open(thermal) as results:
        axes = axes_labelled(plot_averages(results.stages[0], "Title"), "Energy")
    assert axes.get_ylabel() == "Energy $E$ (meV per site)"
    assert axes.get_xlabel() == "Temperature $T$ (K)"
    x, y = axes.containers[0].lines[0].get_data()
    np.testing.assert_allclose(x, [0.5, 1.0, 1.5])
    np.testing.assert_allclose(y, [-300, -200, -100])
    # An error of NaN is not known.
    assert error_bars(axes) == [pytest.approx(20), pytest.approx(40), None]


def test_cooling_is_drawn_in_order_of_temperature(tmp_path):
    path = tmp_path / "anneal.h5"
    with synthetic.create(path) as file:
        stage = synthetic.add_stage(file, "01-anneal")
        synthetic.add_temperature(stage, np.array([10.0, 1.0, 0.1]))
        synthetic.add_average(stage, "specific_heat", np.array([3.0, 2.0, 1.0]), np.ones(3), "k_B")
    with larmor.open(path) as results:
        (axes,) = plot_averages(results.stages[0]).axes
    np.testing.assert_allclose(axes.containers[0].lines[0].get_ydata(), [1, 2, 3])
    assert axes.get_xscale() == "log"
    assert axes.get_xlabel() == r"Temperature $k_\mathrm{B}T$"
    assert axes.get_ylabel() == r"Specific heat $C$ ($k_\mathrm{B}$ per site)"


@pytest.mark.parametrize(("kind", "highest", "expected"), [
    ("anneal", 10**1.6, True), ("anneal", 10**1.4, False), ("monte-carlo", 10**1.6, False),
    ("monte-carlo", 10**2.1, True)])
def test_log_axis_where_temperatures_span_decades(kind, highest, expected):
    assert uses_log_axis(kind, np.array([highest, 1.0])) is expected


def test_fields_are_drawn_against_kappa(tmp_path):
    path = tmp_path / "fields.h5"
    with synthetic.create(path) as file:
        stage = synthetic.add_stage(file, "01-monte-carlo")
        stage["kappa"] = np.array([0.3, 0.1])
        synthetic.add_average(stage, "action", np.array([1.0, 2.0]), np.ones(2), "")
    with larmor.open(path) as results:
        np.testing.assert_allclose(results.stages[0].kappa, [0.3, 0.1])
        (axes,) = plot_averages(results.stages[0]).axes
    np.testing.assert_allclose(axes.containers[0].lines[0].get_xdata(), [0.1, 0.3])
    np.testing.assert_allclose(axes.containers[0].lines[0].get_ydata(), [2, 1])
    assert (axes.get_xlabel(), axes.get_ylabel()) == (r"$\kappa$", "Action $S$ (per site)")


def test_one_point_is_no_curve(tmp_path):
    path = tmp_path / "one.h5"
    with synthetic.create(path) as file:
        stage = synthetic.add_stage(file, "01-monte-carlo")
        synthetic.add_temperature(stage, np.array([1.0]))
        synthetic.add_average(stage, "energy", np.array([1.0]), np.array([0.1]))
    with larmor.open(path) as results, pytest.raises(larmor.NothingToDraw, match="two points"):
        plot_averages(results.stages[0])


def test_points_of_an_interrupted_stage(thermal):
    with h5py.File(thermal, "a") as file:
        group = file["stages/01-monte-carlo/averages/energy"]
        for name in ("value", "error"):
            short = group[name][:2]
            del group[name]
            group[name] = short
    with larmor.open(thermal) as results:
        axes = axes_labelled(plot_averages(results.stages[0]), "Energy")
    np.testing.assert_allclose(axes.containers[0].lines[0].get_xdata(), [0.5, 1.0])


def test_monte_carlo_series_has_a_line_a_temperature(thermal):
    with larmor.open(thermal) as results:
        figure = plot_series(results.stages[0])
    axes = axes_labelled(figure, "Energy")
    assert len(axes.lines) == 3
    np.testing.assert_allclose(axes.lines[1].get_ydata(), 1000 * np.array([8.5, 10.5, 12.5, 14.5]))
    assert axes.get_xlabel() == "Sweep"
    axes_labelled(figure, "Temperature $T$ (K)")


def test_dynamics_series_shows_the_change_of_energy(dynamic):
    with larmor.open(dynamic) as results:
        axes = axes_labelled(plot_series(results.stages[0]), "E - E_0")
    x, y = axes.lines[0].get_data()
    np.testing.assert_allclose(x, 0.1 * np.arange(5))
    np.testing.assert_allclose(y, 0.2 * x, atol=1e-12)
    assert axes.get_title(loc="right") == "$E_0 = -1.5$"


def test_magnetisation_series_has_components_and_length(dynamic):
    with larmor.open(dynamic) as results:
        axes = axes_labelled(plot_series(results.stages[0]), "Magnetisation")
    lines = {line.get_label(): line.get_ydata() for line in axes.lines}
    assert list(lines) == ["$M_x$", "$M_y$", "$M_z$", "$|M|$"]
    np.testing.assert_allclose(lines["$M_x$"], 0)
    np.testing.assert_allclose(lines["$|M|$"], 0.5)
    assert axes.get_xlabel() == "Time $t$"
