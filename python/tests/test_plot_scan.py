"""Scans: read as grids, drawn as curves against the scanned keys."""

import h5py
import larmor
import numpy as np
import pytest
import results_file as synthetic
from larmor.cli import main
from larmor.plot_scan import plot_scan

FIELD = np.array([0.0, 1.0])
TEMPERATURE = np.array([100.0, 300.0, 200.0])
# Moments by [field, temperature].
MOMENT = np.array([[3.0, 1.0, 2.0], [3.5, 1.5, 2.5]])


@pytest.fixture
def scanned(tmp_path):
    """Two fields by three temperatures; the last point is not done."""
    path = tmp_path / "scanned.h5"
    done = np.ones((2, 3), dtype=np.uint8)
    done[1, 2] = 0
    moment = MOMENT.copy()
    moment[1, 2] = np.nan
    with synthetic.create(path, title="A scan") as file:
        synthetic.add_scan(
            file, [("field.B.3", FIELD, "T"), ("stage.1.temperature", TEMPERATURE, "K")],
            {"magnetisation": moment, "energy": -moment, "magnetisation_x": moment}, done)
        group = file.create_group("points/0004")
        group.attrs.update(title="A scan", units="reduced", completed=1)
        point = synthetic.add_stage(group, "01-monte-carlo")
        synthetic.add_temperature(point, np.array([300.0]))
        synthetic.add_series(point, "energy", np.arange(8.0).reshape(8, 1))
    return path


def test_grids_have_the_shape_of_the_scan(scanned):
    with larmor.open(scanned) as results:
        assert results.is_scan and "5 of 6 points" in repr(results)
        scan = results.scan
        value, error = scan.summary["01-monte-carlo"]["magnetisation"]
        assert scan.shape == value.shape == error.shape == (2, 3)
        np.testing.assert_array_equal(value[0], MOMENT[0])
        assert np.isnan(value[1, 2]) and not scan.completed[1, 2] and scan.rank[1, 2] == -1
        first, second = scan.axes
        assert (first.key, first.unit, second.key) == ("field.B.3", "T", "stage.1.temperature")
        np.testing.assert_array_equal(second.values, TEMPERATURE)


def test_what_has_no_error_has_no_bar(scanned):
    with h5py.File(scanned, "a") as file:
        file["scan/summary/01-monte-carlo/magnetisation/error"][0, 1] = np.nan  # the last in order
    with larmor.open(scanned) as results:
        panel = plot_scan(results.scan).axes[0]
    assert [len(ends) for ends in panel.containers[0].lines[2][0].get_segments()] == [2, 2, 0]


def test_the_title_tells_how_many_points_are_done(scanned, tmp_path, capsys):
    with larmor.open(scanned) as results:
        assert plot_scan(results.scan, title="A scan").get_suptitle() == (
            "A scan\nstage 1: monte-carlo, unfinished: 5 of 6 points")
        assert results.plot(stage="monte-carlo")
        for what, stage in (("spins", None), (None, "dynamics")):
            with pytest.raises(larmor.NotInResults):
                results.plot(what, stage)
    assert main(["plot", str(scanned), "-o", str(tmp_path / "scan.svg")]) == 0
    assert capsys.readouterr().err == "larmor: the scan is unfinished: the pictures show 5 of 6 points\n"
    with h5py.File(scanned, "a") as file:
        file["scan/points/completed"][...] = 1
    with larmor.open(scanned) as results:
        assert "unfinished" not in plot_scan(results.scan).get_suptitle()


def test_a_point_is_read_like_results(scanned):
    with larmor.open(scanned) as results:
        assert list(results.points) == [4]
        assert results.point(4).stages["monte-carlo"].series["energy"].value.shape == (8, 1)
        with pytest.raises(larmor.NotInResults, match="point '3'"):
            results.point(3)


def test_results_of_one_study_have_no_scan(thermal):
    with larmor.open(thermal) as results:
        assert not results.is_scan and results.points == {}
        with pytest.raises(larmor.NotInResults):
            results.scan


def test_a_curve_for_each_field_in_order_of_temperature(scanned):
    with larmor.open(scanned) as results:
        figure = plot_scan(results.scan, title="Title")
    panels = [axes for axes in figure.axes if axes.get_visible()]
    assert [axes.get_ylabel().split()[0] for axes in panels] == ["Magnetisation", "Energy"]
    assert panels[-1].get_xlabel() == "Temperature $T$ (K)"
    curves = panels[0].containers
    assert len(curves) == 2
    np.testing.assert_array_equal(curves[0].lines[0].get_xdata(), [100, 200, 300])
    np.testing.assert_array_equal(curves[0].lines[0].get_ydata(), [3, 2, 1])
    # Points that are not done are left out.
    np.testing.assert_array_equal(curves[1].lines[0].get_xdata(), [100, 300])
    (legend,) = figure.legends
    assert legend.get_title().get_text() == "Field $B_z$ (T)"
    assert [text.get_text() for text in legend.get_texts()] == ["0", "1"]


