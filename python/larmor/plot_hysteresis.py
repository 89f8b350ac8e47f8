"""Draws the magnetisation against the swept field."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from .errors import NothingToDraw
from .labels import average_label, field_label, quantity_of, shown_unit, with_error
from .stage import LoopNumber, Stage
from .stage_words import heading
from .style import BLUE, GREEN, INK, NOTHING, ORANGE, PURPLE, VERMILLION, finish, new_figure, styled


def plot_hysteresis(stage: Stage, title: str = "") -> Figure:
    """The moment along the field: one colour for the falling field, another for the rising field, and grey for
    points before these two branches. The numbers of the loop are marked, once the stage is done.

    Raises NothingToDraw if no field was swept, or fewer than two points are done.
    """
    if "field" not in stage or "magnetisation_along" not in stage.averages:
        raise NothingToDraw("no field was swept")
    moment = stage.averages["magnetisation_along"]
    field = stage.field[:len(moment.value)]
    if len(field) < 2:
        raise NothingToDraw("a curve needs two fields or more")
    with styled():
        figure = new_figure(6.2, 5.0)
        axes = figure.subplots()
        factor, _ = shown_unit(moment.unit)
        value, error = (factor * array[:len(field)] for array in moment)
        axes.axhline(0, color=INK, linewidth=0.5)
        axes.axvline(0, color=INK, linewidth=0.5)
        branches = _branches(field)
        for number, branch in enumerate(branches):
            first, last = field[branch][[0, -1]]
            colour = VERMILLION if last > first else BLUE
            if number < len(branches) - 2:
                colour = NOTHING
            _draw(axes, field[branch], value[branch], error[branch], colour)
        handles = []
        if len(branches) > 1:
            handles = [Line2D([], [], color=BLUE, label="field falling"),
                       Line2D([], [], color=VERMILLION, label="field rising")]
        if "loop" in stage:
            handles += _mark(axes, stage.loop, factor, field)
        if handles:
            # The legend is outside the axes, since a wide loop leaves no corner free.
            axes.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.45, -0.16), ncols=2, fontsize=9,
                        columnspacing=1.2, handlelength=1.6)
        axes.set_xlabel(field_label(stage.field_unit))
        axes.set_ylabel(average_label(moment.name, moment.unit))
        axes.margins(x=0.02, y=0.05)
        return finish(heading(title, stage, _direction(stage)), figure)


def _direction(stage: Stage) -> str:
    """The direction of the field; empty until the stage is done."""
    if "direction" not in stage:
        return ""
    return "$B$ along (" + ", ".join(f"{part:.3g}" for part in stage.group["direction"][()]) + ")"


def _branches(field: np.ndarray) -> list[slice]:
    """The fields between one turning point of the sweep and the next, both included."""
    steps = np.diff(field)
    moved = np.flatnonzero(steps)
    turns = [int(after) for before, after in zip(moved, moved[1:]) if steps[before] * steps[after] < 0]
    ends = [0, *turns, len(field) - 1]
    return [slice(first, last + 1) for first, last in zip(ends, ends[1:])]


def _draw(axes: Axes, x: np.ndarray, y: np.ndarray, error: np.ndarray, colour: str) -> None:
    axes.plot(x, y, "-", color=colour)
    if len(x) <= 100:
        axes.plot(x, y, "o", color=colour, markersize=2.5)
    known = np.isfinite(error) & (error > 0)
    if known.any():
        low, high = y - np.where(known, error, 0), y + np.where(known, error, 0)
        axes.fill_between(x, low, high, color=colour, alpha=0.2, linewidth=0)


def _mark(axes: Axes, loop: dict[str, LoopNumber], factor: float, field: np.ndarray) -> list[Line2D]:
    """Marks the known numbers of the loop within the swept fields.
    @param factor to the unit in which moments are shown"""

    def known(name: str) -> bool:
        return name in loop and bool(np.isfinite(loop[name].value))

    handles = []

    def explain(name: str, **look: object) -> None:
        _, unit = shown_unit(loop[name].unit)
        text = with_error(*(shown_unit(loop[name].unit)[0] * x for x in loop[name][:2]))
        words = quantity_of(name).words
        handles.append(Line2D([], [], label=f"{words} {text} {unit}".rstrip(), **look))

    zeros = [loop[f"coercive_field_{way}"].value for way in ("falling", "rising")
             if known(f"coercive_field_{way}")]
    if zeros:
        look = {"linestyle": "", "marker": "o", "color": GREEN, "markersize": 7}
        axes.plot(zeros, np.zeros(len(zeros)), zorder=4, **look)
        explain("coercive_field", **look)
    if known("remanence"):
        look = {"linestyle": "", "marker": "D", "color": PURPLE, "markersize": 6}
        left = factor * loop["remanence"].value
        both_ways = field.min() < 0 < field.max()
        axes.plot([0, 0], [left, -left if both_ways else left], zorder=4, **look)
        explain("remanence", **look)
    if known("saturation_field"):
        look = {"linestyle": "--", "color": ORANGE, "linewidth": 1.0}
        for at in loop["saturation_field"].value * np.array([-1, 1]):
            if field.min() <= at <= field.max():
                axes.axvline(at, **look)
        explain("saturation_field", **look)
    if known("energy_product"):
        explain("energy_product", linestyle="")
    return handles
