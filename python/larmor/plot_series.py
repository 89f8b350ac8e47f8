"""Draws the series of a stage: energy, magnetisation and other quantities."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .errors import NothingToDraw
from .labels import (Quantity, average_label, label, parameter_label, shown_unit,
                     temperature_label)
from .stage import Series, Stage
from .style import BLUE, CYCLE, INK, TEMPERATURE_MAP, finish, new_figure, styled

SHOWN = ("energy", "magnetisation", "spin_temperature", "topological_charge", "autocorrelation",
         "temperature", "pressure", "volume", "conserved_quantity", "enthalpy", "largest_force")


def plot_series(stage: Stage, title: str = "") -> Figure:
    """Energy, magnetisation, ... against time (dynamics), sweeps (Monte Carlo) or steps (minimise). For
    atoms: temperature, pressure, volume, the conserved quantity, the enthalpy and the largest force.

    For one point: the mean over replicas and a band between their 10th and 90th percentiles. The
    magnetisation is drawn with its components. In dynamics, the energy is the change since the first
    sample of each replica. For several points, or the rungs of a ladder: one line per temperature.
    Raises NothingToDraw if there is no such series or all have only one sample per point.
    """
    found = [stage.series[name] for name in SHOWN if name in stage.series]
    # Series with one sample per point are left out. A hysteresis stage has a separate picture.
    found = [series for series in found if len(series.value) > _points(series)]
    if not found:
        raise NothingToDraw("no series of energy, magnetisation or the like was written")
    with styled():
        figure = new_figure(7.6, 2.9 * len(found) + 0.7)
        grid = np.ravel(figure.subplots(len(found), 1, sharex=True, squeeze=False))
        rungs = stage.details.get("rungs")
        if rungs is not None:
            _draw_rungs(figure, grid, found, stage, int(rungs))
        elif all(_points(series) > 1 for series in found):
            _draw_points(figure, grid, found, stage)
        else:
            for axes, series in zip(grid, found):
                _draw_replicas(axes, series, stage.kind)
        for axes in grid:
            axes.margins(x=0)
        figure.align_ylabels()
        grid[-1].set_xlabel(_abscissa_label(found[-1], stage.kind))
        return finish(title, figure)


def _points(series: Series) -> int:
    return 1 if series.point is None else len(np.unique(series.point))


def _abscissa(series: Series) -> np.ndarray:
    for axis in (series.time, series.step):
        if axis is not None:
            return axis
    return np.arange(len(series.value))


def _abscissa_label(series: Series, kind: str) -> str:
    if series.time is not None:
        return label(Quantity("Time", "$t$"), series.time_unit)
    if series.step is None:
        return "Sample"
    return {"dynamics": "Time step", "minimise": "Step"}.get(kind, "Sweep")


def _lengths(series: Series) -> np.ndarray:
    """[n, R] values in the unit shown; vectors are replaced by their lengths."""
    value = series.value.reshape(len(series.value), -1, *series.value.shape[2:])
    factor, _ = shown_unit(series.unit)
    return factor * (np.linalg.norm(value, axis=2) if value.ndim == 3 else value)


def _draw_replicas(axes: Axes, series: Series, kind: str) -> None:
    x, y = _abscissa(series), _lengths(series)
    replicas, vectors = y.shape[1], series.value.ndim == 3
    colour = INK if vectors else BLUE
    axes.set_ylabel(average_label(series.name, series.unit))
    if vectors:
        axes.set_ylabel(label(Quantity("Magnetisation", "$M$", per_site=True), series.unit))
        components = shown_unit(series.unit)[0] * series.value.mean(axis=1)
        for component, name, shade in zip(components.T, "xyz", CYCLE):
            axes.plot(x, component, color=shade, linewidth=1.0, label=f"$M_{name}$")
    elif series.name == "conserved_quantity" or (series.name == "energy" and kind == "dynamics"):
        # Each replica conserves its own energy. The picture shows the drift of the energies.
        start = y[0].mean()
        y = y - y[0]
        of_sites = series.name == "energy"
        symbol = "E" if of_sites else "H"
        axes.set_ylabel(label(Quantity("Energy" if of_sites else "Conserved",
                                       f"${symbol} - {symbol}_0$", per_site=of_sites),
                              series.unit))
        axes.set_title(f"${symbol}_0 = {start:.5g}$ {shown_unit(series.unit)[1]}".strip(), loc="right",
                       fontsize="medium")
    if replicas > 1:
        low, high = np.percentile(y, (10, 90), axis=1)
        axes.fill_between(x, low, high, color=colour, alpha=0.18, linewidth=0,
                          label="10 to 90 %")
    axes.plot(x, y.mean(axis=1), color=colour, label="$|M|$" if vectors else "mean")
    if vectors or replicas > 1:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.02), handlelength=1.4,
                    alignment="left",
                    title=f"{replicas} replicas" if replicas > 1 else None)


def _draw_rungs(figure: Figure, grid: np.ndarray, found: list[Series], stage: Stage,
                rungs: int) -> None:
    name, values, unit = stage.parameter
    colours = mpl.cm.ScalarMappable(mpl.colors.Normalize(values.min(), values.max()),
                                    TEMPERATURE_MAP)
    for axes, series in zip(grid, found):
        # Each drawn value is a mean over samples, so that a line has no more values than it can
        # show.
        x, y = _abscissa(series), _lengths(series)
        length = max(1, len(x) // 400)
        x, y = (array[:len(x) // length * length].reshape(-1, length, *array.shape[1:]).mean(axis=1)
                for array in (x, y))
        for rung in range(rungs):
            axes.plot(x, y[:, rung::rungs].mean(axis=1), color=colours.to_rgba(values[rung]),
                      linewidth=0.8)
        axes.set_ylabel(average_label(series.name, series.unit))
    figure.colorbar(colours, ax=list(grid), aspect=30, pad=0.02, label=parameter_label(name, unit))


def _draw_points(figure: Figure, grid: np.ndarray, found: list[Series], stage: Stage) -> None:
    temperature = stage.temperature if "temperature" in stage else None
    points = np.unique(np.concatenate([series.point for series in found])).astype(int)
    known = temperature is not None and len(temperature) > points.max()
    values = temperature if known else np.arange(points.max() + 1)
    colours = mpl.cm.ScalarMappable(
        mpl.colors.Normalize(values[points].min(), values[points].max()), TEMPERATURE_MAP)
    for axes, series in zip(grid, found):
        x, y = _abscissa(series), _lengths(series).mean(axis=1)
        for point in points:
            chosen = series.point == point
            axes.plot(x[chosen], y[chosen], color=colours.to_rgba(values[point]), linewidth=1.0)
        axes.set_ylabel(average_label(series.name, series.unit))
    figure.colorbar(colours, ax=list(grid), aspect=30, pad=0.02,
                    label=temperature_label(stage.temperature_unit) if known else "Point")
