"""Draws the motion of replicas along the ladder of a tempering stage."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .errors import NothingToDraw
from .labels import parameter_label, with_error
from .stage import Ladder, Stage
from .stage_words import heading, step_word
from .style import BLUE, INK, NOTHING, VERMILLION, finish, new_figure, spans_decades, styled

# A diffusivity that spans more decades than this has a logarithmic axis.
_DECADES = 1


def plot_ladder(stage: Stage, title: str = "") -> Figure:
    """Acceptance between neighbouring rungs, the flow, and the rungs during tuning. If the ladder was not tuned, the
    third axes show the diffusivity of replicas.

    Gaps that replicas seldom cross are marked. Raises NothingToDraw if the stage has no ladder.
    """
    if "ladder" not in stage:
        raise NothingToDraw("the stage has no ladder")
    ladder = stage.ladder
    label = parameter_label(ladder.name, stage.parameter.unit)
    step = step_word(stage)
    with styled():
        figure = new_figure(10.8, 3.9)
        acceptance, flow, third = figure.subplots(1, 3)
        _draw_gaps(acceptance, ladder, ladder.acceptance, ladder.acceptance_error, label)
        acceptance.set_ylabel("Acceptance of exchanges")
        acceptance.set_ylim(0, 1.02)
        _draw_flow(flow, ladder, label, step)
        if ladder.tried is not None:
            _draw_tuning(third, ladder, label)
        else:
            _draw_gaps(third, ladder, ladder.diffusivity, None, label)
            third.set_ylabel(f"Diffusivity (rungs$^2$ per {step})")
            if spans_decades(ladder.diffusivity, _DECADES):
                third.set_yscale("log")
            else:
                third.set_ylim(bottom=0)
        return finish(heading(title, stage, f"{len(ladder.values)} rungs", with_temperature=False), figure)


def _middles(ladder: Ladder) -> np.ndarray:
    return 0.5 * (ladder.values[1:] + ladder.values[:-1])


def _draw_gaps(axes: Axes, ladder: Ladder, value: np.ndarray, error: np.ndarray | None,
               label: str) -> None:
    x = _middles(ladder)
    for rung in ladder.values:
        axes.axvline(rung, color=NOTHING, linewidth=0.5, zorder=0)
    axes.errorbar(x, value, error, fmt="o-", color=BLUE, linewidth=1.0)
    if ladder.stuck.any():
        axes.plot(x[ladder.stuck], value[ladder.stuck], "o", color=VERMILLION, markersize=7,
                  label="replicas seldom pass")
        axes.legend(loc="best")
    axes.set_xlabel(label)


def _draw_flow(axes: Axes, ladder: Ladder, label: str, step: str) -> None:
    even = np.linspace(1, 0, len(ladder.values))
    axes.plot(ladder.values, even, "--", color=INK, linewidth=0.8, label="falls evenly")
    axes.errorbar(ladder.values, ladder.flow, ladder.flow_error, fmt="o-", color=BLUE,
                  linewidth=1.0, label="counted")
    axes.set_ylim(-0.03, 1.03)
    axes.set_xlabel(label)
    axes.set_ylabel("Flow from the first rung")
    time, error = ladder.round_trip_time, ladder.round_trip_time_error
    axes.set_title(f"round trip of a replica: {with_error(time, error)} {step}s"
                   if np.isfinite(time) else "no round trips", loc="right", fontsize="medium")
    axes.legend(loc="best")


def _draw_tuning(axes: Axes, ladder: Ladder, label: str) -> None:
    rounds = np.vstack([ladder.tried, ladder.values])
    number = np.arange(len(rounds))
    for rung in rounds.T:
        axes.plot(number, rung, "-", color=BLUE, linewidth=0.8)
    axes.set_xticks(number)
    axes.set_xlabel("Round of tuning")
    axes.set_ylabel(label)
    axes.margins(x=0.02)
    if spans_decades(rounds, 1):
        axes.set_yscale("log")
