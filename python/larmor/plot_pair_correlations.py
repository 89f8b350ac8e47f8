"""Correlations over all pairs of sites: along a path of wave vectors or on the grid of all, by
distance, and by displacement."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .errors import NothingToDraw
from .pair_correlations import Estimates, PairCorrelations
from .path_axis import mark_path, path_of
from .stage import Stage
from .style import BLUE, INK, VERMILLION, finish, new_figure, styled
from .zone_map import draw_zone, is_plane


def plot_pair_correlations(stage: Stage, title: str = "") -> Figure:
    """S(q) and the spin-glass susceptibility over the path, or a map of each on a grid; C and its
    square over the distance, and over the displacement along the lattice vectors for the first
    atom of the basis: a line, or a map of C in the plane dz = 0.

    Raises NothingToDraw if the stage holds neither.
    """
    pairs = stage.pair_correlations
    drawers = []
    if "structure" in pairs:
        on_plane = is_plane(pairs.wave_vectors)
        drawers += [_draw_structure_map, _draw_glass_map] if on_plane else [_draw_wave_vectors]
    if "by-distance" in pairs:
        drawers.append(_draw_distances)
    if "by-displacement" in pairs:
        drawers.append(_draw_displacements)
    if not drawers:
        raise NothingToDraw("no correlations by wave vector, distance or displacement")
    with styled():
        figure = new_figure(5.4 * len(drawers), 4.2)
        for axes, draw in zip(np.atleast_1d(figure.subplots(1, len(drawers))), drawers):
            draw(axes, pairs)
        return finish(title, figure)


def _draw_wave_vectors(axes: Axes, pairs: PairCorrelations) -> None:
    waves = pairs.wave_vectors
    place, is_path = path_of(waves)
    _draw(axes, place, pairs.structure, BLUE, r"$S(\mathbf{q})$")
    _draw(axes, place, pairs.spin_glass, VERMILLION, r"$\chi_\mathrm{SG}(\mathbf{q})$")
    if np.all(pairs.structure.value > 0) and np.all(pairs.spin_glass.value > 0):
        axes.set_yscale("log")
    mark_path(axes, waves, place, is_path, INK)
    axes.margins(x=0)
    axes.legend()


def _draw_structure_map(axes: Axes, pairs: PairCorrelations) -> None:
    _draw_map(axes, pairs, pairs.structure, r"$S(\mathbf{q})$")


def _draw_glass_map(axes: Axes, pairs: PairCorrelations) -> None:
    _draw_map(axes, pairs, pairs.spin_glass, r"$\chi_\mathrm{SG}(\mathbf{q})$")


def _draw_map(axes: Axes, pairs: PairCorrelations, estimates: Estimates, label: str) -> None:
    mesh = draw_zone(axes, pairs.wave_vectors, estimates.value, logarithmic=True)
    axes.figure.colorbar(mesh, ax=axes, pad=0.02, label=label)


def _draw_distances(axes: Axes, pairs: PairCorrelations) -> None:
    edges = pairs.edges
    # Pairs at the lower edge of a bin are in it: shells of a lattice.
    _draw(axes, edges[:-1], pairs.correlation, BLUE, r"$C$")
    _draw(axes, edges[:-1], pairs.square, VERMILLION, r"$C^2$")
    axes.axhline(0, color=INK, linewidth=0.5)
    unit = f" ({pairs.length_unit})" if pairs.length_unit else ""
    axes.set_xlabel(f"Distance, lower edge of the bin{unit}")
    axes.set_ylabel("Mean over pairs")
    axes.legend()


def _draw_displacements(axes: Axes, pairs: PairCorrelations) -> None:
    dx, dy, dz = pairs.displacements
    if len(dy) > 1:
        plane = pairs.displaced_correlation.value[0, 0, :, :, np.flatnonzero(dz == 0)[0]]
        reach = np.nanmax(np.abs(plane))
        mesh = axes.pcolormesh(dx, dy, plane.T, cmap="RdBu_r", vmin=-reach, vmax=reach)
        axes.figure.colorbar(mesh, ax=axes, pad=0.02, label=r"$C$")
        axes.set_ylabel("$d_y$ (cells)")
    else:
        _draw(axes, dx, _of_first_atom(pairs.displaced_correlation), BLUE, r"$C$")
        _draw(axes, dx, _of_first_atom(pairs.displaced_square), VERMILLION, r"$C^2$")
        axes.axhline(0, color=INK, linewidth=0.5)
        axes.set_ylabel("Mean over pairs")
        axes.legend()
    axes.set_xlabel("$d_x$ (cells)")


def _of_first_atom(estimates: Estimates) -> Estimates:
    return Estimates(estimates.value[0, 0, :, 0, 0], estimates.error[0, 0, :, 0, 0])


def _draw(axes: Axes, x: np.ndarray, estimates: Estimates, colour: str, label: str) -> None:
    value, error = estimates
    known = np.isfinite(value)
    bars = error[known] if np.all(np.isfinite(error[known])) else None
    axes.errorbar(x[known], value[known], bars, color=colour, marker="o", markersize=3,
                  label=label)
