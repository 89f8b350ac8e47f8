"""Spin textures: places of sites and meaning of colours."""

import h5py
import larmor
import numpy as np
import pytest
import results_file as synthetic
from larmor.lattice_plane import layer_of
from larmor.plot_spins import plot_spins
from larmor.spin_colours import spin_colours
from matplotlib.quiver import Quiver

CUBIC_BODY_CENTRED = dict(basis=np.array([[0, 0, 0], [0.5, 0.5, 0.5]]), layers=[0, 1],
                          layers_per_cell=2)


def file_with(tmp_path, size, cell=synthetic.SQUARE, spin=None, **model):
    """A results file whose spins are spin(positions), [N, 3] -> [N, 3]; by default all along z."""
    path = tmp_path / "spins.h5"
    with synthetic.create(path) as file:
        positions = synthetic.add_model(file, size, cell, **model)
        spins = np.tile([0.0, 0.0, 1.0], (len(positions), 1)) if spin is None else spin(positions)
        synthetic.add_configuration(synthetic.add_stage(file, "01-anneal"), spins)
    return path


def draw(path, **options):
    with larmor.open(path) as results:
        return plot_spins(results.stages[0], results.model, "Title", **options)


def arrows(figure):
    return next(item for item in figure.axes[0].collections if isinstance(item, Quiver))


def model_of(path):
    with larmor.open(path) as results:
        return results.model


def test_arrows_stand_on_their_sites(tmp_path):
    along_y_at_origin = lambda r: np.where(  # noqa: E731
        np.all(r == 0, axis=1)[:, None], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0])
    quiver = arrows(draw(file_with(tmp_path, (4, 3, 1), spin=along_y_at_origin)))
    assert len(quiver.U) == 12
    origin = np.flatnonzero(np.all(quiver.XY == 0, axis=1))
    assert len(origin) == 1
    np.testing.assert_allclose((quiver.U[origin], quiver.V[origin]), [[0], [0.9]])
    np.testing.assert_allclose(np.delete(quiver.U, origin), 0.9)


