"""Tables of pandas, arrays of xarray, and tables that a notebook shows."""

import sys
import warnings

import h5py
import larmor
import numpy as np
import pytest
import results_file as synthetic
from larmor.estimate import Estimate
from larmor.html_table import table


@pytest.fixture
def pandas():
    return pytest.importorskip("pandas", reason="no pandas here")


@pytest.fixture
def xarray():
    return pytest.importorskip("xarray", reason="no xarray here")


@pytest.fixture
def scanned(tmp_path):
    """A scan over two sizes and three fields, with two temperatures in the stage; one point is not done."""
    path = tmp_path / "scan.h5"
    energy = np.arange(12.0).reshape(2, 3, 2)
    with synthetic.create(path) as file:
        sizes = np.array([[4, 4], [6, 6]], dtype=float)
        synthetic.add_scan(file, [("lattice.size", sizes, ""), ("field.B.3", np.array([0.0, 0.5, 1.0]), "T")],
                           {"energy": energy, "barrier": energy[..., 0]}, np.array([[1, 1, 1], [1, 0, 1]], np.uint8))
        file["scan/axes/01/title"] = np.array(["small", "large"], dtype=h5py.string_dtype())
        synthetic.add_stage_points(file, "temperature", np.broadcast_to([1.0, 2.0], (2, 3, 2)), "K")
    return path


def test_a_stage_has_one_row_for_each_temperature(pandas, thermal):
    with larmor.open(thermal) as results:
        frame = results.stages[0].to_pandas()
        whole = results.to_pandas()
    assert list(frame) == ["temperature", "energy", "energy_error", "magnetisation", "magnetisation_error"]
    assert frame.energy.tolist() == [-0.3, -0.2, -0.1] and frame.energy_error.tolist() == [0.01, 0.02, np.inf]
    assert frame.attrs["units"] == {"temperature": "K", "energy": "eV", "energy_error": "eV", "magnetisation": "μB",
                                    "magnetisation_error": "μB"}
    assert list(whole) == ["stage", *frame] and whole.stage.tolist() == 3 * ["01-monte-carlo"]


def test_a_scan_has_one_row_for_each_finished_point_and_temperature(pandas, scanned):
    with larmor.open(scanned) as results:
        with pytest.warns(larmor.LarmorWarning, match="the scan is unfinished: 5 of 6 points are done") as told:
            frame = results.to_pandas()
        with pytest.warns(larmor.LarmorWarning):
            assert results.to_pandas("monte-carlo").equals(frame)
        with pytest.raises(larmor.NotInResults, match="'dynamics'"):
            results.to_pandas("dynamics")
    assert told[0].filename == __file__ and frame.attrs["completed"] is False
    assert len(frame) == 10
    assert list(frame)[:5] == ["lattice.size", "title", "field.B.3", "temperature", "barrier"]
    row = frame[(frame["lattice.size"] == 6) & (frame["field.B.3"] == 1.0) & (frame.temperature == 2)].iloc[0]
    assert (row.title, row.energy, row.barrier) == ("large", 11, 10)
    assert not ((frame["lattice.size"] == 6) & (frame["field.B.3"] == 0.5)).any()
    assert frame.attrs["units"]["field.B.3"] == "T" and frame.attrs["units"]["temperature"] == "K"


def test_a_scan_has_its_keys_as_dimensions(xarray, scanned):
    with larmor.open(scanned) as results:
        with pytest.warns(larmor.LarmorWarning, match="5 of 6 points are done, and the others are NaN"):
            made = results.scan.to_xarray()
        with pytest.warns(larmor.LarmorWarning):
            whole = results.to_xarray()
        with pytest.warns(larmor.LarmorWarning):
            assert results.to_xarray("01-monte-carlo").identical(made)
        energy = results.scan.summary["01-monte-carlo"]["energy"]
    assert list(whole) == ["01-monte-carlo"] and whole["01-monte-carlo"].identical(made)
    assert made.energy.dims == ("lattice.size", "field.B.3", "temperature") and made.barrier.dims == made.energy.dims[:2]
    at = made.sel({"lattice.size": 6, "field.B.3": 1.0, "temperature": 2.0})
    assert (float(at.energy), float(at.energy_error), float(at.barrier), str(at.title.values)) == (11, 0.1, 10, "large")
    assert np.array_equal(made.energy.values, energy.value) and made["field.B.3"].attrs == {"units": "T"}
    assert made.completed.values.tolist() == [[True, True, True], [True, False, True]] and made.attrs["completed"] == 0


