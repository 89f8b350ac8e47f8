"""Draws a trajectory from state to state: the states over time, waiting times, and the network of states."""

from __future__ import annotations

import h5py
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .errors import NothingToDraw
from .hdf5_values import unit_of
from .stage import Stage
from .stage_words import heading
from .style import CYCLE, INK, finish, new_figure, styled

# More states than these are hard to tell apart.
_MOST_CURVES = 4
_MOST_NODES = 24
# More changes than these would fill the panel.
_MOST_CHANGES = 300
# Waiting times of fewer exits have no shape.
_FEWEST_EXITS = 5


def plot_transitions(stage: Stage, title: str = "") -> Figure:
    """Three panels of a stage `parsplice`. Only the most frequent states have waiting times and nodes.

    Raises NothingToDraw before the end of the stage, and for other kinds of stage.
    """
    group = stage.group
    if "rates" not in group or "trajectory/state" not in group:
        raise NothingToDraw("the stage has no trajectory from state to state")
    with styled():
        figure = new_figure(11.8, 4.2)
        along, waiting, network = figure.subplots(1, 3, width_ratios=(1.3, 1, 1))
        _draw_trajectory(along, group)
        _draw_waiting_times(waiting, group)
        _draw_network(network, group)
        return finish(heading(title, stage), figure)


def _time_label(dataset: h5py.Dataset, name: str = "Time $t$") -> str:
    unit = unit_of(dataset)
    return f"{name} ({unit})" if unit else name


def _draw_trajectory(axes: Axes, group: h5py.Group) -> None:
    state, time = group["trajectory/state"][()], group["trajectory/time"][()]
    changes = len(state) - 1
    state, time = state[:_MOST_CHANGES + 1], time[:_MOST_CHANGES + 1]
    axes.stairs(state, np.append(0, np.cumsum(time)), baseline=None, linewidth=0.8)
    axes.set(xlabel=_time_label(group["trajectory/time"]), ylabel="State")
    axes.yaxis.get_major_locator().set_params(integer=True)
    words = f"{changes} changes" if changes <= _MOST_CHANGES else f"first {_MOST_CHANGES} of {changes} changes"
    axes.set_title(f"{len(group['states/label'])} states, {words}")


def _draw_waiting_times(axes: Axes, group: h5py.Group) -> None:
    states, times = group["waiting_times/state"][()], group["waiting_times/time"][()]
    rates, p_values = group["states/rate"][()], group["states/p_exponential"][()]
    counts = np.bincount(states, minlength=len(rates))
    drawn = [state for state in np.argsort(-counts, kind="stable")[:_MOST_CURVES] if counts[state] >= _FEWEST_EXITS]
    most = max(counts[drawn], default=0)
    if len(rates) > _MOST_CURVES and len(times) >= _FEWEST_EXITS:
        # Many equivalent states, such as the sites of a vacancy, have few exits each.
        most = len(times)
        _draw_shares(axes, times, most / group["states/settled_time"][()].sum(), INK, "all states together")
    for colour, state in zip(CYCLE, drawn):
        words = f"state {state}" + (f", p = {p_values[state]:.2g}" if np.isfinite(p_values[state]) else "")
        _draw_shares(axes, times[states == state], rates[state], colour, words)
    axes.set(xlabel=_time_label(group["waiting_times/time"], "Waiting time $t$"), ylabel="Share of waits longer than $t$")
    if most > 0:
        axes.legend(title="dashed: exponential")
        axes.set(yscale="log", ylim=(0.5 / most, 1.5))
    else:
        axes.text(0.5, 0.5, f"no state has {_FEWEST_EXITS} exits", ha="center", transform=axes.transAxes)
        axes.set(xticks=[], yticks=[])


def _draw_shares(axes: Axes, times: np.ndarray, rate: float, colour: str, words: str) -> None:
    own = np.sort(times)
    axes.step(own, 1 - np.arange(len(own)) / len(own), where="pre", color=colour, label=words)
    at = np.linspace(0, own[-1], 100)
    axes.plot(at, np.exp(-rate * at), "--", color=colour, linewidth=1)


def _draw_network(axes: Axes, group: h5py.Group) -> None:
    time = group["states/time"][()]
    nodes = np.sort(np.argsort(-time, kind="stable")[:_MOST_NODES])
    angle = np.pi / 2 + 2 * np.pi * np.arange(len(nodes)) / len(nodes)
    place = {node: np.array([np.cos(a), np.sin(a)]) for node, a in zip(nodes, angle)}
    start, end, exits = (group[f"rates/{name}"][()] for name in ("from", "to", "exits"))
    most = max(exits, default=1)
    for one, other, count in zip(start, end, exits):
        if one == other or one not in place or other not in place:
            continue
        arrow = {"arrowstyle": "-|>", "connectionstyle": "arc3,rad=0.18", "shrinkA": 11, "shrinkB": 11,
                 "linewidth": 0.4 + 2.6 * count / most, "color": INK, "alpha": 0.35 + 0.65 * count / most}
        axes.annotate("", place[other], place[one], arrowprops=arrow)
    points = np.array([place[node] for node in nodes])
    share = time[nodes] / time.sum()
    shown = axes.scatter(*points.T, c=share, s=330, cmap="YlGnBu", edgecolors=INK, zorder=3,
                         vmin=0)
    for node, own in zip(nodes, share):
        axes.text(*place[node], str(node), ha="center", va="center", fontsize=9, zorder=4,
                  color="white" if own > 0.6 * share.max() else INK)
    axes.figure.colorbar(shown, ax=axes, label="Share of the time")
    axes.set(xlim=(-1.3, 1.3), ylim=(-1.3, 1.3), aspect="equal")
    axes.set_axis_off()
    if len(nodes) < len(time):
        axes.set_title(f"{len(nodes)} of {len(time)} states")