def test_background_is_the_normal_component_of_the_nearest_site(tmp_path):
    by_row = lambda r: np.stack(  # noqa: E731
        [0 * r[:, 0], 0 * r[:, 0], np.where(r[:, 1] > 0.5, 1.0, -1.0)], axis=1)
    image = draw(file_with(tmp_path, (4, 2, 1), spin=by_row)).axes[0].images[0]
    left, right, bottom, top = image.get_extent()
    values = np.ma.filled(image.get_array(), np.nan)
    heights = bottom + (top - bottom) * (np.arange(len(values)) + 0.5) / len(values)
    centre = values[:, values.shape[1] // 2]
    assert np.all(centre[(heights > -0.4) & (heights < 0.45)] == -1)
    assert np.all(centre[(heights > 0.55) & (heights < 1.4)] == 1)
    assert left < -0.4 and right > 3.4


@pytest.mark.parametrize("size", [(4, 3, 1), (60, 60, 1)])
def test_vacancies_stay_blank(tmp_path, size):
    path = file_with(tmp_path, size, spin=lambda r: np.tile([1.0, 0.0, 0.0], (len(r), 1)))
    with h5py.File(path, "a") as file:
        occupied = np.ones(len(file["model/moments"]), dtype=np.uint8)
        occupied[0] = 0
        file["model/occupied"] = occupied
        file["stages/01-anneal/configuration"][0, 0] = 0
    figure = draw(path)
    image = figure.axes[0].images[0]
    values = image.get_array()
    blank = values[..., 3] == 0 if values.ndim == 3 else ~np.isfinite(np.ma.filled(values, np.nan))
    left, right, bottom, top = image.get_extent()
    at_origin = (int(len(values) * -bottom / (top - bottom)),
                 int(values.shape[1] * -left / (right - left)))
    beside = (at_origin[0], int(values.shape[1] * (1 - left) / (right - left)))
    assert blank[at_origin] and not blank[beside]
    if size[0] == 4:
        assert len(arrows(figure).U) == 11


def test_replica_is_chosen(thermal):
    assert len(arrows(draw(thermal, replica=0)).U) == 0
    assert len(arrows(draw(thermal, replica=1)).U) == 12
    with pytest.raises(larmor.NothingToDraw, match="replicas 0 to 1"):
        draw(thermal, replica=2)


def test_large_lattices_are_drawn_by_hue(tmp_path):
    figure = draw(file_with(tmp_path, (60, 50, 1)))
    image = figure.axes[0].images[0].get_array()
    middle = image[image.shape[0] // 2, image.shape[1] // 2]
    np.testing.assert_allclose(middle, [*spin_colours(np.array([0.0, 0.0, 1.0])), 1.0])


def test_layers_of_a_body_centred_cube(tmp_path):
    model = model_of(file_with(tmp_path, (3, 3, 2), **CUBIC_BODY_CENTRED))
    layer = layer_of(model, 4)
    assert (layer.number, layer.count) == (4, 4)
    np.testing.assert_allclose(model.positions[layer.sites.ravel(), 2], 1.5)
    np.testing.assert_allclose(layer.places.reshape(-1, 2),
                               model.positions[layer.sites.ravel(), :2])


def test_a_layer_goes_on_across_the_end_of_a_periodic_cell(tmp_path):
    # The lower atom of this honeycomb is at the top of an oblique cell, and the upper atom is at
    # its bottom.
    cell = np.array([[1, 0, 0], [-0.5, np.sqrt(0.75), 0], [7.3, 2.2, 5]])
    basis = np.array([[1 / 3, 2 / 3, 0.01], [2 / 3, 1 / 3, 0.99]])
    model = model_of(file_with(tmp_path, (4, 5, 3), cell, basis=basis, layers=[-1, 0],
                               periodic=(1, 1, 1)))
    assert layer_of(model).count == 3
    for number in (1, 2, 3):
        layer = layer_of(model, number)
        lower = (model.basis_index == 1) & (np.arange(model.sites) // 40 == number - 1)
        upper = (model.basis_index == 0) & (np.arange(model.sites) // 40 == number % 3)
        assert sorted(layer.sites.ravel()) == sorted(np.flatnonzero(lower | upper))
        # Layers take sites of the cell above. The uppermost layer takes sites of the next image.
        image = 3 * cell[2] if number == 3 else np.zeros(3)
        places = model.positions + np.where(upper[:, None], image, 0)
        np.testing.assert_allclose(layer.places, places[layer.sites][..., :2], atol=1e-12)
        np.testing.assert_array_equal(layer.nearest_sites(layer.places), layer.sites)


def test_open_ends_have_layers_of_fewer_sites(tmp_path):
    # Two atoms have one height, but one of them is written a cell higher.
    basis = np.array([[0, 0, 0], [0.5, 0.5, 1]])
    model = model_of(file_with(tmp_path, (3, 2, 2), basis=basis, layers=[0, 1]))
    layers = [layer_of(model, number) for number in (1, 2, 3)]
    assert layers[0].count == 3
    for height, layer in enumerate(layers):
        np.testing.assert_allclose(model.positions[layer.sites.ravel(), 2], height)
    assert [layer.sites.size for layer in layers] == [6, 12, 6]


def test_layers_of_a_model_that_holds_its_first_cell_alone(tmp_path):
    path = file_with(tmp_path, (3, 3, 2), **CUBIC_BODY_CENTRED)
    sites = layer_of(model_of(path), 3).sites
    with h5py.File(path, "a") as file:
        model = file["model"]
        for name in ("positions", "moments", "species"):
            unit = dict(model[name].attrs)
            model[f"basis/{name}"] = model[name][:2]
            model[f"basis/{name}"].attrs.update(unit)
            del model[name]
    np.testing.assert_array_equal(layer_of(model_of(path), 3).sites, sites)


def test_results_without_layers_are_told(tmp_path):
    path = file_with(tmp_path, (4, 4, 1))
    with h5py.File(path, "a") as file:
        del file["model/basis_layer"]
    with pytest.raises(larmor.NothingToDraw, match="no layers of sites.*format 4"):
        draw(path)


def test_slice_names_its_layer(tmp_path):
    path = file_with(tmp_path, (3, 3, 2), **CUBIC_BODY_CENTRED)
    assert draw(path).get_suptitle() == "Title\nstage 1: anneal, replica 0, layer 2 of 4"
    with pytest.raises(larmor.NothingToDraw, match="layers are 1 to 4"):
        draw(path, layer=5)


def test_nearest_site_on_a_kagome_lattice(tmp_path):
    basis = np.array([[0, 0, 0], [0.5, 0, 0], [0, 0.5, 0]])
    model = model_of(file_with(tmp_path, (5, 4, 1), synthetic.TRIANGULAR, basis=basis))
    layer = layer_of(model)
    near = model.positions[:, :2] + [0.03, -0.04]
    np.testing.assert_array_equal(layer.nearest_sites(near), np.arange(model.sites))
    assert layer.nearest_sites(np.array([-3.0, 0.0])) == -1


def test_chain_is_drawn_along_its_length(tmp_path):
    path = file_with(tmp_path, (7, 1, 1))
    axes = draw(path).axes[0]
    np.testing.assert_allclose(axes.lines[2].get_data(), [np.arange(7), np.ones(7)])
    assert axes.get_xlabel() == "Position $x$"


def test_trajectory_stands_in_for_a_missing_configuration(tmp_path):
    path = file_with(tmp_path, (4, 3, 1))
    with h5py.File(path, "a") as file:
        stage = file["stages/01-anneal"]
        del stage["configuration"]
        frames = np.zeros((2, 1, 12, 3))
        frames[0, ..., 2], frames[1, ..., 0] = 1, 1
        stage["trajectory/value"] = frames
    np.testing.assert_allclose(arrows(draw(path)).U, 0.9)


def test_no_configuration_is_told(dynamic):
    with pytest.raises(larmor.NothingToDraw, match="no spin configuration"):
        draw(dynamic)


def test_configuration_of_another_model_is_told(thermal):
    with h5py.File(thermal, "a") as file:
        stage = file["stages/01-monte-carlo"]
        del stage["configuration"]
        stage["configuration"] = np.zeros((1, 5, 3))
    with pytest.raises(larmor.NothingToDraw, match="5 spins, the model 12"):
        draw(thermal)


def test_up_differs_from_paper_and_all_directions_differ():
    up, down, *around = spin_colours(np.array(
        [[0, 0, 1], [0, 0, -1], [1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]], dtype=float))
    assert up.mean() > 0.8 and up.min() < 0.75 and down.max() < 0.35
    around += [up, down, np.ones(3)]  # white paper
    for i, first in enumerate(around):
        for second in around[i + 1:]:
            assert np.abs(first - second).max() > 0.2


def test_small_tilts_of_aligned_spins_are_visible():
    left, right = spin_colours(np.array([[-0.1, 0, np.sqrt(0.99)], [0.1, 0, np.sqrt(0.99)]]))
    assert np.abs(left - right).max() > 0.05
