"""Loops and paths on the axes."""

import h5py
import larmor
import numpy as np
import pytest
import results_file as synthetic
from larmor.plot_hysteresis import plot_hysteresis
from larmor.plot_lifetime import plot_lifetime
from larmor.plot_path import plot_path
from larmor.plot_series import plot_series
from larmor.style import BLUE, NOTHING, VERMILLION

FIELD = np.array([1.0, 0.0, -1.0, 0.0, 1.0])
MOMENT = np.array([2.0, 1.5, -2.0, -1.5, 2.0])


@pytest.fixture
def loop(tmp_path):
    path = tmp_path / "loop.h5"
    with synthetic.create(path, units="material") as file:
        stage = synthetic.add_stage(file, "01-hysteresis")
        stage["field"] = FIELD
        stage["field"].attrs["unit"] = "T"
        synthetic.add_average(stage, "magnetisation_along", MOMENT, np.zeros(5), "μB")
        synthetic.add_series(stage, "energy", np.arange(5.0)[:, None], "eV", point=np.arange(5))
    return path


def test_a_loop_has_a_line_each_way(loop):
    with larmor.open(loop) as results:
        (axes,) = plot_hysteresis(results.stages[0], "Loop").axes
    there, back = [line for line in axes.lines if line.get_linestyle() == "-"
                   and len(line.get_xdata()) == 3]
    np.testing.assert_allclose(there.get_xydata(), np.column_stack([FIELD, MOMENT])[:3])
    np.testing.assert_allclose(back.get_xydata(), np.column_stack([FIELD, MOMENT])[2:])
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [
        "field falling", "field rising"]
    assert axes.get_xlabel() == "Field $B$ (T)"
    assert "Magnetisation along $B$" in axes.get_ylabel()


def test_the_title_of_a_loop_has_the_direction_of_the_field(loop):
    with h5py.File(loop, "a") as file:
        file["stages/01-hysteresis/direction"] = [0.6, 0.0, 0.8]
    with larmor.open(loop) as results:
        figure = plot_hysteresis(results.stages[0], "Loop")
    assert figure.get_suptitle() == "Loop\nstage 1: hysteresis, $B$ along (0.6, 0, 0.8)"


def test_marks_of_a_loop_stay_within_its_fields(loop):
    with h5py.File(loop, "a") as file:
        stage = file["stages/01-hysteresis"]
        stage["field"][:] = [3.0, 2.0, 0.0, 2.0, 3.0]
        for name, value in (("remanence", 1.5), ("saturation_field", 2.5)):
            stage[f"loop/{name}/value"], stage[f"loop/{name}/error"] = [value], [np.nan]
    with larmor.open(loop) as results:
        (axes,) = plot_hysteresis(results.stages[0], "Loop").axes
    dashed = [line.get_xdata()[0] for line in axes.lines if line.get_linestyle() == "--"]
    assert dashed == [2.5]
    (remanence,) = [line for line in axes.lines if line.get_marker() == "D"]
    np.testing.assert_array_equal(remanence.get_ydata(), [1.5, 1.5])


def legend_of(axes):
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_a_loop_shows_its_numbers(loop):
    with h5py.File(loop, "a") as file:
        group = file["stages/01-hysteresis"]
        for name, value, error, unit in [
            ("coercive_field", 0.6, 0.02, "T"), ("coercive_field_falling", -0.5, 0.02, "T"),
            ("coercive_field_rising", 0.7, 0.02, "T"), ("saturation_field", np.nan, np.nan, "T"),
            ("remanence", 1.5, np.nan, "μB"), ("energy_product", 310.0, 3.0, "kJ/m^3"),
        ]:
            for part, number in (("value", value), ("error", error)):
                group[f"loop/{name}/{part}"] = [number]
                group[f"loop/{name}/{part}"].attrs["unit"] = unit
    with larmor.open(loop) as results:
        assert repr(results.stages[0].loop["coercive_field"]) == "<LoopNumber coercive_field: 0.600(20) T>"
        (axes,) = plot_hysteresis(results.stages[0], "Loop").axes
    assert legend_of(axes) == ["field falling", "field rising", "Coercive field 0.600(20) T",
                               "Remanence 1.5 $\\mu_\\mathrm{B}$", "Energy product 310.0(30) kJ/m$^3$"]
    marks = {line.get_marker(): line.get_xydata() for line in axes.lines
             if line.get_linestyle() == "None" and len(line.get_xdata()) == 2}
    np.testing.assert_allclose(marks["o"], [[-0.5, 0], [0.7, 0]])
    np.testing.assert_allclose(marks["D"], [[0, 1.5], [0, -1.5]])


