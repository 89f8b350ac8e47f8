"""Draws a fit: predictions over targets with their deviations, and the errors of each group."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from .errors import NothingToDraw
from .fit_results import FITTED_KINDS, Fit, Parity
from .labels import shown_unit
from .style import BLUE, CYCLE, INK, VERMILLION, finish, new_figure, spans_decades, styled

NAMES = {"energy": "Energy", "force": "Force", "stress": "Stress"}
_MARKERS = "os^Dv"
# Errors below this fraction of the largest are those of rounding.
_ROUNDING = 1e-4
# If there are more groups, the legend has columns.
_MOST_IN_COLUMN = 14


def _kinds(fit: Fit) -> list[str]:
    kinds = [kind for kind in FITTED_KINDS if len(fit.parity(kind).target) > 0]
    if not kinds:
        raise NothingToDraw("the fit has no predictions")
    return kinds


def _unit(unit: str) -> str:
    # Energies of fits stay in eV, as their input has them.
    return shown_unit(unit, np.ones(1))[1]


def plot_parity(fit: Fit, title: str = "") -> Figure:
    """Predicted energies, forces and stresses over those of the set, by group, and below them the magnitudes of the
    deviations on a logarithmic axis. Open marks are only tested."""
    kinds = _kinds(fit)
    with styled():
        figure = new_figure(1.9 + 3.4 * len(kinds), 5.8)
        above, below = figure.subplots(2, len(kinds), squeeze=False, sharex="col", height_ratios=(1.7, 1))
        for axes, deviations, kind in zip(above, below, kinds):
            parity = fit.parity(kind)
            _draw_parity(axes, fit, parity)
            _draw_deviations(deviations, fit, parity)
            unit = _unit(parity.unit)
            axes.set_ylabel(f"Predicted {kind} ({unit})")
            deviations.set(xlabel=f"{NAMES[kind]} of the set ({unit})", ylabel=f"Deviation ({unit})")
        figure.align_ylabels()
        columns = -(-len(fit.groups) // _MOST_IN_COLUMN)
        figure.legend(*above[0].get_legend_handles_labels(), loc="outside right center", fontsize=9, ncols=columns,
                      markerscale=1.6)
        return finish(_heading(title, fit), figure)


def _heading(title: str, fit: Fit) -> str:
    words = f"fit of {', '.join(fit.elements)}"
    count, tests = (fit.details.get(name, 0) for name in ("configurations", "tests"))
    if count:
        words += f" to {count - tests:g} configurations" + (f", tested with {tests:g} others (open marks)" if tests else "")
    return f"{title}\n{words}" if title else words


def _draw_groups(axes: Axes, fit: Fit, parity: Parity, height: np.ndarray) -> None:
    """Marks at the targets with a height [n], by group."""
    for number, name in enumerate(fit.groups):
        colour = CYCLE[number % len(CYCLE)]
        marker = _MARKERS[number // len(CYCLE) % len(_MARKERS)]
        for is_test in (False, True):
            chosen = (parity.group == number) & (parity.is_test == is_test)
            if not chosen.any() and is_test:
                continue
            axes.plot(parity.target[chosen], height[chosen], marker, color=colour, markersize=3,
                      markerfacecolor="none" if is_test else colour, rasterized=True,
                      label=None if is_test else name)


def _draw_parity(axes: Axes, fit: Fit, parity: Parity) -> None:
    _draw_groups(axes, fit, parity, parity.predicted)
    ends = [parity.target.min(), parity.target.max()]
    axes.plot(ends, ends, "-", color=INK, linewidth=0.8, zorder=0)


def _draw_deviations(axes: Axes, fit: Fit, parity: Parity) -> None:
    deviation = np.abs(parity.predicted - parity.target)
    _draw_groups(axes, fit, parity, deviation)
    positive = deviation[deviation > 0]
    if positive.size:
        axes.set_yscale("log")
        # The smallest deviations are chance, and would fill the axes.
        axes.set_ylim(bottom=max(float(positive.min()), 1e-4 * float(positive.max())))


def plot_fit_errors(fit: Fit, title: str = "") -> Figure:
    """Mean absolute and root-mean-square errors of each group; errors of configurations that are only tested have open
    marks. The axis is logarithmic if the errors span more than one decade."""
    kinds = _kinds(fit)
    with styled():
        figure = new_figure(2.4 + 3.0 * len(kinds), 2.0 + 0.32 * (len(fit.groups) + 1))
        all_axes = figure.subplots(1, len(kinds), squeeze=False, sharey=True)[0]
        for axes, kind in zip(all_axes, kinds):
            _draw_errors(axes, fit, kind)
        all_axes[0].set_yticks(range(len(fit.groups) + 1), [*fit.groups, "all"])
        all_axes[0].set_yticks([], minor=True)
        all_axes[0].invert_yaxis()
        figure.legend(*all_axes[0].get_legend_handles_labels(), loc="outside right center", fontsize=9)
        return finish(_heading(title, fit), figure)


def _draw_errors(axes: Axes, fit: Fit, kind: str) -> None:
    errors = fit.errors(kind)
    place = np.arange(len(errors.count))
    known = np.concatenate([of[errors.count > 0] for of in (errors.mean_absolute, errors.root_mean_square)])
    # Forces that vanish by symmetry have errors of rounding, which would fill the axis.
    known = known[known > _ROUNDING * known.max()]
    least = 0.0
    if spans_decades(known, 1):
        # Whole decades have two labels or more.
        least, most = 10 ** np.floor(np.log10(known.min())), 10 ** np.ceil(np.log10(known.max()))
        axes.set(xscale="log", xlim=(least, most))
        axes.xaxis.set_minor_formatter(NullFormatter())
    for values, colour, marker, label in ((errors.mean_absolute, BLUE, "o", "mean absolute error"),
                                          (errors.root_mean_square, VERMILLION, "D", "root-mean-square error")):
        for part, words in ((0, label), (1, f"{label}, test")):
            has = errors.count[:, part] > 0
            if not has.any():
                continue
            # A mark at the left end of the axis stands for an error of rounding.
            axes.plot(np.maximum(values[has, part], least), place[has] + 0.3 * part - 0.15, marker, color=colour, markersize=5, clip_on=False,
                      markerfacecolor=colour if part == 0 else "white", label=words)
    axes.grid(axis="y", color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel(f"Error of the {kind} ({_unit(errors.unit)})")
    if least == 0:
        axes.set_xlim(left=0)
