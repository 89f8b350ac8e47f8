"""The numbers of results as tables: values with errors and units, for reading and for copies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import h5py
import numpy as np

from ..errors import NotInResults
from ..fit_results import FITTED_KINDS, Fit
from ..hdf5_values import plain, unit_of
from ..labels import plain_title, quantity_of, shown_unit
from ..reweighted import Reweighted
from ..scan import Scan
from ..stage import Average, Stage
from .plain_math import to_html

# A table of the page has at most this number of rows; the file has all.
MOST_ROWS = 1000


@dataclass(frozen=True)
class Column:
    """One column of a table.

    name    its key, such as specific_heat
    unit    text with mathematics, as in labels
    values  numbers or texts
    is_key  is the name a key of the study?
    errors  of the values, or None
    few     which values come from too few samples, or None
    """

    name: str
    values: Sequence
    errors: Sequence[float] | None = None
    unit: str = ""
    few: Sequence[bool] | None = None
    is_abscissa: bool = False
    is_key: bool = False


@dataclass(frozen=True)
class Table:
    """Columns of equal length; `left_out` rows are only in the file."""

    title: str
    columns: list[Column]
    left_out: int = 0
    note: str = ""


@dataclass
class _Rows:
    """Quantities of a single value, one below the other."""

    names: list[str] = field(default_factory=list)
    units: list[str] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)
    few: list[bool] = field(default_factory=list)

    def add(self, name: str, value: float, error: float, unit: str, few: bool = False) -> None:
        factor, shown = shown_unit(unit, np.array([value]))
        self.names.append(name)
        self.units.append(shown)
        self.values.append(factor * value)
        self.errors.append(factor * error)
        self.few.append(few)

    def table(self, title: str, more: Sequence[Column] = ()) -> list[Table]:
        if not self.names:
            return []
        columns = [Column("quantity", [words(name) for name in self.names], is_abscissa=True),
                   Column("value", self.values, self.errors, few=self.few)]
        if any(self.units):
            columns.append(Column("unit", [to_html(unit) for unit in self.units]))
        return [Table(title, [*columns, *more])]


def words(name: str) -> str:
    """The name of a quantity in words with its symbol, HTML: "Specific heat per site C"."""
    known = quantity_of(name)
    per_site = " per site" if known.per_site else ""
    return to_html(f"{plain_title(known.words)}{per_site} {known.symbol}".strip())


# Averages that most readers look for first.
_FIRST = ("energy", "action", "magnetisation", "specific_heat", "configurational_specific_heat", "susceptibility",
          "binder_cumulant", "potential_energy", "kinetic_energy", "total_energy", "temperature", "pressure",
          "volume", "acceptance")


def _rank(name: str) -> tuple[int, str]:
    return (_FIRST.index(name) if name in _FIRST else len(_FIRST), name)


def _cut(title: str, columns: list[Column], note: str = "") -> list[Table]:
    """A table with its first rows, or none if it has no row."""
    rows = len(columns[0].values) if columns else 0
    if rows == 0:
        return []
    kept = [_rows_of(column, slice(MOST_ROWS)) for column in columns]
    return [Table(title, kept, max(0, rows - MOST_ROWS), note)]


def _rows_of(column: Column, chosen: slice | np.ndarray) -> Column:
    """The column with some of its rows."""
    parts = {name: None if getattr(column, name) is None else np.asarray(getattr(column, name))[chosen].tolist()
             for name in ("values", "errors", "few")}
    return replace(column, **parts)


def _column(name: str, values: np.ndarray, errors: np.ndarray | None, unit: str, few: np.ndarray | None = None,
            is_abscissa: bool = False) -> Column:
    values = np.asarray(values)
    factor, shown = shown_unit(unit, values) if values.dtype.kind == "f" else (1.0, unit)
    scaled = factor * values if values.dtype.kind == "f" else values
    return Column(name, scaled, None if errors is None else factor * np.asarray(errors), shown, few, is_abscissa)


def tables_of_stage(stage: Stage) -> list[Table]:
    """Averages first, then the other numbers that the kind of stage stores."""
    tables = _averages(stage)
    tables += _group(stage, "loop", "Numbers of the loop")
    tables += _ladder(stage)
    tables += _path(stage)
    for way, state in (("forward", "first"), ("backward", "last")):
        tables += _arrays(stage.group, f"lifetime/{way}", f"Escape from the {state} state", stage.group.get("lifetime"))
    tables += _arrays(stage.group, "population", "Population", stage.group)
    tables += _group(stage, "overlap", "Overlaps")
    tables += _spin_waves(stage)
    tables += _quantum(stage)
    tables += _parsplice(stage)
    return tables


def few_samples(stage: Stage, average: Average) -> np.ndarray | None:
    """[P] which errors come from too few samples, as the program stored it; None: it stored nothing."""
    group = stage.group[f"averages/{average.name}"]
    if "reliable" not in group:
        return None
    # An average without an error has no error to doubt.
    return (np.atleast_1d(group["reliable"][()]) == 0) & np.isfinite(average.error) & (average.error > 0)


def _averages(stage: Stage) -> list[Table]:
    averages = sorted(stage.averages.values(), key=lambda average: _rank(average.name))
    if not averages:
        return []
    points = max(len(average.value) for average in averages)
    if points == 1:
        rows, times, samples = _Rows(), [], []
        for average in averages:
            few = few_samples(stage, average)
            rows.add(average.name, average.value[0], average.error[0], average.unit, few is not None and bool(few[0]))
            # Minima are not samples of a series, so their stored time means nothing.
            has_time = average.autocorrelation_time is not None and stage.kind != "minimise"
            times.append(average.autocorrelation_time[0] if has_time else np.nan)
            samples.append(np.nan if average.samples is None else float(average.samples[0]))
        more = [Column(name, values) for name, values in (("autocorrelation_time", times), ("samples", samples))
                if np.isfinite(values).any()]
        return rows.table("Averages", more)
    columns = [_abscissa(stage, points)]
    columns += [_column(average.name, average.value, average.error, average.unit, few_samples(stage, average))
                for average in averages if len(average.value) == points]
    return _cut("Averages", columns)


def _abscissa(stage: Stage, points: int) -> Column:
    try:
        name, values, unit = stage.parameter
    except NotInResults:
        name, values, unit = "field", stage.field if "field" in stage else np.zeros(0), ""
    if len(values) == points:
        unit = unit or (stage.field_unit if name == "field" and "field" in stage else "")
        return _column(name, values, None, unit, is_abscissa=True)
    return Column("replica", np.arange(points), is_abscissa=True)


def _group(stage: Stage, name: str, title: str) -> list[Table]:
    """Numbers NAME/{value, error} of a group: single ones as rows, lists against the points of the stage."""
    found = {key: entry for key, entry in stage.group.get(name, {}).items()
             if isinstance(entry, h5py.Group) and "value" in entry and entry["value"].ndim == 1}
    rows, columns = _Rows(), []
    for key, entry in found.items():
        value = entry["value"][()]
        error = entry["error"][()] if "error" in entry else np.full(value.shape, np.nan)
        unit = unit_of(entry["value"]) or unit_of(entry)
        if len(value) == 1:
            rows.add(key, value[0], error[0], unit)
        elif not columns or len(columns[0].values) == len(value):
            columns += [_abscissa(stage, len(value))] if not columns else []
            columns.append(_column(key, value, error, unit))
    return rows.table(title) + _cut(title, columns)


def _ladder(stage: Stage) -> list[Table]:
    if "ladder" not in stage:
        return []
    ladder, unit = stage.ladder, stage.parameter.unit
    pad = [np.nan]
    columns = [_column(ladder.name, ladder.values, None, unit, is_abscissa=True),
               Column("exchange_acceptance", [*ladder.acceptance, *pad], [*ladder.acceptance_error, *pad]),
               Column("diffusivity", [*ladder.diffusivity, *pad]),
               Column("flow", ladder.flow, ladder.flow_error)]
    rows = _Rows()
    rows.add("round_trips", float(np.sum(ladder.round_trips)), np.nan, "")
    rows.add("round_trip_time", ladder.round_trip_time, ladder.round_trip_time_error, "sweeps")
    return _cut("Ladder: each rung, and the exchanges with the next", columns) + rows.table("Round trips")


def _path(stage: Stage) -> list[Table]:
    if "path" not in stage:
        return []
    path, rows = stage.path, _Rows()
    rows.add("barrier_forward", path.barrier_forward, np.nan, path.unit)
    rows.add("barrier_backward", path.barrier_backward, np.nan, path.unit)
    return rows.table("Barriers") + _cut("Images of the path", [
        Column("image", np.arange(len(path.energy)), is_abscissa=True),
        _column("reaction_coordinate", path.coordinate, None, path.coordinate_unit),
        _column("energy_above_the_first", path.energy - path.energy[0], None, path.unit)])


def _spin_waves(stage: Stage) -> list[Table]:
    """Gap, stiffness and velocity along x, y and z."""
    rows, details = _Rows(), stage.details
    if stage.kind != "spin-waves":
        return []
    if "gap" in details:
        unit = "eV" if plain(stage.group.file.attrs.get("units", "")) == "material" else ""
        rows.add("gap", float(details["gap"]), np.nan, unit)
    for name in ("stiffness", "velocity"):
        if name in stage:
            values = stage.group[name]
            for axis, value in zip("xyz", np.ravel(values[()])):
                if np.isfinite(value):
                    rows.add(f"{name}_{axis}", float(value), np.nan, unit_of(values))
    return rows.table("Spin waves")


def _arrays(parent: h5py.Group, name: str, title: str, abscissae: h5py.Group | None) -> list[Table]:
    """Lists of a group against the temperatures of another."""
    if name not in parent or abscissae is None or "temperature" not in abscissae:
        return []
    temperature, columns = abscissae["temperature"], []
    for key, entry in parent[name].items():
        if isinstance(entry, h5py.Dataset) and entry.shape == temperature.shape and key != "reliable":
            columns.append(_column(key, entry[()], None, unit_of(entry)))
    if not columns:
        return []
    first = _column("temperature", temperature[()], None, unit_of(temperature), is_abscissa=True)
    return _cut(title, [first, *columns])


# Axes of the arrays of stages without averages, from the results format.
_AXES = {"transfer-matrix": (("temperature",), ("temperature", "sample")),
         "spectrum": (("sample",), ("sample", "level")),
         "full-spectrum": (("temperature",), ("sample", "temperature")),
         "typicality": (("temperature",), ("sample", "temperature")),
         "quantum-monte-carlo": (("slices",), ("sample", "temperature"), ("slices", "sample", "temperature"))}
_NOT_TABLES = ("temperature", "slices", "sites_of_row", "level", "sector_of_level", "imaginary_time", "Gamma")


def _quantum(stage: Stage) -> list[Table]:
    """Arrays of exact and quantum stages: one row for each sample, temperature and number of slices."""
    if stage.kind not in _AXES:
        return []
    tables = []
    for place in ("", "extrapolated", "even", "odd", "all"):
        group = stage.group if not place else stage.group.get(place)
        if not isinstance(group, h5py.Group):
            continue
        for axes in _AXES[stage.kind]:
            tables += _tables_of_axes(stage, group, axes, f"{place.capitalize()}: numbers" if place else "Numbers")
    return tables


def _tables_of_axes(stage: Stage, group: h5py.Group, axes: tuple[str, ...], title: str) -> list[Table]:
    by_shape: dict[tuple[int, ...], list[Column]] = {}
    for key, entry in group.items():
        is_part = key.endswith(("_error", "_reliable", "_autocorrelation_time", "_chi2", "_residual"))
        if (
            not isinstance(entry, h5py.Dataset)
            or entry.ndim != len(axes)
            or key in _NOT_TABLES
            or is_part
            or entry.dtype.kind not in "fiu"
        ):
            continue
        if any(axis in stage.group and stage.group[axis].size != length for axis, length in zip(axes, entry.shape)):
            continue
        error = group[f"{key}_error"][()].ravel() if f"{key}_error" in group else None
        few = group[f"{key}_reliable"][()].ravel() == 0 if f"{key}_reliable" in group else None
        by_shape.setdefault(entry.shape, []).append(
            _column(key, entry[()].ravel().astype(float), error, unit_of(entry), few)
        )
    tables = []
    for shape, columns in by_shape.items():
        grid = np.indices(shape).reshape(len(shape), -1)
        before = []
        for axis, numbers, length in zip(axes, grid, shape):
            known = stage.group[axis] if axis in stage.group else None
            if length > 1 or known is not None:
                values = known[()].ravel()[numbers] if known is not None else numbers + 1
                before.append(
                    _column(axis, values, None, unit_of(known) if known is not None else "", is_abscissa=True)
                )
        if not before and len(columns[0].values) == 1:
            rows = _Rows()
            for column in columns:
                rows.add(column.name, column.values[0], np.nan if column.errors is None else column.errors[0], "")
            tables += rows.table(title)
        else:
            tables += _cut(title, before + columns)
    return tables


def _parsplice(stage: Stage) -> list[Table]:
    if stage.kind != "parsplice":
        return []
    tables = []
    for name, title, first in (("states", "States", "state"), ("rates", "Rates", "")):
        group = stage.group.get(name)
        if group is None:
            continue
        lists = {
            key: entry
            for key, entry in group.items()
            if isinstance(entry, h5py.Dataset) and entry.ndim == 1 and key != "label"
        }
        lengths = {len(entry) for entry in lists.values()}
        if len(lengths) != 1:
            continue
        columns = [Column(first, np.arange(lengths.pop()), is_abscissa=True)] if first else []
        for key in sorted(lists, key=lambda name: (name not in ("from", "to"), name)):
            if key.endswith("error") and (key == "error" or key[:-6] in lists):
                continue
            errors = lists.get(f"{key}_error", lists.get("error") if key == "value" else None)
            named = {"value": "rate", "energy": "energy_of_the_minimum"}.get(key, key)
            columns.append(_column(named, lists[key][()], None if errors is None else errors[()], unit_of(lists[key])))
        tables += _cut(title, columns)
    return tables


def tables_of_scan(scan: Scan) -> Iterator[tuple[str, list[Table]]]:
    """Names of stages, and a table of each: a row for each point, or each temperature of each point."""
    for stage, grids in scan.summary.items():
        for is_single in (True, False):
            chosen = {name: grid for name, grid in grids.items() if (grid.value.ndim == len(scan.shape)) == is_single}
            if chosen:
                yield stage, _cut("Averages of the points", _columns_of_scan(scan, stage, chosen), _done(scan))
        crossings = scan.binder_crossings(stage)
        if crossings:
            unit = crossings[0].unit
            yield stage, _cut("Crossings of Binder cumulants", [
                Column("first", [_lattice(scan, crossing.first) for crossing in crossings], is_abscissa=True),
                Column("second", [_lattice(scan, crossing.second) for crossing in crossings], is_abscissa=True),
                _column("temperature", np.array([crossing.temperature for crossing in crossings]),
                        np.array([crossing.error for crossing in crossings]), unit)])


def _lattice(scan: Scan, place: tuple[int, ...]) -> str:
    """The values of a lattice on the axes of the scan; an axis of temperatures has none."""
    return ", ".join(axis.text(number) for axis, number in zip(scan.axes, place) if number >= 0)


def _done(scan: Scan) -> str:
    missing = int(np.sum(~scan.completed))
    return f"{missing} of {scan.completed.size} points are not done" if missing else ""


def _columns_of_scan(scan: Scan, stage: str, grids: dict) -> list[Column]:
    shape = next(iter(grids.values())).value.shape
    index = np.indices(shape).reshape(len(shape), -1)
    columns = []
    for axis, numbers in zip(scan.axes, index):
        if axis.is_numeric and axis.values.ndim == 1:
            columns.append(Column(axis.key, axis.values[numbers], unit=axis.unit, is_abscissa=True, is_key=True))
        else:
            columns.append(Column(axis.key, [axis.text(number) for number in numbers], is_abscissa=True, is_key=True))
    points = scan.stage_points(stage)
    if (
        points is not None
        and points.values.shape == shape
        and not any(
            len(column.values)
            and not isinstance(column.values[0], str)
            and np.array_equal(column.values, points.values.ravel())
            for column in columns
        )
    ):
        columns.append(_column(points.name, points.values.ravel(), None, points.unit, is_abscissa=True))
    for name in sorted(grids, key=_rank):
        grid = grids[name]
        few = None
        if grid.reliable is not None:
            few = (~grid.reliable & np.isfinite(grid.value) & np.isfinite(grid.error) & (grid.error > 0)).ravel()
        columns.append(_column(name, grid.value.ravel(), grid.error.ravel(), grid.unit, few))
    known = np.any([np.isfinite(np.asarray(column.values, dtype=float)) for column in columns[-len(grids):]], axis=0)
    return [_rows_of(column, known) for column in columns]


def tables_of_reweighted(reweighted: Reweighted) -> Iterator[Table]:
    """Curves of each system, at no more than about a hundred temperatures."""
    for system in reweighted.systems:
        every = -(-len(system.parameter) // 120)
        chosen = slice(None, None, every)
        columns = [
            _column(reweighted.parameter, system.parameter[chosen], None, system.parameter_unit, is_abscissa=True)
        ]
        columns += [_column(curve.name, curve.value[chosen], curve.error[chosen], curve.unit, ~system.reliable[chosen])
                    for curve in sorted(system.curves.values(), key=lambda curve: _rank(curve.name))]
        note = f"Every {every}th of {len(system.parameter)} points" if every > 1 else ""
        yield from _cut(f"Curves of {system.name}", columns, note)


def tables_of_fit(fit: Fit) -> Iterator[Table]:
    """Errors of each group, for training and test."""
    groups = [*fit.groups, "all groups"]
    for kind in FITTED_KINDS:
        try:
            errors = fit.errors(kind)
        except (NotInResults, KeyError):
            continue
        columns = [Column("group", groups, is_abscissa=True)]
        for number, of in enumerate(("training", "test")):
            if errors.count[:, number].sum() == 0:
                continue
            columns += [Column(f"{of}_count", errors.count[:, number].astype(int)),
                        _column(f"{of}_mean_absolute", errors.mean_absolute[:, number], None, errors.unit),
                        _column(f"{of}_root_mean_square", errors.root_mean_square[:, number], None, errors.unit),
                        _column(f"{of}_largest", errors.largest[:, number], None, errors.unit)]
        yield from _cut(f"Errors of the {kind}", columns)
