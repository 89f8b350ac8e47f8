"""Draws correlations of pairs of sites in time: C(d, t) and S(d, w) along a line of displacements,
over distances, and between groups of sites."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize, SymLogNorm
from matplotlib.figure import Figure

from .cell_edges import cell_edges
from .errors import NothingToDraw
from .first_atom import first_atom, with_atom
from .labels import frequency_label, shown_unit
from .model import Model
from .estimate import Estimate
from .pair_correlations import PairCorrelationsInTime
from .stage import Stage
from .stage_words import heading
from .style import INK, NOTHING, finish, new_figure, styled

# The picture has at most one line for each colour. If there are more displacements, bins or groups,
# it is a map.
_MOST_LINES = 6
# Spectra are drawn until they fall below this fraction of their maximum. Their colours are
# logarithmic, since slow motion is much stronger than waves.
_SIGNAL_ENDS = 0.005


@dataclass(frozen=True)
class _Drawn:
    """Correlations [T, n] and real spectra [F, n] of n places: lines with names, or a map."""

    names: list[str]
    axis: str
    correlation: Estimate
    spectrum: Estimate
    edges: np.ndarray | None = None  # [n + 1] borders of the map's cells; None: lines
    itself: int = 0  # in maps: index of the pair of a spin with itself, the strongest


def plot_pair_correlations_in_time(stage: Stage, title: str = "", model: Model | None = None,
                                   max_frequency: float | None = None, number: int = 1) -> Figure:
    """One row for each kind of bins: C against time, and the real part of S, which is even, against frequency.
    Displacements lie along the first lattice vector with several of them. They join images of the first basis
    atom that is not vacant everywhere. Six places at most are drawn as lines, more as a map. Up to three groups
    are drawn with all their pairs; otherwise each of the first six groups is drawn with itself.

    model          converts displacements from cells to lengths; None: they stay in cells
    max_frequency  end of the axis, in the unit shown; None: the end of the signal
    number         number of the correlations in the stage, from 1

    Raises NothingToDraw if the stage measured none, or has no pairs of sites.
    """
    measured = stage.pair_correlations_in_time
    if number > len(measured):
        raise NothingToDraw("no correlations of pairs in time were measured")
    pairs = measured[number - 1]
    rows = []
    if "by-displacement" in pairs and (atom := first_atom(pairs)) is not None:
        rows.append(_displacements(pairs, atom, model))
    if "by-distance" in pairs and np.any(pairs.pairs > 0):
        rows.append(_distances(pairs))
    if "between-groups" in pairs and np.any(np.isfinite(pairs.groups.value)):
        rows.append(_groups(pairs))
    if not rows:
        raise NothingToDraw("the measured correlations have no pairs of sites")
    with styled():
        figure = new_figure(10.4, 4.2 * len(rows))
        figure.get_layout_engine().set(wspace=0.06)
        for drawn, (left, right) in zip(rows, figure.subplots(len(rows), 2, squeeze=False)):
            _draw_times(left, pairs, drawn)
            _draw_frequencies(right, pairs, drawn, max_frequency)
        return finish(heading(title, stage), figure)


def _displacements(pairs: PairCorrelationsInTime, atom: int, model: Model | None) -> _Drawn:
    cells = pairs.displacements
    several = [axis for axis in range(3) if len(cells[axis]) > 1]
    along = several[0] if several else 0
    line = [atom, atom, *(np.flatnonzero(of == 0)[0] for of in cells)]
    line[2 + along] = slice(None)

    def of_line(estimates: Estimate) -> Estimate:
        return Estimate(*(np.real(numbers[(slice(None), *line)]) for numbers in estimates))

    scale, unit = 1.0, "cells"
    if model is not None:
        scale, unit = float(np.linalg.norm(model.cell[along])), model.length_unit
    place = scale * cells[along]
    axis = f"Displacement along lattice vector {along + 1}" + (f" ({unit})" if unit else "")
    return _Drawn([f"{x:.4g}" for x in place], with_atom(axis, pairs, atom),
                  of_line(pairs.displaced_correlation), of_line(pairs.displaced_spectrum),
                  edges=cell_edges(place) if len(place) > _MOST_LINES else None,
                  itself=int(np.flatnonzero(cells[along] == 0)[0]))


def _distances(pairs: PairCorrelationsInTime) -> _Drawn:
    there = np.flatnonzero(pairs.pairs > 0)
    unit = f" ({pairs.length_unit})" if pairs.length_unit else ""
    is_map = len(there) > _MOST_LINES
    # A map also shows bins without pairs, unlike lines.
    shown = slice(None) if is_map else there

    def of_shown(estimates: Estimate) -> Estimate:
        return Estimate(*(numbers[:, shown] for numbers in estimates))

    middle = (pairs.edges[:-1] + pairs.edges[1:])[shown] / 2
    return _Drawn([f"{x:.4g}" for x in middle],
                  f"Distance{unit}" if is_map else f"Distance, middle of the bin{unit}",
                  of_shown(pairs.correlation), of_shown(pairs.spectrum),
                  edges=pairs.edges if is_map else None)


def _groups(pairs: PairCorrelationsInTime) -> _Drawn:
    names = pairs.group_names
    places = [(g, h) for g in range(len(names)) for h in range(g, len(names))]
    if len(places) > _MOST_LINES:
        places = [(g, g) for g in range(min(len(names), _MOST_LINES))]
    first, second = np.array(places).T

    def of_places(estimates: Estimate) -> Estimate:
        return Estimate(*(np.real(numbers[:, first, second]) for numbers in estimates))

    return _Drawn([names[g] if g == h else f"{names[g]}, {names[h]}" for g, h in places], "",
                  of_places(pairs.groups), of_places(pairs.groups_spectrum))


def _draw_times(axes: Axes, pairs: PairCorrelationsInTime, drawn: _Drawn) -> None:
    unit = f" ({pairs.time_unit})" if pairs.time_unit else ""
    _draw(axes, drawn, pairs.time, drawn.correlation, f"Time $t${unit}", "$C$, mean over pairs",
          None, logarithmic=False)


def _draw_frequencies(axes: Axes, pairs: PairCorrelationsInTime, drawn: _Drawn,
                      max_frequency: float | None) -> None:
    scale, _ = shown_unit(pairs.frequency_unit)
    # If C is real, the real part of S is even, so only its upper half is drawn.
    kept = pairs.frequency >= -1e-9 * np.abs(pairs.frequency).max()
    frequency = scale * pairs.frequency[kept]
    spectrum = Estimate(*(numbers[kept] for numbers in drawn.spectrum))
    if max_frequency is None:
        height = np.array([_highest(of_all) for of_all in spectrum.value])
        last = frequency[height > _SIGNAL_ENDS * height.max()].max(initial=0.0)
        max_frequency = min(1.15 * last, frequency[-1]) or frequency[-1]
    _draw(axes, drawn, frequency, spectrum, frequency_label(pairs.frequency_unit),
          r"Re $S(\omega)$, mean over pairs", max_frequency, logarithmic=True)


def _draw(axes: Axes, drawn: _Drawn, moment: np.ndarray, estimates: Estimate, moment_label: str,
          label: str, last: float | None, logarithmic: bool) -> None:
    """Draws values [n, places] at n times or frequencies up to the last one shown; None: all."""
    value, error = estimates
    if drawn.edges is None:
        for n, name in enumerate(drawn.names):
            (line,) = axes.plot(moment, value[:, n], label=name)
            if np.all(np.isfinite(error[:, n])):
                axes.fill_between(moment, value[:, n] - error[:, n], value[:, n] + error[:, n],
                                  color=line.get_color(), alpha=0.25, linewidth=0)
        if logarithmic:
            axes.set_yscale("symlog", linthresh=_least(_highest(value)))
        axes.axhline(0, color=INK, linewidth=0.5)
        axes.set(xlabel=moment_label, ylabel=label,
                 xlim=(moment[0], moment[-1] if last is None else last))
        axes.legend(title=drawn.axis or None)
        return
    reach = _highest(np.delete(value, drawn.itself, axis=1)) or _highest(value) or 1.0
    colours = (SymLogNorm(_least(reach), vmin=-reach, vmax=reach) if logarithmic
               else Normalize(-reach, reach))
    borders = cell_edges(moment)
    axes.set_facecolor(NOTHING)
    mesh = axes.pcolormesh(drawn.edges, borders, value, cmap="RdBu_r", norm=colours,
                           rasterized=True)
    extend = "both" if _highest(value) > reach else "neither"
    axes.figure.colorbar(mesh, ax=axes, pad=0.02, extend=extend, label=label)
    axes.set(xlabel=drawn.axis, ylabel=moment_label,
             ylim=(moment[0], borders[-1] if last is None else last))


def _highest(value: np.ndarray) -> float:
    """Largest known magnitude; 0 if none is known."""
    return float(np.max(np.abs(value), where=np.isfinite(value), initial=0.0))


def _least(reach: float) -> float:
    """Lower end of a logarithmic scale. It is a power of ten, so that it has a tick."""
    return float(10 ** np.ceil(np.log10(_SIGNAL_ENDS * (reach or 1.0))))
