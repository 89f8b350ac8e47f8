"""Draws the measurements of `larmor bench correlations --json`: the figures of Chen, Chen, Turner,
Feiguin (2023), and the rates with their upper bounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from .errors import NothingToDraw
from .style import BLUE, GREEN, INK, ORANGE, PURPLE, SKY, VERMILLION, finish, new_figure, styled

Lattice = dict[str, Any]

# Colour, marker and line of each method, from the slowest to the fastest.
_LOOKS = {
    "baseline": ("0.45", "o", "-"),
    "simt-tile": ("0.45", "s", "--"),
    "simt-thread-tile": (PURPLE, "s", "-"),
    "cublas-eq4": (SKY, "v", "--"),
    "cublas-eq5": (BLUE, "^", "-"),
    "fused-load": (ORANGE, "D", "-"),
    "fused-otf-reg": (GREEN, "<", "--"),
    "fused-otf-smem": (GREEN, ">", "-"),
    "fused": (VERMILLION, "o", "-"),
}
_OTHER_LOOK = (INK, "x", ":")
_PARTS = {"LL, RK4": "0.35", "rearranging": SKY, "GEMM": BLUE, "outer product and axpy": ORANGE,
          "inner product": GREEN}


def plot_correlations(measured: dict[str, Any]) -> Figure:
    """Figures 1, 4, 5, 6 and 7 of the paper, and the rates in Tflop/s with their upper bounds.

    Raises NothingToDraw if no lattice was measured.
    """
    lattices = sorted(measured["lattices"], key=lambda lattice: lattice["length"])
    if not lattices:
        raise NothingToDraw("no lattice was measured")
    with styled():
        figure = new_figure(15.5, 9.0)
        shares, speed_ups, gains, times, ranks, rates = figure.subplots(2, 3).ravel()
        _draw_shares(shares, lattices)
        _draw_ways(speed_ups, lattices, lambda lattice, way: _against(lattice, "baseline", way),
                   "Speed-up over baseline")
        speed_ups.set_yscale("log")
        _draw_gains(gains, lattices)
        _draw_ways(times, lattices, lambda lattice, way: 1e3 * way["seconds"],
                   "Time of one time step (ms)")
        times.set(xscale="log", yscale="log")
        _draw_ranks(ranks, lattices)
        _draw_rates(rates, measured, lattices)
        for number, axes in zip((1, 4, 5, 6, 7), (shares, speed_ups, gains, times, ranks)):
            axes.set_title(f"Figure {number}")
        rates.set_title("Rates and floors")
        _plain_lengths(times)
        handles, labels = times.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=len(labels))
        return finish(f"S(q,t) from pairs, M = {measured['configurations']}, {measured['device']}",
                      figure)


def _way(lattice: Lattice, name: str) -> dict[str, Any] | None:
    return next((way for way in lattice["ways"] if way["name"] == name), None)


def _against(lattice: Lattice, name: str, way: dict[str, Any]) -> float:
    """Speed-up over the method `name`; nan if that method was not measured."""
    reference = _way(lattice, name)
    return reference["seconds"] / way["seconds"] if reference else np.nan


def _names(lattices: list[Lattice]) -> list[str]:
    """Names of the methods from the slowest to the fastest, then names of methods that are not in
    the list."""
    found = dict.fromkeys(way["name"] for lattice in lattices for way in lattice["ways"])
    return [*(name for name in _LOOKS if name in found),
            *(name for name in found if name not in _LOOKS)]


def _plain_lengths(axes: Axes) -> None:
    """Labels the axis of L with numbers instead of powers of ten."""
    for axis in (axes.xaxis.set_major_formatter, axes.xaxis.set_minor_formatter):
        axis(FuncFormatter(lambda length, _: f"{length:.0f}"))


def _draw_ways(axes: Axes, lattices: list[Lattice],
               value: Callable[[Lattice, dict[str, Any]], float], label: str,
               names: list[str] | None = None) -> None:
    for name in _names(lattices) if names is None else names:
        points = [(lattice["length"], value(lattice, way)) for lattice in lattices
                  if (way := _way(lattice, name)) is not None]
        points = [point for point in points if np.isfinite(point[1])]
        if not points:
            continue
        colour, marker, line = _LOOKS.get(name, _OTHER_LOOK)
        axes.plot(*zip(*points), color=colour, marker=marker, linestyle=line, label=name,
                  markeredgecolor="white", markeredgewidth=0.4)
    axes.set(xlabel="$L$", ylabel=label)


def _draw_shares(axes: Axes, lattices: list[Lattice]) -> None:
    """Two columns for each lattice: times of the components for Eq. (4) and for Eq. (5), both relative to the total
    time for Eq. (4)."""
    drawn = [lattice for lattice in lattices if _way(lattice, "cublas-eq4")]
    for place, lattice in enumerate(drawn):
        whole = lattice["step_seconds"] + sum(_way(lattice, "cublas-eq4")["parts"].values())
        for shift, name in ((-0.2, "cublas-eq4"), (0.2, "cublas-eq5")):
            way = _way(lattice, name)
            if way is None:
                continue
            bottom = 0.0
            for part, seconds in ({"LL, RK4": lattice["step_seconds"]} | way["parts"]).items():
                height = 100 * seconds / whole
                axes.bar(place + shift, height, 0.36, bottom, color=_PARTS.get(part, INK),
                         label=part if place == 0 and name == "cublas-eq4" else None)
                bottom += height
    axes.set_xticks(range(len(drawn)), [str(lattice["length"]) for lattice in drawn])
    axes.set_xticks([], minor=True)
    axes.set(xlabel="$L$ (left Eq. 4, right Eq. 5)", ylabel="Share of the time by Eq. 4 (%)",
             ylim=(0, 135))
    if drawn:
        axes.legend(loc="upper center", ncols=2, fontsize=9)


def _draw_gains(axes: Axes, lattices: list[Lattice]) -> None:
    fused = [name for name in _names(lattices) if name.startswith("fused")]
    _draw_ways(axes, lattices,
               lambda lattice, way: 100 * (_against(lattice, "cublas-eq5", way) - 1),
               "Faster than cublas-eq5 by (%)", fused)
    axes.axhline(0, color=INK, linewidth=0.8)


def _draw_ranks(axes: Axes, lattices: list[Lattice]) -> None:
    """Time of the fused kernel on one GPU and on several."""
    counts = sorted({int(count) for lattice in lattices for count in lattice["of_ranks"]})
    for count in counts:
        points = [(lattice["length"], 1e3 * lattice["of_ranks"][str(count)])
                  for lattice in lattices if str(count) in lattice["of_ranks"]]
        axes.plot(*zip(*points), marker="o", label=f"{count} GPU" + ("s" if count > 1 else ""))
    axes.set(xlabel="$L$", ylabel="Time of the fused kernel (ms)", xscale="log", yscale="log")
    _plain_lengths(axes)
    if counts:
        axes.legend(loc="upper left")


def _draw_rates(axes: Axes, measured: dict[str, Any], lattices: list[Lattice]) -> None:
    def rate(lattice: Lattice, seconds: float) -> float:
        return 6 * measured["configurations"] * lattice["length"] ** 4 / seconds / 1e12

    _draw_ways(axes, lattices, lambda lattice, way: rate(lattice, way["seconds"]), "Tflop/s")
    alone = [(lattice["length"], rate(lattice, lattice["gemm_seconds"])) for lattice in lattices
             if lattice["gemm_seconds"] > 0]
    floors = [axes.axhline(measured["gemm_rate"] / 1e12, color=INK, linewidth=1.0, linestyle="-.")]
    names = ["DGEMM, $8192^3$"]
    if alone:
        floors += axes.plot(*zip(*alone), color=INK, linestyle=":")
        names.append("DGEMM, same shape")
    axes.set_ylim(0, 1.35 * measured["gemm_rate"] / 1e12)
    axes.legend(floors, names, loc="upper right")
