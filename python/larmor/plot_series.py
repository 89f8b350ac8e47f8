"""Draws the series of a stage: energy, magnetisation and other quantities."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .errors import NothingToDraw
from .labels import Quantity, label, parameter_label, quantity_of, series_label, shown_unit
from .stage import Parameter, Series, Stage
from .stage_words import heading, parameter_of_replicas, site_word, step_word
from .style import BLUE, CYCLE, INK, TEMPERATURE_MAP, finish, new_figure, spans_decades, styled, widen_if_constant

SHOWN = ("energy", "magnetisation", "spin_temperature", "topological_charge", "autocorrelation",
         "temperature", "pressure", "volume", "conserved_quantity", "enthalpy", "barrier", "largest_force",
         "largest_torque")
# Remainders of iterations, which fall by decades.
_REMAINDERS = ("largest_force", "largest_torque")
# A line shows at most this number of values of a rung.
_MOST_VALUES = 400


def plot_series(stage: Stage, title: str = "") -> Figure:
    """Energy, magnetisation, ... against time (dynamics), sweeps (Monte Carlo) or iterations (minimise). For
    atoms: temperature, pressure, volume, the conserved quantity, the enthalpy and the largest force.

    For one point: the mean over replicas and a band between their 10th and 90th percentiles. The
    magnetisation is drawn with its components. In dynamics and minimise, the energy is the change since the
    first sample of each replica. Forces and torques that remain have a logarithmic axis. For several points, or
    the rungs of a ladder: one line per temperature.
    Raises NothingToDraw if there is no such series or all have only one sample per point.
    """
    found = [stage.series[name] for name in _shown(stage) if name in stage.series]
    # Series with one sample per point are left out. A hysteresis stage has a separate picture.
    found = [series for series in found if len(series.value) > _points(series)]
    if not found:
        raise NothingToDraw("no series of energy, magnetisation or the like was written")
    with styled():
        figure = new_figure(7.0, 2.5 * len(found) + 1.0)
        grid = np.ravel(figure.subplots(len(found), 1, sharex=True, squeeze=False))
        parameter = parameter_of_replicas(stage)
        is_single = False
        if parameter is not None:
            _draw_rungs(figure, grid, found, stage, parameter)
        elif all(_points(series) > 1 for series in found):
            _draw_points(figure, grid, found, stage)
        else:
            is_single = True
            for axes, series in zip(grid, found):
                _draw_replicas(axes, series, stage)
            _explain(grid, max(series.value.shape[1] if series.value.ndim > 1 else 1 for series in found))
        for axes in grid:
            axes.margins(x=0)
        figure.align_ylabels()
        grid[-1].set_xlabel(_abscissa_label(found[-1], stage))
        return finish(heading(title, stage, with_temperature=is_single), figure)


def _shown(stage: Stage) -> tuple[str, ...]:
    # Moving atoms conserve another quantity. Their potential energy shows only noise.
    return ("potential_energy", *SHOWN) if stage.kind == "minimise" else SHOWN


def _points(series: Series) -> int:
    return 1 if series.point is None else len(np.unique(series.point))


def _abscissa(series: Series) -> np.ndarray:
    for axis in (series.time, series.step):
        if axis is not None:
            return axis
    return np.arange(len(series.value))


def _abscissa_label(series: Series, stage: Stage) -> str:
    if series.time is not None:
        return label(Quantity("Time", "$t$"), series.time_unit)
    if series.step is None:
        return "Sample"
    return step_word(stage).capitalize()


def _lengths(series: Series) -> np.ndarray:
    """[n, R] values in the stored unit; vectors are replaced by their lengths."""
    value = series.value.reshape(len(series.value), -1, *series.value.shape[2:])
    return np.linalg.norm(value, axis=2) if value.ndim == 3 else value


def _sizes(series: Series) -> np.ndarray:
    """[n, R] as _lengths, with |M| of scalar magnetisations: their signs differ from replica to replica, and cluster
    updates change them."""
    return np.abs(_lengths(series)) if series.name == "magnetisation" else _lengths(series)


def _label(series: Series, values: np.ndarray, stage: Stage, *, of_sizes: bool = False) -> str:
    """Label of an axis that shows lengths of vectors, or the values of other series. @param of_sizes does it show
    _sizes?"""
    is_length = series.value.ndim == 3 or (of_sizes and series.name == "magnetisation")
    return series_label(series.name, series.unit, values, site_word(stage), is_length=is_length)


def _shows_changes(series: Series, kind: str) -> bool:
    """Is the change since the first sample drawn? Each replica conserves or lowers its own energy, and the changes are
    small."""
    return series.name == "conserved_quantity" or (
        series.name in ("energy", "potential_energy") and kind in ("dynamics", "minimise"))


def _draw_replicas(axes: Axes, series: Series, stage: Stage) -> None:
    x, y = _abscissa(series), _lengths(series)
    vectors = series.value.ndim == 3
    colour = INK if vectors else BLUE
    if _shows_changes(series, stage.kind):
        y = _draw_changes(axes, series, y, site_word(stage))
    elif vectors:
        factor = shown_unit(series.unit, y)[0]
        axes.set_ylabel(series_label(series.name, series.unit, y, site_word(stage)))
        symbol = quantity_of(series.name).symbol and "M"
        for component, name, shade in zip(factor * series.value.mean(axis=1).T, "xyz", CYCLE):
            axes.plot(x, component, color=shade, linewidth=1.0, label=f"${symbol}_{name}$")
        y = factor * y
    else:
        axes.set_ylabel(_label(series, y, stage))
        y = shown_unit(series.unit, y)[0] * y
    if y.shape[1] > 1:
        low, high = np.percentile(y, (10, 90), axis=1)
        axes.fill_between(x, low, high, color=colour, alpha=0.18, linewidth=0,
                          label="10 to 90 %")
    axes.plot(x, y.mean(axis=1), color=colour, label="$|M|$" if vectors else "mean")
    widen_if_constant(axes, y)
    if series.name in _REMAINDERS and spans_decades(y, 1):
        axes.set_yscale("log")


def _draw_changes(axes: Axes, series: Series, y: np.ndarray, site: str) -> np.ndarray:
    """Labels the axes of changes since the first sample, and returns these changes in the unit shown."""
    start, changes = y[0].mean(), y - y[0]
    quantity = quantity_of(series.name)
    symbol = quantity.symbol.strip("$")
    axes.set_ylabel(label(Quantity(quantity.words, f"${symbol} - {symbol}_0$", quantity.per_site),
                          series.unit, changes, site))
    factor, unit = shown_unit(series.unit, start)
    axes.set_title(f"${symbol}_0 = {factor * start:.6g}$ {unit}".strip(), loc="right", fontsize="medium")
    return shown_unit(series.unit, changes)[0] * changes


def _explain(grid: np.ndarray, replicas: int) -> None:
    """Adds legends outside the axes. Axes with lines that an earlier legend explains have none."""
    explained: list[list[str]] = []
    for axes in grid:
        names = axes.get_legend_handles_labels()[1]
        if names in explained or names == ["mean"]:
            continue
        explained.append(names)
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.02), handlelength=1.4, alignment="left",
                    title=f"{replicas} replicas" if replicas > 1 else None)


def _draw_rungs(figure: Figure, grid: np.ndarray, found: list[Series], stage: Stage,
                parameter: Parameter) -> None:
    name, values, unit = parameter
    rungs = len(values)
    colours = mpl.cm.ScalarMappable(mpl.colors.Normalize(values.min(), values.max()),
                                    TEMPERATURE_MAP)
    for axes, series in zip(grid, found):
        # Each drawn value is a mean over samples, so that a line has no more values than it can
        # show.
        x, y = _abscissa(series), _sizes(series)
        length = max(1, len(x) // _MOST_VALUES)
        x, y = (array[:len(x) // length * length].reshape(-1, length, *array.shape[1:]).mean(axis=1)
                for array in (x, y))
        factor = shown_unit(series.unit, y)[0]
        for rung in range(rungs):
            axes.plot(x, factor * y[:, rung::rungs].mean(axis=1), color=colours.to_rgba(values[rung]),
                      linewidth=0.8)
        axes.set_ylabel(_label(series, y, stage, of_sizes=True))
    figure.colorbar(colours, ax=list(grid), aspect=30, pad=0.02, label=parameter_label(name, unit))


def _draw_points(figure: Figure, grid: np.ndarray, found: list[Series], stage: Stage) -> None:
    parameter = stage.parameter if "temperature" in stage or "kappa" in stage else None
    points = np.unique(np.concatenate([series.point for series in found])).astype(int)
    known = parameter is not None and len(parameter.values) > points.max()
    values = parameter.values if known else np.arange(points.max() + 1)
    colours = mpl.cm.ScalarMappable(
        mpl.colors.Normalize(values[points].min(), values[points].max()), TEMPERATURE_MAP)
    for axes, series in zip(grid, found):
        x, y = _abscissa(series), _sizes(series).mean(axis=1)
        factor = shown_unit(series.unit, y)[0]
        for point in points:
            chosen = series.point == point
            axes.plot(x[chosen], factor * y[chosen], color=colours.to_rgba(values[point]), linewidth=1.0)
        axes.set_ylabel(_label(series, y, stage, of_sizes=True))
    figure.colorbar(colours, ax=list(grid), aspect=30, pad=0.02,
                    label=parameter_label(parameter.name, parameter.unit) if known else "Point")
