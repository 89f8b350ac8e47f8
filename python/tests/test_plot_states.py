"""Maps of states of Ising and Potts models: places of sites and meaning of colours."""

import larmor
import numpy as np
import pytest
import results_file as synthetic
from larmor.errors import NothingToDraw
from larmor.plot_spins import plot_spins


def draw(tmp_path, size, states, kind="ising", cell=synthetic.SQUARE, details=None, **options):
    """A results file whose last configuration is `states`, [N], drawn."""
    path = tmp_path / "states.h5"
    with synthetic.create(path) as file:
        basis = options.pop("basis", np.zeros((1, 3)))
        synthetic.add_model(file, size, cell, basis)
        file["model"].attrs.update(kind=kind, **(details or {}))
        stage = synthetic.add_stage(file, "01-monte-carlo")
        stage["configuration"] = np.asarray(states, dtype=np.int8)[None, :]
    with larmor.open(path) as results:
        return plot_spins(results.stages[0], results.model, "Title", **options)


def test_pixels_are_the_states_of_their_sites(tmp_path):
    states = np.where(np.arange(12) % 5 == 0, 1, -1)
    image = draw(tmp_path, (4, 3, 1), states).axes[0].images[0]
    np.testing.assert_array_equal(image.get_array(), states.reshape(3, 4))
    assert image.get_extent() == [-0.5, 3.5, -0.5, 2.5] and image.origin == "lower"


@pytest.mark.parametrize("layer, drawn", [(None, 2), (1, 1), (3, 3)])
def test_one_layer_of_a_cube_is_drawn(tmp_path, layer, drawn):
    states = np.repeat([0, 1, 2], 4)
    figure = draw(tmp_path, (2, 2, 3), states, "potts", details={"states": 3}, layer=layer)
    assert (figure.axes[0].images[0].get_array() == drawn - 1).all()
    assert f"layer {drawn} of 3" in figure.get_suptitle() + figure.axes[0].get_title()


def test_every_state_has_a_colour_of_its_own(tmp_path):
    for states in (3, 5, 40):
        image = draw(tmp_path, (states, 1, 1), np.arange(states), "potts",
                     details={"states": states}).axes[0].images[0]
        colours = image.cmap(image.norm(np.arange(states)))
        assert len({tuple(colour) for colour in colours}) == states


def test_states_of_other_lattices_are_discs(tmp_path):
    basis = np.array([[1 / 3, 1 / 3, 0], [2 / 3, 2 / 3, 0]])
    states = np.array([1, -1] * 6)
    discs = draw(tmp_path, (3, 2, 1), states, cell=synthetic.TRIANGULAR,
                 basis=basis).axes[0].collections[0]
    np.testing.assert_array_equal(discs.get_array(), states)
    assert len(discs.get_offsets()) == 12


@pytest.mark.parametrize("size, states, options, words", [
    ((2, 2, 3), 12, {"layer": 4}, "no layer 4"),
    ((2, 2, 1), 3, {}, "without places"),
    ((2, 2, 1), 4, {"details": {"lattice": "graph"}}, "without places"),
    ((2, 2, 2), 16, {"basis": np.array([[0, 0, 0], [0.5, 0.5, 0.5]])}, "one site"),
    ((2, 2, 1), 4, {"replica": 1}, "no replica 1"),
])
def test_what_cannot_be_drawn_says_why(tmp_path, size, states, options, words):
    with pytest.raises(NothingToDraw, match=words):
        draw(tmp_path, size, np.ones(states), **options)
