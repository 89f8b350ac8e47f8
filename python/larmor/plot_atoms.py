"""Draws radial distributions, displacements, velocities in time and vibrations of moving atoms."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .atom_curves import AtomCurves
from .errors import NothingToDraw
from .labels import shown_unit
from .stage import Stage
from .stage_words import heading
from .style import finish, new_figure, styled

_AXES = {
    "radial-distribution": ("Distance $r$", "$g(r)$"),
    "mean-squared-displacement": ("Time $t$", r"$\langle |r(t) - r(0)|^2 \rangle$"),
    "velocity-autocorrelation": ("Time $t$", r"$\langle v(0) \cdot v(t) \rangle$"),
    "phonon-density-of-states": (r"Frequency $\nu$", r"Density of states $g(\nu)$"),
}


def plot_atoms(stage: Stage, title: str = "") -> Figure:
    """Axes for each measurement: its lines, and bands of one standard error.

    Raises NothingToDraw if the stage measured none.
    """
    found = stage.atom_curves
    if not found:
        raise NothingToDraw("no radial distribution, displacement, velocities or vibrations were measured")
    with styled():
        figure = new_figure(7.0, 2.7 * len(found) + 0.9)
        for axes, curves in zip(np.ravel(figure.subplots(len(found), 1, squeeze=False)), found):
            _draw(axes, curves)
        figure.align_ylabels()
        return finish(heading(title, stage), figure)


def _draw(axes: Axes, curves: AtomCurves) -> None:
    # If there is only one species, its density of states is that of all atoms and is not drawn
    # again.
    drawn = 1 if curves.lines[0] == "all" and len(curves.lines) == 2 else len(curves.lines)
    for name, value, error in zip(curves.lines[:drawn], curves.value, curves.error):
        line, = axes.plot(curves.x, value, label=name)
        axes.fill_between(curves.x, value - error, value + error, color=line.get_color(), alpha=0.25, linewidth=0)
    along, up = _AXES[curves.what]
    axes.set_xlabel(_with_unit(along, curves.x_unit))
    axes.set_ylabel(_with_unit(up, curves.unit))
    axes.margins(x=0)
    if drawn > 1:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.02), handlelength=1.4)


def _with_unit(text: str, unit: str) -> str:
    # Frequencies of atoms stay in THz, in which phonons are measured.
    shown = unit if unit == "THz" else shown_unit(unit)[1]
    return f"{text} ({shown})" if unit else text
