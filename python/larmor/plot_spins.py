"""Draws the last spin configuration of a stage."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from .errors import NothingToDraw
from .labels import Quantity, label
from .lattice_plane import Layer, layer_of
from .model import Model
from .plot_states import plot_states
from .spin_colours import colour_disc, normal_bar, spin_colours
from .stage import Stage
from .stage_words import heading, moment_of
from .style import CYCLE, INK, NOTHING, finish, new_figure, styled

# If there are more sites across, single arrows cannot be distinguished.
_MOST_ARROWS_ACROSS = 44
_PIXELS = 900
# The darkest ends of the colour map are cut off, since black arrows are invisible on them.
_NORMAL_MAP = ListedColormap(mpl.colormaps["RdBu_r"](np.linspace(0.1, 0.9, 256)), "soft RdBu_r")
# Shorter components in the plane are not drawn, since their arrows would be dots.
_SHORTEST_ARROW = 0.06
# Sine of the tilt from which on a spin has no dot.
_LARGEST_TILT = 0.4


def plot_spins(stage: Stage, model: Model, title: str = "", replica: int | None = None,
               layer: int | None = None) -> Figure:
    """The final configuration of one replica, or the last frame of the trajectory.

    - Up to 44 sites across: arrows show the components in the plane, colours the component along its normal.
      Spins along the normal have no arrow, and have a dot (up) or a cross (down).
    - More sites: hue shows the direction in the plane, lightness the component along the normal.
    - Chains: the three components are drawn along the chain.

    replica: number from 0, for paths the number of an image; None: the first replica, or the saddle of a path.
    layer: number, from 1, of a layer along a1 and a2; None: the middle one. Vacancies are grey. For states
    of Ising and Potts models see `plot_states`.
    Raises NothingToDraw if there is no configuration, only one spin, or no such replica or layer.
    """
    if model.masses is not None:
        raise NothingToDraw("atoms have no spins")
    if replica is None:
        replica = stage.path.saddle if "path" in stage else 0
    spins = _configuration(stage, replica)
    title = heading(title, stage, *moment_of(stage, replica), with_temperature=False)
    if spins.ndim == 1:
        return plot_states(spins, model, title, layer)
    if len(spins) != model.sites:
        raise NothingToDraw(f"the configuration has {len(spins)} spins, the model {model.sites}")
    if model.sites == 1:
        raise NothingToDraw("a map needs two spins or more")
    spins = np.where(model.occupied[:, None], spins, np.nan)
    with styled():
        if model.basis_sites == 1 and model.size[1] == model.size[2] == 1:
            return finish(title, _draw_chain(spins, model))
        chosen = layer_of(model, layer)
        if chosen.count > 1:
            title += f", layer {chosen.number} of {chosen.count}"
        across = np.sqrt(chosen.sites.size)
        draw = _draw_arrows if across <= _MOST_ARROWS_ACROSS else _draw_colours
        return finish(title, draw(spins @ chosen.axes.T, chosen, model))


def _configuration(stage: Stage, replica: int) -> np.ndarray:
    """The last spins [N, 3] of a replica, or states [N] of Ising and Potts models."""
    if "configuration" in stage:
        configurations = stage.configuration
    elif "trajectory" in stage and len(stage.trajectory.value):
        configurations = stage.trajectory.value[-1]
    else:
        raise NothingToDraw("no spin configuration was kept")
    if not 0 <= replica < len(configurations):
        raise NothingToDraw(f"there is no replica {replica}; replicas 0 to "
                            f"{len(configurations) - 1} were kept")
    return configurations[replica]


def _draw_chain(spins: np.ndarray, model: Model) -> Figure:
    figure = new_figure(8.0, 3.6)
    axes = figure.subplots()
    place = np.linalg.norm(model.positions - model.positions[0], axis=1)
    for component, name, colour in zip(spins.T, "xyz", CYCLE):
        axes.plot(place, component, "o-", color=colour, linewidth=1.0, markersize=3,
                  label=f"$e_{name}$")
    axes.set(xlabel=label(Quantity("Position", "$x$"), model.length_unit), ylabel="Spin direction",
             ylim=(-1.08, 1.08))
    axes.margins(x=0.01)
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.02))
    return figure


def _frame(layer: Layer) -> tuple[np.ndarray, np.ndarray]:
    """Lower left and upper right corners of a frame, half a spacing outside the sites."""
    places = layer.places.reshape(-1, 2)
    air = 0.6 * layer.spacing
    return places.min(axis=0) - air, places.max(axis=0) + air


def _new_figure(layer: Layer) -> Figure:
    """A figure with room for the map and a column at its side."""
    width, height = np.subtract(*_frame(layer)[::-1])
    inches = 5.2 * np.array([width, height]) / max(width, height)
    return new_figure(max(inches[0], 2.6) + 1.9, max(inches[1], 2.4) + 1.6)


def _prepare_axes(axes: Axes, layer: Layer, model: Model) -> None:
    low, high = _frame(layer)
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal", facecolor=NOTHING)
    first, second, _ = _axis_names(layer)
    axes.set_xlabel(label(Quantity("", f"${first}$"), model.length_unit))
    axes.set_ylabel(label(Quantity("", f"${second}$"), model.length_unit))


def _write_mean(axes: Axes, spins: np.ndarray, layer: Layer) -> None:
    """Writes the mean of the drawn spins, in the axes of the plane, above the map."""
    mean = np.nanmean(spins[layer.sites.ravel()], axis=0)
    names = ", ".join(_axis_names(layer))
    numbers = ", ".join(f"{number:.2f}" for number in np.where(np.abs(mean) < 0.005, 0, mean))
    axes.set_title(rf"mean of $({names})$: ({numbers})", loc="right", fontsize="small")


def _axis_names(layer: Layer) -> tuple[str, str, str]:
    """Names of the plane's axes: x, y, z, or u, v, n for other directions."""
    return ("x", "y", "z") if np.allclose(layer.axes, np.eye(3)) else ("u", "v", "n")


