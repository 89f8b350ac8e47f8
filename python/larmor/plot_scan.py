"""Draws averages against scanned keys, or against the temperatures or fields within a stage, with error bars."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from .errors import NothingToDraw, not_in_results
from .labels import (average_label, common_ends, key_name, parameter_label, plain_title, quantity_of,
                     shown_unit, with_error)
from .scan import Axis, BinderCrossing, Grid, Scan, StagePoints
from .style import CYCLE, INK, TEMPERATURE_MAP, finish, new_figure, spans_decades, styled

# Quantities in reading order, by a quantity that only such stages have. Stages without them show all averages, except
# components of vectors.
SHOWN = {
    "magnetisation_along": ("magnetisation_along", "magnetisation", "energy"),
    "correlation_length_ratio": ("correlation_length_ratio", "overlap_binder", "overlap_square", "link_overlap", "energy"),
    "potential_energy": ("temperature", "pressure", "volume", "energy", "potential_energy", "enthalpy"),
    "magnetisation": ("magnetisation", "specific_heat", "susceptibility", "energy", "binder_cumulant"),
    "energy": ("specific_heat", "configurational_specific_heat", "free_energy", "entropy", "energy", "action",
               "binder_cumulant"),
}
MOST_PANELS = 6
MOST_CURVES = 24
# If a key has more texts than these, such as names of files, they are on the abscissa.
_MOST_TEXTS = len(CYCLE)
# If there are more entries than these, the legend has small letters.
_MOST_LARGE = 12
_COLUMNS = {1: 1, 2: 2, 3: 3, 4: 2, 5: 3, 6: 3}


@dataclass(frozen=True)
class _Curve:
    """index: indices of the curve on all axes except the abscissa; x [n] in the order of the
    results; factor to the unit in which all curves are shown."""

    index: tuple[int, ...]
    label: str
    x: np.ndarray
    grid: Grid
    factor: float


class _Frame:
    """The abscissa of the curves of a picture, and the keys in which curves differ."""

    def __init__(self, axes: list[Axis], across: int, points: StagePoints | None):
        self.axes = axes
        self.across = across
        self.abscissa = axes[across]
        # Texts are drawn in the order of the study.
        self.is_texts = self.abscissa.numbers is None
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
        return parameter_label(self._points.name, self._points.unit)

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
            if self.is_texts:
                x = np.arange(len(self.abscissa.values))
            label = value_texts(self.others[0])[index[0]] if len(index) == 1 else ", ".join(
                key_name(axis.key, axis.unit).equals(value_texts(axis)[i]) for axis, i in zip(self.others, index))
            yield _Curve(index, label, x, Grid(value[index], error[index], grid.unit, grid.name),
                         shown_unit(grid.unit, grid.value)[0])

    def curve_of(self, index: tuple[int, ...]) -> tuple[int, ...]:
        """Index of a curve, from the indices of a lattice on the axes of the scan."""
        return tuple(i for number, i in enumerate(index) if number != self.across)


def plot_scan(scan: Scan, stage: str | None = None, title: str = "",
              along: str | None = None, single: bool = False) -> Figure:
    """Axes for each average of a stage (None: the last one), with one curve for each combination of the
    values of the other keys. Binder cumulants of several sizes are drawn with their crossings. Averages with equal
    values share axes.

    along: the key on the horizontal axis; None: the temperatures or fields within the stage if it has several,
    else the key with the most values, or the last of several such keys. Texts, such as names of files, are on the
    horizontal axis if they are many, or if no key has numbers. single: draws quantities with a single value per
    stage in place of those at each temperature or field.
    Raises NothingToDraw if no key has two values or more, there are too many curves or no averages;
    NotInResults for a key that was not scanned or a stage without averages.
    """
    stage = scan.stage_name(stage)
    all_grids = scan.grids(stage)
    of_points = {name: grid for name, grid in all_grids.items() if grid.value.ndim > len(scan.shape)}
    over_points = bool(of_points) and not single
    grids = _shown(of_points if over_points else
                   {name: grid for name, grid in all_grids.items() if name not in of_points})
    if not grids:
        raise NothingToDraw("no averages were measured")
    points = scan.stage_points(stage) if over_points else None
    axes = scan.axes + ([_axis_of(points)] if points is not None else [])
    across = _abscissa(axes, along, points)
    frame = _Frame(axes, across, points)
    if points is not None and across < len(axes) - 1 and not _same_everywhere(points):
        raise NothingToDraw(f"the {points.name}s differ from point to point, so only they can be the abscissa; "
                            "leave out --x")
    if frame.curves > MOST_CURVES:
        raise NothingToDraw(f"{frame.curves} curves are too many for a picture; results.scan.summary has "
                            "the numbers")
    crossings = scan.binder_crossings(stage) if frame.has_temperatures() else []
    number, kind = stage.split("-", 1)
    done, size = int(np.sum(scan.completed)), scan.completed.size
    state = f", unfinished: {done} of {size} points" if done < size else ""
    return _draw_all(frame, _merged(grids), crossings, f"{title}\nstage {int(number)}: {kind}{state}".lstrip())


def _draw_all(frame: _Frame, grids: list[tuple[Grid, str]], crossings: list[BinderCrossing], title: str) -> Figure:
    """Draws grids with their labels."""
    columns = _COLUMNS[len(grids)]
    rows = -(-len(grids) // columns)
    with styled():
        figure = new_figure(3.3 * columns + 1.9, 2.75 * rows + (1.6 if frame.is_texts else 0.8))
        panels = np.ravel(figure.subplots(rows, columns, sharex=True, squeeze=False))
        colours = _Colours(frame.others, frame.curves)
        crossed: list[str] = []
        for panel, (grid, label) in zip(panels, grids):
            curves = list(frame.of(grid))
            for number, curve in enumerate(curves):
                _draw(panel, curve, frame, colours.of(number), curve.label if colours.by_name else "")
            if grid.name == "binder_cumulant":
                crossed = _mark_crossings(panel, frame, curves, crossings)
            if spans_decades(grid.value):
                panel.set_yscale("log")
            # Atoms have their own temperature, and the bath has another one.
            panel.set_ylabel(f"Measured {label[0].lower()}{label[1:]}" if label == frame.label else label)
            panel.margins(x=0.03, y=0.08)
        for number, panel in enumerate(panels):
            panel.set_visible(number < len(grids))
            if number + columns >= len(grids):
                panel.set_xlabel(frame.label)
                panel.tick_params(labelbottom=True)
            _tick_abscissa(panel, frame)
        colours.explain(figure, list(panels[:len(grids)]), crossed)
        figure.align_ylabels()
        return finish(title, figure)


def _tick_abscissa(panel: Axes, frame: _Frame) -> None:
    if frame.is_texts:
        texts = value_texts(frame.abscissa)
        panel.set_xticks(range(len(texts)), texts, rotation=60, ha="right", fontsize="small")
        panel.tick_params(axis="x", which="minor", length=0)
    elif spans_decades(frame.abscissa.numbers, 2):
        panel.set_xscale("log")
    else:
        panel.locator_params(axis="x", nbins=4)


def _merged(grids: list[Grid]) -> list[tuple[Grid, str]]:
    """The first MOST_PANELS grids with different values, each with a label that names all grids with its values."""
    kept: list[tuple[Grid, list[str]]] = []
    for grid in grids:
        words = quantity_of(grid.name).words
        for other, names in kept:
            sign = _sign_of_equals(other.value, grid.value)
            if other.unit == grid.unit and words.split()[0] == names[0].split()[0] and sign is not None:
                names.append(f"{sign}{_ending(names[0], words)}")
                break
        else:
            kept.append((grid, [words]))
    labels = []
    for grid, names in kept[:MOST_PANELS]:
        label = average_label(grid.name, grid.unit, grid.value)
        labels.append((grid, label.replace(names[0], " = ".join(names), 1)))
    return labels


def _sign_of_equals(first: np.ndarray, second: np.ndarray) -> str | None:
    """A text before the second name: empty if the values are equal, a minus if they have opposite signs; None: they
    differ."""
    if first.shape != second.shape or not np.isfinite(first).any():
        return None
    if np.allclose(first, second, rtol=1e-6, atol=0, equal_nan=True):
        return ""
    return "−" if np.allclose(first, -second, rtol=1e-6, atol=0, equal_nan=True) else None


def _ending(first: str, second: str) -> str:
    """The words of the second name that the first lacks."""
    rest = [word for word in second.lower().split() if word.strip(",") not in first.lower().replace(",", "").split()]
    return " ".join(rest) or second.lower()


def axis_label(axis: Axis) -> str:
    """Name and symbol of a scanned key, with the unit of the study: "Field $B_z$ (T)"."""
    return key_name(axis.key, axis.unit).label


def value_texts(axis: Axis) -> list[str]:
    """The values without units: "0.5"; "6" for a cube [6, 6, 6], "6 × 6 × 1" for other sizes; for texts the parts in
    which they differ."""
    if axis.is_numeric:
        return [f"{value:.6g}" for value in axis.values]
    if axis.values.ndim == 2:
        are_cubes = np.all(axis.values == axis.values[:, :1])
        return [f"{row[0]:g}" if are_cubes else " × ".join(f"{entry:g}" for entry in row) for row in axis.values]
    texts = [str(value) for value in axis.values]
    front, back = common_ends(texts)
    return [plain_title(text[front:len(text) - back]) for text in texts]


def _axis_of(points: StagePoints) -> Axis:
    """The temperatures of the point that has the most temperatures."""
    rows = points.values.reshape(-1, points.values.shape[-1])
    longest = int(np.argmax(np.isfinite(rows).sum(axis=1)))
    return Axis(points.name, rows[longest], points.unit, {})


def _same_everywhere(points: StagePoints) -> bool:
    rows = points.values.reshape(-1, points.values.shape[-1])
    begun = rows[np.isfinite(rows).any(axis=1)]
    return bool(np.all(begun == begun[:1]))


def _abscissa(axes: list[Axis], along: str | None, points: StagePoints | None) -> int:
    if along is not None:
        for number, axis in enumerate(axes):
            if axis.key == along:
                return number
        raise not_in_results("scanned key", along, "the scan", [axis.key for axis in axes])
    lengths = [len(axis.values) if axis.numbers is not None else 0 for axis in axes]
    texts = [len(axis.values) if axis.numbers is None else 0 for axis in axes]
    can_be_across = points is None or (points.name != "field" and _same_everywhere(points))
    if max(texts) > _MOST_TEXTS and can_be_across or max(lengths) < 2 <= max(texts):
        return int(np.argmax(texts))
    if points is not None:
        return len(axes) - 1
    if max(lengths) < 2:
        raise NothingToDraw("no scanned key has two values or more to draw against")
    return len(lengths) - 1 - int(np.argmax(lengths[::-1]))


def _shown(grids: dict[str, Grid]) -> list[Grid]:
    for name, shown in SHOWN.items():
        if name in grids:
            return [grids[of] for of in shown if of in grids]
    return [grid for name, grid in grids.items() if not name.endswith(("_x", "_y", "_z"))]


def _draw(panel: Axes, curve: _Curve, frame: _Frame, colour: object, label: str) -> None:
    grid, is_sweep = curve.grid, frame.is_sweep
    known = np.flatnonzero(np.isfinite(grid.value) & np.isfinite(curve.x))
    order = known if is_sweep else known[np.argsort(curve.x[known], kind="stable")]
    factor = curve.factor
    value, error = (factor * array[order] for array in grid)
    # An unknown error is NaN, and matplotlib draws no bar for it.
    panel.errorbar(curve.x[order], value, error, fmt="-" if is_sweep else "o" if frame.is_texts else "o-", color=colour,
                   linewidth=1.0, elinewidth=1.1, label=label)


def _mark_crossings(panel: Axes, frame: _Frame, curves: list[_Curve],
                    crossings: list[BinderCrossing]) -> list[str]:
    """Marks each crossing of two curves, and draws its error as a bar. Returns lines with the temperatures, which would
    hide points in the panel."""
    by_index = {curve.index: curve for curve in curves}
    lines = []
    for crossing in crossings:
        curve, other = (by_index[frame.curve_of(index)] for index in (crossing.first, crossing.second))
        order = np.argsort(curve.x)
        height = np.interp(crossing.temperature, curve.x[order], curve.grid.value[order])
        panel.errorbar([crossing.temperature], [height], xerr=[crossing.error], fmt="|", color=INK, capsize=0,
                       markersize=9, markeredgewidth=0.8, elinewidth=1.2, zorder=1.5)
        names = _names_of_pair(frame, curve.index, other.index)
        lines.append(f"{names}: {with_error(crossing.temperature, crossing.error)} {crossing.unit}".strip())
    return lines


def _names_of_pair(frame: _Frame, first: tuple[int, ...], second: tuple[int, ...]) -> str:
    """Names of both lattices, such as "6 and 12", and the values of other keys if these are scanned
    too."""
    differing, shared = [], []
    for axis, one, other in zip(frame.others, first, second):
        texts = value_texts(axis)
        if one != other:
            differing.append(f"{texts[one]} and {texts[other]}")
        else:
            shared.append(key_name(axis.key, axis.unit).equals(texts[one]))
    return ", ".join(differing + shared)


class _Colours:
    """Colours of the curves: from a colour map for numbers of one key, or else from the cycle."""

    def __init__(self, others: list[Axis], curves: int):
        self._axis = others[0] if len(others) == 1 and others[0].numbers is not None else None
        self.by_name = bool(others) and (self._axis is None or curves <= len(CYCLE))
        self._curves, self._others = curves, others
        if self._axis is not None:
            values = self._axis.numbers
            self._map = mpl.cm.ScalarMappable(mpl.colors.Normalize(values.min(), values.max()),
                                              TEMPERATURE_MAP)

    def of(self, curve: int) -> object:
        if self._curves <= len(CYCLE):
            return CYCLE[curve]
        if self._axis is not None:
            return self._map.to_rgba(self._axis.numbers[curve])
        return TEMPERATURE_MAP(curve / (self._curves - 1))

    def explain(self, figure: Figure, panels: list[Axes], crossed: list[str]) -> None:
        """Adds a legend or a colour bar outside the panels. crossed: lines about crossings, which the legend lists."""
        handles, labels, title = [], [], None
        if self.by_name:
            handles, labels = panels[0].get_legend_handles_labels()
            title = axis_label(self._others[0]) if len(self._others) == 1 else None
        if crossed:
            empty = Line2D([], [], linestyle="")
            mark = Line2D([], [], color=INK, marker="|", markersize=9, linewidth=1.2)
            handles = [*handles, *[empty] * bool(handles), mark, *[empty] * len(crossed)]
            labels = [*labels, *[""] * bool(labels), "crossings of $U_4$", *crossed]
        if handles:
            size = "x-small" if len(handles) > _MOST_LARGE else None
            figure.legend(handles, labels, loc="outside right upper", title=title, fontsize=size, alignment="left")
        if self.by_name:
            return
        if self._axis is not None:
            figure.colorbar(self._map, ax=panels, aspect=30, pad=0.02, label=axis_label(self._axis))