def test_the_abscissa_may_be_chosen(scanned):
    with larmor.open(scanned) as results:
        figure = plot_scan(results.scan, along="field.B.3")
        assert figure.axes[0].get_xlabel() == "Field $B_z$ (T)"
        assert len(figure.axes[0].containers) == 3
        with pytest.raises(larmor.NotInResults, match="field.B.3"):
            plot_scan(results.scan, along="field.B.2")


def test_what_cannot_be_drawn_says_why(tmp_path):
    path = tmp_path / "words.h5"
    with synthetic.create(path) as file:
        synthetic.add_scan(file, [("stage.1.integrator", np.array(["heun"]), "")], {"energy": np.zeros(1)})
    with larmor.open(path) as results:
        assert list(results.scan.axes[0].values) == ["heun"]
        with pytest.raises(larmor.NothingToDraw, match="two values or more"):
            plot_scan(results.scan)


def test_many_fields_are_told_by_colour(tmp_path):
    path = tmp_path / "many.h5"
    with synthetic.create(path) as file:
        synthetic.add_scan(file, [("field.B.3", np.arange(10.0), ""),
                                  ("stage.1.temperature", np.arange(12.0), "")],
                           {"magnetisation": np.ones((10, 12))})
    with larmor.open(path) as results:
        figure = plot_scan(results.scan)
        assert "Field $B_z$" in [axes.get_ylabel() for axes in figure.axes]
        assert len(figure.axes[0].containers) == 10


def test_the_command_draws_the_scan_and_its_points(scanned, capsys):
    assert main(["plot", str(scanned)]) == 0
    assert (scanned.parent / "scanned-01-monte-carlo-scan.png").stat().st_size > 10000
    assert main(["plot", str(scanned), "--point", "4", "--what", "series"]) == 0
    assert (scanned.parent / "scanned-0004-01-monte-carlo-series.png").exists()
    assert main(["plot", str(scanned), "--point", "2"]) == 2
    assert main(["plot", str(scanned), "--x", "stage.1.sweeps", "--force"]) == 2
    assert "stage.1.sweeps" in capsys.readouterr().err


SIZES = np.array([[4.0, 4, 4], [8, 8, 8]])
INNER = np.array([1.5, 1.4, 1.3])
BINDER = np.array([[0.55, 0.60, 0.62], [0.52, 0.60, 0.64]])


@pytest.fixture
def sizes(tmp_path):
    """Two sizes by three temperatures within the stage, which cross at 1.41(2), and a single value of the stage."""
    path = tmp_path / "sizes.h5"
    with synthetic.create(path, title="Sizes") as file:
        synthetic.add_scan(file, [("lattice.size", SIZES, "")],
                           {"magnetisation": 1 - BINDER, "binder_cumulant": BINDER})
        synthetic.add_stage_points(file, "temperature", np.array([INNER, INNER]), "K")
        group = file.create_group("scan/stages/01-monte-carlo/binder_crossings")
        group["first"], group["second"] = np.array([[0]]), np.array([[1]])
        group["value"], group["error"] = np.array([1.41]), np.array([0.02])
        group["value"].attrs["unit"] = "K"
    return path


def test_temperatures_within_a_stage_are_an_axis_of_the_grids(sizes):
    with larmor.open(sizes) as results:
        scan = results.scan
        (axis,) = scan.axes
        assert not axis.is_numeric and axis.text(1) == "[8, 8, 8]" and "lattice.size" in repr(axis)
        np.testing.assert_array_equal(axis.numbers, [4, 8])
        value, error = scan.summary["01-monte-carlo"]["binder_cumulant"]
        assert value.shape == error.shape == (2, 3)
        points = scan.stage_points("01-monte-carlo")
        assert (points.name, points.unit) == ("temperature", "K")
        np.testing.assert_array_equal(points.values[1], INNER)
        (crossing,) = scan.binder_crossings("01-monte-carlo")
        assert (crossing.first, crossing.second, crossing.temperature, crossing.error, crossing.unit) == (
            (0,), (1,), 1.41, 0.02, "K")


