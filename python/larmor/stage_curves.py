"""Tables of the curves of a stage. Numbers have the units of the results; pictures may show other units."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .curve_tables import Table, with_axes
from .errors import NothingToDraw, NotInResults, not_in_results
from .estimate import Estimate
from .first_atom import first_atom
from .hdf5_values import Array, unit_of
from .labels import with_unit
from .pair_correlations import PairBins, PairCorrelations, PairCorrelationsInTime
from .samples import COMPONENTS, Series
from .stage import Stage
from .stage_words import parameter_of_replicas
from .structure_factor import COMPONENTS as TENSOR_COMPONENTS
from .structure_factor import StructureFactor
from .tables import middles
from .wave_vectors import WaveVectors


def _averages(stage: Stage) -> list[Table]:
    abscissa = stage.abscissa
    averages = list(stage.averages.values())
    if not averages:
        raise NothingToDraw("no averages were measured")
    rows = max(len(average.value) for average in averages)
    table = Table()
    if abscissa is None:
        table.add("point", np.arange(rows))
    else:
        table.add(abscissa.name, abscissa.values[:rows], abscissa.unit)
    for average in averages:
        short = rows - len(average.value)
        table.add(average.name, Estimate(*(np.append(numbers, np.full(short, np.nan)) for numbers in average), average.unit))
        for name in ("autocorrelation_time", "samples"):
            numbers = getattr(average, name)
            if numbers is not None:
                table.add(f"{average.name}_{name}", np.append(numbers, np.full(short, np.nan)))
    return [table]


def _series(stage: Stage) -> list[Table]:
    """Means over equal replicas, their errors and percentiles; one table for all series with equal steps."""
    tables: dict[tuple, Table] = {}
    parameter = parameter_of_replicas(stage)
    rungs = 0 if parameter is None else len(parameter.values)
    for name, series in stage.series.items():
        key = tuple(None if axis is None else axis.tobytes() for axis in (series.step, series.time, series.point))
        key = (len(series.value), *key)
        if key not in tables:
            tables[key] = _axes_of_series(series, Table("" if not tables else str(len(tables) + 1)))
        values = series.value.reshape(len(series.value), -1, *series.value.shape[2:])
        if rungs:
            for rung in range(rungs):
                _add_replicas(tables[key], f"{name}_rung_{rung}", values[:, rung::rungs], series.unit)
        else:
            _add_replicas(tables[key], name, values, series.unit)
    if not tables:
        raise NothingToDraw("no series was written")
    return list(tables.values())


def _axes_of_series(series: Series, table: Table) -> Table:
    for name, numbers, unit in (("step", series.step, ""), ("time", series.time, series.time_unit),
                                ("point", series.point, "")):
        if numbers is not None:
            table.add(name, numbers, unit)
    return table if table.columns else table.add("sample", np.arange(len(series.value)))


def _add_replicas(table: Table, name: str, values: Array, unit: str) -> None:
    """Adds the mean of values [n, R] or [n, R, d] over R replicas, with its error and percentiles."""
    if values.ndim == 3:
        for number in range(values.shape[2]):
            _add_replicas(table, f"{name}_{COMPONENTS[number] if number < 3 else number}", values[..., number], unit)
        _add_replicas(table, f"{name}_length", np.linalg.norm(values, axis=2), unit)
        return
    replicas = values.shape[1]
    if replicas < 2:
        table.add(name, values, unit)
        return
    table.add(name, Estimate(values.mean(axis=1), values.std(axis=1, ddof=1) / np.sqrt(replicas), unit))
    for percent in (10, 90):
        table.add(f"{name}_{percent}_percent", np.percentile(values, percent, axis=1), unit)


def _ladder(stage: Stage) -> list[Table]:
    ladder = stage.ladder
    rungs = Table().add("rung", np.arange(len(ladder.values))).add(ladder.name, ladder.values, ladder.unit)
    rungs.add("flow", Estimate(ladder.flow, ladder.flow_error))
    gaps = Table("gaps").add(f"{ladder.name}_lower", ladder.values[:-1], ladder.unit)
    gaps.add(f"{ladder.name}_upper", ladder.values[1:], ladder.unit)
    gaps.add("acceptance", Estimate(ladder.acceptance, ladder.acceptance_error))
    gaps.add("diffusivity", ladder.diffusivity).add("stuck", ladder.stuck)
    if ladder.tried is None:
        return [rungs, gaps]
    rounds = np.vstack([ladder.tried, ladder.values])
    tuning = with_axes(Table("tuning"), [("round", np.arange(len(rounds)), ""), ("rung", np.arange(rounds.shape[1]), "")])
    return [rungs, gaps, tuning.add(ladder.name, rounds, ladder.unit)]


def _population(stage: Stage) -> list[Table]:
    table = Table().add("temperature", stage.temperature, stage.temperature_unit)
    for name in ("free_energy", "entropy"):
        table.add(name, stage.averages[name])
    for name, numbers in stage.population.items():
        table.add(name, numbers)
    return [table]


def _overlap(stage: Stage) -> list[Table]:
    overlap, (name, values, unit) = stage.overlap, stage.parameter
    averages = Table().add(name, values, unit)
    for average, estimate in overlap.averages.items():
        averages.add(average, estimate)
    edges = overlap.edges
    distribution = with_axes(Table("distribution"), [(name, values, unit), ("overlap", middles(edges), "")])
    distribution.add("density", overlap.distribution)
    blocks = Table("blocks")
    columns = len(next(iter(overlap.blocks.values())).value[0]) if overlap.blocks else 0
    if columns:
        with_axes(blocks, [("last_sweep", overlap.last_sweep, ""), (name, values if columns > 1 else values[:1], unit)])
        if columns == 1:
            blocks.columns[-1] = (with_unit(name, unit), values[overlap.point.astype(int)])
        for average, estimate in overlap.blocks.items():
            blocks.add(average, estimate)
    return [averages, distribution, *([blocks] if columns else [])]


def _quantities(stage: Stage) -> list[Table]:
    """Averages of stages that compute, and of quantum Monte Carlo."""
    columns = stage.quantities.columns()
    if not columns:
        raise NothingToDraw("the stage has no averages of this kind")
    tables = [_table_of(Table(), columns)]
    if "extrapolated" in stage:
        columns = stage.extrapolated.columns()
        if "temperature" in columns:
            # The group has only numbers of the temperatures.
            numbers = np.asarray(columns["temperature"][0]).astype(int)
            columns["temperature"] = (stage.temperature[numbers], stage.temperature_unit)
        tables.append(_table_of(Table("extrapolated"), columns))
    return tables


def _table_of(table: Table, columns: dict[str, Any]) -> Table:
    for name, numbers in columns.items():
        if isinstance(numbers, Estimate):
            table.add(name, numbers)
        else:
            table.add(name, *numbers)
    return table


def _path(stage: Stage) -> list[Table]:
    path = stage.path
    images = Table().add("image", np.arange(len(path.energy))).add("reaction_coordinate", path.coordinate, path.coordinate_unit)
    images.add("energy", path.energy, path.unit)
    for name, numbers in (("slope", path.slope), ("force", path.force)):
        if numbers is not None:
            images.add(name, numbers, path.slope_unit)
    curve = Table("curve").add("reaction_coordinate", path.curve_coordinate, path.coordinate_unit)
    return [images, curve.add("energy", path.curve_energy, path.unit)]


def _lifetime(stage: Stage) -> list[Table]:
    lifetimes = stage.lifetimes
    table = Table().add("temperature", lifetimes.temperature, lifetimes.temperature_unit)
    for name, escape in (("forward", lifetimes.first), ("backward", lifetimes.last)):
        # A lifetime may exceed the largest number, and its logarithm does not.
        table.add(f"log10_lifetime_{name}", escape.log_lifetime / np.log(10), lifetimes.time_unit)
        for of in ("lifetime", "rate"):
            estimate = getattr(escape, of)
            table.add(f"{of}_{name}", estimate.value, estimate.unit)
    return [table]


def _transitions(stage: Stage) -> list[Table]:
    group = stage.group
    if "rates" not in group:
        raise NothingToDraw("the stage has no trajectory from state to state")
    unit = unit_of(group["trajectory/time"])
    stays, rates, waits = (group[name] for name in ("trajectory", "rates", "waiting_times"))
    trajectory = Table().add("state", stays["state"][()]).add("duration", stays["time"][()], unit)
    of_rates = Table("rates").add("from", rates["from"][()]).add("to", rates["to"][()]).add("exits", rates["exits"][()])
    per_time = f"1/{unit}" if unit else ""
    of_rates.add("rate", Estimate(rates["value"][()], rates["error"][()], per_time))
    waiting = Table("waiting-times").add("state", waits["state"][()]).add("time", waits["time"][()], unit)
    return [trajectory, of_rates, waiting]


def _structure_factor(stage: Stage) -> list[Table]:
    if not stage.structure_factors:
        raise NothingToDraw("no structure factor was measured")
    return [_of_structure_factor(factor, "" if number == 1 else str(number))
            for number, factor in enumerate(stage.structure_factors, 1)]


def _of_structure_factor(factor: StructureFactor, name: str) -> Table:
    if "intensity" in factor:
        frequency = factor.frequency
        table = _of_wave_vectors(Table(name), factor, [("frequency", frequency, factor.frequency_unit)], after=True)
        error = factor.error if "error" in factor else np.full(factor.intensity.shape, np.nan)
        table.add("intensity", Estimate(factor.intensity, error))
        if "components" in factor:
            for number, component in enumerate(TENSOR_COMPONENTS):
                table.add(f"intensity_{component}", factor.components[..., number])
        return table
    static = np.atleast_2d(factor.static)
    error = np.atleast_2d(factor.static_error) if "static_error" in factor else np.full(static.shape, np.nan)
    axes = [("temperature", factor.temperature, factor.temperature_unit)] if "temperature" in factor else []
    return _of_wave_vectors(Table(name), factor, axes).add("structure_factor", Estimate(static, error))


def _of_wave_vectors(table: Table, waves: WaveVectors, axes: Sequence[tuple[str, Any, str]] = (),
                     after: bool = False) -> Table:
    """Adds columns h, k, l (reciprocal-lattice units) and path_distance, for each combination with other axes.

    after: do the other axes follow the wave vectors in the arrays?
    """
    index = ("q_index", np.arange(len(waves.q)), "")
    with_axes(table, [index, *axes] if after else [*axes, index])
    (place,) = (values for name, values in table.columns if name == "q_index")
    for number, name in enumerate("hkl"):
        table.add(name, waves.q[place, number])
    if "path_distance" in waves and waves.grid is None:
        unit = waves.q_unit if "q_cartesian" in waves else ""
        table.add("path_distance", waves.path_distance[place], unit)
    return table


def _dispersion(stage: Stage) -> list[Table]:
    tables = []
    if "dispersion" in stage:
        waves = stage.spin_waves
        table = _of_wave_vectors(Table(), waves)
        for name, numbers, unit in (("frequency", waves.frequency, waves.frequency_unit), ("intensity", waves.intensity, "")):
            for mode in range(numbers.shape[1]):
                table.add(f"{name}_{mode + 1}", numbers[:, mode], unit)
        tables.append(table)
    if "density-of-states" in stage:
        states = stage.density_of_states
        density_unit = f"1/({states.unit})" if states.unit else ""
        tables.append(Table("density-of-states").add("frequency", states.frequency, states.unit)
                      .add("density", states.density, density_unit))
    if not tables:
        raise NothingToDraw("neither a dispersion nor a density of states was computed")
    return tables


def _pair_correlations(stage: Stage) -> list[Table]:
    if stage.kind == "pair-correlations":
        return _at_equal_times(stage.pair_correlations)
    found = stage.pair_correlations_in_time
    if not found:
        raise NothingToDraw("no correlations of pairs were measured")
    return [table for number, pairs in enumerate(found, 1)
            for table in _in_time(pairs, "" if number == 1 else f"{number}-")]


def _at_equal_times(pairs: PairCorrelations) -> list[Table]:
    tables = []
    if "structure" in pairs:
        table = _of_wave_vectors(Table("wave-vectors"), pairs.wave_vectors)
        tables.append(table.add("structure_factor", pairs.structure).add("spin_glass_susceptibility", pairs.spin_glass))
    if "by-distance" in pairs:
        table = with_axes(Table("distances"), [("distance_lower", pairs.edges[:-1], pairs.length_unit)])
        table.add("distance_upper", pairs.edges[1:], pairs.length_unit).add("pairs", pairs.pairs)
        tables.append(table.add("correlation", pairs.correlation).add("square", pairs.square))
    if "by-displacement" in pairs:
        table = with_axes(Table("displacements"), _axes_of_displacements(pairs)).add("pairs", pairs.displaced_pairs)
        tables.append(table.add("correlation", pairs.displaced_correlation).add("square", pairs.displaced_square))
    if "between-groups" in pairs:
        table = with_axes(Table("groups"), _axes_of_groups(pairs))
        tables.append(table.add("correlation", pairs.groups).add("square", pairs.groups_square))
    if "distribution" in pairs:
        edges = pairs.distribution_edges
        table = Table("distribution").add("correlation_lower", edges[:-1]).add("correlation_upper", edges[1:])
        tables.append(table.add("pairs", pairs.distribution))
    if not tables:
        raise NothingToDraw("no correlations by wave vector, distance, displacement, group or value")
    return tables


def _in_time(pairs: PairCorrelationsInTime, begin: str) -> list[Table]:
    """Correlations against time and real parts of spectra against frequency, for each kind of bins. Displacements are
    those of the first basis atom that is not vacant everywhere."""
    tables = []
    for kind, name, correlation, spectrum in (
            ("by-distance", "distances", "correlation", "spectrum"),
            ("by-displacement", "displacements", "displaced_correlation", "displaced_spectrum"),
            ("between-groups", "groups", "groups", "groups_spectrum")):
        if kind not in pairs:
            continue
        for moment, numbers, unit, of, label in (("time", pairs.time, pairs.time_unit, correlation, "correlation"),
                                                 ("frequency", pairs.frequency, pairs.frequency_unit, spectrum, "spectrum")):
            axes = {"by-distance": lambda: [("distance", middles(pairs.edges), pairs.length_unit)],
                    "by-displacement": lambda: _axes_of_displacements(pairs)[2:],
                    "between-groups": lambda: _axes_of_groups(pairs)}[kind]()
            value, error = (np.real(numbers_of) for numbers_of in getattr(pairs, of))
            if kind == "by-displacement":
                atom = first_atom(pairs)
                if atom is None:
                    continue
                value, error = value[:, atom, atom], error[:, atom, atom]
            table = with_axes(Table(f"{begin}{name}-{label}"), [(moment, numbers, unit), *axes])
            tables.append(table.add(label, Estimate(value, error)))
    return tables


def _axes_of_displacements(pairs: PairBins) -> list[tuple[str, Any, str]]:
    atoms = np.arange(1, len(pairs.displaced_pairs) + 1)
    return [("atom", atoms, ""), ("other_atom", atoms, ""),
            *((f"cells_{number}", cells, "") for number, cells in enumerate(pairs.displacements, 1))]


def _axes_of_groups(pairs: PairBins) -> list[tuple[str, Any, str]]:
    names = np.array(pairs.group_names)
    return [("group", names, ""), ("other_group", names, "")]


def _atoms(stage: Stage) -> list[Table]:
    x_names = {"radial-distribution": "distance", "phonon-density-of-states": "frequency"}
    tables, seen = [], set()
    for curves in stage.atom_curves:
        name = curves.what if curves.what not in seen else f"{curves.what}-{len(tables) + 1}"
        seen.add(curves.what)
        table = Table(name).add(x_names.get(curves.what, "time"), curves.x, curves.x_unit)
        for line, value, error in zip(curves.lines, curves.value, curves.error):
            table.add(line, Estimate(value, error, curves.unit))
        tables.append(table)
    if not tables:
        raise NothingToDraw("no radial distribution, displacement, velocities or vibrations were measured")
    return tables


def _axis_correlations(stage: Stage) -> list[Table]:
    found = stage.axis_correlations
    return [with_axes(Table(name), [("temperature", found.temperature, found.temperature_unit), ("distance", of.distance, "")])
            .add("correlation", of.correlation) for name, of in found.axes.items()]


def _cluster_sizes(stage: Stage) -> list[Table]:
    sizes = stage.cluster_sizes
    table = with_axes(Table(), [("temperature", sizes.temperature, sizes.temperature_unit), ("size", sizes.size, "")])
    return [table.add("number", sizes.number)]


def _spins(stage: Stage) -> list[Table]:
    raise NothingToDraw("spins are a map and not a curve; larmor export writes them")


STAGE_CURVES: dict[str, Callable[[Stage], list[Table]]] = {
    "averages": _averages,
    "series": _series,
    "hysteresis": _averages,
    "ladder": _ladder,
    "population": _population,
    "overlap": _overlap,
    "extrapolation": _quantities,
    "quantities": _quantities,
    "path": _path,
    "lifetime": _lifetime,
    "transitions": _transitions,
    "structure-factor": _structure_factor,
    "dispersion": _dispersion,
    "pair-correlations": _pair_correlations,
    "axis-correlations": _axis_correlations,
    "cluster-sizes": _cluster_sizes,
    "atoms": _atoms,
    "spins": _spins,
}
# Kinds that only some stages have, in place of `averages` and `quantities`.
_OTHER_NAMES = ("hysteresis", "extrapolation", "spins")


def curves_of_stage(stage: Stage, kind: str) -> list[Table]:
    """Tables of one kind. Raises NothingToDraw or NotInResults if the stage has no such curves."""
    if kind not in STAGE_CURVES:
        raise not_in_results("kind of curves", kind, "the stage", STAGE_CURVES)
    if kind == "hysteresis" and stage.kind != "hysteresis":
        raise NothingToDraw("no field was swept")
    return STAGE_CURVES[kind](stage)


def kinds_of_stage(stage: Stage) -> list[str]:
    """Every kind of curves that the stage has."""
    return [kind for kind in STAGE_CURVES if kind not in _OTHER_NAMES and _has(stage, kind)]


def _has(stage: Stage, kind: str) -> bool:
    try:
        return bool(curves_of_stage(stage, kind))
    except (NothingToDraw, NotInResults):
        return False
