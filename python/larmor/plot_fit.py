"""Draws a fit: predictions over targets, and the errors of each group."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .errors import NothingToDraw
from .fit_results import FITTED_KINDS, Fit
from .style import BLUE, CYCLE, INK, VERMILLION, finish, new_figure, styled

NAMES = {"energy": "Energy", "force": "Force", "stress": "Stress"}


def _kinds(fit: Fit) -> list[str]:
    kinds = [kind for kind in FITTED_KINDS if len(fit.parity(kind).target) > 0]
    if not kinds:
        raise NothingToDraw("the fit has no predictions")
    return kinds


def _unit(unit: str) -> str:
    return unit.replace("A^3", "Å$^3$")


def plot_parity(fit: Fit, title: str = "") -> Figure:
    """Predicted energies, forces and stresses over those of the set, by group. Open circles are only tested."""
    kinds = _kinds(fit)
    with styled():
        figure = new_figure(1.5 + 4.1 * len(kinds), 4.4)
        all_axes = figure.subplots(1, len(kinds), squeeze=False)[0]
        for axes, kind in zip(all_axes, kinds):
            _draw_parity(axes, fit, kind)
        figure.legend(*all_axes[0].get_legend_handles_labels(), loc="outside right center", fontsize=8)
        return finish(title, figure)


def _draw_parity(axes: Axes, fit: Fit, kind: str) -> None:
    parity = fit.parity(kind)
    for number, name in enumerate(fit.groups):
        colour = CYCLE[number % len(CYCLE)]
        marker = "os^Dv"[number // len(CYCLE) % 5]
        for is_test in (False, True):
            chosen = (parity.group == number) & (parity.is_test == is_test)
            if not chosen.any() and is_test:
                continue
            axes.plot(parity.target[chosen], parity.predicted[chosen], marker, color=colour, markersize=3,
                      markerfacecolor="none" if is_test else colour, rasterized=True,
                      label=None if is_test else name)
    ends = [parity.target.min(), parity.target.max()]
    axes.plot(ends, ends, "-", color=INK, linewidth=0.8, zorder=0)
    unit = _unit(parity.unit)
    axes.set(xlabel=f"{NAMES[kind]} of the set ({unit})", ylabel=f"Predicted ({unit})")


def plot_fit_errors(fit: Fit, title: str = "") -> Figure:
    """Mean absolute and root-mean-square errors of each group; errors of configurations that are only tested are
    hatched."""
    kinds = _kinds(fit)
    with styled():
        figure = new_figure(1.5 + 3.8 * len(kinds), 1.8 + 0.32 * (len(fit.groups) + 1))
        all_axes = figure.subplots(1, len(kinds), squeeze=False, sharey=True)[0]
        for axes, kind in zip(all_axes, kinds):
            _draw_errors(axes, fit, kind)
        all_axes[0].set_yticks(range(len(fit.groups) + 1), [*fit.groups, "all"])
        all_axes[0].set_yticks([], minor=True)
        all_axes[0].invert_yaxis()
        figure.legend(*all_axes[0].get_legend_handles_labels(), loc="outside right center", fontsize=8)
        return finish(title, figure)


def _draw_errors(axes: Axes, fit: Fit, kind: str) -> None:
    errors = fit.errors(kind)
    bars = [(errors.mean_absolute, BLUE, "mean |d|"), (errors.root_mean_square, VERMILLION, "root <d²>")]
    place = np.arange(len(errors.count))
    for number, (values, colour, label) in enumerate(bars):
        for part, hatch in ((0, None), (1, "////")):
            known = errors.count[:, part] > 0
            if not known.any():
                continue
            axes.barh(place[known] + 0.2 * (2 * number + part) - 0.3, values[known, part], 0.2,
                      color=colour if part == 0 else "white", edgecolor=colour, hatch=hatch,
                      label=label if part == 0 else f"{label}, test")
    axes.set(xlim=(0, None), xlabel=f"Error of the {kind} ({_unit(errors.unit)})")
