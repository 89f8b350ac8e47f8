"""Correlations of pairs in time: read by name, drawn over time and frequency."""

import h5py
import larmor
import numpy as np
import pytest
import results_file as synthetic
from larmor.pictures import Options, draw_all
from larmor.plot_pair_correlations_in_time import plot_pair_correlations_in_time

TIME = 0.5 * np.arange(4)
FREQUENCY = np.linspace(-6, 6, 7)


def add_bins(group, kind, pairs, value, spectrum, error=True):
    group[f"{kind}/pairs"] = pairs
    group[f"{kind}/correlation/value"] = value
    group[f"{kind}/spectrum/value"] = spectrum
    if error:
        group[f"{kind}/correlation/error"] = 0.1 * np.ones_like(value)
        shape = value.shape[1:]
        group[f"{kind}/spectrum/error"] = 0.2 * np.ones((len(FREQUENCY), *shape))


def add_pairs(stage, name="pair-correlations"):
    group = stage.create_group(name)
    group.attrs.update(window="hann", connected=1, replicas=8, error_blocks=4)
    group["time"], group["frequency"] = TIME, FREQUENCY
    group["time"].attrs["unit"], group["frequency"].attrs["unit"] = "ps", "rad/ps"
    return group


def add_distances(group):
    value = 1.0 * np.arange(4)[:, None] + 10 * np.arange(3)
    value[:, 1] = np.nan
    group["by-distance/edges"] = np.arange(4.0)
    group["by-distance/edges"].attrs["unit"] = "Å"
    add_bins(group, "by-distance", np.array([8.0, 0.0, 24.0]), value,
             1.0 * np.arange(7)[:, None] + 10 * np.arange(3))


def add_displacements(group, cells=(9, 3, 1)):
    for name, count in zip(("dx", "dy", "dz"), cells):
        group[f"by-displacement/{name}"] = 1.0 * np.arange(count) - count // 2
    shape = (2, 2, *cells)
    value = np.arange(4 * np.prod(shape), dtype=float).reshape(4, *shape)
    spectrum = np.arange(7 * np.prod(shape) * 2, dtype=float).reshape(7, *shape, 2)
    add_bins(group, "by-displacement", np.ones(shape), value, spectrum, error=False)


def add_groups(group, names=("core", "rim")):
    count = len(names)
    group["between-groups/names"] = np.array(names, dtype=h5py.string_dtype())
    value = np.arange(4.0 * count**2).reshape(4, count, count)
    spectrum = np.arange(14.0 * count**2).reshape(7, count, count, 2)
    add_bins(group, "between-groups", np.ones((count, count)), value, spectrum)


@pytest.fixture
def in_time(tmp_path):
    """A dynamics stage with everything, on a triangular lattice."""
    path = tmp_path / "in_time.h5"
    with synthetic.create(path, units="material") as file:
        synthetic.add_model(file, (9, 3, 1), 2 * synthetic.TRIANGULAR,
                            np.array([[0, 0, 0], [0.5, 0, 0]]), length_unit="Å")
        group = add_pairs(synthetic.add_stage(file, "01-dynamics"))
        add_distances(group)
        add_displacements(group)
        add_groups(group)
    return path


def test_are_read_by_name(in_time):
    with larmor.open(in_time) as results:
        (pairs,) = results.stages[0].pair_correlations_in_time
        assert pairs.time.tolist() == TIME.tolist() and pairs.time_unit == "ps"
        assert pairs.frequency[-1] == 6 and pairs.frequency_unit == "rad/ps"
        value, error = pairs.correlation
        assert value[2].tolist()[::2] == [2, 22] and error[0, 0] == 0.1
        assert pairs.spectrum.value[3, 2] == 23 and pairs.pairs.tolist() == [8, 0, 24]
        assert pairs.displaced_correlation.value.shape == (4, 2, 2, 9, 3, 1)
        assert np.all(np.isnan(pairs.displaced_correlation.error))
        assert pairs.displaced_spectrum.value[0, 0, 0, 1, 0, 0] == 6 + 7j
        assert pairs.groups.value[1, 0, 1] == 5
        assert pairs.groups_spectrum.value[1, 1, 0] == 12 + 13j
        assert pairs.groups_spectrum.error[0, 0, 0] == 0.2
        assert pairs.group_names == ["core", "rim"] and pairs.connected is True
        assert pairs.settings["window"] == "hann"
        assert "4 times" in repr(pairs)


