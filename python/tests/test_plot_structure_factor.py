"""Maps of S(q, w): contents and units of the axes, and the half of the frequencies."""

import h5py
import larmor
import numpy as np
import pytest
import results_file as synthetic
from larmor.dispersion import read_dispersion
from larmor.plot_structure_factor import Spectrum, plot_structure_factor

STAGE = "stages/01-dynamics/structure-factor"


def draw(path, **options):
    with larmor.open(path) as results:
        return plot_structure_factor(results.stages[0], "Title", **options)


def change(path, name, value):
    with h5py.File(path, "a") as file:
        attributes = dict(file[STAGE][name].attrs)
        del file[STAGE][name]
        file[STAGE][name] = value
        file[STAGE][name].attrs.update(attributes)


def map_values(axes):
    """The drawn values, [F, Q]."""
    return np.asarray(axes.collections[0].get_array())


def shows_negative_half(path):
    with larmor.open(path) as results:
        return Spectrum(results.stages[0].structure_factor, None).frequency[0] < 0


def test_map_holds_the_positive_half_of_a_symmetric_spectrum(dynamic):
    axes = draw(dynamic).axes[0]
    values = map_values(axes)
    assert values.shape == (121, 31)
    # The magnon has w = 4 at q = X = (1/2, 0, 0).
    assert np.linspace(0, 30, 121)[values[:, 10].argmax()] == pytest.approx(4.0)
    assert axes.get_ylim()[0] == 0
    assert 8 < axes.get_ylim()[1] < 12


def test_path_is_labelled_and_marked_at_inner_corners(dynamic):
    axes = draw(dynamic).axes[0]
    assert [text.get_text() for text in axes.get_xticklabels()] == ["Γ", "X", "M", "Γ"]
    np.testing.assert_allclose(axes.get_xticks()[:3], [0, np.pi, 2 * np.pi])
    marks = sorted(line.get_xdata()[0] for line in axes.lines)
    np.testing.assert_allclose(marks, [np.pi, 2 * np.pi])


def test_labels_of_a_jump_share_a_place(dynamic):
    with h5py.File(dynamic, "a") as file:
        group = file[STAGE]
        group["path_distance"][11] = group["path_distance"][10]
        group["label_index"][2] = 11
        del group["label_text"]
        group["label_text"] = np.array(["Γ", "X", "K", "Γ"], dtype=h5py.string_dtype())
    labels = [text.get_text() for text in draw(dynamic).axes[0].get_xticklabels()]
    assert labels == ["Γ", "X|K", "Γ"]


def test_both_halves_of_a_chiral_spectrum(dynamic):
    frequency = np.linspace(-30, 30, 241)
    one_sided = np.tile(np.exp(-((frequency - 5) ** 2)) + 1e-6, (31, 1))
    change(dynamic, "intensity", one_sided)
    change(dynamic, "error", 0.01 * one_sided)
    low, high = draw(dynamic).axes[0].get_ylim()
    assert low == -high


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("known_error", [True, False])
def test_noise_alone_does_not_show_the_negative_half(dynamic, seed, known_error):
    random = np.random.default_rng(seed)
    with h5py.File(dynamic) as file:
        smooth = file[STAGE]["intensity"][()]
    change(dynamic, "intensity", smooth * random.exponential(size=smooth.shape))
    change(dynamic, "error", smooth if known_error else np.full_like(smooth, np.nan))
    assert not shows_negative_half(dynamic)


def test_chiral_spectrum_of_one_replica_shows_the_negative_half(dynamic):
    frequency = np.linspace(-30, 30, 241)
    random = np.random.default_rng(1)
    one_sided = np.tile(np.exp(-((frequency - 5) ** 2)) + 1e-6, (31, 1))
    change(dynamic, "intensity", one_sided * random.exponential(size=one_sided.shape))
    change(dynamic, "error", np.full_like(one_sided, np.nan))
    assert shows_negative_half(dynamic)


def test_angular_frequencies_are_shown_as_energies(dynamic):
    with h5py.File(dynamic, "a") as file:
        file[STAGE]["frequency"].attrs["unit"] = "rad/ps"
    axes = draw(dynamic, max_frequency=6.0).axes[0]
    assert axes.get_ylabel() == r"Energy $\hbar\omega$ (meV)"
    assert axes.get_ylim() == (0, 6)
    centres = 0.6582119569509066 * np.linspace(0, 30, 121)
    assert centres[map_values(axes)[:, 10].argmax()] == pytest.approx(4 * 0.658212, rel=1e-5)


def test_colour_scale_is_logarithmic_and_ends_above_the_noise(dynamic):
    norm = draw(dynamic).axes[0].collections[0].norm
    assert 1e1**1.4 < norm.vmax / norm.vmin < 1e5 * 1.01
    assert 0.5 < norm.vmax <= 2.1