def test_temperatures_that_differ_from_point_to_point_are_a_coordinate(xarray, tmp_path):
    path = tmp_path / "scan.h5"
    with synthetic.create(path) as file:
        synthetic.add_scan(file, [("seed", np.array([1.0, 2.0]), "")], {"energy": np.arange(4.0).reshape(2, 2)})
        synthetic.add_stage_points(file, "temperature", np.array([[1.0, 2.0], [1.0, 3.0]]), "K")
    with larmor.open(path) as results, warnings.catch_warnings():
        warnings.simplefilter("error")
        made = results.scan.to_xarray()
    assert made.energy.dims == ("seed", "point") and made.temperature.dims == ("seed", "point")
    assert made.temperature.sel(seed=2).values.tolist() == [1, 3] and made.attrs["completed"] == 1


def test_other_files_have_a_dataset_for_each_stage(xarray, thermal, dynamic):
    with larmor.open(thermal) as results:
        whole = results.to_xarray()
        assert list(whole) == ["01-monte-carlo"] and whole["01-monte-carlo"].identical(results.to_xarray(0))
        assert results.to_xarray("monte-carlo").identical(results.stages[0].to_xarray())
    with larmor.open(dynamic) as results, pytest.warns(larmor.LarmorWarning, match="01-dynamics is unfinished"):
        assert results.to_xarray("dynamics").attrs["completed"] == 0


def test_an_unfinished_stage_is_told(pandas, thermal):
    with larmor.open(thermal) as results:
        assert results.to_pandas().attrs["completed"] is True
    with h5py.File(thermal, "a") as file:
        file["stages/01-monte-carlo"].attrs["completed"] = 0
    with larmor.open(thermal) as results:
        with pytest.warns(larmor.LarmorWarning, match="stage 01-monte-carlo is unfinished"):
            frame = results.to_pandas()
        title = results.stages[0].plot("energy")[0].get_title()
    assert frame.attrs["completed"] is False and len(frame) == 3 and title == "stage 1: monte-carlo, unfinished"


def test_series_have_rows_of_samples_and_replicas(pandas, dynamic):
    with larmor.open(dynamic) as results:
        series = results.stages[0].series
        energy, vectors = series["energy"].to_pandas(), series["magnetisation"].to_pandas()
    assert energy.replica.tolist() == [0, 1] * 5 and energy.time.tolist() == pytest.approx(np.repeat(np.arange(5) / 10, 2))
    assert energy.energy.iloc[3] == pytest.approx(-1.97)
    assert list(vectors)[-3:] == ["magnetisation_x", "magnetisation_y", "magnetisation_z"]


def test_a_series_has_named_axes(xarray, dynamic):
    with larmor.open(dynamic) as results:
        series = results.stages[0].series["magnetisation"].to_xarray()
    assert series.magnetisation.dims == ("sample", "replica", "component")
    assert series.magnetisation.sel(component="z").values.tolist() == 5 * [[0.5, 0.5]]
    assert series.time.values == pytest.approx(np.arange(5) / 10)


def test_a_structure_factor_has_wave_vectors_and_frequencies(xarray, dynamic):
    with larmor.open(dynamic) as results:
        factor = results.stages[0].structure_factor
        made, intensity = factor.to_xarray(), factor.intensity
    assert made.intensity.dims == ("q", "frequency") and made.components.dims == ("q", "frequency", "component")
    assert made.label.values[[0, 10, 20, 30]].tolist() == ["Γ", "X", "M", "Γ"]
    at_x = made.isel(q=10).sel(frequency=8, method="nearest")
    assert (float(at_x.h), float(at_x.k), float(at_x.l)) == (0.5, 0, 0)
    assert float(at_x.intensity) == intensity[10, np.argmin(np.abs(factor_frequency(dynamic) - 8))]
    assert "intensity_error" in made


