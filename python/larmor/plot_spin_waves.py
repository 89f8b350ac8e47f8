"""Draws linear spin-wave theory: the dispersion along a path, coloured by intensity, or a map of the
lowest branch, and the density of states."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from .errors import NothingToDraw
from .labels import frequency_label, shown_unit
from .path_axis import limits, mark_path, path_of
from .spin_waves import DensityOfStates, SpinWaves
from .stage import Stage
from .stage_words import heading
from .style import BLUE, TEMPERATURE_MAP, finish, new_figure, styled
from .zone_map import draw_zone, is_plane

_COLOURS = TEMPERATURE_MAP.reversed()
# Number of decades of intensity that colours distinguish, and widths of the weakest and the
# strongest line.
_DECADES = 3
_WIDTHS = (0.8, 3.4)


def plot_spin_waves(stage: Stage, title: str = "") -> Figure:
    """Frequencies along the path, wide and dark where S(q, w) is strong, and the density of states. For a
    grid, a map of the lowest frequency. A quantity that was not computed is left out.

    Raises NothingToDraw if the stage holds neither.
    """
    has_lines, has_states = "dispersion" in stage, "density-of-states" in stage
    if not has_lines and not has_states:
        raise NothingToDraw("neither a dispersion nor a density of states was computed")
    with styled():
        if not has_lines:
            figure = new_figure(5.4, 4.2)
            axes = figure.subplots()
            _draw_states(axes, stage.density_of_states, upright=False)
            return finish(heading(title, stage), figure)
        waves = stage.spin_waves
        if is_plane(waves):
            figure = new_figure(10.0 if has_states else 5.8, 4.6)
            panels = np.atleast_1d(figure.subplots(1, 2 if has_states else 1))
            _draw_lowest(panels[0], waves)
            if has_states:
                _draw_states(panels[1], stage.density_of_states, upright=False)
            return finish(heading(title, stage), figure)
        figure = new_figure(8.2 if has_states else 7.2, 4.8)
        if not has_states:
            axes = figure.subplots()
            _colour_bar(figure, _draw_dispersion(axes, waves), [axes])
            return finish(heading(title, stage), figure)
        left, right = figure.subplots(1, 2, sharey=True, width_ratios=(3.4, 1))
        lines = _draw_dispersion(left, waves)
        _draw_states(right, stage.density_of_states, upright=True)
        _colour_bar(figure, lines, [left, right])
        return finish(heading(title, stage), figure)


def _colour_bar(figure: Figure, lines: LineCollection, axes: list[Axes]) -> None:
    figure.colorbar(lines, ax=axes, pad=0.02, extend="both",
                    label=r"Intensity $\int \mathrm{d}\omega\, S(\mathbf{q},\omega) / 2\pi$")


def _draw_lowest(axes: Axes, waves: SpinWaves) -> None:
    scale, _ = shown_unit(waves.frequency_unit)
    mesh = draw_zone(axes, waves, scale * waves.frequency[:, 0], logarithmic=False,
                     colours=TEMPERATURE_MAP)
    axes.figure.colorbar(mesh, ax=axes, pad=0.02,
                         label=f"{frequency_label(waves.frequency_unit)} of the lowest branch")


def _draw_dispersion(axes: Axes, waves: SpinWaves) -> LineCollection:
    scale, _ = shown_unit(waves.frequency_unit)
    distance, is_path = path_of(waves)
    frequency, intensity = scale * waves.frequency, waves.intensity
    known = intensity[np.isfinite(intensity) & (intensity > 0)]
    highest = float(np.percentile(known, 98)) if known.size else 1.0
    lowest = float(np.clip(known.min(initial=highest), highest / 10**_DECADES, highest / 3))
    norm = LogNorm(lowest, highest, clip=True)
    lines = _segments(distance, frequency, intensity, is_path, norm)
    axes.add_collection(lines)
    top = float(np.nanmax(frequency))
    bottom = min(0.0, 1.05 * float(np.nanmin(frequency)))
    axes.set(xlim=limits(distance, is_path), ylim=(bottom, 1.06 * top if top > 0 else 1.0),
             ylabel=frequency_label(waves.frequency_unit))
    mark_path(axes, waves, distance, is_path, line="0.6")
    growth = waves.growth
    if growth is not None and np.any(growth > 0):
        axes.plot(distance, scale * growth.max(axis=1), color="0.5", linestyle=":",
                  label="growth rate")
        axes.legend(loc="upper right")
    return lines


def _segments(distance: np.ndarray, frequency: np.ndarray, intensity: np.ndarray, is_path: bool,
              norm: LogNorm) -> LineCollection:
    """Line segments from each wave vector half-way to its neighbours on either side. If the wave
    vectors are not a path, marks are drawn instead."""
    floor = norm.vmin
    value = np.where(np.isfinite(intensity), np.maximum(intensity, floor), norm.vmax)
    share = np.asarray(norm(value), dtype=float)
    widths = _WIDTHS[0] + (_WIDTHS[1] - _WIDTHS[0]) * share
    segments, values, sizes = [], [], []
    for mode in range(frequency.shape[1]):
        points = np.column_stack([distance, frequency[:, mode]])
        for i, point in enumerate(points):
            if is_path:
                before = (point + points[max(i - 1, 0)]) / 2
                after = (point + points[min(i + 1, len(points) - 1)]) / 2
                segments.append([before, point, after])
            else:
                segments.append([point - [0.4, 0], point + [0.4, 0]])
            values.append(value[i, mode])
            sizes.append(widths[i, mode])
    order = np.argsort(values, kind="stable")
    return LineCollection([segments[i] for i in order], array=np.array(values)[order], norm=norm,
                          cmap=_COLOURS, linewidths=np.array(sizes)[order], capstyle="round")


def _draw_states(axes: Axes, states: DensityOfStates, upright: bool) -> None:
    scale, _ = shown_unit(states.unit)
    frequency, density = scale * states.frequency, states.density / scale
    if upright:
        axes.fill_betweenx(frequency, density, color=BLUE, alpha=0.25, linewidth=0)
        axes.plot(density, frequency, color=BLUE)
        axes.set(xlim=(0, None), xlabel=r"$g(\omega)$")
        return
    axes.fill_between(frequency, density, color=BLUE, alpha=0.25, linewidth=0)
    axes.plot(frequency, density, color=BLUE)
    axes.set(xlim=(0, frequency[-1]), ylim=(0, None), xlabel=frequency_label(states.unit),
             ylabel=r"Density of states $g(\omega)$ per spin")