def test_component(dynamic):
    whole, xx = (map_values(draw(dynamic, component=name).axes[0]).max() for name in (None, "xx"))
    assert xx == pytest.approx(whole / 4)


def test_few_wave_vectors_are_lines(dynamic):
    with h5py.File(dynamic, "a") as file:
        group = file[STAGE]
        for name in ("intensity", "error", "q", "path_distance"):
            rows = group[name][:2]
            del group[name]
            group[name] = rows
    axes = draw(dynamic).axes[0]
    assert [line.get_label() for line in axes.lines] == ["Γ (0, 0, 0)", "(0.05, 0, 0)"]
    assert axes.get_yscale() == "log"
    assert len(axes.collections) == 2  # bands of the errors
    # If there is one replica, the error is unknown.
    with h5py.File(dynamic, "a") as file:
        file[STAGE]["error"][1] = np.nan
    assert len(draw(dynamic).axes[0].collections) == 1


@pytest.fixture
def on_grid(tmp_path):
    """The magnon w = 4 - 2 cos qx - 2 cos qy on a grid of 8 x 6, stronger with qx."""
    path = tmp_path / "grid.h5"
    q = synthetic.square_grid(8, 6)
    magnon = 4 - 2 * np.cos(2 * np.pi * q[:, :2]).sum(axis=1)
    frequency = np.linspace(-30, 30, 241)
    line = sum(0.2**2 / ((frequency - sign * magnon[:, None]) ** 2 + 0.2**2) for sign in (1, -1))
    intensity = (1 + q[:, :1]) * line
    with synthetic.create(path) as file:
        stage = synthetic.add_stage(file, "01-dynamics")
        group = synthetic.add_structure_factor(stage, q, np.arange(48.0), frequency, intensity,
                                               0.01 * intensity, [])
        synthetic.mark_as_grid(group, 8, 6)
    return path, q, magnon, intensity


def test_maps_of_a_grid_stand_around_gamma(on_grid):
    path, q, magnon, intensity = on_grid
    total, peaks = (axes.collections[0] for axes in draw(path).axes[:2])
    corners = peaks.get_coordinates()
    centres = (corners[:-1, :-1] + corners[1:, 1:]) / 2
    assert np.abs(centres).max() <= np.pi + 1e-9 and centres.shape == (6, 8, 2)
    expected = 4 - 2 * np.cos(centres).sum(axis=-1)
    np.testing.assert_allclose(peaks.get_array(), expected, atol=0.125 + 1e-9)
    x = np.round(centres[..., 0] / (2 * np.pi) * 8) % 8 / 8
    y = np.round(centres[..., 1] / (2 * np.pi) * 6) % 6 / 6
    index = (8 * x + 8 * 6 * y).round().astype(int)
    np.testing.assert_allclose(total.get_array(), (intensity.sum(axis=1) * 0.25 / 2 / np.pi)[index])


def test_grid_is_read(on_grid):
    path, q, _, _ = on_grid
    with larmor.open(path) as results:
        factor = results.stages[0].structure_factor
        assert factor.grid == (8, 6, 1)
        np.testing.assert_array_equal(factor.on_grid(factor.q)[0, 2, 3], [3 / 8, 2 / 6, 0])
        assert factor.on_grid(factor.intensity).shape == (1, 6, 8, 241)


def test_overlays_are_refused_on_a_grid(on_grid, tmp_path):
    with pytest.raises(larmor.NothingToDraw, match="grid of wave vectors"):
        draw(on_grid[0], dispersion=overlay(on_grid[0], "h,k,l,w\n0,0,0,1\n", tmp_path))


def test_static_structure_factor_where_there_are_no_frequencies(dynamic):
    with h5py.File(dynamic, "a") as file:
        del file[STAGE]["intensity"]
        expected = file[STAGE]["static"][()]
    axes = draw(dynamic).axes[0]
    np.testing.assert_allclose(axes.containers[0].lines[0].get_ydata(), expected)


def test_empty_intensity_is_told(dynamic):
    change(dynamic, "intensity", np.zeros((31, 241)))
    with pytest.raises(larmor.NothingToDraw, match="nowhere positive"):
        draw(dynamic)


def overlay(path, text, tmp_path):
    table = tmp_path / "theory.csv"
    table.write_text(text)
    with larmor.open(path) as results:
        return read_dispersion(table, results.stages[0].structure_factor)


def test_overlay_by_path_distance_is_sorted(dynamic, tmp_path):
    dispersion = overlay(dynamic, "path_distance,w1,w2\n1,2,3\n# comment\n0.5,4,5\n", tmp_path)
    np.testing.assert_array_equal(dispersion.distance, [0.5, 1])
    np.testing.assert_array_equal(dispersion.frequency, [[4, 5], [2, 3]])
    axes = draw(dynamic, dispersion=dispersion).axes[0]
    drawn = [list(line.get_ydata()) for line in axes.lines]
    assert [4, 2] in drawn and [5, 3] in drawn
    assert axes.get_legend().get_texts()[0].get_text() == "theory"