def test_what_was_not_measured_is_not_there(in_time):
    with h5py.File(in_time, "r+") as file:
        del file["stages/01-dynamics/pair-correlations/by-displacement"]
    with larmor.open(in_time) as results:
        (pairs,) = results.stages[0].pair_correlations_in_time
        with pytest.raises(larmor.NotInResults, match="by-displacement"):
            pairs.displaced_spectrum  # noqa: B018


def test_several_are_in_their_order(in_time):
    with h5py.File(in_time, "r+") as file:
        for number in (10, 2):
            add_groups(add_pairs(file["stages/01-dynamics"], f"pair-correlations-{number}"),
                       [str(number)])
    with larmor.open(in_time) as results:
        names = [pairs.group_names for pairs in results.stages[0].pair_correlations_in_time]
        assert names == [["core", "rim"], ["2"], ["10"]]


def test_displacements_are_a_map_along_one_line(in_time):
    with larmor.open(in_time) as results:
        stage = results.stages[0]
        (pairs,) = stage.pair_correlations_in_time
        figure = plot_pair_correlations_in_time(stage, "", results.model)
        left, right = figure.axes[:2]
        np.testing.assert_array_equal(left.collections[0].get_array(),
                                      pairs.displaced_correlation.value[:, 0, 0, :, 1, 0])
        drawn = right.collections[0].get_array()
        # The real part is drawn, for frequencies from zero on.
        np.testing.assert_array_equal(
            drawn, pairs.displaced_spectrum.value[3:, 0, 0, :, 1, 0].real[:len(drawn)])
        assert left.get_xlabel() == (
            "Displacement along lattice vector 1 (Å),\natom 1 with atom 1")
        np.testing.assert_allclose(left.get_xlim(), (-9, 9))
        assert left.get_ylabel() == "Time $t$ (ps)" and "meV" in right.get_ylabel()


def test_few_places_are_lines_with_their_errors(in_time):
    with larmor.open(in_time) as results:
        figure = plot_pair_correlations_in_time(results.stages[0])
    # Maps and colour bars of displacements are the first axes. Empty bins are left out.
    distances, spectra, groups = figure.axes[2], figure.axes[3], figure.axes[4]
    assert [text.get_text() for text in distances.get_legend().get_texts()] == ["0.5", "2.5"]
    assert distances.get_legend().get_title().get_text() == "Distance, middle of the bin (Å)"
    assert list(distances.lines[1].get_ydata()) == [20, 21, 22, 23]
    assert len(distances.collections) == 2
    assert spectra.get_yscale() == "symlog"
    assert [text.get_text() for text in groups.get_legend().get_texts()] == [
        "core", "core, rim", "rim"]
    assert list(groups.lines[1].get_ydata()) == [1, 5, 9, 13]


def test_of_many_groups_the_first_are_drawn_with_themselves(in_time):
    with h5py.File(in_time, "r+") as file:
        stage = file["stages/01-dynamics"]
        del stage["pair-correlations"]
        add_groups(add_pairs(stage), [str(n) for n in range(1, 9)])
    with larmor.open(in_time) as results:
        axes = plot_pair_correlations_in_time(results.stages[0]).axes[0]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == list("123456")


def test_the_frequency_axis_ends_where_it_is_told_to(in_time):
    with h5py.File(in_time, "r+") as file:
        group = file["stages/01-dynamics/pair-correlations"]
        del group["by-displacement"], group["between-groups"]
    with larmor.open(in_time) as results:
        meV = 0.6582119569509066
        axes = plot_pair_correlations_in_time(results.stages[0], max_frequency=2.1 * meV).axes[1]
    np.testing.assert_allclose(axes.get_xlim(), [0, 2.1 * meV])


def test_a_last_frequency_below_the_first_positive_one_shows_what_there_is(in_time):
    with larmor.open(in_time) as results:
        figure = plot_pair_correlations_in_time(results.stages[0], max_frequency=0.1)
    displacements, distances = figure.axes[1], figure.axes[3]
    assert displacements.get_ylim() == (0, 0.1)
    assert distances.get_xlim() == (0, 0.1)


