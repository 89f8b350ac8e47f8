"""Draws averages of quantum Monte Carlo at several numbers of slices, and their extrapolation to infinitely many."""

from __future__ import annotations

import h5py
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .errors import NothingToDraw
from .stage import Stage
from .stage_words import heading
from .style import CYCLE, finish, new_figure, styled

_NAMES = {
    "energy": "Energy per site",
    "specific_heat": "Specific heat per site",
    "susceptibility": r"Susceptibility $\chi_{zz}$",
    "absolute_magnetisation": r"Magnetisation $\langle |m| \rangle$",
    "magnetisation_squared": r"$\langle m^2 \rangle$",
    "binder": "Binder cumulant",
}
# More temperatures than these are hard to tell apart.
_MOST_TEMPERATURES = len(CYCLE)


def plot_extrapolation(stage: Stage, title: str = "") -> Figure:
    """Averages over the square of the time step with their fit, for the first disorder sample.

    Raises NothingToDraw if the stage has one number of slices, or continuous time.
    """
    if "extrapolated" not in stage:
        raise NothingToDraw("the stage has no extrapolation to infinitely many slices")
    group = stage.group
    samples = group["energy"].shape[1]
    sample = f"sample 1 of {samples}" if samples > 1 else ""
    with styled():
        figure = new_figure(10.4, 6.6)
        for axes, (name, words) in zip(figure.subplots(2, 3).flat, _NAMES.items()):
            _draw(axes, group, name)
            axes.set(xlabel=r"$\Delta\tau^2$", ylabel=words)
        figure.axes[0].legend()
        return finish(heading(title, stage, sample, with_temperature=False), figure)


def _draw(axes: Axes, group: h5py.Group, name: str) -> None:
    temperatures = group["temperature"][()]
    symbol, rungs = (r"$\Gamma$", group["Gamma"][()]) if "Gamma" in group else ("$T$", temperatures)
    slices = group["slices"][()]
    chosen = np.unique(np.linspace(0, len(temperatures) - 1, _MOST_TEMPERATURES).round().astype(int))
    for colour, number in zip(CYCLE, chosen):
        value, error = group[name][:, 0, number], group[f"{name}_error"][:, 0, number]
        limit = group[f"extrapolated/{name}"][0, number]
        squares = (1 / (slices * temperatures[number])) ** 2
        axes.errorbar(squares, value, error, fmt="o", color=colour, label=f"{symbol} = {rungs[number]:.4g}")
        if not np.isfinite(limit):
            continue
        axes.errorbar(0, limit, group[f"extrapolated/{name}_error"][0, number], fmt="D", mfc="white", color=colour)
        fitted = value - group[f"extrapolated/{name}_residual"][:, 0, number] * error
        at = np.linspace(0, squares.max(), 100)
        axes.plot(at, _polynomial(np.append(squares, 0), np.append(fitted, limit))(at), color=colour)


def _polynomial(x: np.ndarray, y: np.ndarray) -> np.polynomial.Polynomial:
    """The fit through its own values, which lie on a line or a parabola."""
    return np.polynomial.Polynomial.fit(x, y, min(2, len(x) - 1))