def _site_image(layer: Layer) -> tuple[np.ndarray, tuple[float, float, float, float]]:
    """[rows, columns] the site nearest to each pixel, -1 outside the lattice; and the extent of the image."""
    low, high = _frame(layer)
    shape = np.maximum((_PIXELS * (high - low) / max(high - low)).astype(int), 2)
    centres = [a + (b - a) * (np.arange(n) + 0.5) / n for a, b, n in zip(low, high, shape)]
    points = np.stack(np.meshgrid(*centres), axis=-1)
    return layer.nearest_sites(points), (low[0], high[0], low[1], high[1])


def _draw_arrows(spins: np.ndarray, layer: Layer, model: Model) -> Figure:
    figure = _new_figure(layer)
    axes = figure.subplots()
    _prepare_axes(axes, layer, model)
    sites, extent = _site_image(layer)
    normal = np.where(sites >= 0, spins[sites, 2], np.nan)
    image = axes.imshow(normal, origin="lower", extent=extent, cmap=_NORMAL_MAP, vmin=-1, vmax=1,
                        interpolation="nearest")
    drawn = spins[layer.sites.ravel()]
    arrows = 0.9 * layer.spacing * drawn[:, :2]
    seen = np.linalg.norm(arrows, axis=1) > _SHORTEST_ARROW * layer.spacing
    # Dots shrink as arrows grow, so that spins of similar tilts look similar.
    size = 3 * np.maximum(1 - np.linalg.norm(drawn[:, :2], axis=1) / _LARGEST_TILT, 0)
    for sign, marker in ((1, "o"), (-1, "x")):
        upright = (size > 0) & (sign * drawn[:, 2] > 0)
        axes.scatter(*layer.places.reshape(-1, 2)[upright].T, size[upright] ** 2, marker=marker, color=INK)
    axes.quiver(*layer.places.reshape(-1, 2)[seen].T, *arrows[seen].T, pivot="mid", angles="xy",
                scale_units="xy", scale=1, color=INK, units="xy", width=0.1 * layer.spacing,
                headwidth=3.6, headlength=4.0, headaxislength=3.6, minlength=0.1)
    figure.colorbar(image, ax=axes, shrink=0.8, pad=0.02, ticks=(-1, -0.5, 0, 0.5, 1),
                    label=f"$e_{_axis_names(layer)[2]}$")
    _write_mean(axes, spins, layer)
    return figure


def _draw_colours(spins: np.ndarray, layer: Layer, model: Model) -> Figure:
    figure = _new_figure(layer)
    parts = figure.subplot_mosaic([["map", "up"], ["map", "down"], ["map", "bar"]],
                                  width_ratios=(6, 1), height_ratios=(1, 1, 1.4))
    _prepare_axes(parts["map"], layer, model)
    sites, extent = _site_image(layer)
    there = (sites >= 0) & model.occupied[sites]
    colours = np.concatenate([np.nan_to_num(spin_colours(spins))[sites], there[..., None]], axis=-1)
    parts["map"].imshow(colours, origin="lower", extent=extent, interpolation="nearest")
    _draw_key(parts["up"], parts["down"], parts["bar"], _axis_names(layer))
    _write_mean(parts["map"], spins, layer)
    return figure


def _draw_key(up: Axes, down: Axes, bar: Axes, names: tuple[str, str, str]) -> None:
    """Both half-spheres of directions, seen from above, and the colours along the normal."""
    for disc, is_upper, sign in ((up, True, ">"), (down, False, "<")):
        disc.imshow(colour_disc(is_upper), origin="lower", extent=(-1, 1, -1, 1))
        disc.text(1.1, 0, f"${names[0]}$", va="center")
        disc.text(0, 1.1, f"${names[1]}$", ha="center")
        disc.text(0, -1.15, f"$e_{names[2]} {sign} 0$", ha="center", va="top", fontsize="small")
        disc.set_axis_off()
    bar.imshow(normal_bar(), origin="lower", extent=(0, 1, -1, 1), aspect=5)
    bar.minorticks_off()
    bar.tick_params(left=False, labelleft=False, labelright=True)
    bar.set(xticks=[], yticks=(-1, 0, 1))
    bar.yaxis.set_label_position("right")
    bar.set_ylabel(f"$e_{names[2]}$")
