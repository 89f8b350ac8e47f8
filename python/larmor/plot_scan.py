"""Draws averages against scanned keys, or against the temperatures or fields within a stage, with error bars."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .errors import NothingToDraw, not_in_results
from .labels import average_label, field_label, shown_unit, temperature_label, with_error
from .scan import Axis, BinderCrossing, Grid, Scan, StagePoints
from .style import CYCLE, INK, TEMPERATURE_MAP, finish, new_figure, styled

# Quantities in reading order. Stages without them show all averages, except components of vectors.
SHOWN = ("magnetisation", "specific_heat", "susceptibility", "energy", "binder_cumulant")
SHOWN_OF_LOOPS = ("magnetisation_along", "magnetisation", "energy")
MOST_PANELS = 6
MOST_CURVES = 24
_COLUMNS = {1: 1, 2: 2, 3: 3, 4: 2, 5: 3, 6: 3}


@dataclass(frozen=True)
class _Curve:
    """index: indices of the curve on all axes except the abscissa; x [n] in the order of the
    results."""

    index: tuple[int, ...]
    label: str
    x: np.ndarray
    grid: Grid


class _Frame:
    """The abscissa of the curves of a picture, and the keys in which curves differ."""

    def __init__(self, axes: list[Axis], across: int, points: StagePoints | None):
        self.axes = axes
        self.across = across
        self.abscissa = axes[across]
        self.others = [axis for number, axis in enumerate(axes) if number != across]
        # The values within the stage are the last axis.
        self._points = points
        self._over_points = points is not None and across == len(axes) - 1

    @property
    def curves(self) -> int:
        """Number of curves in each panel of the picture."""
        return int(np.prod([len(axis.values) for axis in self.others]))

    @property
    def label(self) -> str:
        """Label of the abscissa."""
        if not self._over_points:
            return axis_label(self.abscissa)
        if self._points.name == "kappa":
            return "κ"
        of = temperature_label if self._points.name == "temperature" else field_label
        return of(self._points.unit)

    @property
    def is_sweep(self) -> bool:
        """Does the order of the values matter, as it does in a loop?"""
        return self._over_points and self._points.name == "field"

    def has_temperatures(self) -> bool:
        """Is the abscissa the temperature?"""
        return self.abscissa.key == "temperature" or bool(
            re.fullmatch(r"stage\.\d+\.temperature", self.abscissa.key))

    def of(self, grid: Grid) -> Iterator[_Curve]:
        """A curve for each combination of the values of all axes except the abscissa."""
        value, error = (np.moveaxis(array, self.across, -1) for array in grid)
        for index in np.ndindex(value.shape[:-1]):
            x = self._points.values[index] if self._over_points else self.abscissa.numbers
            label = ", ".join(f"{axis.key} = {axis.text(i)}" for axis, i in zip(self.others, index))
            yield _Curve(index, label, x, Grid(grid.name, value[index], error[index], grid.unit))

    def curve_of(self, index: tuple[int, ...]) -> tuple[int, ...]:
        """Index of a curve, from the indices of a lattice on the axes of the scan."""
        return tuple(i for number, i in enumerate(index) if number != self.across)


def plot_scan(scan: Scan, stage: str | None = None, title: str = "",
              along: str | None = None, single: bool = False) -> Figure:
    """Axes for each average of a stage (None: the last one), with one curve for each combination of the
    values of the other keys. Binder cumulants of several sizes are drawn with their crossings.

    along: the key on the horizontal axis; None: the temperatures or fields within the stage if it has several,
    else the key with the most values, or the last of several such keys. single: draws quantities with a single
    value per stage in place of those at each temperature or field.
    Raises NothingToDraw if no key has two numbers or more, there are too many curves or no averages;
    NotInResults for a key that was not scanned or a stage without averages.
    """
    all_grids = scan.grids(stage)
    stage = max(scan.summary) if stage is None else stage
    of_points = {name: grid for name, grid in all_grids.items() if grid.value.ndim > len(scan.shape)}
    over_points = bool(of_points) and not single
    grids = _shown(of_points if over_points else
                   {name: grid for name, grid in all_grids.items() if name not in of_points})
    if not grids:
        raise NothingToDraw("no averages were measured")
    points = scan.stage_points(stage) if over_points else None
    axes = scan.axes + ([_axis_of(points)] if points is not None else [])
    across = len(axes) - 1 if points is not None and along is None else _abscissa(axes, along)
    frame = _Frame(axes, across, points)
    if points is not None and across < len(axes) - 1 and not _same_everywhere(points):
        raise NothingToDraw(f"the {points.name}s differ from point to point, so only they can be the abscissa; "
                            "leave out --x")
    if frame.curves > MOST_CURVES:
        raise NothingToDraw(f"{frame.curves} curves are too many for a picture; results.scan.summary has "
                            "the numbers")
    crossings = scan.binder_crossings(stage) if frame.has_temperatures() else []
    return _draw_all(frame, grids, crossings, title)


def _spans_decades(value: np.ndarray) -> bool:
    """Do the values span three decades, as lifetimes often do?"""
    finite = value[np.isfinite(value)]
    return finite.size > 1 and finite.min() > 0 and finite.max() > 1e3 * finite.min()


def _draw_all(frame: _Frame, grids: list[Grid], crossings: list[BinderCrossing], title: str) -> Figure:
    columns = _COLUMNS[len(grids)]
    rows = -(-len(grids) // columns)
    with styled():
        figure = new_figure(3.9 * columns + 1.6, 3.0 * rows + 0.5)
        panels = np.ravel(figure.subplots(rows, columns, sharex=True, squeeze=False))
        colours = _Colours(frame.others, frame.curves)
        for panel, grid in zip(panels, grids):
            curves = list(frame.of(grid))
            for number, curve in enumerate(curves):
                _draw(panel, curve, frame.is_sweep, colours.of(number),
                      curve.label if colours.by_name else "")
            if grid.name == "binder_cumulant":
                _mark_crossings(panel, frame, curves, crossings)
            if _spans_decades(grid.value):
                panel.set_yscale("log")
            panel.set_ylabel(average_label(grid.name, grid.unit))
            panel.margins(x=0.03, y=0.08)
            panel.locator_params(axis="x", nbins=6)
        for number, panel in enumerate(panels):
            panel.set_visible(number < len(grids))
            if number + columns >= len(grids):
                panel.set_xlabel(frame.label)
                panel.tick_params(labelbottom=True)
        colours.explain(figure, list(panels[:len(grids)]))
        figure.align_ylabels()
        return finish(title, figure)


def axis_label(axis: Axis) -> str:
    """The key as the study names it, with the unit of the study."""
    return f"{axis.key} ({shown_unit(axis.unit)[1]})" if axis.unit else axis.key


def _axis_of(points: StagePoints) -> Axis:
    """The temperatures of the point that has the most temperatures."""
    rows = points.values.reshape(-1, points.values.shape[-1])
    longest = int(np.argmax(np.isfinite(rows).sum(axis=1)))
    return Axis(points.name, rows[longest], points.unit, {})


def _same_everywhere(points: StagePoints) -> bool:
    rows = points.values.reshape(-1, points.values.shape[-1])
    begun = rows[np.isfinite(rows).any(axis=1)]
    return bool(np.all(begun == begun[:1]))


def _abscissa(axes: list[Axis], along: str | None) -> int:
    if along is not None:
        for number, axis in enumerate(axes):
            if axis.key == along:
                if axis.numbers is not None:
                    return number
                raise NothingToDraw(f"the values of {along} are not numbers")
        raise not_in_results("scanned key", along, "the scan", [axis.key for axis in axes])
    lengths = [len(axis.values) if axis.numbers is not None else 0 for axis in axes]
    if max(lengths) < 2:
        raise NothingToDraw("no scanned key has two numbers or more to draw against")
    return len(lengths) - 1 - int(np.argmax(lengths[::-1]))


def _shown(grids: dict[str, Grid]) -> list[Grid]:
    shown = SHOWN_OF_LOOPS if "magnetisation_along" in grids else SHOWN
    found = [grids[name] for name in shown if name in grids]
    if not found:
        found = [grid for name, grid in grids.items() if not name.endswith(("_x", "_y", "_z"))]
    return found[:MOST_PANELS]


def _draw(panel: Axes, curve: _Curve, is_sweep: bool, colour: object, label: str) -> None:
    grid = curve.grid
    known = np.flatnonzero(np.isfinite(grid.value) & np.isfinite(curve.x))
    order = known if is_sweep else known[np.argsort(curve.x[known], kind="stable")]
    factor, _ = shown_unit(grid.unit)
    value, error = (factor * array[order] for array in grid)
    # An unknown error is NaN, and matplotlib draws no bar for it.
    panel.errorbar(curve.x[order], value, error, fmt="-" if is_sweep else "o-", color=colour, linewidth=1.0,
                   markeredgecolor="white", markeredgewidth=0.4, elinewidth=1.1, label=label)


def _mark_crossings(panel: Axes, frame: _Frame, curves: list[_Curve],
                    crossings: list[BinderCrossing]) -> None:
    """Marks each crossing of two curves, draws its error as a bar, and writes its temperature."""
    if not crossings:
        return
    by_index = {curve.index: curve for curve in curves}
    lines = ["crossings"]
    for crossing in crossings:
        curve, other = (by_index[frame.curve_of(index)] for index in (crossing.first, crossing.second))
        order = np.argsort(curve.x)
        height = np.interp(crossing.temperature, curve.x[order], curve.grid.value[order])
        panel.errorbar([crossing.temperature], [height], xerr=[crossing.error], fmt="|", color=INK, capsize=0,
                       markersize=12, markeredgewidth=0.8, elinewidth=1.6, zorder=5)
        names = _names_of_pair(frame, curve.index, other.index)
        lines.append(f"{names}: {with_error(crossing.temperature, crossing.error)} {crossing.unit}".strip())
    panel.text(0.97, 0.96, "\n".join(lines), transform=panel.transAxes, ha="right", va="top", fontsize=9,
               bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 1.5})


def _names_of_pair(frame: _Frame, first: tuple[int, ...], second: tuple[int, ...]) -> str:
    """Names of both lattices, such as "6 and 12", and the values of other keys if these are scanned
    too."""
    def short(axis: Axis, number: int) -> str:
        return axis.text(number) if axis.numbers is None else f"{axis.numbers[number]:.6g}"

    differing, shared = [], []
    for axis, one, other in zip(frame.others, first, second):
        if one != other:
            differing.append(f"{short(axis, one)} and {short(axis, other)}")
        else:
            shared.append(axis.text(one))
    return ", ".join(differing + shared)


class _Colours:
    """Colours of the curves: from a colour map for numbers of one key, or else from the cycle."""

    def __init__(self, others: list[Axis], curves: int):
        self._axis = others[0] if len(others) == 1 and others[0].numbers is not None else None
        self.by_name = bool(others) and (self._axis is None or curves <= len(CYCLE))
        self._curves = curves
        if self._axis is not None:
            values = self._axis.numbers
            self._map = mpl.cm.ScalarMappable(mpl.colors.Normalize(values.min(), values.max()),
                                              TEMPERATURE_MAP)

    def of(self, curve: int) -> object:
        if self._curves <= len(CYCLE):
            return CYCLE[curve]
        if self._axis is not None:
            return self._map.to_rgba(self._axis.numbers[curve])
        return mpl.colormaps[TEMPERATURE_MAP](curve / (self._curves - 1))

    def explain(self, figure: Figure, panels: list[Axes]) -> None:
        if self.by_name:
            handles, labels = panels[0].get_legend_handles_labels()
            figure.legend(handles, labels, loc="outside right upper")
        elif self._axis is not None:
            figure.colorbar(self._map, ax=panels, aspect=30, pad=0.02,
                            label=axis_label(self._axis))