@pytest.mark.parametrize("text", [
    "path_distance,w\n0.5,4\n", '"Path_Distance", "w"\n0.5,4\n', "\ufeffdistance,w\n0.5,4\n",
    "frequency_1,path_distance\n4,0.5\n", "intensity,omega,intensity_error,distance\n9,4,9,0.5\n",
    "w,l,h,k\n4,0,0.1,0\n",
])
def test_columns_of_an_overlay_are_found_by_name(dynamic, tmp_path, text):
    dispersion = overlay(dynamic, text, tmp_path)
    assert len(dispersion.distance) == 1 and dispersion.frequency.tolist() == [[4]]


@pytest.mark.parametrize(("column", "factor"), [
    ("frequency", 1), ("w (rad/ps)", 1), ("energy (meV)", 1 / 0.6582119569509066), ("energy_2 [eV]", 1e3 / 0.6582119569509066),
    ("frequency (THz)", 2 * np.pi), ("frequency (GHz)", 2e-3 * np.pi), ("energy (cm^-1)", 0.1883651567308853)])
def test_units_of_an_overlay_are_converted(dynamic, tmp_path, column, factor):
    with h5py.File(dynamic, "a") as file:
        file[STAGE]["frequency"].attrs["unit"] = "rad/ps"
    dispersion = overlay(dynamic, f"path_distance,{column}\n0.5,2\n", tmp_path)
    np.testing.assert_allclose(dispersion.frequency, [[2 * factor]])


def test_wrong_units_of_an_overlay_are_told(dynamic, tmp_path):
    with pytest.raises(larmor.ResultsError, match="reduced units; leave the unit out"):
        overlay(dynamic, "path_distance,energy (meV)\n0.5,2\n", tmp_path)
    with h5py.File(dynamic, "a") as file:
        file[STAGE]["frequency"].attrs["unit"] = "rad/ps"
    for column, message in (("energy", r"needs a unit, such as energy \(meV\)"), ("energy (Ry)", "unknown unit 'Ry'")):
        with pytest.raises(larmor.ResultsError, match=message):
            overlay(dynamic, f"path_distance,{column}\n0.5,2\n", tmp_path)
    with pytest.raises(larmor.ResultsError, match="must be in the unit of the results"):
        overlay(dynamic, "path_distance (1/Å),w\n0.5,2\n", tmp_path)


def test_overlay_by_wave_vector_meets_every_visit_of_the_path(dynamic, tmp_path):
    dispersion = overlay(dynamic, "h,k,l,w\n0,0,0,0.1\n0.5,0,0,4\n", tmp_path)
    np.testing.assert_allclose(dispersion.distance, [0, np.pi, np.pi * (2 + np.sqrt(2))])
    np.testing.assert_allclose(dispersion.frequency.ravel(), [0.1, 4, 0.1])


@pytest.mark.parametrize(("text", "message"), [
    ("h,k,l,w\n0.2,0.4,0.3,1\n", "none of its wave vectors"),
    ("path_distance,w\n1,x\n", "theory.csv, line 2: 'x' is not a number; only the first line has names"),
    ("path_distance,w\n1/Å,meV\n1,2\n", "theory.csv, line 2: '1/Å' is not a number"),
    ("# a comment\n\npath_distance,w\n1,2\n1\n", "theory.csv, line 5: the row has 1 columns, and the first line has 2"),
    ("path_distance,w1,w2\n1,2\n", "theory.csv, line 2: the row has 2 columns, and the first line has 3"),
    ("path_distance w\n1 2\n", "theory.csv, line 1: not a line of names separated by commas"),
    ("1 2\n3 4\n", "theory.csv, line 1: not a line of names separated by commas"),
    ("1,2\n3,4\n", "theory.csv, line 1: not a line of names separated by commas, such as h, k, l"),
    ("path_distance;w\n1;2\n", "theory.csv, line 1: not a line of names separated by commas"),
    ('path_distance,"w\n1,2\n', "a quoted text does not end on its line"),
    ("omega,q\n1,2\n", "unknown column 'q'; the columns are path_distance, or h, k, l, and frequency"),
    ("h,k,w\n1,2,3\n", "needs columns of places, called path_distance, or h, k and l; it has h, k, w"),
    ("path_distance,h,k,l\n1,2,3,4\n", "needs a column of frequencies or energies"),
    ("path_distance,w,w\n1,2,3\n", "two columns are called w"),
    ("path_distance,(meV)\n1,2\n", "is not the name of a column"),
    ("", "no rows of numbers"),
])
def test_wrong_overlays_are_told(dynamic, tmp_path, text, message):
    with pytest.raises(larmor.ResultsError, match=message):
        overlay(dynamic, text, tmp_path)
