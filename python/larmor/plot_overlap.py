"""Draws overlaps of copies: their distribution, correlation length and cumulant, and a test of equilibrium."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .labels import parameter_label
from .overlap import Overlap
from .plot_averages import uses_log_axis
from .stage import Stage
from .stage_words import heading
from .style import BLUE, TEMPERATURE_MAP, VERMILLION, finish, new_figure, styled

# More curves of P(q) than these could not be distinguished.
_MOST_CURVES = 6


def plot_overlap(stage: Stage, title: str = "") -> Figure:
    """Draws three axes: P(q) at some temperatures (or fields); the Binder cumulant and, if it was measured, xi/L
    against temperature; and means over the blocks of sweeps (2^n, 2^(n+1)] at the lowest temperature. For normal
    couplings these are the energy and its estimate from link overlaps, which agree in equilibrium.

    Raises NotInResults if the stage measured no overlap.
    """
    overlap = stage.overlap
    name_of_rungs, temperature, unit = stage.parameter
    symbol = {"temperature": "$T$", "field": "$B$"}.get(name_of_rungs, name_of_rungs)
    with styled():
        figure = new_figure(11.2, 3.9)
        distribution, ordered, blocks = figure.subplots(1, 3)
        _draw_distribution(distribution, overlap, temperature, symbol)
        for name, colour, label in (("correlation_length_ratio", BLUE, r"$\xi / L$"),
                                    ("overlap_binder", VERMILLION, "$g$")):
            if name in overlap.averages:
                _draw(ordered, temperature, overlap.averages[name], colour, label)
        ordered.set_xlabel(parameter_label(name_of_rungs, unit))
        if len(temperature) > 1 and uses_log_axis(stage.kind, temperature):
            ordered.set_xscale("log")
        ordered.set_ylabel(r"$\xi / L$ and Binder cumulant $g$" if "correlation_length_ratio" in overlap.averages
                           else "Binder cumulant $g$")
        ordered.legend(loc="best")
        _draw_blocks(blocks, overlap, int(np.argmin(temperature)), f"Lowest {symbol}")
        return finish(heading(title, stage, with_temperature=False), figure)


def _draw_distribution(axes: Axes, overlap: Overlap, temperature: np.ndarray, symbol: str) -> None:
    shown = np.unique(np.linspace(0, len(temperature) - 1, min(len(temperature), _MOST_CURVES)).astype(int))
    for n, rung in enumerate(shown):
        axes.stairs(overlap.distribution[0][rung], overlap.edges, linewidth=1.2, label=f"{temperature[rung]:.3g}",
                    color=TEMPERATURE_MAP(n / max(len(shown), 2)))
    axes.set_xlabel("Overlap $q$")
    axes.set_ylabel("$P(q)$")
    # Leaves room above the curves, which extend to both sides of the axes.
    axes.set_ylim(0, 1.3 * axes.get_ylim()[1])
    axes.legend(loc="upper center", title=symbol, fontsize=8, ncols=3)


def _draw_blocks(axes: Axes, overlap: Overlap, coldest: int, title: str) -> None:
    names = {"energy": r"$e$", "energy_from_links": r"$e$ of links"}
    if "energy_from_links" not in overlap.blocks:
        names = {"overlap_square": r"$\langle q^2 \rangle$", "link_overlap": r"$q_\mathrm{link}$"}
    for (name, label), colour in zip(names.items(), (BLUE, VERMILLION), strict=True):
        value, error = overlap.blocks[name]
        rows, column = slice(None), coldest
        if value.shape[1] == 1:
            rows, column = overlap.point == coldest, 0
        _draw(axes, overlap.last_sweep[rows], (value[rows, column], error[rows, column]), colour, label)
    axes.set_xscale("log")
    axes.set(xlabel="Last sweep of a block", ylabel="Mean over the block")
    axes.legend(loc="best", title=title)


def _draw(axes: Axes, x: np.ndarray, pair: tuple[np.ndarray, np.ndarray], colour: str, label: str) -> None:
    axes.errorbar(x, *pair, fmt="o-", color=colour, linewidth=1.0, markersize=4, label=label)
