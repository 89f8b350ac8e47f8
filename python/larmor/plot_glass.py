"""Draws the measurements of `larmor bench glass --json`: the time of an update of a spin in ladders of samples,
and the rates of exchanges between rungs."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .errors import NothingToDraw
from .style import CYCLE, finish, new_figure, styled

Ladders = dict[str, Any]


def plot_glass(measured: dict[str, Any]) -> Figure:
    """Times of an update, and acceptances of exchanges. Raises NothingToDraw if nothing was measured."""
    ladders = measured["ladders"]
    if not ladders:
        raise NothingToDraw("nothing was measured")
    with styled():
        figure = new_figure(12.0, 4.8)
        times, acceptance = figure.subplots(1, 2)
        _draw_times(times, ladders, measured["measured_every"])
        _draw_acceptance(acceptance, ladders)
        return finish(f"Spin glass of ±J bonds, {measured['device']}", figure)


def _draw_times(axes: Axes, ladders: list[Ladders], every: int) -> None:
    kinds = {"alone": "sweeps alone", "exchanged": "exchange every sweep",
             "measured": f"and energies every {every} sweeps"}
    width = 0.8 / len(kinds)
    for number, (key, label) in enumerate(kinds.items()):
        places = [place + (number + 0.5) * width - 0.4 for place in range(len(ladders))]
        axes.bar(places, [1e12 * of[key] for of in ladders], width, color=CYCLE[number], label=label)
    axes.set_xticks(range(len(ladders)), [of["name"].replace(", ", "\n") for of in ladders])
    axes.set_xticks([], minor=True)
    axes.set(ylabel="Time of an update of a spin (ps)")
    axes.legend()


def _draw_acceptance(axes: Axes, ladders: list[Ladders]) -> None:
    seen = set()
    for of in ladders:
        # One curve per length is enough: random numbers with fewer rounds give equal acceptances.
        if of["length"] in seen:
            continue
        seen.add(of["length"])
        axes.plot(of["acceptance"], marker="o", label=f"{of['length']}³, {of['samples']} samples")
    axes.set(xlabel="Lower rung of a pair, from the coldest", ylabel="Accepted exchanges", ylim=(0, 1))
    axes.legend()