def test_sizes_are_a_family_of_curves_over_the_temperatures(sizes):
    with larmor.open(sizes) as results:
        figure = plot_scan(results.scan, title="Sizes")
    magnetisation, binder = [axes for axes in figure.axes if axes.get_visible()]
    assert binder.get_xlabel() == "Temperature $T$ (K)"
    first, second = magnetisation.containers
    assert (first.get_label(), second.get_label()) == ("4", "8")
    assert figure.legends[0].get_title().get_text() == "Size of the lattice $L$"
    np.testing.assert_array_equal(first.lines[0].get_xdata(), INNER[::-1])
    np.testing.assert_allclose(second.lines[0].get_ydata(), 1 - BINDER[1, ::-1])


def test_crossings_are_marked_with_their_errors(sizes):
    with larmor.open(sizes) as results:
        figure = plot_scan(results.scan)
        other = plot_scan(results.scan, along="lattice.size")
    binder = next(axes for axes in figure.axes if axes.get_ylabel().startswith("Binder"))
    assert [len(curve.lines[2][0].get_segments()) for curve in binder.containers[:2]] == [3, 3]
    (mark,) = binder.containers[2:]
    assert mark.lines[0].get_xdata() == [1.41]
    # The mark lies between 0.60 at 1.4 and 0.55 at 1.5.
    assert float(mark.lines[0].get_ydata()[0]) == pytest.approx(0.595)
    bar = np.asarray(mark.lines[2][0].get_segments()[0], dtype=float)
    np.testing.assert_allclose(bar[:, 0], [1.39, 1.43])
    # The list is outside the axes, where it hides no points.
    assert not binder.texts
    words = [text.get_text() for text in figure.legends[0].get_texts()]
    assert words == ["4", "8", "", "crossings of $U_4$", "4 and 8: 1.410(20) K"]
    # Over the sizes, there is a curve for each temperature and no crossing.
    binder = next(axes for axes in other.axes if axes.get_ylabel().startswith("Binder"))
    assert len(binder.containers) == 3 and not binder.texts
    assert other.legends[0].get_title().get_text() == "Temperature $T$ (K)"
    assert [text.get_text() for text in other.legends[0].get_texts()] == ["1.5", "1.4", "1.3"]


def test_what_a_stage_has_one_of_gets_a_picture_of_its_own(tmp_path):
    path = tmp_path / "loops.h5"
    sweep = np.array([1.0, 0.0, -1.0, 0.0, 1.0])
    with synthetic.create(path) as file:
        synthetic.add_scan(file, [("anisotropy.1.K", np.array([0.1, 0.2]), "")],
                           {"magnetisation_along": np.array([sweep, 0.5 * sweep]),
                            "coercive_field": np.array([0.2, 0.4])}, stage="01-hysteresis")
        synthetic.add_stage_points(file, "field", np.array([sweep, sweep]), "T", "01-hysteresis")
    assert main(["plot", str(path)]) == 0
    names = sorted(picture.name for picture in tmp_path.glob("*.png"))
    assert names == ["loops-01-hysteresis-scan-single.png", "loops-01-hysteresis-scan.png"]
    with larmor.open(path) as results:
        (loops,) = plot_scan(results.scan).axes
        # The fields are in the order of the sweep, there and back.
        np.testing.assert_array_equal(loops.containers[0].lines[0].get_xdata(), sweep)
        assert loops.get_xlabel() == "Field $B$ (T)"
        (single,) = plot_scan(results.scan, single=True).axes
        np.testing.assert_array_equal(single.containers[0].lines[0].get_ydata(), [0.2, 0.4])
        assert single.get_xlabel() == "Anisotropy $K$"


def test_lists_are_numbers_where_one_number_tells_them_apart():
    def axis(*values):
        return larmor.Axis("lattice.size", np.array(values, dtype=float), "", {})

    np.testing.assert_array_equal(axis([4, 4, 1], [8, 8, 1]).numbers, [4, 8])
    np.testing.assert_array_equal(axis([4, 6, 6], [4, 6, 9]).numbers, [6, 9])
    assert axis([4, 6], [6, 4]).numbers is None
    np.testing.assert_array_equal(axis([4, 4]).numbers, [4])


def test_what_spans_decades_has_a_logarithmic_axis(tmp_path):
    path = tmp_path / "lifetimes.h5"
    with synthetic.create(path) as file:
        synthetic.add_scan(file, [("anisotropy.1.K", TEMPERATURE, "")],
                           {"lifetime_forward": np.array([1e3, np.nan, 1e8]), "barrier_forward": TEMPERATURE})
    with larmor.open(path) as results:
        panels = {panel.get_ylabel(): panel.get_yscale() for panel in plot_scan(results.scan).axes if panel.get_visible()}
    assert panels == {"Lifetime forward": "log", r"Barrier forward $\Delta E$": "linear"}
