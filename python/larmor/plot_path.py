"""The energy along a minimum-energy path."""

from __future__ import annotations

from matplotlib.figure import Figure

from .errors import NothingToDraw
from .labels import Quantity, label, shown_unit
from .stage import Stage
from .style import BLUE, INK, VERMILLION, finish, new_figure, styled


def plot_path(stage: Stage, title: str = "") -> Figure:
    """Energy over the first image: the images, the curve through them, the saddle and barriers.

    Raises NothingToDraw if the stage followed no path.
    """
    if "path" not in stage:
        raise NothingToDraw("no path was followed")
    path = stage.path
    factor, unit = shown_unit(path.unit)
    start = path.energy[0]
    with styled():
        figure = new_figure(5.8, 4.2)
        axes = figure.subplots()
        axes.plot(path.curve_coordinate, factor * (path.curve_energy - start), color=BLUE)
        axes.plot(path.coordinate, factor * (path.energy - start), "o", color=BLUE)
        axes.axhline(0, color=INK, linewidth=0.5)
        if 0 < path.saddle < len(path.energy) - 1:
            at, top = path.coordinate[path.saddle], factor * path.barrier_forward
            barriers = [path.barrier_forward, path.barrier_backward]
            words = " / ".join(f"{factor * barrier:.4g}" for barrier in barriers)
            axes.plot(at, top, "D", color=VERMILLION, markersize=7,
                      label=f"saddle, barriers {words} {unit}".rstrip())
            axes.legend(loc="lower center")
        axes.set_xlabel("Reaction coordinate (rad)")
        axes.set_ylabel(label(Quantity("Energy", "$E - E_0$"), path.unit))
        axes.margins(x=0.03, y=0.18)
        return finish(title, figure)