def test_a_first_curve_is_no_branch(tmp_path):
    path = tmp_path / "first.h5"
    with synthetic.create(path) as file:
        stage = synthetic.add_stage(file, "01-hysteresis")
        stage["field"] = np.concatenate([[0.0], FIELD])
        synthetic.add_average(stage, "magnetisation_along", np.concatenate([[0.0], MOMENT]), np.zeros(6))
    with larmor.open(path) as results:
        (axes,) = plot_hysteresis(results.stages[0]).axes
    colours = {line.get_color(): line.get_xdata() for line in axes.lines
               if line.get_linestyle() == "-" and len(line.get_xdata()) > 1
               and not np.array_equal(line.get_xdata(), [0, 1]) or line.get_color() == NOTHING}
    np.testing.assert_allclose(colours[BLUE], [1, 0, -1])
    np.testing.assert_allclose(colours[VERMILLION], [-1, 0, 1])
    np.testing.assert_allclose(colours[NOTHING], [0, 1])


def test_a_sweep_one_way_needs_no_legend(tmp_path):
    path = tmp_path / "sweep.h5"
    with synthetic.create(path) as file:
        stage = synthetic.add_stage(file, "01-hysteresis")
        stage["field"] = FIELD[:3]
        synthetic.add_average(stage, "magnetisation_along", MOMENT[:3], np.full(3, 0.1))
    with larmor.open(path) as results:
        (axes,) = plot_hysteresis(results.stages[0]).axes
    assert axes.get_legend() is None
    assert axes.get_xlabel() == "Field $B$"


def test_the_points_of_a_loop_are_no_series(loop, thermal):
    with larmor.open(loop) as results, pytest.raises(larmor.NothingToDraw, match="series"):
        plot_series(results.stages[0])
    with larmor.open(thermal) as results, pytest.raises(larmor.NothingToDraw, match="field"):
        plot_hysteresis(results.stages[0])


def test_energy_along_a_path(tmp_path):
    path = tmp_path / "path.h5"
    with synthetic.create(path, units="material") as file:
        group = synthetic.add_stage(file, "01-minimum-energy-path").create_group("path")
        group["reaction_coordinate"] = [0.0, 1.0, 2.0]
        group["energy"] = [-1.0, -0.9, -0.95]
        group["energy"].attrs["unit"] = "eV"
        group["interpolation/reaction_coordinate"] = np.linspace(0, 2, 5)
        group["interpolation/energy"] = [-1.0, -0.94, -0.9, -0.93, -0.95]
        group.attrs.update(saddle_image=1, barrier_forward=0.1, barrier_backward=-0.05 + 0.1)
    with larmor.open(path) as results:
        stage = results.stages[0]
        assert stage.path.saddle == 1 and "barrier 0.1 eV" in repr(stage.path)
        (axes,) = plot_path(stage, "Path").axes
        np.testing.assert_allclose(axes.lines[1].get_xydata(), [[0, 0], [1, 100], [2, 50]],
                                   atol=1e-9)
        np.testing.assert_allclose(axes.lines[0].get_ydata(), [0, 60, 100, 70, 50], atol=1e-9)
        assert [text.get_text() for text in axes.texts if text.get_text()] == ["100 meV", "50 meV"]
        assert [text.get_position()[1] for text in axes.texts if text.get_text()] == [4, 4]
        assert axes.get_ylabel() == "Energy $E - E_0$ (meV)"
        with pytest.raises(larmor.NothingToDraw, match="field"):
            plot_hysteresis(stage)


def test_a_path_that_has_not_converged_has_no_barriers(tmp_path):
    path = tmp_path / "path.h5"
    with synthetic.create(path) as file:
        stage = synthetic.add_stage(file, "01-minimum-energy-path")
        stage.attrs["converged"] = 0
        group = stage.create_group("path")
        for name in ("", "interpolation/"):
            group[name + "reaction_coordinate"] = [0.0, 1.0, 2.0]
            group[name + "energy"] = [-1.0, -0.9, -0.95]
        group.attrs["saddle_image"] = 1
    with larmor.open(path) as results:
        assert repr(results.stages[0].path).startswith("<Path: not converged")
        (axes,) = plot_path(results.stages[0]).axes
    assert [text.get_text() for text in axes.texts] == ["NOT CONVERGED: no barriers"]
    assert axes.get_legend() is None and axes.lines[0].get_linestyle() == "--"


