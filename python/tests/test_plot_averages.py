"""Averages and series on the axes."""

import h5py
import larmor
import numpy as np
import pytest
import results_file as synthetic
from larmor.plot_averages import plot_averages, uses_log_axis
from larmor.plot_ladder import plot_ladder
from larmor.plot_overlap import plot_overlap
from larmor.plot_population import plot_population
from larmor.plot_series import plot_series


def axes_labelled(figure, text):
    found = [axes for axes in figure.axes if text in axes.get_ylabel()]
    assert len(found) == 1, [axes.get_ylabel() for axes in figure.axes]
    return found[0]


def error_bars(axes):
    """Lengths of the error bars; None for a point without a bar."""
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
    # NaN marks an unknown error.
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
    assert (axes.get_xlabel(), axes.get_ylabel()) == (r"Hopping parameter $\kappa$", "Action $S$ (per site)")


def test_rungs_that_differ_in_a_field_are_drawn_against_it(tmp_path):
    path = tmp_path / "rungs.h5"
    with synthetic.create(path) as file:
        stage = synthetic.add_stage(file, "01-tempering")
        stage["field"] = np.array([0.2, -0.1])
        synthetic.add_average(stage, "energy", np.array([1.0, 2.0]), np.ones(2), "")
    with larmor.open(path) as results:
        (axes,) = plot_averages(results.stages[0]).axes
    np.testing.assert_allclose(axes.containers[0].lines[0].get_xdata(), [-0.1, 0.2])
    assert axes.get_xlabel() == "Field $B$"


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
    np.testing.assert_allclose(axes.lines[1].get_ydata(), [8.5, 10.5, 12.5, 14.5])
    assert axes.get_ylabel() == "Energy $E$ (eV per site)"
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


def tempered(path, tuned=True):
    """Results of three ladders of four rungs."""
    with synthetic.create(path) as file:
        stage = synthetic.add_stage(file, "01-tempering")
        stage.attrs["rungs"] = 4
        synthetic.add_temperature(stage, np.array([1.0, 1.5, 2.0, 4.0]))
        rung = np.tile(np.arange(4.0), (20, 3))
        synthetic.add_series(stage, "energy", rung - 4, point=np.zeros(20))
        ladder = stage.create_group("ladder")
        ladder.attrs.update(of="temperature", ladders=3)
        for name, value in (("acceptance", [0.5, 0.4, 0.01]), ("flow", [1, 0.9, 0.8, 0]),
                            ("round_trip_time", [300.0]), ("round_trip_rate", [0.1])):
            ladder[name], ladder[f"{name}_error"] = value, np.full(len(value), 0.01)
        ladder["diffusivity"], ladder["stuck"] = [2.0, 1.0, 0.1], [0.0, 0.0, 1.0]
        ladder["round_trips"] = [5.0, 6.0, 7.0]
        if tuned:
            ladder["tried"] = np.array([[1.0, 2.0, 3.0, 4.0], [1.0, 1.4, 2.2, 4.0]])


def test_a_ladder_shows_acceptance_flow_and_its_tuning(tmp_path):
    tempered(tmp_path / "ladder.h5")
    with larmor.open(tmp_path / "ladder.h5") as results:
        ladder = results.stages[0].ladder
        assert list(ladder.stuck) == [False, False, True] and "18 round trips" in repr(ladder)
        value, error = ladder.estimates["acceptance"]
        assert list(value) == list(ladder.acceptance) and list(error) == list(ladder.acceptance_error)
        acceptance, flow, tuning = plot_ladder(results.stages[0], "Title").axes
    np.testing.assert_allclose(acceptance.containers[0].lines[0].get_xdata(), [1.25, 1.75, 3.0])
    np.testing.assert_allclose(acceptance.containers[0].lines[0].get_ydata(), [0.5, 0.4, 0.01])
    assert acceptance.get_legend_handles_labels()[1] == ["replicas seldom pass"]
    np.testing.assert_allclose(flow.containers[0].lines[0].get_ydata(), [1, 0.9, 0.8, 0])
    assert "300" in flow.get_title(loc="right")
    np.testing.assert_allclose([line.get_ydata()[-1] for line in tuning.lines], [1.0, 1.5, 2.0, 4.0])


def test_a_ladder_that_was_given_shows_how_fast_replicas_diffuse(tmp_path):
    tempered(tmp_path / "ladder.h5", tuned=False)
    with larmor.open(tmp_path / "ladder.h5") as results:
        axes = axes_labelled(plot_ladder(results.stages[0]), "Diffusivity")
    np.testing.assert_allclose(axes.containers[0].lines[0].get_ydata(), [2.0, 1.0, 0.1])