def factor_frequency(path):
    with larmor.open(path) as results:
        return results.stages[0].structure_factor.frequency


def test_a_structure_factor_unpacks_to_value_and_error(dynamic):
    with larmor.open(dynamic) as results:
        factor = results.stages[0].structure_factor
        value, error = factor.estimate
        assert np.array_equal(value, factor.intensity) and np.array_equal(error, factor.error)


def test_spin_waves_have_modes(xarray, tmp_path):
    path = tmp_path / "waves.h5"
    q, distance, corners = synthetic.square_path(4)
    with synthetic.create(path, units="material") as file:
        stage = synthetic.add_stage(file, "01-spin-waves")
        synthetic.add_spin_waves(stage, q, distance, np.ones((13, 2)), np.ones((13, 2)),
                                 list(zip(corners, ["Γ", "X", "M", "Γ"])), "rad/ps")
    with larmor.open(path) as results:
        made = results.stages[0].spin_waves.to_xarray()
        states = results.stages[0].density_of_states.to_xarray()
    assert made.frequency.dims == ("q", "mode") and made.frequency.attrs["units"] == "rad/ps"
    assert made.amplitude.dtype == complex and states.density.dims == ("frequency",)


def test_a_stage_has_its_averages_and_configuration(xarray, thermal):
    with larmor.open(thermal) as results:
        made = results.stages[0].to_xarray()
    assert made.energy.dims == ("temperature",) and made.energy.attrs["units"] == "eV"
    assert float(made.magnetisation.sel(temperature=1.0)) == 1.0
    assert made.configuration.dims == ("replica", "site", "component")
    assert made.configuration.sel(replica=1, component="x").values.tolist() == 12 * [1.0]


@pytest.mark.parametrize("name, call", [("pandas", "to_pandas"), ("xarray", "to_xarray"), ("ase", "to_ase")])
def test_a_missing_package_is_named_with_its_command(thermal, monkeypatch, name, call):
    monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, f"{name}.units", None)
    monkeypatch.setitem(sys.modules, f"{name}.data", None)
    with larmor.open(thermal) as results, pytest.raises(larmor.MissingPackage) as caught:
        getattr(results.stages[0], call)()
    assert str(caught.value) == f"{call}() needs the package {name}: pip install {name}"


def test_estimates_unpack_convert_and_print():
    number, curve = Estimate(1.2345, 0.0067, "K", "T_c"), Estimate(np.array([1.0, 2.0]), np.array([0.1, np.nan]))
    value, error = number
    assert (value, error) == (number[0], number[1]) == (1.2345, 0.0067) and float(number) == 1.2345
    assert repr(number) == "<Estimate T_c: 1.2345(67) K>" and str(number) == "1.2345(67) K"
    assert repr(Estimate(2.5, np.nan)) == "<Estimate: 2.5, no error bar>"
    assert str(curve) == "2 values, 1.00(10) to 2" and str(curve.at(0)) == "1.00(10)"
    assert np.log(curve).tolist() == np.log([1.0, 2.0]).tolist() and (np.asarray(curve) == curve.value).all()
    with pytest.raises(TypeError, match="2 numbers, not one"):
        float(curve)


def test_notebooks_show_tables(thermal, scanned):
    with larmor.open(thermal) as results, larmor.open(scanned) as scan:
        shown = results.stages[0]._repr_html_()
        assert "<td>-0.300(10)</td>" in shown and "<th>energy (eV)</th>" in shown
        assert "Thermal study (material units)" in results._repr_html_()
        assert "<td>lattice.size</td>" in scan._repr_html_() and "5 of 6 points" in scan.scan._repr_html_()
        assert "0.0500" not in results.stages[0].averages["energy"]._repr_html_()
    assert "closed" in results._repr_html_()


def test_tables_are_escaped_and_short():
    shown = table(["<b>"], [[f"<{row}>"] for row in range(100)], "a & b")
    assert "<b>" not in shown and "&lt;b&gt;" in shown and "a &amp; b" in shown
    assert "&lt;29&gt;" in shown and "&lt;30&gt;" not in shown and "70 more rows" in shown
