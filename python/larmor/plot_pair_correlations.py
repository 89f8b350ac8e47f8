"""Draws correlations over all pairs of sites: along a path of wave vectors or on the grid of all, by
distance, by displacement, and between groups of sites; and the distribution of their values."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .errors import NothingToDraw
from .first_atom import first_atom, with_atom
from .lattice_plane import plane_axes
from .model import Model
from .estimate import Estimate
from .pair_correlations import PairCorrelations
from .path_axis import mark_path, path_of
from .stage import Stage
from .stage_words import heading
from .style import BLUE, INK, NOTHING, VERMILLION, finish, new_figure, styled
from .zone_map import draw_zone, is_plane


# If there are more groups than this, their numbers and names do not fit.
_MOST_NUMBERS = 8
_MOST_NAMES = 24


def plot_pair_correlations(stage: Stage, title: str = "", model: Model | None = None) -> Figure:
    """S(q) and the spin-glass susceptibility along the path, or a map of each on a grid; C and its
    square against distance and displacement; C between groups of sites; and the number of pairs by C.

    Displacements join images of the first basis atom that is not vacant everywhere. They are drawn as a
    line, or as a map of C in the plane of the first two lattice vectors along which there are several.

    model  converts displacements from cells to lengths; None: they stay in cells
    Raises NothingToDraw if the stage holds none of these.
    """
    pairs = stage.pair_correlations
    drawers = []
    if "structure" in pairs:
        on_plane = is_plane(pairs.wave_vectors)
        drawers += [_draw_structure_map, _draw_glass_map] if on_plane else [_draw_wave_vectors]
    if "by-distance" in pairs:
        drawers.append(_draw_distances)
    if "by-displacement" in pairs and (atom := first_atom(pairs)) is not None:
        drawers.append(lambda axes, pairs: _draw_displacements(axes, pairs, atom, model))
    if "between-groups" in pairs:
        drawers.append(_draw_groups)
    if "distribution" in pairs:
        drawers.append(_draw_distribution)
    if not drawers:
        raise NothingToDraw("no correlations by wave vector, distance, displacement, group or value")
    with styled():
        figure = new_figure(4.7 * len(drawers), 4.1)
        for axes, draw in zip(np.atleast_1d(figure.subplots(1, len(drawers))), drawers):
            draw(axes, pairs)
        return finish(heading(title, stage, with_temperature=False), figure)


def _draw_wave_vectors(axes: Axes, pairs: PairCorrelations) -> None:
    waves = pairs.wave_vectors
    place, is_path = path_of(waves)
    _draw(axes, place, pairs.structure, BLUE, r"$S(\mathbf{q})$")
    _draw(axes, place, pairs.spin_glass, VERMILLION, r"$\chi_\mathrm{SG}(\mathbf{q})$")
    if np.all(pairs.structure.value > 0) and np.all(pairs.spin_glass.value > 0):
        axes.set_yscale("log")
    mark_path(axes, waves, place, is_path, INK)
    axes.set_ylabel(r"$S(\mathbf{q})$ and $\chi_\mathrm{SG}(\mathbf{q})$")
    axes.margins(x=0)
    _explain(axes)


def _explain(axes: Axes) -> None:
    """Adds a legend above the axes, where it hides no points."""
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 0.99), ncols=2, borderaxespad=0.2)


def _draw_structure_map(axes: Axes, pairs: PairCorrelations) -> None:
    _draw_map(axes, pairs, pairs.structure, r"$S(\mathbf{q})$")


def _draw_glass_map(axes: Axes, pairs: PairCorrelations) -> None:
    _draw_map(axes, pairs, pairs.spin_glass, r"$\chi_\mathrm{SG}(\mathbf{q})$")


def _draw_map(axes: Axes, pairs: PairCorrelations, estimates: Estimate, label: str) -> None:
    mesh = draw_zone(axes, pairs.wave_vectors, estimates.value, logarithmic=True)
    axes.figure.colorbar(mesh, ax=axes, pad=0.02, label=label)


def _draw_distances(axes: Axes, pairs: PairCorrelations) -> None:
    edges = pairs.edges
    # Each bin is drawn at its lower edge, which it includes. A shell of a lattice often lies at
    # this edge.
    _draw(axes, edges[:-1], pairs.correlation, BLUE, r"$C$")
    _draw(axes, edges[:-1], pairs.square, VERMILLION, r"$C^2$")
    axes.axhline(0, color=INK, linewidth=0.5)
    unit = f" ({pairs.length_unit})" if pairs.length_unit else ""
    axes.set_xlabel(f"Distance, lower edge of the bin{unit}")
    axes.set_ylabel("Mean of $C$ and $C^2$ over pairs")
    _explain(axes)


def _draw_displacements(axes: Axes, pairs: PairCorrelations, atom: int,
                        model: Model | None) -> None:
    cells = pairs.displacements
    several = [axis for axis in range(3) if len(cells[axis]) > 1]
    if len(several) > 1:
        _draw_displacement_map(axes, pairs, atom, several[:2], model)
        return
    along = several[0] if several else 0
    for estimates, colour, label in ((pairs.displaced_correlation, BLUE, r"$C$"),
                                     (pairs.displaced_square, VERMILLION, r"$C^2$")):
        of_atom = Estimate(*(numbers[atom, atom].ravel() for numbers in estimates))
        _draw(axes, cells[along], of_atom, colour, label)
    axes.axhline(0, color=INK, linewidth=0.5)
    label = f"Displacement along lattice vector {along + 1} (cells)"
    axes.set(xlabel=with_atom(label, pairs, atom), ylabel="Mean of $C$ and $C^2$ over pairs")
    _explain(axes)


def _draw_displacement_map(axes: Axes, pairs: PairCorrelations, atom: int, along: list[int],
                           model: Model | None) -> None:
    """C between images of one basis atom, for displacements whose third component is zero."""
    cells = pairs.displacements
    third = 3 - sum(along)
    value = np.take(pairs.displaced_correlation.value[atom, atom],
                    np.flatnonzero(cells[third] == 0)[0], axis=third).T
    first, second = np.meshgrid(*(np.append(cells[axis] - 0.5, cells[axis][-1] + 0.5)
                                  for axis in along))
    if model is None:
        x, y = first, second
        labels = [f"Lattice vector {axis + 1} (cells)" for axis in along]
    else:
        frame = plane_axes(model.cell[along])[:2]
        vectors = model.cell[along] @ frame.T
        x, y = np.moveaxis(first[..., None] * vectors[0] + second[..., None] * vectors[1], -1, 0)
        names = "xy" if np.allclose(frame, np.eye(3)[:2]) else "12"
        unit = f" ({model.length_unit})" if model.length_unit else ""
        labels = [f"Displacement $d_{name}${unit}" for name in names]
        axes.set_aspect("equal")
    reach = np.nanmax(np.abs(value))
    # Displacements without pairs must look different from displacements without correlation.
    axes.set_facecolor(NOTHING)
    mesh = axes.pcolormesh(x, y, value, cmap="RdBu_r", vmin=-reach, vmax=reach)
    axes.figure.colorbar(mesh, ax=axes, pad=0.02, label=with_atom(r"$C$", pairs, atom))
    axes.set(xlabel=labels[0], ylabel=labels[1])


def _draw_groups(axes: Axes, pairs: PairCorrelations) -> None:
    names, (value, error) = pairs.group_names, pairs.groups
    reach = np.nanmax(np.abs(value))
    end = len(names) + 0.5
    mesh = axes.imshow(value, cmap="RdBu_r", vmin=-reach, vmax=reach, extent=(0.5, end, end, 0.5))
    axes.figure.colorbar(mesh, ax=axes, pad=0.02, label=r"$C$, mean over pairs")
    if len(names) <= _MOST_NAMES:
        places = range(1, len(names) + 1)
        axes.set_xticks(places, names, rotation="vertical" if len(names) > 4 else None)
        axes.set_yticks(places, names)
    else:
        axes.set(xlabel="Group, from 1", ylabel="Group, from 1")
    axes.minorticks_off()
    axes.tick_params(length=0)
    if len(names) > _MOST_NUMBERS:
        return
    for (row, column), mean in np.ndenumerate(value):
        spread = f"\n± {error[row, column]:.2g}" if np.isfinite(error[row, column]) else ""
        axes.text(column + 1, row + 1, f"{mean:.3g}{spread}", ha="center", va="center", fontsize=9,
                  color="white" if abs(mean) > 0.7 * reach else INK)


def _draw_distribution(axes: Axes, pairs: PairCorrelations) -> None:
    edges, (count, error) = pairs.distribution_edges, pairs.distribution
    axes.stairs(count, edges, fill=True, color=BLUE, alpha=0.4)
    axes.stairs(count, edges, color=BLUE)
    known = (count > 0) & np.isfinite(error)
    if np.any(known):
        centres = (edges[:-1] + edges[1:]) / 2
        axes.errorbar(centres[known], count[known], error[known], color=INK, linestyle="none",
                      linewidth=1)
    if np.any(count > 0):
        axes.set_yscale("log")
        axes.set_ylim(bottom=0.5)
    for pair in (pairs.smallest, pairs.largest):
        if edges[0] <= pair.value <= edges[-1]:
            axes.axvline(pair.value, color=VERMILLION, linewidth=0.8, linestyle="--")
    beyond = [f"{number.value:.6g} {where}"
              for number, where in ((pairs.below, "below"), (pairs.above, "above"))
              if number.value > 0]
    if beyond:
        axes.set_title(", ".join(beyond), fontsize="small")
    axes.set(xlabel=r"$C(\mathbf{r}, \mathbf{r}')$; dashed: its extremes", ylabel="Pairs in the bin")
    axes.set_xlim(edges[0], edges[-1])


def _draw(axes: Axes, x: np.ndarray, estimates: Estimate, colour: str, label: str) -> None:
    value, error = estimates
    known = np.isfinite(value)
    bars = error[known] if np.all(np.isfinite(error[known])) else None
    axes.errorbar(x[known], value[known], bars, color=colour, marker="o", markersize=3,
                  label=label)
