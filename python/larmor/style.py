"""Common style of all pictures: large text, and colours that are safe for colour-blind readers."""

from __future__ import annotations

from contextlib import AbstractContextManager

import matplotlib as mpl
from cycler import cycler
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

# The colours of Okabe and Ito, Color Universal Design (2008).
BLUE, VERMILLION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ORANGE, SKY, INK = "#E69F00", "#56B4E9", "#222222"
# Colour of missing values in maps, where white means zero.
NOTHING = "0.8"
CYCLE = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY)

INTENSITY_MAP = "inferno"
TEMPERATURE_MAP = "viridis"

_SETTINGS = {
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
    "lines.markersize": 4.5,
    "errorbar.capsize": 2.5,
    "legend.frameon": False,
    "legend.fontsize": 10,
    "figure.titlesize": 13,
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
}


def styled() -> AbstractContextManager[None]:
    """Applies the settings above while pictures are drawn and saved. The settings of the caller are
    restored at the end."""
    return mpl.rc_context(_SETTINGS)


def new_figure(width: float, height: float) -> Figure:
    """An empty figure with a size in inches, on the Agg canvas. It needs no display and does not
    change pyplot."""
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def finish(title: str, figure: Figure) -> Figure:
    """Sets the title and returns the figure."""
    figure.suptitle(title, color=INK)
    return figure
