"""Draws the measurements of `larmor bench tempering --json`: costs of exchanges, places of rungs, the flow
along them, and numbers of round trips."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .errors import NothingToDraw
from .style import CYCLE, INK, finish, new_figure, styled

Spacing = dict[str, Any]


def plot_tempering(measured: dict[str, Any]) -> Figure:
    """Axes for costs, and a row of three for each spin glass; missing measurements are left out.

    Raises NothingToDraw if nothing was measured.
    """
    costs, glasses = measured["costs"], measured["glasses"]
    if not costs and not glasses:
        raise NothingToDraw("nothing was measured")
    with styled():
        figure = new_figure(14.0 if glasses else 8.0, 1.0 + 4.2 * (len(glasses) + bool(costs)))
        rows = iter(figure.subfigures(len(glasses) + bool(costs), 1, squeeze=False)[:, 0])
        if costs:
            _draw_costs(next(rows).subplots(), costs)
        for glass, row in zip(glasses, rows):
            row.suptitle(glass["name"], fontsize=11)
            for axes, draw in zip(row.subplots(1, 3), (_draw_rungs, _draw_flow, _draw_rates)):
                draw(axes, glass["spacings"])
        return finish(f"Tempering, {measured['device']}", figure)


def _draw_costs(axes: Axes, costs: list[dict[str, Any]]) -> None:
    intervals = list(costs[0]["with"])
    height = 0.8 / len(intervals)
    for number, interval in enumerate(intervals):
        added = [100 * (cost["with"][interval] / cost["seconds"] - 1) for cost in costs]
        places = [place + (number + 0.5) * height - 0.4 for place in range(len(costs))]
        every = "sweep" if interval == "1" else f"{interval} sweeps"
        axes.barh(places, added, height, label=f"exchange every {every}")
    axes.set_yticks(range(len(costs)), [cost["name"].replace(", ", "\n") for cost in costs], fontsize=8)
    axes.set_yticks([], minor=True)
    axes.axvline(0, color=INK, linewidth=0.9)
    axes.invert_yaxis()
    axes.set(xlabel="Time added to the sweeps (%)")
    axes.legend()


def _draw_rungs(axes: Axes, spacings: list[Spacing]) -> None:
    for spacing in spacings:
        axes.plot(spacing["rungs"], marker="o", label=spacing["name"])
    axes.set(xlabel="Rung", ylabel="Temperature (J)", yscale="log")
    axes.legend()


def _draw_flow(axes: Axes, spacings: list[Spacing]) -> None:
    last = len(spacings[0]["rungs"]) - 1
    axes.plot([0, last], [1, 0], color=INK, linestyle="--", linewidth=1.0, label="even")
    for colour, spacing in zip(CYCLE, spacings):
        # If there is only one ladder, the error is unknown, and the file stores null.
        value, error = zip(*((flow, error or 0.0) for flow, error in spacing["flow"]))
        axes.errorbar(range(len(value)), value, error, color=colour, marker="o", label=spacing["name"])
    axes.set(xlabel="Rung", ylabel="Fraction that came from rung 0")
    axes.legend()


def _draw_rates(axes: Axes, spacings: list[Spacing]) -> None:
    for place, (colour, spacing) in enumerate(zip(CYCLE, spacings)):
        rate, error = spacing["rate"]
        axes.bar(place, 1e3 * rate, 0.6, yerr=1e3 * (error or 0.0), color=colour)
        axes.plot([place - 0.4, place + 0.4], [1e3 * spacing["rate_of_exchanges"]] * 2, color=INK,
                  label="limit by acceptances" if place == 0 else None)
        gain, of_gain = spacing["gain"]
        if place > 0:
            axes.annotate(f"{gain:.2f} ± {of_gain or 0:.2f} times", (place, 1e3 * (rate + (error or 0))),
                          xytext=(0, 4), textcoords="offset points", ha="center", fontsize=9)
    axes.set_xticks(range(len(spacings)), [spacing["name"] for spacing in spacings])
    axes.set_xticks([], minor=True)
    axes.set(ylabel="Round trips of a ladder in 1000 sweeps")
    axes.legend()
