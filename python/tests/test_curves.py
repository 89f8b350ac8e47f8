"""Curves as CSV: names, units and errors of the columns, and the numbers that pictures draw."""

import csv

import h5py
import larmor
import numpy as np
import pytest
import results_file as synthetic
from larmor.cli import main
from larmor.curves import FILE_CURVES
from larmor.dispersion import read_dispersion
from larmor.pictures import FIT_KINDS, KINDS, SCAN
from larmor.stage_curves import STAGE_CURVES, curves_of_stage
from scaling_laws import write as write_reweighted
from test_plot_averages import add_overlap, tempered
from test_plot_atoms import measured  # noqa: F401
from test_plot_extrapolation import sliced
from test_plot_fit import add_fit
from test_plot_pair_correlations import add_displacements, add_distribution, correlated  # noqa: F401
from test_plot_pair_correlations_in_time import in_time  # noqa: F401


def read(path):
    """Columns by name; texts stay texts."""
    with open(path, newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    columns = {}
    for name, entries in zip(header, zip(*rows)):
        try:
            columns[name] = np.array(entries, dtype=float)
        except ValueError:
            columns[name] = list(entries)
    return columns


def written(path, *arguments):
    assert main(["curves", str(path), "--output", str(path.parent / "csv"), *arguments]) == 0
    return {table.stem.removeprefix(f"{path.stem}-"): read(table) for table in (path.parent / "csv").glob("*.csv")}


def test_every_picture_has_curves():
    assert set(KINDS) <= set(STAGE_CURVES)
    assert {*FIT_KINDS, SCAN, "reweighted"} == set(FILE_CURVES)


def test_averages_and_series_have_units_and_errors(thermal, capsys):
    tables = written(thermal)
    assert set(tables) == {"01-monte-carlo-averages", "01-monte-carlo-series"}
    assert capsys.readouterr().out.count(".csv") == 2
    averages = tables["01-monte-carlo-averages"]
    assert list(averages)[:5] == ["temperature (K)", "energy (eV)", "energy_error (eV)", "energy_autocorrelation_time",
                                  "energy_samples"]
    np.testing.assert_array_equal(averages["temperature (K)"], [0.5, 1.0, 1.5])
    np.testing.assert_array_equal(averages["energy (eV)"], [-0.3, -0.2, -0.1])
    np.testing.assert_array_equal(averages["magnetisation_error (μB)"], 0.05)
    series = tables["01-monte-carlo-series"]
    value = np.arange(24.0).reshape(12, 2)
    np.testing.assert_array_equal(series["energy (eV)"], value.mean(axis=1))
    np.testing.assert_allclose(series["energy_error (eV)"], 0.5)
    np.testing.assert_allclose(series["energy_10_percent (eV)"], value[:, 0] + 0.1)
    np.testing.assert_array_equal(series["point"], np.repeat([0, 1, 2], 4))


def test_vectors_have_components_and_series_of_other_steps_a_table(dynamic):
    with h5py.File(dynamic, "a") as file:
        synthetic.add_series(file["stages/01-dynamics"], "topological_charge", np.ones((3, 2)), time=np.arange(3.0))
    tables = written(dynamic, "--what", "series")
    first, second = tables["01-dynamics-series"], tables["01-dynamics-series-2"]
    np.testing.assert_array_equal(first["magnetisation_z"], 0.5)
    np.testing.assert_array_equal(first["magnetisation_length"], 0.5)
    np.testing.assert_allclose(first["time"], 0.1 * np.arange(5))
    assert len(second["topological_charge"]) == 3 and "energy" not in second


def test_spectra_and_spin_waves_serve_as_overlays(dynamic):
    q, distance, corners = synthetic.square_path(10)
    with h5py.File(dynamic, "a") as file:
        stage = synthetic.add_stage(file, "02-spin-waves")
        frequency = np.column_stack([np.arange(31.0), 40 + np.arange(31.0)])
        synthetic.add_spin_waves(stage, q, distance, frequency, np.ones((31, 2)), [])
    tables = written(dynamic)
    spectrum = tables["01-dynamics-structure-factor"]
    assert list(spectrum)[:8] == ["q_index", "frequency", "h", "k", "l", "path_distance", "intensity", "intensity_error"]
    with larmor.open(dynamic) as results:
        factor = results.stages[0].structure_factor
        np.testing.assert_array_equal(spectrum["intensity"], factor.intensity.ravel())
        np.testing.assert_array_equal(spectrum["intensity_zz"], factor.components[..., 2].ravel())
        np.testing.assert_array_equal(spectrum["h"], np.repeat(factor.q[:, 0], 241))
        table = dynamic.parent / "csv" / "dynamic-02-spin-waves-dispersion.csv"
        overlay = read_dispersion(table, factor)
    # The path ends where it began, so its last point has the frequencies of the first.
    np.testing.assert_array_equal(overlay.frequency[:-1], frequency[:-1])
    assert len(tables["02-spin-waves-dispersion-density-of-states"]["density"]) == 80


def test_ladders_overlaps_and_paths(tmp_path):
    tempered(tmp_path / "ladder.h5")
    with h5py.File(tmp_path / "ladder.h5", "a") as file:
        add_overlap(file["stages/01-tempering"], 4, [4, 8])
        path = synthetic.add_stage(file, "02-minimum-energy-path").create_group("path")
        path.attrs.update(saddle_image=1, barrier_forward=1.0, barrier_backward=1.0)
        for name in ("", "interpolation/"):
            path[f"{name}reaction_coordinate"], path[f"{name}energy"] = [0.0, 1.0, 2.0], [0.0, 1.0, 0.0]
    tables = written(tmp_path / "ladder.h5")
    gaps, tuning = tables["01-tempering-ladder-gaps"], tables["01-tempering-ladder-tuning"]
    np.testing.assert_array_equal(gaps["temperature_upper"], [1.5, 2.0, 4.0])
    np.testing.assert_array_equal(gaps["stuck"], [0, 0, 1])
    np.testing.assert_array_equal(tables["01-tempering-ladder"]["flow"], [1, 0.9, 0.8, 0])
    assert len(tuning["round"]) == 12 and tuning["temperature"][-1] == 4
    np.testing.assert_array_equal(tables["01-tempering-series"]["energy_rung_2"], -2)
    np.testing.assert_array_equal(tables["01-tempering-overlap-blocks"]["last_sweep"], np.repeat([4, 8], 4))
    np.testing.assert_array_equal(tables["01-tempering-overlap-distribution"]["density"], np.tile([0.75, 0.25], 4))
    images = tables["02-minimum-energy-path-path"]
    np.testing.assert_array_equal(images["reaction_coordinate (rad)"], [0, 1, 2])
    assert "02-minimum-energy-path-path-curve" in tables


def test_a_scan_has_a_row_for_each_point_and_temperature(tmp_path):
    path = tmp_path / "sizes.h5"
    with synthetic.create(path) as file:
        synthetic.add_scan(file, [("lattice.size", np.array([[4.0, 4], [8, 8]]), ""),
                                  ("field.B.3", np.array([0.0, 1.0]), "T")],
                           {"energy": np.arange(12.0).reshape(2, 2, 3), "gap": np.arange(4.0).reshape(2, 2)})
        synthetic.add_stage_points(file, "temperature", np.tile([1.0, 2.0, 3.0], (2, 2, 1)), "K")
    (table,) = written(path).values()
    assert table["lattice.size"] == 6 * ["[4, 4]"] + 6 * ["[8, 8]"]
    np.testing.assert_array_equal(table["field.B.3 (T)"], np.tile(np.repeat([0, 1], 3), 2))
    np.testing.assert_array_equal(table["temperature (K)"], np.tile([1, 2, 3], 4))
    np.testing.assert_array_equal(table["energy"], np.arange(12))
    np.testing.assert_array_equal(table["gap"], np.repeat(np.arange(4), 3))


def test_fits_and_reweighted_curves(tmp_path):
    with synthetic.create(tmp_path / "fitted.h5") as file:
        add_fit(file)
    tables = written(tmp_path / "fitted.h5")
    assert set(tables) == {"parity-energy", "parity-force", "errors-energy", "errors-force"}
    assert tables["errors-force"]["group"] == ["bulk", "bulk", "surface", "surface", "all", "all"]
    assert len(tables["parity-force"]["predicted (eV/atom)"]) == 12
    path = write_reweighted(tmp_path / "known.h5", (8, 12))
    curves = written(path)
    with larmor.open(path) as results:
        value, error = results.reweighted.systems[1].curves["binder_cumulant"]
    np.testing.assert_array_equal(curves["reweighted-02"]["binder_cumulant"], value)
    np.testing.assert_array_equal(curves["reweighted-02"]["binder_cumulant_error"], error)


def test_pairs_at_equal_times(correlated):  # noqa: F811
    with h5py.File(correlated, "a") as file:
        stage = next(iter(file["stages"].values()))
        add_displacements(stage, 2)
        add_distribution(stage)
    with larmor.open(correlated) as results:
        pairs = results.stages[0].pair_correlations
        distance, moved = pairs.correlation, pairs.displaced_correlation
        tables = {table.name: dict(table.columns) for table in curves_of_stage(results.stages[0], "pair-correlations")}
    assert list(tables["wave-vectors"])[:6] == ["q_index", "h", "k", "l", "path_distance", "structure_factor"]
    np.testing.assert_array_equal(tables["distances"]["correlation"], distance.value)
    np.testing.assert_array_equal(tables["displacements"]["correlation"], moved.value.ravel())
    assert set(tables["displacements"]) >= {"atom", "other_atom", "cells_1", "cells_2", "cells_3", "pairs"}
    assert {"correlation_lower", "correlation_upper", "pairs", "pairs_error"} == set(tables["distribution"])


def test_pairs_in_time(in_time):  # noqa: F811
    with larmor.open(in_time) as results:
        stage = results.stages[0]
        pairs = stage.pair_correlations_in_time[0]
        tables = {table.name: dict(table.columns) for table in curves_of_stage(stage, "pair-correlations")}
        value = pairs.displaced_correlation.value[:, 0, 0]
    moved = tables["displacements-correlation"]
    np.testing.assert_array_equal(moved["correlation"], value.ravel())
    assert list(moved) == ["time (ps)", "cells_1", "cells_2", "cells_3", "correlation", "correlation_error"]
    assert "displacements-spectrum" in tables


def test_measurements_of_atoms_and_extrapolations(measured, tmp_path):  # noqa: F811
    with larmor.open(measured) as results:
        phonons, g = curves_of_stage(results.stages[0], "atoms")
    assert g.names[:3] == ["distance (Å)", "W-W", "W-W_error"]
    assert phonons.names[:3] == ["frequency (THz)", "all (1/THz)", "all_error (1/THz)"]
    sliced(tmp_path / "sliced.h5")
    with larmor.open(tmp_path / "sliced.h5") as results:
        of_slices, limit = curves_of_stage(results.stages[0], "extrapolation")
    assert of_slices.names[:4] == ["slices", "sample", "temperature", "absolute_magnetisation"]
    np.testing.assert_array_equal(dict(limit.columns)["temperature"], [0.5, 1.0])
    np.testing.assert_array_equal(dict(limit.columns)["energy"], [1.5, 2.0])


def test_one_table_may_have_a_name_and_others_are_not_replaced(thermal, tmp_path, capsys):
    target = tmp_path / "averages.csv"
    assert main(["curves", str(thermal), "--output", str(target)]) == 2
    assert "one file for 2 tables" in capsys.readouterr().err
    command = ["curves", str(thermal), "--what", "averages", "--output", str(target)]
    assert main(command) == 0 and target.read_text().startswith("temperature (K),")
    assert main(command) == 2 and "--force overwrites it" in capsys.readouterr().err
    assert main([*command, "--force"]) == 0
    target.write_text("my,own,table\n")
    assert main([*command, "--force"]) == 2 and target.read_text() == "my,own,table\n"


@pytest.mark.parametrize(("arguments", "message"), [
    (["--what", "spins"], "larmor export writes them"), (["--what", "ladder"], "no ladder to write"),
    (["--what", "hysteresis"], "no field was swept"), (["--stage", "7"], "no stage '7'"),
    (["--what", "scan"], "no scan to write"),
])
def test_curves_that_do_not_exist_are_told(thermal, tmp_path, capsys, arguments, message):
    assert main(["curves", str(thermal), "-o", str(tmp_path / "csv"), *arguments]) == 2
    assert message in capsys.readouterr().err and not (tmp_path / "csv").exists()


def test_a_kind_that_is_not_known_is_told(thermal):
    with larmor.open(thermal) as results, pytest.raises(larmor.NotInResults, match="averages"):
        curves_of_stage(results.stages[0], "average")