def test_only_tempering_has_a_ladder(thermal):
    with larmor.open(thermal) as results, pytest.raises(larmor.NothingToDraw, match="no ladder"):
        plot_ladder(results.stages[0])


def test_series_of_a_ladder_have_a_line_a_rung(tmp_path):
    tempered(tmp_path / "ladder.h5")
    with larmor.open(tmp_path / "ladder.h5") as results:
        axes = axes_labelled(plot_series(results.stages[0]), "Energy")
    assert [line.get_ydata()[0] for line in axes.lines] == [-4, -3, -2, -1]


def test_a_population_shows_its_free_energy_and_its_families(tmp_path, thermal):
    path = tmp_path / "population.h5"
    with synthetic.create(path) as file:
        stage = synthetic.add_stage(file, "01-population-annealing")
        synthetic.add_temperature(stage, np.array([4.0, 2.0, 1.0]))
        for name, value in (("free_energy", [-3.0, -2.0, -1.5]), ("entropy", [0.7, 0.4, 0.1])):
            synthetic.add_average(stage, name, value, [0.1, 0.2, 0.3])
        for name, value in (("size", [100, 98, 103]), ("families", [100, 60, 30]), ("overlap", [1, 0.8, 0.8]),
                            ("largest_family", [1, 5, 9]), ("mean_square_family_size", [1, 3, 6]),
                            ("entropic_family_size", [1, 2, 4])):
            stage[f"population/{name}"] = np.array(value, dtype=float)
    with larmor.open(path) as results:
        figure = plot_population(results.stages[0], "Title")
        assert list(results.stages[0].population["families"]) == [100, 60, 30]
    np.testing.assert_allclose(axes_labelled(figure, "Free energy").containers[0].lines[0].get_ydata(),
                               [-3, -2, -1.5])
    assert error_bars(axes_labelled(figure, "Entropy")) == pytest.approx([0.2, 0.4, 0.6])
    families = axes_labelled(figure, "Number of replicas")
    lines = {line.get_label(): list(line.get_ydata()) for line in families.lines}
    assert lines["families"] == [100, 60, 30] and lines[r"$\rho_t$"] == [1, 3, 6]
    with larmor.open(thermal) as results, pytest.raises(larmor.NothingToDraw, match="a population"):
        plot_population(results.stages[0])


def add_overlap(stage, rungs, blocks):
    """Makes values that equal the number of their row or column."""
    for name in ("overlap_square", "overlap_binder", "correlation_length_ratio", "energy", "energy_from_links"):
        shape = (len(blocks), rungs)
        stage[f"overlap/{name}/value"] = np.arange(rungs, dtype=float)
        stage[f"overlap/{name}/error"] = np.full(rungs, 0.1)
        stage[f"overlap/blocks/{name}/value"] = np.arange(np.prod(shape), dtype=float).reshape(shape)
        stage[f"overlap/blocks/{name}/error"] = np.full(shape, 0.2)
    stage["overlap/blocks/last_sweep"] = np.array(blocks, dtype=float)
    stage["overlap/blocks/point"] = np.zeros(len(blocks))
    stage["overlap/distribution/edges"] = np.array([-1.0, 0.0, 1.0])
    stage["overlap/distribution/value"] = np.tile([0.75, 0.25], (rungs, 1))
    stage["overlap/distribution/error"] = np.full((rungs, 2), 0.05)


def test_overlaps_show_their_distribution_and_whether_blocks_agree(tmp_path, thermal):
    path = tmp_path / "overlap.h5"
    with synthetic.create(path) as file:
        stage = synthetic.add_stage(file, "01-tempering")
        synthetic.add_temperature(stage, np.array([3.0, 2.0, 1.0]))
        add_overlap(stage, 3, [4, 8])
    with larmor.open(path) as results:
        figure = plot_overlap(results.stages[0], "Title")
        assert list(results.stages[0].overlap.averages["overlap_binder"].value) == [0, 1, 2]
    distribution, ordered, blocks = figure.axes
    assert [list(curve.get_data().values) for curve in distribution.patches] == 3 * [[0.75, 0.25]]
    assert [curve.get_label() for curve in ordered.containers] == [r"$\xi / L$", "$g$"]
    # The blocks belong to the lowest temperature, which is the last.
    assert [list(curve.lines[0].get_ydata()) for curve in blocks.containers] == 2 * [[2, 5]]
    assert list(blocks.containers[0].lines[0].get_xdata()) == [4, 8]
    with larmor.open(thermal) as results, pytest.raises(larmor.NotInResults, match="overlap"):
        plot_overlap(results.stages[0])
