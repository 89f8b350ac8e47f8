"""Loops and paths as they stand on the axes."""

import larmor
import numpy as np
import pytest
import results_file as synthetic
from larmor.plot_hysteresis import plot_hysteresis
from larmor.plot_path import plot_path
from larmor.plot_series import plot_series

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
        assert "100 / 50 meV" in axes.get_legend().get_texts()[0].get_text()
        assert axes.get_ylabel() == "Energy $E - E_0$ (meV)"
        with pytest.raises(larmor.NothingToDraw, match="field"):
            plot_hysteresis(stage)
