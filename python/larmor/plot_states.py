"""Draws a map of the last configuration of Ising or Potts spins."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure

from .errors import NothingToDraw
from .labels import Quantity, label
from .model import Model
from .style import BLUE, CYCLE, finish, new_figure, styled

# Colours of the Ising spins -1 and 1. Both differ from white paper.
_ISING = ("#F2C879", BLUE)
# If there are more states than these, a colour map replaces the named colours.
_MOST_NAMED = len(CYCLE)
# If there are more states than these, the colour bar does not name each of them.
_MOST_TICKS = 16


def plot_states(states: np.ndarray, model: Model, title: str = "", layer: int | None = None) -> Figure:
    """Draws a colour for every state: boxes for a chain, for a lattice with right angles, or for one layer of a
    simple cubic lattice, and discs for other lattices in the plane.

    states  [N] values of the results
    layer   number, from 1, of the layer across the third axis; None: the middle one
    Raises NothingToDraw for graphs, grids of four axes, other lattices in space, and layers that do not exist.
    """
    if len(states) != model.sites or model.details.get("lattice") == "graph":
        raise NothingToDraw("states of sites without places in a plane are not drawn")
    with styled():
        if model.basis_sites == 1 and _is_upright(model):
            columns, rows, layers = (int(n) for n in model.size)
            number = (layers + 1) // 2 if layer is None else layer
            if not 1 <= number <= layers:
                raise NothingToDraw(f"there is no layer {number}; there are {layers}")
            if layers > 1:
                title += f", layer {number} of {layers}"
            plane = states.reshape(layers, rows, columns)[number - 1]
            return finish(title, _draw_grid(plane, states, model))
        if model.size[2] > 1 or np.ptp(model.positions[:, 2]) > 0:
            raise NothingToDraw("states of three-dimensional lattices are drawn only for cells of one site")
        return finish(title, _draw_sites(states, model))


def _is_upright(model: Model) -> bool:
    """Are the lattice vectors along which cells are repeated perpendicular?"""
    vectors = model.cell[model.size > 1]
    products = vectors @ vectors.T
    return bool(np.allclose(products, np.diag(np.diag(products))))


def _colours(states: np.ndarray, model: Model) -> tuple[ListedColormap, BoundaryNorm, np.ndarray]:
    """A colour for each possible state: the map, its borders, the values."""
    if model.details.get("kind") == "ising":
        return ListedColormap(_ISING), BoundaryNorm([-2, 0, 2], 2), np.array([-1, 1])
    count = int(model.details.get("states", states.max() + 1))
    colours = (CYCLE[:count] if count <= _MOST_NAMED
               else mpl.colormaps["turbo"](np.linspace(0.05, 0.95, count)))
    values = np.arange(count)
    return ListedColormap(colours), BoundaryNorm(np.arange(count + 1) - 0.5, count), values


def _draw_bar(figure: Figure, axes: Axes, image: ScalarMappable, values: np.ndarray, model: Model) -> None:
    ticks = values if len(values) <= _MOST_TICKS else values[:: -(-len(values) // _MOST_TICKS)]
    bar = figure.colorbar(image, ax=axes, shrink=0.8, pad=0.02, ticks=ticks,
                          label="Spin" if model.details.get("kind") == "ising" else "State")
    bar.ax.minorticks_off()


def _draw_grid(plane: np.ndarray, states: np.ndarray, model: Model) -> Figure:
    rows, columns = plane.shape
    spacing = [float(np.linalg.norm(vector)) for vector in model.cell[:2]]
    width, height = columns * spacing[0], rows * spacing[1]
    inches = 5.2 * np.array([width, height]) / max(width, height)
    figure = new_figure(max(inches[0], 2.6) + 1.6, max(inches[1], 1.0) + 1.4)
    axes = figure.subplots()
    colour_map, borders, values = _colours(states, model)
    image = axes.imshow(plane, origin="lower", cmap=colour_map, norm=borders, interpolation="nearest",
                        extent=(-0.5 * spacing[0], width - 0.5 * spacing[0],
                                -0.5 * spacing[1], height - 0.5 * spacing[1]))
    axes.set_xlabel(label(Quantity("", "$x$"), model.length_unit))
    if rows > 1:
        axes.set_ylabel(label(Quantity("", "$y$"), model.length_unit))
    else:
        axes.set_yticks([])
        axes.minorticks_off()
    _draw_bar(figure, axes, image, values, model)
    return figure


def _draw_sites(states: np.ndarray, model: Model) -> Figure:
    places = model.positions[:, :2]
    low, high = places.min(axis=0), places.max(axis=0)
    width, height = np.maximum(high - low, 1e-9)
    inches = 5.2 * np.array([width, height]) / max(width, height)
    figure = new_figure(max(inches[0], 2.6) + 1.6, max(inches[1], 1.6) + 1.4)
    axes = figure.subplots()
    colour_map, borders, values = _colours(states, model)
    # The diameter, in points, is so large that neighbouring discs nearly touch.
    spacing = np.sqrt(width * height / max(len(states), 1)) if min(width, height) > 1e-6 else 1.0
    size = (0.8 * 72 * 5.2 * spacing / max(width, height)) ** 2
    image = axes.scatter(*places.T, c=states, cmap=colour_map, norm=borders, s=size, linewidths=0)
    air = 0.6 * spacing
    axes.set(xlim=(low[0] - air, high[0] + air), ylim=(low[1] - air, high[1] + air), aspect="equal")
    axes.set_xlabel(label(Quantity("", "$x$"), model.length_unit))
    axes.set_ylabel(label(Quantity("", "$y$"), model.length_unit))
    _draw_bar(figure, axes, image, values, model)
    return figure
