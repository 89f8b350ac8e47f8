"""Draws the free energy, entropy and families of a population at each temperature."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .errors import NothingToDraw
from .labels import average_label, shown_unit, temperature_label
from .plot_averages import uses_log_axis
from .stage import Stage
from .stage_words import heading
from .style import BLUE, GREEN, INK, PURPLE, VERMILLION, finish, new_figure, styled


def plot_population(stage: Stage, title: str = "") -> Figure:
    """Free energy and entropy of a cooled population, the number of its families, and their sizes.

    The population was too small if its families are few, or nearly as large as the population. Raises
    NothingToDraw if the stage has no population.
    """
    if "population" not in stage or len(stage.temperature) < 2:
        raise NothingToDraw("a population is drawn against temperature: two points or more are needed")
    temperature, population = stage.temperature, stage.population
    with styled():
        figure = new_figure(10.8, 3.9)
        free_energy, entropy, families = figure.subplots(1, 3)
        for axes, name, colour in ((free_energy, "free_energy", BLUE), (entropy, "entropy", VERMILLION)):
            _draw_average(axes, stage, name, colour)
        for name, label, colour in (("size", "replicas", INK), ("families", "families", BLUE),
                                    ("mean_square_family_size", r"$\rho_t$", VERMILLION),
                                    ("entropic_family_size", r"$\rho_s$", GREEN),
                                    ("largest_family", "largest family", PURPLE)):
            families.plot(temperature, population[name], "o-", color=colour, linewidth=1.0,
                          markersize=3, label=label)
        families.set_yscale("log")
        families.set_ylabel("Number of replicas")
        families.legend(loc="best")
        for axes in (free_energy, entropy, families):
            axes.set_xlabel(temperature_label(stage.temperature_unit))
            axes.margins(x=0.03)
            if uses_log_axis(stage.kind, temperature):
                axes.set_xscale("log")
        return finish(heading(title, stage, with_temperature=False), figure)


def _draw_average(axes: Axes, stage: Stage, name: str, colour: str) -> None:
    average = stage.averages[name]
    factor, _ = shown_unit(average.unit, average.value)
    value, error = (factor * np.asarray(numbers) for numbers in average)
    axes.errorbar(stage.temperature, value, error, fmt="o-", color=colour, linewidth=1.0, markersize=4)
    axes.set_ylabel(average_label(name, average.unit, average.value))
