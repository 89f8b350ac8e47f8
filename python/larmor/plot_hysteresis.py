"""Magnetisation against the field that was swept."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .errors import NothingToDraw
from .labels import Quantity, field_label, label, shown_unit
from .stage import Stage
from .style import BLUE, INK, VERMILLION, finish, new_figure, styled


def plot_hysteresis(stage: Stage, title: str = "") -> Figure:
    """The moment along the field; one colour for the way there, another for the way back.

    Raises NothingToDraw if no field was swept, or fewer than two points are done.
    """
    if "field" not in stage or "magnetisation_along" not in stage.averages:
        raise NothingToDraw("no field was swept")
    moment = stage.averages["magnetisation_along"]
    field = stage.field[:len(moment.value)]
    if len(field) < 2:
        raise NothingToDraw("a curve needs two fields or more")
    with styled():
        figure = new_figure(5.6, 4.4)
        axes = figure.subplots()
        factor, _ = shown_unit(moment.unit)
        value, error = (factor * array[:len(field)] for array in moment)
        there, back = _branches(field)
        axes.axhline(0, color=INK, linewidth=0.5)
        axes.axvline(0, color=INK, linewidth=0.5)
        _draw(axes, field[there], value[there], error[there], BLUE)
        if back.stop - back.start > 1:
            _draw(axes, field[back], value[back], error[back], VERMILLION)
            for colour, branch in ((BLUE, there), (VERMILLION, back)):
                word = "field rising" if field[branch][-1] > field[branch][0] else "field falling"
                axes.plot([], [], color=colour, label=word)
            axes.legend(loc="upper left")
        axes.set_xlabel(field_label(stage.field_unit))
        axes.set_ylabel(label(Quantity("Magnetisation along $B$", "", per_site=True), moment.unit))
        axes.margins(x=0.02, y=0.05)
        return finish(title, figure)


def _branches(field: np.ndarray) -> tuple[slice, slice]:
    """The fields up to where the sweep turns round, and from there on."""
    step = np.sign(np.diff(field))
    turned = np.flatnonzero(step * step[np.flatnonzero(step)[0]] < 0) if step.any() else []
    turn = int(turned[0]) if len(turned) else len(field) - 1
    return slice(0, turn + 1), slice(turn, len(field))


def _draw(axes: Axes, x: np.ndarray, y: np.ndarray, error: np.ndarray, colour: str) -> None:
    axes.plot(x, y, "-", color=colour)
    if len(x) <= 100:
        axes.plot(x, y, "o", color=colour, markersize=2.5)
    known = np.isfinite(error) & (error > 0)
    if known.any():
        low, high = y - np.where(known, error, 0), y + np.where(known, error, 0)
        axes.fill_between(x, low, high, color=colour, alpha=0.2, linewidth=0)
