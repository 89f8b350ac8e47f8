"""Reading results files: values, shapes, units, and errors that help the user."""

import h5py
import larmor
import numpy as np
import pytest
import results_file as synthetic
from larmor.results import FORMAT_VERSION


def test_average_unpacks_to_value_and_error(thermal):
    with larmor.open(thermal) as results:
        average = results.stages["monte-carlo"].averages["energy"]
        value, error = average
    np.testing.assert_array_equal(value, [-0.3, -0.2, -0.1])
    np.testing.assert_array_equal(error, [0.01, 0.02, np.inf])
    assert average.unit == "eV"
    np.testing.assert_array_equal(average.samples, [1000, 1000, 1000])


def test_header_and_study(thermal):
    with larmor.open(thermal) as results:
        assert results.title == "Thermal study"
        assert results.units == "material"
        assert results.completed_study.endswith("seed = 1\n")
        assert results.provenance["seed"] == 7
        assert [leg["device"] for leg in results.legs] == ["cpu 01", "cpu 02"]


def test_stages_have_the_notes_of_their_runs(tmp_path):
    path = tmp_path / "noted.h5"
    with synthetic.create(path) as file:
        synthetic.add_stage(file, "01-minimise").attrs["note"] = "minimise: the spins have not converged"
        synthetic.add_stage(file, "02-minimise")
    with larmor.open(path) as results:
        assert [stage.note for stage in results.stages] == ["minimise: the spins have not converged", ""]


def test_stages_by_index_name_and_kind(thermal):
    with larmor.open(thermal) as results:
        names = {results.stages[key].name for key in (0, "01-monte-carlo", "monte-carlo")}
        assert names == {"01-monte-carlo"}
        assert results.stages[0].number == 1
        assert results.stages[0].completed


def test_stages_come_in_order_of_their_numbers(tmp_path):
    path = tmp_path / "many.h5"
    with synthetic.create(path) as file:
        for name in ("100-dynamics", "02-anneal", "11-anneal"):
            synthetic.add_stage(file, name)
    with larmor.open(path) as results:
        assert [stage.number for stage in results.stages] == [2, 11, 100]
        with pytest.raises(larmor.NotInResults, match="02-anneal, 11-anneal, 100-dynamics"):
            results.stages["anneal"]


def test_model_in_canonical_order(thermal):
    with larmor.open(thermal) as results:
        model = results.model
    assert model.sites == 12 and model.basis_sites == 1
    np.testing.assert_array_equal(model.positions[5], [1, 1, 0])
    assert model.species[0] == "Fe" and model.length_unit == "Å"
    assert model.details["mean_field_temperature"] == pytest.approx(1.33)


def test_an_average_without_an_error_says_so(tmp_path):
    path = tmp_path / "one.h5"
    with synthetic.create(path) as file:
        stage = synthetic.add_stage(file, "01-minimise")
        synthetic.add_average(stage, "energy", np.array([-1.5]), np.array([np.nan]), "eV")
        synthetic.add_average(stage, "magnetisation", np.array([2.0]), np.array([0.25]), "μB")
    with larmor.open(path) as results:
        averages = results.stages[0].averages
        assert repr(averages["energy"]) == "<Average energy: -1.5 eV, no error bar>"
        assert repr(averages["magnetisation"]) == "<Average magnetisation: 2.00(25) μB>"


def test_series_have_steps_and_time(dynamic):
    with larmor.open(dynamic) as results:
        series = results.stages[0].series["magnetisation"]
    assert series.value.shape == (5, 2, 3)
    assert series.time[4] == pytest.approx(0.4)
    assert series.point is None


def test_structure_factor_arrays_and_labels(dynamic):
    with larmor.open(dynamic) as results:
        factor = results.stages[0].structure_factor
        assert factor.intensity.shape == factor.error.shape == (31, 241)
        assert factor.components.shape == (31, 241, 3)
        assert factor.labels == [(0, "Γ"), (10, "X"), (20, "M"), (30, "Γ")]
        assert factor.settings["window"] == "hann"
        assert repr(factor) == "<StructureFactor: 31 q x 241 frequencies, path Γ-X-M-Γ>"


