"""Pictures that Results.plot and Stage.plot draw for notebooks."""

import subprocess
import sys

import larmor
import numpy as np
import pytest
import results_file as synthetic
from matplotlib.figure import Figure


def test_plot_returns_the_axes_of_all_pictures(thermal):
    with larmor.open(thermal) as results:
        panels = results.plot()
        same = results.stages[0].plot()
        averages = results.stages[0].plot("averages")
    assert len(panels.figures) == len(same.figures) == 3 and len(panels) == len(same)
    assert any("Energy" in axes.get_ylabel() for axes in averages) and panels[0].figure is panels.figures[0]


def test_a_notebook_shows_the_pictures(thermal):
    with larmor.open(thermal) as results:
        shown = results.plot("averages")._repr_html_()
    assert shown.startswith('<img src="data:image/png;base64,iVBORw0KGgo') and shown.count("<img") == 1


def test_a_name_draws_an_average_or_a_series(thermal, dynamic):
    axes = Figure().subplots()
    with larmor.open(thermal) as results:
        (drawn,) = results.stages[0].plot("magnetisation", axes)
    assert drawn is axes and axes.lines[0].get_xydata().tolist() == [[0.5, 2], [1, 1], [1.5, 0.1]]
    with larmor.open(dynamic) as results:
        (drawn,) = results.stages[0].plot("energy")
    assert len(drawn.lines) == 2 and drawn.get_xlabel().startswith("Time")


def test_a_picture_takes_the_place_of_axes(thermal):
    figure = Figure()
    left, right = figure.subplots(1, 2)
    with larmor.open(thermal) as results:
        panels = results.stages[0].plot("averages", right)
    assert right not in figure.axes and left in figure.axes
    assert panels.figures == [figure]
    figure.canvas.draw()
    edge = left.get_position().x1
    assert all(axes.get_window_extent().x0 > edge * figure.bbox.width for axes in panels)


def test_what_cannot_be_drawn_is_told(thermal, tmp_path):
    path = tmp_path / "one.h5"
    with synthetic.create(path) as file:
        synthetic.add_average(synthetic.add_stage(file, "01-minimise"), "energy", np.array([-1.0]), np.array([0.1]))
    with larmor.open(path) as results, pytest.raises(larmor.NothingToDraw, match="energy has one point"):
        results.stages[0].plot("energy")
    with larmor.open(thermal) as results:
        stage = results.stages[0]
        with pytest.raises(larmor.NotInResults, match="no picture, average or series 'avrages' .* 'averages'"):
            stage.plot("avrages")
        with pytest.raises(larmor.NothingToDraw, match="path"):
            stage.plot("path")
        with pytest.raises(ValueError, match="choose it with what"):
            stage.plot(ax=Figure().subplots())
        with pytest.raises(ValueError, match="not a subplot"):
            stage.plot("averages", Figure().add_axes((0, 0, 1, 1)))


def test_reading_imports_no_package_of_pictures_or_tables(thermal):
    names = ["matplotlib", "pandas", "xarray", "ase"]
    code = (f"import sys, larmor; r = larmor.open({str(thermal)!r}); r.stages[0].averages['energy']; "
            f"print([name for name in {names} if name in sys.modules])")
    path = [entry for entry in sys.path if entry]
    done = subprocess.run([sys.executable, "-c", f"import sys; sys.path[:0] = {path!r}; {code}"], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
