"""Spin waves: the dispersion and density of states, drawn by themselves and over S(q, w)."""

import h5py
import larmor
import numpy as np
import pytest
import results_file as synthetic
from larmor.pictures import Options, draw_all
from larmor.plot_spin_waves import plot_spin_waves

NAMES = ["Γ", "X", "M", "Γ"]


def magnon(q):
    return 4 - 2 * np.cos(2 * np.pi * q[:, 0]) - 2 * np.cos(2 * np.pi * q[:, 1])


def add_theory(path, points=10, hidden=False):
    """Two modes at each q: the magnon, and a mode one unit above it, which may have no
    intensity."""
    q, distance, corners = synthetic.square_path(points)
    frequency = np.column_stack([magnon(q), magnon(q) + 1])
    intensity = np.ones_like(frequency)
    intensity[0, 0] = np.nan
    if hidden:
        intensity[:, 1] = 0
    with h5py.File(path, "a") as file:
        stage = synthetic.add_stage(file, "02-spin-waves")
        synthetic.add_spin_waves(stage, q, distance, frequency, intensity,
                                 list(zip(corners, NAMES)))
    return q, frequency


def overlay(path):
    with larmor.open(path) as results:
        drawing = draw_all(results, ["structure-factor"], [results.stages[0]], Options())
    (picture,) = drawing.pictures
    return picture.figure.axes[0]


def drawn_lines(axes):
    return [line for line in axes.lines if len(line.get_xdata()) > 2]


def test_dispersion_and_density_of_states_share_the_frequency_axis(dynamic):
    _, frequency = add_theory(dynamic)
    with larmor.open(dynamic) as results:
        stage = results.stages["spin-waves"]
        np.testing.assert_array_equal(stage.spin_waves.frequency, frequency)
        assert stage.density_of_states.density.sum() * 0.1 == pytest.approx(1)
        bands, states = plot_spin_waves(stage, "Title").axes[:2]
    assert [text.get_text() for text in bands.get_xticklabels()] == NAMES
    assert bands.get_ylim() == states.get_ylim()
    segments = bands.collections[0].get_segments()
    assert len(segments) == frequency.size
    assert np.max(np.concatenate(segments)[:, 1]) == pytest.approx(9)


def test_grid_is_a_map_of_the_lowest_branch(dynamic):
    q = synthetic.square_grid(4, 4)
    with h5py.File(dynamic, "a") as file:
        stage = synthetic.add_stage(file, "02-spin-waves")
        frequency = np.column_stack([magnon(q), magnon(q) + 1])
        synthetic.add_spin_waves(stage, q, np.arange(16.0), frequency, np.ones_like(frequency), [])
        stage["dispersion/q_cartesian"] = 2 * np.pi * q
        synthetic.mark_as_grid(stage["dispersion"], 4, 4)
    with larmor.open(dynamic) as results:
        lowest, states = plot_spin_waves(results.stages["spin-waves"]).axes[:2]
    drawn = lowest.collections[0].get_array()
    assert drawn[2, 2] == 0 and drawn[0, 0] == pytest.approx(8)
    assert states.get_xlabel() == r"Frequency $\omega$"


def test_strong_lines_are_wider(dynamic):
    add_theory(dynamic)
    with h5py.File(dynamic, "a") as file:
        file["stages/02-spin-waves/dispersion/intensity"][:, 1] = 0.01
    with larmor.open(dynamic) as results:
        lines = plot_spin_waves(results.stages["spin-waves"]).axes[0].collections[0]
    widths = np.array(lines.get_linewidths())
    assert widths[lines.get_array() > 0.5].min() > 1.3 * widths[lines.get_array() < 0.5].max()


@pytest.mark.parametrize("points", [10, 25])
def test_theory_along_the_same_path_is_laid_over(dynamic, points):
    _, frequency = add_theory(dynamic, points)
    axes = overlay(dynamic)
    assert axes.get_legend().get_texts()[0].get_text() == "linear spin-wave theory"
    drawn = drawn_lines(axes)
    np.testing.assert_allclose(drawn[0].get_ydata(), frequency[:, 0])
    assert drawn[0].get_xdata()[-1] == pytest.approx(np.pi * (2 + np.sqrt(2)))


def test_lines_without_intensity_are_left_out(dynamic):
    add_theory(dynamic, hidden=True)
    drawn = drawn_lines(overlay(dynamic))
    assert np.all(np.isfinite(drawn[0].get_ydata()))
    # If the intensity of the first mode is not known, the second mode is not weak compared with it.
    assert np.all(np.isnan(drawn[1].get_ydata()[1:-1]))


def test_theory_on_another_path_is_not_laid_over(dynamic):
    add_theory(dynamic)
    with h5py.File(dynamic, "a") as file:
        file["stages/02-spin-waves/dispersion/q"][...] *= 0.5
    assert overlay(dynamic).get_legend() is None


def test_spectra_of_a_few_wave_vectors_are_marked(dynamic):
    add_theory(dynamic)
    with h5py.File(dynamic, "a") as file:
        for group in ("01-dynamics/structure-factor", "02-spin-waves/dispersion"):
            group = file[f"stages/{group}"]
            for name in ("intensity", "error", "q", "path_distance", "frequency",
                         "mirror_frequency", "mirror_intensity"):
                if name not in group or (name == "frequency" and "error" in group):
                    continue
                rows = group[name][8:10]
                attributes = dict(group[name].attrs)
                del group[name]
                group[name] = rows
                group[name].attrs.update(attributes)
    marks = [line.get_xdata()[0] for line in overlay(dynamic).lines if len(line.get_xdata()) == 2]
    q = synthetic.square_path(10)[0][8:10]
    expected = np.concatenate([np.concatenate([w, w + 1]) for w in magnon(q)[:, None]])
    np.testing.assert_allclose(sorted(mark for mark in marks if mark > 0), sorted(expected))


def test_a_stage_without_spin_waves_is_told(dynamic):
    with larmor.open(dynamic) as results, pytest.raises(larmor.NothingToDraw, match="dispersion"):
        plot_spin_waves(results.stages[0])


def test_a_single_wave_vector_has_room(tmp_path, recwarn):
    path = tmp_path / "one.h5"
    with synthetic.create(path) as file:
        stage = synthetic.add_stage(file, "01-spin-waves")
        synthetic.add_spin_waves(stage, np.zeros((1, 3)), np.zeros(1), np.ones((1, 1)),
                                 np.ones((1, 1)), [])
        del stage["density-of-states"]
    with larmor.open(path) as results:
        axes = plot_spin_waves(results.stages[0]).axes[0]
    assert axes.get_xlim() == (-0.5, 0.5)
    assert not recwarn.list