def test_a_path_of_atoms_is_measured_in_angstrom(tmp_path):
    path = tmp_path / "path.h5"
    with synthetic.create(path, units="material") as file:
        group = synthetic.add_stage(file, "01-minimum-energy-path").create_group("path")
        for name in ("", "interpolation/"):
            group[name + "reaction_coordinate"] = [0.0, 1.0, 2.0]
            group[name + "reaction_coordinate"].attrs["unit"] = "Å"
            group[name + "energy"] = [-1.0, -0.9, -0.95]
        group.attrs["saddle_image"] = 1
    with larmor.open(path) as results:
        assert results.stages[0].path.coordinate_unit == "Å"
        (axes,) = plot_path(results.stages[0]).axes
    assert axes.get_xlabel() == "Reaction coordinate (Å)"


def path_with_lifetimes(path, temperature, log_rate):
    with synthetic.create(path, units="material") as file:
        group = synthetic.add_stage(file, "01-minimum-energy-path").create_group("lifetime")
        group["temperature"] = temperature
        group["temperature"].attrs["unit"] = "K"
        for way, sign in (("forward", 1), ("backward", 2)):
            group[f"{way}/log_rate"] = sign * np.array(log_rate)
            with np.errstate(over="ignore"):
                group[f"{way}/lifetime"] = np.exp(-sign * np.array(log_rate))
            group[f"{way}/lifetime"].attrs["unit"] = "ps"
    return path


def test_lifetimes_over_the_inverse_temperature(tmp_path):
    path = path_with_lifetimes(tmp_path / "path.h5", [40.0, 10.0, 20.0], [-200.0, -800.0, -400.0])
    with larmor.open(path) as results:
        stage = results.stages[0]
        assert stage.lifetimes.forward.value[0] == pytest.approx(np.exp(200.0))
        assert np.isinf(stage.lifetimes.forward.value[1]) and stage.lifetimes.log_backward[1] == 1600
        (axes,) = plot_lifetime(stage, "Lifetimes").axes
    first, last = axes.lines
    np.testing.assert_allclose(first.get_xydata(),
                               [[0.025, 200 / np.log(10)], [0.05, 400 / np.log(10)], [0.1, 800 / np.log(10)]])
    np.testing.assert_allclose(last.get_ydata(), 2 * first.get_ydata())
    assert legend_of(axes) == ["first state", "last state"]
    assert axes.get_ylabel() == r"$\log_{10}$ of the lifetime (ps)"
    (above,) = axes.child_axes
    assert above.get_xlabel() == "Temperature $T$ (K)"
    ticks = {float(text.get_text()): at for text, at in zip(above.get_xticklabels(), above.get_xticks())}
    assert 10 in ticks and len(ticks) > 3
    for temperature, at in ticks.items():
        assert at == pytest.approx(1 / temperature)
    assert np.all(np.diff(sorted(ticks.values())) > 0.005)
    with h5py.File(path, "a") as file:
        for way in ("forward", "backward"):
            file[f"stages/01-minimum-energy-path/lifetime/{way}/lifetime"].attrs["unit"] = ""
    with larmor.open(path) as results:
        assert plot_lifetime(results.stages[0]).axes[0].get_ylabel() == r"$\log_{10}$ of the lifetime (reduced units)"


def test_one_lifetime_is_no_picture(tmp_path):
    path = path_with_lifetimes(tmp_path / "path.h5", [40.0], [-200.0])
    with larmor.open(path) as results, pytest.raises(larmor.NothingToDraw, match="two points"):
        plot_lifetime(results.stages[0])
    with synthetic.create(tmp_path / "none.h5") as file:
        synthetic.add_stage(file, "01-minimum-energy-path")
    with larmor.open(tmp_path / "none.h5") as results:
        with pytest.raises(larmor.NothingToDraw, match="no lifetimes"):
            plot_lifetime(results.stages[0])
        with pytest.raises(larmor.NotInResults, match="lifetime"):
            results.stages[0].lifetimes
