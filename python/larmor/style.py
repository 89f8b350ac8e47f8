"""Common style of all pictures: large text, and colours that are safe for colour-blind readers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any, cast

import matplotlib as mpl
import numpy as np
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from .labels import wrapped

# The colours of Okabe and Ito, Color Universal Design (2008).
BLUE, VERMILLION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ORANGE, SKY, INK = "#E69F00", "#56B4E9", "#222222"
# Colour of missing values in maps, where white means zero.
NOTHING = "0.8"
CYCLE = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY)

INTENSITY_MAP = "inferno"
# The brightest yellow is left out, because it is hard to see on white.
TEMPERATURE_MAP = ListedColormap(mpl.colormaps["viridis"](np.linspace(0, 0.92, 256)), "temperatures")

_SETTINGS: dict[Any, Any] = {
    "figure.dpi": 100,
    "savefig.dpi": 200,
    "savefig.facecolor": "white",
    "font.family": "sans-serif",
    "font.size": 11,
    "mathtext.fontset": "dejavusans",
    "axes.labelsize": 11.5,
    "axes.titlesize": 12,
    "axes.linewidth": 0.9,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.prop_cycle": cycler(color=CYCLE),
    "axes.formatter.limits": (-4, 5),
    "axes.formatter.useoffset": False,
    "axes.formatter.use_mathtext": True,
    "xtick.direction": "in",
    "ytick.direction": "in",
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.top": True,
    "ytick.right": True,
    "xtick.minor.visible": True,
    "ytick.minor.visible": True,
    "lines.linewidth": 1.4,
    "lines.markersize": 4.0,
    # Caps are wider than marks, so that bars shorter than a mark are visible.
    "errorbar.capsize": 3.2,
    "legend.frameon": False,
    "legend.fontsize": 10,
    "figure.titlesize": 12,
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
}


def styled() -> AbstractContextManager[None]:
    """Applies the settings above while pictures are drawn and saved. The settings of the caller are
    restored at the end."""
    return mpl.rc_context(_SETTINGS)


# Axes whose place the next picture takes.
_PLACE: ContextVar[Axes | None] = ContextVar("place", default=None)


@contextmanager
def drawn_at(axes: Axes) -> Iterator[None]:
    """Draws the next picture in the place of these axes. Raises ValueError if they do not belong to a grid of
    subplots."""
    if axes.get_subplotspec() is None:
        raise ValueError("the axes are not a subplot, so no picture can take their place")
    token = _PLACE.set(axes)
    try:
        yield
    finally:
        _PLACE.reset(token)


def new_figure(width: float, height: float) -> Figure:
    """An empty figure with a size in inches, on the Agg canvas. It needs no display and does not
    change pyplot. Within `drawn_at` the first one is a part of the figure of these axes."""
    place = _PLACE.get()
    if place is not None:
        _PLACE.set(None)
        outer, grid = place.figure, place.get_subplotspec()
        place.remove()
        # A subfigure has the functions of a figure that pictures use.
        part: Figure = cast(Any, outer.add_subfigure(cast(Any, grid)))
        return part
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


# Characters of a title that fit in one inch.
_CHARACTERS = 10.5


def finish(title: str, figure: Figure) -> Figure:
    """Sets the title, with lines that fit, and returns the figure."""
    # A subfigure has no width in inches of its own.
    inches = figure.bbox.width / figure.dpi
    figure.suptitle(wrapped(title, int(_CHARACTERS * inches)), color=INK)
    return figure


# Numbers that differ by less than this fraction of their size are constant, except for rounding.
_ROUNDING = 1e-9


def widen_if_constant(axes: Axes, values: np.ndarray) -> None:
    """Gives the vertical axis a range if the values differ only by rounding, which would fill the axes."""
    known = np.asarray(values)[np.isfinite(values)]
    if known.size == 0:
        return
    size = float(np.abs(known).max())
    if np.ptp(known) < _ROUNDING * size:
        axes.set_ylim(known[0] - 0.1 * size, known[0] + 0.1 * size)


def spans_decades(values: np.ndarray, decades: float = 3) -> bool:
    """Do positive numbers span so many decades that the axis must be logarithmic? False if a number is not positive."""
    known = np.asarray(values)[np.isfinite(values)]
    return known.size > 1 and known.min() > 0 and bool(known.max() > 10**decades * known.min())
