"""Draws the measurements of `larmor bench snap --json`: speed of each method with its upper bound, and the
shares of its steps."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .errors import NothingToDraw
from .style import CYCLE, INK, finish, new_figure, styled

System = dict[str, Any]


def plot_snap(measured: dict[str, Any]) -> Figure:
    """Rates of all systems, in atoms and steps a second, and for each system the shares of the parts of a step.

    Raises NothingToDraw if no system was measured.
    """
    systems = [system for system in measured["systems"] if system["methods"]]
    if not systems:
        raise NothingToDraw("no system was measured")
    with styled():
        figure = new_figure(5.5 + 4.0 * len(systems), 4.8)
        rates, *parts = figure.subplots(1, 1 + len(systems), width_ratios=[1.4] + [1.0] * len(systems))
        _draw_rates(rates, systems)
        colours = _colours(systems)
        for axes, system in zip(parts, systems):
            _draw_parts(axes, system, colours)
        return finish(f"SNAP, {measured['potential']}, {measured['device']}", figure)


def _name(system: System) -> str:
    return f"2J = {system['twojmax']}, {system['atoms']} atoms"


def _methods(systems: list[System]) -> list[str]:
    """Names of the methods in the order of the file; a system may lack some."""
    longest = max(systems, key=lambda system: len(system["methods"]))
    names = dict.fromkeys(method["name"] for method in longest["methods"])
    names |= dict.fromkeys(method["name"] for system in systems for method in system["methods"])
    return list(names)


def _colours(systems: list[System]) -> dict[str, str]:
    names = dict.fromkeys(part for system in systems for method in system["methods"]
                          for part in method["parts"])
    return {name: CYCLE[number % len(CYCLE)] for number, name in enumerate(names)}


def _slanted(axes: Axes, names: list[str]) -> None:
    axes.set_xticks(range(len(names)), names, rotation=30, ha="right")
    axes.set_xticks([], minor=True)


def _draw_rates(axes: Axes, systems: list[System]) -> None:
    names = _methods(systems)
    for number, system in enumerate(systems):
        colour = CYCLE[number % len(CYCLE)]
        points = [(names.index(method["name"]), 1 / method["seconds"]) for method in system["methods"]]
        axes.plot(*zip(*points), color=colour, marker="o", label=_name(system))
        axes.axhline(system["floor_rate"] / system["flops"], color=colour, linestyle="--", linewidth=1.0)
    axes.plot([], [], color=INK, linestyle="--", linewidth=1.0, label="floor")
    _slanted(axes, names)
    axes.set(ylabel="Atoms and steps a second", yscale="log")
    axes.legend()


def _draw_parts(axes: Axes, system: System, colours: dict[str, str]) -> None:
    methods = system["methods"]
    named = set()
    for place, method in enumerate(methods):
        whole = sum(method["parts"].values())
        bottom = 0.0
        for part, seconds in method["parts"].items():
            height = 100 * seconds / whole
            axes.bar(place, height, 0.7, bottom, color=colours[part], label=None if part in named else part)
            named.add(part)
            bottom += height
    _slanted(axes, [method["name"] for method in methods])
    axes.set(title=_name(system), ylabel="Share of the time (%)", ylim=(0, 140))
    axes.legend(loc="upper center", ncols=3, fontsize=9)
