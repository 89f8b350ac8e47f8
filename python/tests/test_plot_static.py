"""S(q) at equal times: lines along a path and maps of a grid, one for each temperature."""

import h5py
import larmor
import numpy as np
import pytest
import results_file as synthetic
from larmor.plot_structure_factor import plot_structure_factor


def write(path, q, temperatures=1, grid=None, tensor=True):
    """Writes S(q) = 1 + T cos^2(pi qx) + number of q / 100, with half of it in xx, and returns
    S(q), [P, Q]."""
    temperature = 0.5 * (1 + np.arange(temperatures))
    static = (1 + temperature[:, None] * np.cos(np.pi * q[:, 0]) ** 2 + np.arange(len(q)) / 100)
    components = np.einsum("pq,a->pqa", static, [0.5, 0.25, 0.25])
    whole = np.einsum("pqa,ab->pqab", components, np.eye(3)).astype(complex)
    whole[..., 0, 1], whole[..., 1, 0] = 0.1j, -0.1j
    with synthetic.create(path) as file:
        stage = synthetic.add_stage(file, "01-monte-carlo")
        group = synthetic.add_static_structure_factor(stage, q, temperature, static,
                                                      whole if tensor else None)
        if grid is not None:
            synthetic.mark_as_grid(group, *grid)
    return static


def draw(path, **options):
    with larmor.open(path) as results:
        return plot_structure_factor(results.stages[0], "Title", **options)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "static.h5"


LINE = np.column_stack([np.linspace(0, 0.5, 6), np.zeros(6), np.zeros(6)])


def test_everything_is_read(path):
    static = write(path, LINE, temperatures=3)
    with larmor.open(path) as results:
        factor = results.stages[0].structure_factor
        np.testing.assert_allclose(factor.static, static)
        np.testing.assert_allclose(factor.static_error, 0.1 * static)
        assert factor.temperature.tolist() == [0.5, 1.0, 1.5] and factor.temperature_unit == ""
        assert factor.samples.tolist() == [800] * 3 and factor.autocorrelation_time.shape == (3, 6)
        np.testing.assert_array_equal(factor.reliable, static > 1)
        assert factor.tensor.shape == (3, 6, 3, 3)
        assert np.all(factor.tensor[..., 0, 1] == 0.1j)
        np.testing.assert_allclose(np.trace(factor.tensor, axis1=2, axis2=3), static)
        assert "6 q x 3 temperatures" in repr(factor)


@pytest.mark.parametrize("temperatures", [1, 3, 12])
def test_a_line_of_each_temperature_with_error_bars(path, temperatures):
    static = write(path, LINE, temperatures)
    figure = draw(path)
    axes = figure.axes[0]
    assert len(axes.containers) == temperatures
    for container, expected in zip(axes.containers, static):
        np.testing.assert_allclose(container.lines[0].get_ydata(), expected)
        segments = container.lines[2][0].get_segments()
        np.testing.assert_allclose([end[1] - begin[1] for begin, end in segments], 0.2 * expected)
    assert (axes.get_legend() is not None) == (temperatures == 3)
    assert (len(figure.axes) == 2) == (temperatures == 12)


def test_what_has_no_error_has_no_bar(path):
    write(path, LINE)
    with h5py.File(path, "a") as file:
        file["stages/01-monte-carlo/structure-factor/static_error"][0, 1] = np.nan
    segments = draw(path).axes[0].containers[0].lines[2][0].get_segments()
    assert [len(ends) for ends in segments] == [2, 0, 2, 2, 2, 2]


def test_one_component(path):
    static = write(path, LINE)
    axes = draw(path, component="xx").axes[0]
    np.testing.assert_allclose(axes.containers[0].lines[0].get_ydata(), 0.5 * static[0])
    assert "{xx}" in axes.get_ylabel()


def test_components_that_were_not_measured_are_told(path):
    write(path, LINE, tensor=False)
    with pytest.raises(larmor.NothingToDraw, match="components = true"):
        draw(path, component="xx")


@pytest.mark.parametrize("temperatures, shown", [(1, [0]), (3, [0, 1, 2]), (7, [0, 2, 4, 6])])
def test_a_map_of_temperatures(path, temperatures, shown):
    static = write(path, synthetic.square_grid(8, 6), temperatures, grid=(8, 6))
    figure = draw(path)
    maps = [axes for axes in figure.axes if axes.get_xlabel() == "$q_x$"]
    assert len(maps) == len(shown)
    for axes, point in zip(maps, shown):
        values = np.asarray(axes.collections[0].get_array()).reshape(6, 8)
        # Gamma is in the middle of the map.
        np.testing.assert_allclose(np.roll(values, (-3, -4), axis=(0, 1)).ravel(), static[point])
    if temperatures > 1:
        assert maps[1].get_title().startswith("$T$ = ")
