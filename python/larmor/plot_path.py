"""Draws the energy along a minimum-energy path."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .errors import NothingToDraw
from .labels import Quantity, label, shown_unit
from .stage import Path, Stage
from .stage_words import heading
from .style import BLUE, INK, VERMILLION, finish, new_figure, styled


def plot_path(stage: Stage, title: str = "") -> Figure:
    """Energy above that of the first image, with the images, a curve through the images, the saddle
    and both barriers. A path that has not converged is drawn dashed, and has no barriers.

    Raises NothingToDraw if the stage followed no path.
    """
    if "path" not in stage:
        raise NothingToDraw("no path was followed")
    path = stage.path
    start = path.energy[0]
    factor, unit = shown_unit(path.unit, path.energy - start)
    with styled():
        figure = new_figure(6.4, 4.4)
        axes = figure.subplots()
        axes.plot(path.curve_coordinate, factor * (path.curve_energy - start), color=BLUE,
                  linestyle="-" if path.converged else "--")
        axes.plot(path.coordinate, factor * (path.energy - start), "o", color=BLUE,
                  markerfacecolor=BLUE if path.converged else "white")
        axes.axhline(0, color=INK, linewidth=0.5)
        axes.margins(x=0.03, y=0.18)
        if not path.converged:
            axes.text(0.5, 0.97, "NOT CONVERGED: no barriers", color=VERMILLION, weight="bold",
                      ha="center", va="top", transform=axes.transAxes)
        elif 0 < path.saddle < len(path.energy) - 1:
            at, top = path.coordinate[path.saddle], factor * path.barrier_forward
            axes.plot(at, top, "D", color=VERMILLION, markersize=7, label="saddle")
            axes.legend(loc="lower center")
            _mark_barriers(axes, path, factor, unit)
        axes.set_xlabel(f"Reaction coordinate ({path.coordinate_unit})")
        axes.set_ylabel(label(Quantity("Energy", "$E - E_0$"), path.unit, path.energy - start))
        return finish(heading(title, stage), figure)


def _mark_barriers(axes: Axes, path: Path, factor: float, unit: str) -> None:
    """Draws an arrow from the energy of each end to the energy of the saddle, and writes its
    length."""
    top = factor * path.barrier_forward
    at = path.coordinate[path.saddle]
    axes.plot([path.coordinate[0], path.coordinate[-1]], [top, top], ":", color=INK, linewidth=0.8)
    for end, barrier in ((path.coordinate[0], path.barrier_forward),
                         (path.coordinate[-1], path.barrier_backward)):
        height = factor * barrier
        axes.annotate("", (end, top), (end, top - height),
                      arrowprops={"arrowstyle": "<->", "color": VERMILLION, "shrinkA": 0, "shrinkB": 0})
        inwards = 1 if end < at else -1
        axes.annotate(f"{height:.6g} {unit}".rstrip(), (end, top), (6 * inwards, 4), color=VERMILLION,
                      textcoords="offset points", ha="left" if inwards > 0 else "right", va="bottom")
