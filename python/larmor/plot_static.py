"""Draws S(q) at equal times for each temperature: lines with error bars along a path or a list of wave vectors, or
maps of a grid."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from .errors import NothingToDraw
from .labels import temperature_label
from .path_axis import limits, mark_path, path_of
from .structure_factor import COMPONENTS, StructureFactor
from .style import BLUE, TEMPERATURE_MAP, new_figure
from .zone_map import draw_zone, is_plane

# If there are more temperatures than this, a colour bar replaces the legend.
_MOST_NAMES = 8
# At most this number of temperatures, evenly chosen, is drawn as maps.
_MOST_MAPS = 4


def draw_static(factor: StructureFactor, component: str | None) -> Figure:
    """Raises NothingToDraw if there is no S(q) or not the requested component. component: xx, yy or
    zz; None: their sum."""
    if "static" not in factor:
        raise NothingToDraw("the structure factor holds neither S(q, w) nor S(q)")
    name = r"$S(\mathbf{q})$" if component is None else rf"$S^{{{component}}}(\mathbf{{q}})$"
    value, error = _estimates(factor, component)
    if is_plane(factor):
        return _draw_maps(factor, value, name)
    return _draw_lines(factor, value, error, name)


def _estimates(factor: StructureFactor, component: str | None) -> tuple[np.ndarray, np.ndarray]:
    """Values and errors, [P, Q] each, for P temperatures (1 if the stage has none). Unknown errors are NaN."""
    if component is None:
        value = np.atleast_2d(factor.static)
        known = "static_error" in factor
        return value, (np.atleast_2d(factor.static_error) if known
                       else np.full_like(value, np.nan))
    if "tensor" not in factor:
        raise NothingToDraw("S(q) has only the sum over components; measure it with components = true")
    a = COMPONENTS.index(component)
    return factor.tensor[..., a, a].real, factor.tensor_error[..., a, a].real


def _draw_lines(factor: StructureFactor, value: np.ndarray, error: np.ndarray, name: str) -> Figure:
    distance, is_path = path_of(factor)
    figure = new_figure(7.2, 4.0)
    axes = figure.subplots()
    for row, spread, (colour, label) in zip(value, error, _styles(factor, len(value))):
        axes.errorbar(distance, row, spread, fmt="o-", linewidth=1.0, clip_on=False, color=colour,
                      label=label)
    axes.set(xlim=limits(distance, is_path), ylabel=name)
    if np.all(value > 0):
        axes.set_yscale("log")
    mark_path(axes, factor, distance, is_path, line="0.6")
    if 1 < len(value) <= _MOST_NAMES:
        axes.legend(title=temperature_label(factor.temperature_unit), loc="upper left",
                    bbox_to_anchor=(1.0, 1.02), alignment="left")
    elif len(value) > _MOST_NAMES:
        figure.colorbar(_colours(factor.temperature), ax=axes, pad=0.02,
                        label=temperature_label(factor.temperature_unit))
    return figure


def _colours(temperature: np.ndarray) -> mpl.cm.ScalarMappable:
    return mpl.cm.ScalarMappable(mpl.colors.Normalize(temperature.min(), temperature.max()), TEMPERATURE_MAP)


def _styles(factor: StructureFactor, lines: int) -> list[tuple[object, str | None]]:
    """(colour, label) of each line."""
    if lines == 1:
        return [(BLUE, None)]
    colours = _colours(factor.temperature)
    return [(colours.to_rgba(t), f"{t:.4g}") for t in factor.temperature]


def _draw_maps(factor: StructureFactor, value: np.ndarray, name: str) -> Figure:
    chosen = np.linspace(0, len(value) - 1, min(len(value), _MOST_MAPS)).round().astype(int)
    rows, columns = -(-len(chosen) // 2), min(2, len(chosen))
    figure = new_figure(4.8 * columns, 4.4 * rows)
    grid = np.ravel(figure.subplots(rows, columns, squeeze=False))
    for axes in grid[len(chosen):]:
        axes.set_visible(False)
    for axes, point in zip(grid, chosen):
        mesh = draw_zone(axes, factor, value[point], logarithmic=True)
        figure.colorbar(mesh, ax=axes, pad=0.02, label=name)
        if len(value) > 1:
            plane = axes.get_title()
            words = f"$T$ = {factor.temperature[point]:.4g} {factor.temperature_unit}".strip()
            axes.set_title(f"{words}, {plane}" if plane else words)
    return figure
