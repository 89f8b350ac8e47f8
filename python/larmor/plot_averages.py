"""Draws averages against temperature, a field or kappa, with error bars."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .errors import NothingToDraw, NotInResults
from .labels import average_label, parameter_label, shown_unit
from .stage import Average, Stage
from .stage_words import heading, site_word
from .style import CYCLE, finish, new_figure, spans_decades, styled, widen_if_constant

# Quantities in reading order. Phi^4 fields have an action in place of an energy.
SHOWN = ("magnetisation", "specific_heat", "configurational_specific_heat", "susceptibility", "energy",
         "action", "binder_cumulant", "acceptance")
# Those of moving atoms, each replica at a temperature of its own.
SHOWN_OF_ATOMS = ("energy", "potential_energy", "pressure", "volume", "configurational_specific_heat", "enthalpy")
# The axis is logarithmic if the temperatures span more decades than this. The temperatures of an
# anneal are often geometric.
_LOG_DECADES = {"anneal": 1.5}
_USUAL_LOG_DECADES = 2
_LAYOUTS = {1: (1, 1), 2: (1, 2), 3: (1, 3), 4: (2, 2), 5: (2, 3), 6: (2, 3)}


def plot_averages(stage: Stage, title: str = "") -> Figure:
    """M, C, chi, E or the action, the Binder cumulant and, if there is room, the acceptance, for two points or more.

    The axis of an anneal is logarithmic if the temperatures span more than 1.5 decades.
    Raises NothingToDraw if there are fewer than two points, or none of these averages.
    """
    few = NothingToDraw("averages are drawn against temperature, field or kappa: two points or more are needed")
    try:
        name, abscissa, unit = stage.parameter
    except NotInResults:
        raise few from None
    if len(abscissa) < 2:
        raise few
    label = parameter_label(name, unit)
    averages = _averages(stage)
    rows, columns = _LAYOUTS[len(averages)]
    with styled():
        figure = new_figure(3.3 * columns + 0.3, 2.75 * rows + 0.8)
        grid = np.ravel(figure.subplots(rows, columns, sharex=True, squeeze=False))
        for axes, average, colour in zip(grid, averages, CYCLE):
            _draw(axes, abscissa, average, colour, site_word(stage))
        _finish_abscissa(grid, len(averages), columns, label,
                         uses_log_axis(stage.kind, abscissa))
        figure.align_ylabels()
        return finish(heading(title, stage), figure)


def _averages(stage: Stage) -> list[Average]:
    """The averages to draw. An acceptance is left out if it is constant, or another row or column would hold nothing
    else."""
    shown = SHOWN_OF_ATOMS if "potential_energy" in stage.averages else SHOWN
    # The energy of atoms is the potential energy per atom.
    averages = [stage.averages[name] for name in shown if name in stage.averages
                and not (name == "potential_energy" and "energy" in stage.averages)]
    if not averages:
        raise NothingToDraw("no averages were measured")
    last = averages[-1]
    if last.name == "acceptance" and len(averages) > 1 and (len(averages) in (2, 5) or np.ptp(last.value) == 0):
        averages.pop()
    return averages


def _draw(axes: Axes, abscissa: np.ndarray, average: Average, colour: str, site: str) -> None:
    points = min(len(abscissa), len(average.value))
    order = np.argsort(abscissa[:points], kind="stable")
    factor, _ = shown_unit(average.unit, average.value)
    value, error = (factor * array[:points][order] for array in average)
    # An unknown error is NaN, and matplotlib draws no bar for it.
    axes.errorbar(abscissa[:points][order], value, error, fmt="o-", color=colour,
                  linewidth=1.0, markeredgecolor="white", markeredgewidth=0.4, ecolor=colour,
                  elinewidth=1.1)
    axes.set_ylabel(average_label(average.name, average.unit, average.value, site))
    axes.margins(x=0.03, y=0.08)
    if average.name == "susceptibility" and spans_decades(value):
        axes.set_yscale("log")
        return
    if average.name in ("magnetisation", "specific_heat", "configurational_specific_heat", "susceptibility",
                        "acceptance"):
        axes.set_ylim(bottom=min(0.0, axes.get_ylim()[0]) if np.nanmin(value) < 0 else 0.0)
        # Values that hardly change would lie on the frame.
        axes.set_ylim(top=max(axes.get_ylim()[1], 1.08 * np.nanmax(value)))
    else:
        widen_if_constant(axes, value)


def _finish_abscissa(grid: np.ndarray, drawn: int, columns: int, label: str,
                     logarithmic: bool) -> None:
    for number, axes in enumerate(grid):
        if number >= drawn:
            axes.set_visible(False)
        elif number + columns >= drawn:
            axes.set_xlabel(label)
            axes.tick_params(labelbottom=True)
        if logarithmic:
            axes.set_xscale("log")


def uses_log_axis(kind: str, temperature: np.ndarray) -> bool:
    """Is the axis logarithmic? Over several decades, a linear axis hides the cold end."""
    lowest, highest = np.min(temperature), np.max(temperature)
    decades = _LOG_DECADES.get(kind, _USUAL_LOG_DECADES)
    return lowest > 0 and bool(highest / lowest > 10**decades)
