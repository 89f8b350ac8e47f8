"""Tables of the numbers behind each picture of a results file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from .curve_tables import Table, with_axes
from .errors import NothingToDraw, NotInResults
from .estimate import Estimate
from .fit_results import FITTED_KINDS, Fit
from .results import Results
from .reweighted import Reweighted
from .scan import Scan
from .stage import Stage
from .stage_curves import STAGE_CURVES, curves_of_stage, kinds_of_stage

# Curves of whole files.
FILE_CURVES = ("scan", "parity", "errors", "reweighted")


def curves_of_scan(scan: Scan, stage: str) -> Table:
    """One row for each point of a scan, and for each temperature or field within the stage: the scanned keys, then each
    average with its error. Raises NotInResults for a stage without averages."""
    grids = scan.grids(stage)
    points = scan.stage_points(stage)
    inner = max((grid.value.shape[-1] for grid in grids.values() if grid.value.ndim > len(scan.shape)), default=1)
    shape = (*scan.shape, inner)
    table = Table()
    places = np.indices(scan.shape)
    table.add("point", np.repeat(np.arange(int(np.prod(scan.shape))), inner))
    for axis, place in zip(scan.axes, places):
        values = axis.values if axis.values.ndim == 1 else np.array([axis.text(n) for n in range(len(axis.values))])
        table.add(axis.key, np.repeat(values[place.ravel()], inner), axis.unit)
    if points is not None:
        values = points.values if points.values.ndim > len(scan.shape) else points.values[..., None]
        table.add(points.name, np.broadcast_to(values, shape), points.unit)
    for name, grid in grids.items():
        value, error = (np.broadcast_to(numbers if numbers.ndim == len(shape) else numbers[..., None], shape)
                        for numbers in grid)
        table.add(name, Estimate(value, error, grid.unit))
    return table


def curves_of_fit(fit: Fit, what: str) -> list[Table]:
    """Tables of `parity` or `errors`, one for each of energy, force and stress that the fit has."""
    tables = []
    for kind in FITTED_KINDS:
        parity = fit.parity(kind)
        if len(parity.target) == 0:
            continue
        if what == "parity":
            names = np.array(fit.groups)
            table = Table(kind).add("group", names[parity.group.astype(int)]).add("is_test", parity.is_test)
            tables.append(table.add("target", parity.target, parity.unit).add("predicted", parity.predicted, parity.unit))
            continue
        errors = fit.errors(kind)
        table = with_axes(Table(kind), [("group", np.array([*fit.groups, "all"]), ""), ("is_test", np.array([0, 1]), "")])
        table.add("count", errors.count)
        for name in ("mean_absolute", "root_mean_square", "largest"):
            table.add(name, getattr(errors, name), errors.unit)
        tables.append(table)
    if not tables:
        raise NothingToDraw("the fit has no predictions")
    return tables


def curves_of_reweighted(reweighted: Reweighted) -> list[Table]:
    """For each system its curves, and the averages that the runs reported."""
    tables = []
    for number, system in enumerate(reweighted.systems, 1):
        begin = f"{number:02}"
        table = Table(begin).add(reweighted.parameter, system.parameter, system.parameter_unit)
        for name, curve in system.curves.items():
            table.add(name, Estimate(curve.value, curve.error, curve.unit))
        tables.append(table)
        raw = Table(f"{begin}-runs").add(reweighted.parameter, system.states[reweighted.parameter], system.parameter_unit)
        for name, (value, error) in system.raw.items():
            raw.add(name, Estimate(value, error, system.curves[name].unit))
        if len(raw.columns) > 1:
            tables.append(raw)
    return tables


def curves_of(results: Results, kinds: Sequence[str] | None, stages: Sequence[Stage],
              scanned: Sequence[str]) -> tuple[list[tuple[str, str, Table]], list[str]]:
    """All tables of a file as (kind, name, table), and reasons for tables that do not exist. A name has the stage,
    the kind, and the name of the table if there are several.

    kinds    kinds of curves; None: all that the results have;
    stages   stages of a study;
    scanned  names of stages of a scan
    """
    found: list[tuple[str, str, Table]] = []
    reasons: list[str] = []

    def attempt(kind: str, begin: str, make: Callable[[], Iterable[Table]]) -> None:
        if kinds is not None and kind not in kinds:
            return
        try:
            for table in make():
                found.append((kind, f"{begin}-{table.name}" if table.name else begin, table))
        except (NothingToDraw, NotInResults) as reason:
            reasons.append(f"{begin}: {reason}")

    if results.is_reweighted:
        attempt("reweighted", "reweighted", lambda: curves_of_reweighted(results.reweighted))
    if results.is_fit:
        for kind in ("parity", "errors"):
            attempt(kind, kind, lambda kind=kind: curves_of_fit(results.fit, kind))
    for name in scanned:
        attempt("scan", f"{name}-scan", lambda name=name: [curves_of_scan(results.scan, name)])
    for stage in stages:
        for kind in kinds_of_stage(stage) if kinds is None else kinds:
            if kind in STAGE_CURVES:
                attempt(kind, f"{stage.name}-{kind}", lambda stage=stage, kind=kind: curves_of_stage(stage, kind))
    return found, reasons
