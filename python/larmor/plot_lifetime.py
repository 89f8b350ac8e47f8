"""Draws lifetimes of the ends of a minimum-energy path over the temperature."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from .errors import NothingToDraw
from .labels import temperature_label
from .lifetimes import Lifetimes
from .stage import Stage
from .stage_words import heading
from .style import BLUE, INK, VERMILLION, finish, new_figure, styled


def plot_lifetime(stage: Stage, title: str = "") -> Figure:
    """Logarithms of the lifetimes of both ends against the inverse temperature. The curves are
    nearly straight lines, whose slopes are the barriers. The upper axis shows temperatures.

    Raises NothingToDraw if there are no lifetimes, or only one temperature.
    """
    if "lifetime/temperature" not in stage:
        raise NothingToDraw("the stage has no lifetimes")
    lifetimes = stage.lifetimes
    if len(np.unique(lifetimes.temperature)) < 2:
        raise NothingToDraw("lifetimes are drawn over temperature: two points or more are needed")
    order = np.argsort(lifetimes.temperature)[::-1]
    inverse = 1 / lifetimes.temperature[order]
    with styled():
        figure = new_figure(5.8, 4.4)
        axes = figure.subplots()
        for logarithm, marker, colour, words in (
                (lifetimes.log_forward, "o", BLUE, "first state"),
                (lifetimes.log_backward, "s", VERMILLION, "last state")):
            axes.plot(inverse, logarithm[order] / np.log(10), marker=marker, color=colour, label=words,
                      markerfacecolor="none" if marker == "s" else colour,
                      markersize=7 if marker == "s" else 4.5)
        axes.legend(loc="best")
        unit = lifetimes.temperature_unit
        axes.set_xlabel(f"Inverse temperature $1/T$ (1/{unit})" if unit
                        else r"Inverse temperature $1/k_\mathrm{B}T$")
        # The logarithm of a time means nothing without its unit.
        axes.set_ylabel(rf"$\log_{{10}}$ of the lifetime ({lifetimes.time_unit or 'reduced units'})")
        _mark_temperatures(axes, lifetimes)
        return finish(heading(title, stage), figure)


def _mark_temperatures(axes: Axes, lifetimes: Lifetimes) -> None:
    """Marks round temperatures on the upper axis, as many as fit."""
    above = axes.secondary_xaxis("top")
    left, right = axes.get_xlim()
    round_ones = MaxNLocator(20, steps=[1, 2, 5, 10]).tick_values(lifetimes.temperature.min(),
                                                                  lifetimes.temperature.max())
    width_of_character = 0.022 * (right - left)
    marked: list[float] = []
    for temperature in round_ones[round_ones > 0]:
        at = 1 / temperature
        room = width_of_character * (2 + max(len(f"{value:g}") for value in (temperature, *marked[-1:])))
        if left <= at <= right and (not marked or 1 / marked[-1] - at >= room):
            marked.append(temperature)
    axes.tick_params(top=False, which="both")
    above.set_xticks([1 / temperature for temperature in marked], [f"{value:g}" for value in marked])
    above.minorticks_off()
    above.set_xlabel(temperature_label(lifetimes.temperature_unit), color=INK)
