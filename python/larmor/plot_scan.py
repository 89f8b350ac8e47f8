"""Averages against what was scanned, with error bars."""

from __future__ import annotations

from collections.abc import Iterator

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .errors import NothingToDraw, not_in_results
from .labels import average_label, shown_unit
from .scan import Axis, Grid, Scan
from .style import CYCLE, TEMPERATURE_MAP, finish, new_figure, styled

# In the order of reading; of other stages whatever there is, components of vectors apart.
SHOWN = ("magnetisation", "specific_heat", "susceptibility", "energy", "binder_cumulant")
MOST_PANELS = 6
MOST_CURVES = 24
_COLUMNS = {1: 1, 2: 2, 3: 3, 4: 2, 5: 3, 6: 3}


def plot_scan(scan: Scan, stage: str | None = None, title: str = "",
              along: str | None = None) -> Figure:
    """One panel an average of a stage (None: of the last), one curve for each combination of the
    values of the other keys.

    along: the key on the horizontal axis; None: the one with the most values, of equals the last.
    Raises NothingToDraw if no key has two numbers or more, there are too many curves or no averages;
    NotInResults for a key that was not scanned or a stage without averages.
    """
    axes = scan.axes
    across = _abscissa(axes, along)
    grids = _shown(scan.grids(stage))
    if not grids:
        raise NothingToDraw("no averages were measured")
    others = [axis for axis in axes if axis is not across]
    curves = int(np.prod([len(axis.values) for axis in others]))
    if curves > MOST_CURVES:
        raise NothingToDraw(f"{curves} curves are too many for a picture; results.scan.summary has "
                            "the numbers")
    columns = _COLUMNS[len(grids)]
    rows = -(-len(grids) // columns)
    with styled():
        figure = new_figure(3.9 * columns + 1.6, 3.0 * rows + 0.5)
        panels = np.ravel(figure.subplots(rows, columns, sharex=True, squeeze=False))
        colours = _Colours(others, curves)
        for panel, grid in zip(panels, grids):
            for number, (label, curve) in enumerate(_curves(grid, axes, axes.index(across))):
                _draw(panel, across.values, curve, colours.of(number),
                      label if colours.by_name else "")
            panel.set_ylabel(average_label(grid.name, grid.unit))
            panel.margins(x=0.03, y=0.08)
        for number, panel in enumerate(panels):
            panel.set_visible(number < len(grids))
            if number + columns >= len(grids):
                panel.set_xlabel(axis_label(across))
                panel.tick_params(labelbottom=True)
        colours.explain(figure, list(panels[:len(grids)]))
        figure.align_ylabels()
        return finish(title, figure)


def axis_label(axis: Axis) -> str:
    """The key as the study names it, with the unit the study gave."""
    return f"{axis.key} ({shown_unit(axis.unit)[1]})" if axis.unit else axis.key


def _abscissa(axes: list[Axis], along: str | None) -> Axis:
    if along is not None:
        for axis in axes:
            if axis.key == along:
                if axis.is_numeric:
                    return axis
                raise NothingToDraw(f"the values of {along} are no numbers")
        raise not_in_results("scanned key", along, "the scan", [axis.key for axis in axes])
    lengths = [len(axis.values) if axis.is_numeric else 0 for axis in axes]
    if max(lengths) < 2:
        raise NothingToDraw("no scanned key has two numbers or more to draw against")
    return axes[len(lengths) - 1 - int(np.argmax(lengths[::-1]))]


def _shown(grids: dict[str, Grid]) -> list[Grid]:
    found = [grids[name] for name in SHOWN if name in grids]
    if not found:
        found = [grid for name, grid in grids.items() if not name.endswith(("_x", "_y", "_z"))]
    return found[:MOST_PANELS]


def _curves(grid: Grid, axes: list[Axis], along: int) -> Iterator[tuple[str, Grid]]:
    """(label, curve) for each combination of the values of the other axes."""
    value, error = (np.moveaxis(array, along, -1) for array in grid)
    others = [axis for number, axis in enumerate(axes) if number != along]
    for index in np.ndindex(value.shape[:-1]):
        label = ", ".join(f"{axis.key} = {axis.values[i]} {axis.unit}".strip()
                          for axis, i in zip(others, index))
        yield label, Grid(grid.name, value[index], error[index], grid.unit)


def _draw(panel: Axes, x: np.ndarray, curve: Grid, colour: object, label: str) -> None:
    known = np.isfinite(curve.value)
    order = np.flatnonzero(known)[np.argsort(x[known], kind="stable")]
    factor, _ = shown_unit(curve.unit)
    value, error = (factor * array[order] for array in curve)
    # Where the error is not known, NaN, no bar is drawn.
    panel.errorbar(x[order], value, error, fmt="o-", color=colour, linewidth=1.0,
                   markeredgecolor="white", markeredgewidth=0.4, elinewidth=1.1, label=label)


class _Colours:
    """Of the curves: by a map where they follow numbers of one key, else by name."""

    def __init__(self, others: list[Axis], curves: int):
        self._axis = others[0] if len(others) == 1 and others[0].is_numeric else None
        self.by_name = bool(others) and (self._axis is None or curves <= len(CYCLE))
        self._curves = curves
        if self._axis is not None:
            values = self._axis.values
            self._map = mpl.cm.ScalarMappable(mpl.colors.Normalize(values.min(), values.max()),
                                              TEMPERATURE_MAP)

    def of(self, curve: int) -> object:
        if self._curves <= len(CYCLE):
            return CYCLE[curve]
        if self._axis is not None:
            return self._map.to_rgba(self._axis.values[curve])
        return mpl.colormaps[TEMPERATURE_MAP](curve / (self._curves - 1))

    def explain(self, figure: Figure, panels: list[Axes]) -> None:
        if self.by_name:
            handles, labels = panels[0].get_legend_handles_labels()
            figure.legend(handles, labels, loc="outside right upper")
        elif self._axis is not None:
            figure.colorbar(self._map, ax=panels, aspect=30, pad=0.02,
                            label=axis_label(self._axis))