def vacate(group, atom):
    """Removes all pairs of an atom of the basis."""
    pairs = group["pairs"]
    pairs[atom] = pairs[:, atom] = 0
    for name in ("correlation/value", "spectrum/value"):
        values = group[name]
        values[:, atom] = values[:, :, atom] = np.nan


def test_of_a_vacant_atom_nothing_is_drawn(in_time):
    with h5py.File(in_time, "r+") as file:
        vacate(file["stages/01-dynamics/pair-correlations/by-displacement"], 0)
    with larmor.open(in_time) as results:
        stage = results.stages[0]
        (pairs,) = stage.pair_correlations_in_time
        left = plot_pair_correlations_in_time(stage).axes[0]
        np.testing.assert_array_equal(left.collections[0].get_array(),
                                      pairs.displaced_correlation.value[:, 1, 1, :, 1, 0])
        assert "atom 2 with atom 2" in left.get_xlabel()
    with h5py.File(in_time, "r+") as file:
        group = file["stages/01-dynamics/pair-correlations"]
        vacate(group["by-displacement"], 1)
    with larmor.open(in_time) as results:
        assert len(plot_pair_correlations_in_time(results.stages[0]).axes) == 4
    with h5py.File(in_time, "r+") as file:
        group = file["stages/01-dynamics/pair-correlations"]
        del group["by-distance"], group["between-groups"]
    with larmor.open(in_time) as results, pytest.raises(larmor.NothingToDraw, match="no pairs"):
        plot_pair_correlations_in_time(results.stages[0])


def test_a_spin_that_is_alone_is_drawn(in_time):
    with h5py.File(in_time, "r+") as file:
        group = file["stages/01-dynamics/pair-correlations/by-displacement"]
        alone = np.s_[0, 0, 4, 1, 0]
        pairs = np.zeros(group["pairs"].shape)
        pairs[alone] = 1
        group["pairs"][()] = pairs
        for name in ("correlation/value", "spectrum/value"):
            values = group[name][()]
            values[:, pairs == 0] = np.nan
            group[name][()] = values
    with larmor.open(in_time) as results:
        plot_pair_correlations_in_time(results.stages[0]).canvas.draw()


def test_many_distances_are_a_map_of_bins_as_wide_as_they_are(in_time):
    edges = 0.5 * np.arange(10)
    value = np.arange(4.0)[:, None] + 10 * np.arange(9)
    value[:, 2] = np.nan
    pairs = np.where(np.arange(9) == 2, 0.0, 8.0)
    with h5py.File(in_time, "r+") as file:
        stage = file["stages/01-dynamics"]
        del stage["pair-correlations"]
        group = add_pairs(stage)
        group["by-distance/edges"] = edges
        add_bins(group, "by-distance", pairs, value, np.arange(7)[:, None] + 10.0 * np.arange(9))
    with larmor.open(in_time) as results:
        axes = plot_pair_correlations_in_time(results.stages[0]).axes[0]
    mesh = axes.collections[0]
    np.testing.assert_array_equal(mesh.get_coordinates()[0, :, 0], edges)
    np.testing.assert_array_equal(np.ma.filled(mesh.get_array(), np.nan), value)
    assert axes.get_xlabel() == "Distance"


def test_each_of_several_is_a_picture(in_time):
    with h5py.File(in_time, "r+") as file:
        add_groups(add_pairs(file["stages/01-dynamics"], "pair-correlations-2"))
    with larmor.open(in_time) as results:
        drawing = draw_all(results, None, list(results.stages), Options())
        names = [picture.name for picture in drawing.pictures]
        assert names == ["in_time-01-dynamics-pair-correlations",
                         "in_time-01-dynamics-pair-correlations-2"]


def test_a_stage_without_them_says_nothing_of_them_unless_asked(dynamic):
    with larmor.open(dynamic) as results:
        stages = list(results.stages)
        drawing = draw_all(results, None, stages, Options())
        assert not any("pair-correlations" in what for what, _ in drawing.skipped)
        drawing = draw_all(results, ["pair-correlations"], stages, Options())
        assert "no correlations of pairs" in drawing.skipped[0][1]
        with pytest.raises(larmor.NothingToDraw):
            plot_pair_correlations_in_time(stages[0])