def test_structure_factors_stand_in_the_order_of_the_study(dynamic):
    with h5py.File(dynamic, "a") as file:
        stage = file["stages/01-dynamics"]
        for number in (10, 2):
            stage[f"structure-factor-{number}/static"] = np.array([float(number)])
    with larmor.open(dynamic) as results:
        stage = results.stages[0]
        assert [len(factor.static) for factor in stage.structure_factors] == [31, 1, 1]
        assert [factor.static[0] for factor in stage.structure_factors[1:]] == [2, 10]
        assert len(stage.structure_factor.static) == 31


def test_a_stage_without_structure_factors_has_none(thermal):
    with larmor.open(thermal) as results:
        assert results.stages[0].structure_factors == []


def test_missing_name_offers_the_closest_and_lists_all(thermal):
    with larmor.open(thermal) as results:
        with pytest.raises(KeyError) as caught:
            results.stages[0].averages["magnetization"]
    message = str(caught.value)
    assert message == ("no average 'magnetization' in stage 01-monte-carlo; did you mean "
                       "'magnetisation'? It has: energy, magnetisation.")


def test_missing_structure_factor_is_a_key_error(thermal):
    with larmor.open(thermal) as results, pytest.raises(KeyError, match="structure-factor"):
        results.stages[0].structure_factor


def test_repr_shows_the_stages(thermal):
    with larmor.open(thermal) as results:
        assert "Stage 01-monte-carlo: averages, configuration, series, temperature" in repr(results)
    assert repr(results).endswith("(closed)>")


# Drivers, modes and settings of locks of another handle on the same file.
OTHER_HANDLES = [{"mode": mode, **driver, **locking} for mode in ("r", "r+")
                 for driver in ({}, {"driver": "sec2"}, {"driver": "stdio"}, {"driver": "core"})
                 for locking in ({}, {"locking": False}, {"locking": True})]


@pytest.mark.parametrize("options", OTHER_HANDLES, ids=lambda options: "-".join(map(str, options.values())))
def test_h5py_opens_the_same_file_beside(thermal, options):
    with larmor.open(thermal) as results, h5py.File(thermal, **options) as file:
        assert results.title == file.attrs["title"]
        with larmor.open(thermal) as again:
            assert again.title == results.title
        if options["mode"] == "r+":
            file.attrs["remark"] = "checked"
    with h5py.File(thermal, **options) as file, larmor.open(thermal) as results:
        assert results.title == file.attrs["title"]
        values = results.stages[0].series["energy"].value
        assert np.array_equal(values, file["stages/01-monte-carlo/series/energy/value"][()])


def test_a_closed_file_may_be_closed_again_and_replaced(thermal):
    results = larmor.open(thermal)
    energy = results.stages[0].averages["energy"]
    results.close()
    results.close()
    h5py.File(thermal, "w").close()
    assert energy.value.tolist() == [-0.3, -0.2, -0.1]


@pytest.mark.parametrize("is_cut", [True, False])
def test_damage_is_told_in_plain_words(thermal, is_cut):
    whole = thermal.read_bytes()
    thermal.write_bytes(whole[: len(whole) // 2] if is_cut else whole[:8] + bytes(1000))
    with pytest.raises(larmor.ResultsError) as caught:
        larmor.open(thermal)
    assert str(caught.value) == (f"{thermal}: a damaged HDF5 file, or one that is cut short; restore a copy, or run the "
                                 "study again")


def test_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="no such file"):
        larmor.open(tmp_path / "nowhere.h5")


def test_not_hdf5(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text("title = 1")
    with pytest.raises(larmor.ResultsError, match="not an HDF5 file"):
        larmor.open(path)


def test_hdf5_of_another_program(tmp_path):
    path = tmp_path / "other.h5"
    h5py.File(path, "w").close()
    with pytest.raises(larmor.ResultsError, match="not results of Larmor"):
        larmor.open(path)


def test_newer_format(thermal):
    with h5py.File(thermal, "a") as file:
        file.attrs["format_version"] = FORMAT_VERSION + 1
    with pytest.raises(larmor.ResultsError, match=f"format {FORMAT_VERSION + 1}, newer"):
        larmor.open(thermal)
