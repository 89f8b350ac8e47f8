"""Measurements of atoms on the axes."""

import larmor
import numpy as np
import pytest
import results_file as synthetic
from larmor.errors import NothingToDraw
from larmor.pictures import Options, draw_all
from larmor.plot_atoms import plot_atoms


@pytest.fixture
def measured(tmp_path):
    path = tmp_path / "measured.h5"
    with synthetic.create(path, units="material") as file:
        stage = synthetic.add_stage(file, "01-md")
        g = stage.create_group("radial-distribution-2")
        g["edges"] = [0.0, 1.0, 2.0, 3.0]
        g["edges"].attrs["unit"] = "Å"
        g["pairs"] = ["W-W", "W-Be", "Be-Be"]
        g["value"], g["error"] = np.arange(9.0).reshape(3, 3), np.full((3, 3), 0.5)
        phonons = stage.create_group("phonon-density-of-states")
        phonons["frequency"] = [0.0, 1.0]
        phonons["frequency"].attrs["unit"] = "THz"
        phonons["value"], phonons["error"] = [3.0, 5.0], [0.1, 0.2]
        phonons["value"].attrs["unit"] = "1/THz"
        phonons["by-species/species"] = ["W", "Be"]
        phonons["by-species/value"], phonons["by-species/error"] = [[1.0, 2.0], [2.0, 3.0]], np.zeros((2, 2))
        synthetic.add_stage(file, "02-md")
    return path


def test_curves_are_read_with_their_lines(measured):
    with larmor.open(measured) as results:
        phonons, g = results.stages[0].atom_curves
    assert (phonons.what, phonons.lines, phonons.unit) == ("phonon-density-of-states", ["all", "W", "Be"], "1/THz")
    np.testing.assert_array_equal(phonons.value, [[3, 5], [1, 2], [2, 3]])
    assert (g.what, g.lines, g.x_unit) == ("radial-distribution", ["W-W", "W-Be", "Be-Be"], "Å")
    np.testing.assert_array_equal(g.x, [0.5, 1.5, 2.5])


def test_each_measurement_has_a_panel_with_lines_and_bands(measured):
    with larmor.open(measured) as results:
        phonons, g = plot_atoms(results.stages[0], "Atoms").axes
    assert phonons.get_xlabel() == r"Frequency $\nu$ (THz)" and "1/THz" in phonons.get_ylabel()
    assert [line.get_label() for line in phonons.lines] == ["all", "W", "Be"]
    np.testing.assert_array_equal(g.lines[1].get_xydata(), [[0.5, 3], [1.5, 4], [2.5, 5]])
    band = g.collections[1].get_paths()[0].vertices
    assert band[:, 1].min() == 2.5 and band[:, 1].max() == 5.5


def test_stages_without_measurements_have_no_such_picture(measured):
    with larmor.open(measured) as results:
        with pytest.raises(NothingToDraw):
            plot_atoms(results.stages[1])
        drawing = draw_all(results, None, results.stages, Options())
    assert [picture.kind for picture in drawing.pictures] == ["atoms"]
    assert all("atoms" not in skipped for skipped, _ in drawing.skipped)
