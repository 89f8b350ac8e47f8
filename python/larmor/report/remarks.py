"""Reasons to doubt results, found from the stored numbers: short runs, drifts, disagreement, unfinished work."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import h5py
import numpy as np

from ..errors import NotInResults
from ..fit_results import FITTED_KINDS, Fit
from ..hdf5_values import plain
from ..labels import quantity_of
from ..results import Point, Results
from ..reweighted import Reweighted
from ..scan import Scan
from ..stage import Series, Stage
from .study_text import is_nonzero, study_tree

SEVERE, CAUTION, NOTE = "severe", "caution", "note"

# Fewer independent samples than this give no reliable error, as in the program.
_FEWEST_INDEPENDENT = 50
# Parts at the begin of a series that are compared with its second half: their words, their share, and the number of
# errors by which they may differ. Equal halves differ by four errors once in 16000 comparisons.
_PARTS = (("half", 0.5, 4.0), ("tenth", 0.1, 5.0))
_FEWEST_OF_PART = 10
_FEWEST_SAMPLES = 40
_MOST_VALUES = 50_000_000
# Stages whose series should fluctuate about a constant.
_STATIONARY = ("monte-carlo", "tempering", "md")
_SERIES = ("energy", "action", "magnetisation", "potential_energy", "temperature", "pressure", "volume")
_LOW_ACCEPTANCE = 0.1
_FEW_ROUND_TRIPS = 10
# Relative change of a conserved energy that deserves a note.
_DRIFT_OF_ENERGY = 1e-4
# Replicas for each mean family size rho_t that a population should have.
_FEWEST_FAMILIES = 100


@dataclass(frozen=True)
class Remark:
    """One reason to doubt. level: SEVERE, CAUTION or NOTE; where: stage; advice: a remedy, or empty."""

    level: str
    where: str
    text: str
    advice: str = ""


def remarks_of(results: Point) -> list[Remark]:
    """All remarks on a file, the most severe first."""
    found = list(_of_run(results))
    for stage in results.stages:
        found += _of_stage(results, stage)
    if isinstance(results, Results):
        found += _of_scan(results.scan) if results.is_scan else []
        found += _of_reweighted(results.reweighted) if results.is_reweighted else []
        found += _of_fit(results.fit) if results.is_fit else []
        for number, point in results.points.items():
            found += [Remark(remark.level, f"Point {number}, {remark.where}", remark.text, remark.advice)
                      for stage in point.stages for remark in _of_stage(point, stage) if remark.level != NOTE]
    return sorted(_short(found), key=lambda remark: (SEVERE, CAUTION, NOTE).index(remark.level))


def _short(found: list[Remark]) -> list[Remark]:
    """Equal remarks on many points become one."""
    places: dict[tuple[str, str, str], list[str]] = {}
    for remark in found:
        text = re.sub(r"\d[\d.e+-]*", "#", remark.text) if remark.where.startswith("Point ") else remark.text
        stage = remark.where.split(", ", 1)[-1]
        places.setdefault((remark.level, stage, text), []).append(remark.where)
    merged, seen = [], set()
    for remark in found:
        text = re.sub(r"\d[\d.e+-]*", "#", remark.text) if remark.where.startswith("Point ") else remark.text
        key = (remark.level, remark.where.split(", ", 1)[-1], text)
        if key in seen:
            continue
        seen.add(key)
        others = len(places[key]) - 1
        more = f" {others} more {'point has' if others == 1 else 'points have'} a remark like this." if others else ""
        merged.append(Remark(remark.level, remark.where, remark.text + more, remark.advice))
    return merged


def place_of(stage: Stage) -> str:
    """The stage in words: "Stage 1 (monte-carlo)"."""
    return f"Stage {stage.number} ({stage.kind})"


def _of_run(results: Point) -> Iterator[Remark]:
    if plain(results._group.attrs.get("completed", 1)) == 0:
        yield Remark(SEVERE, "Run", "The run has not ended. The numbers below are those of its last saved state.",
                     f"Continue it with: larmor resume {results.path.name}")
    versions = {(str(leg.get("version", "")), str(leg.get("commit", ""))) for leg in results.legs}
    if len(versions) > 1:
        names = ", ".join(sorted(f"{version} ({commit[:10]})" if commit else version for version, commit in versions))
        yield Remark(CAUTION, "Run", f"Different versions of the program made parts of these results: {names}.")


def _of_stage(results: Point, stage: Stage) -> Iterator[Remark]:
    where = place_of(stage)
    if not stage.completed:
        yield Remark(SEVERE, where, "This stage is unfinished. Its averages cover only a part of the samples.")
    for line in filter(None, stage.note.splitlines()):
        yield Remark(NOTE, where, f"Note of the program: {line}")
    # The summary of a scan tells where samples are few.
    if isinstance(results, Results):
        yield from _of_samples(results, stage, where)
    for check in (
        _of_values,
        _of_series,
        _of_conserved,
        _of_energy,
        _of_convergence,
        _of_path,
        _of_lifetime,
        _of_ladder,
        _of_population,
        _of_spin_waves,
        _of_structure_factor,
        _of_quantum,
        _of_states,
    ):
        yield from check(results, stage, where)


def _named(names: Sequence[str]) -> str:
    texts = [quantity_of(name).words for name in names]
    texts = [text[:1].lower() + text[1:] for text in texts]
    shown = ", ".join(texts[:4])
    return shown + (f" and {len(texts) - 4} more" if len(texts) > 4 else "")


def _points_text(stage: Stage, points: np.ndarray) -> str:
    """Where a remark holds: " at temperatures 2.2, 2.3"; empty if the stage has one point."""
    try:
        name, values, unit = stage.parameter
    except NotInResults:
        return ""
    points = points[points < len(values)]
    if len(values) < 2 or len(points) == 0:
        return ""
    numbers = ", ".join(f"{value:.5g}" for value in values[points][:5])
    more = f" and {len(points) - 5} more" if len(points) > 5 else ""
    return f" at {name} {numbers}{more}{' ' + unit if unit else ''}"


def _of_samples(results: Point, stage: Stage, where: str) -> Iterator[Remark]:
    """Averages whose errors cannot be trusted, since independent samples are few."""
    names, points, fewest = [], set(), np.inf
    for average in stage.averages.values():
        # A conserved quantity has no independent samples.
        if average.name == "conserved_quantity":
            continue
        group, time, samples = stage.group[f"averages/{average.name}"], average.autocorrelation_time, average.samples
        independent = np.full(len(average.value), np.nan)
        if time is not None and samples is not None and len(time) == len(samples) == len(independent):
            independent = samples / (2 * np.maximum(time, 0.5))
        if "reliable" in group:
            few = np.atleast_1d(group["reliable"][()]) == 0
        else:
            few = independent < _FEWEST_INDEPENDENT
        # An average of relaxed spins has one value and no error, which is not a lack of samples.
        few = few & np.isfinite(average.error) & (average.error > 0)
        if few.any():
            names.append(average.name)
            points |= set(np.flatnonzero(few).tolist())
            known = independent[few][np.isfinite(independent[few])]
            fewest = min([fewest, *known])
    if names:
        least = f" The smallest number of them is {fewest:.0f}." if np.isfinite(fewest) else ""
        yield Remark(
            CAUTION,
            where,
            f"Too short to trust the errors of {_named(names)}{_points_text(stage, np.array(sorted(points)))}: "
            f"few samples are independent.{least}",
            "Run longer, or with more replicas.",
        )


def _of_values(results: Point, stage: Stage, where: str) -> Iterator[Remark]:
    broken = [average.name for average in stage.averages.values() if not np.isfinite(average.value).all()]
    if broken:
        yield Remark(CAUTION, where, f"Some averages are not finite numbers: {_named(broken)}.")


def _is_disordered(results: Point) -> bool:
    """Do replicas differ in couplings, fields, structures or kappa, so that their means may differ?"""
    study, kappa = study_tree(results), results._group.get("model/kappa")
    tables = [
        table for name in ("exchange", "random-field") for table in study.get(name, []) if isinstance(table, dict)
    ]
    by_replica = any(table.get("disorder_by_replica") or table.get("by_replica") for table in tables)
    return (
        by_replica
        or study.get("samples", 1) != 1
        or "frames" in study.get("structure", {})
        or (kappa is not None and kappa.size > 1)
    )


def _chains(stage: Stage, series: Series) -> Iterator[tuple[int, np.ndarray]]:
    """Number of the point, and the samples [n, R] at this point; vectors are replaced by their lengths."""
    value = series.value.reshape(len(series.value), -1, *series.value.shape[2:])
    if value.ndim > 3:
        return
    value = np.linalg.norm(value, axis=2) if value.ndim == 3 else value.astype(float)
    rungs = int(stage.details.get("rungs", 1))
    if stage.kind == "tempering" or rungs > 1:
        for rung in range(rungs):
            yield rung, value[:, rung::rungs]
    elif series.point is None:
        yield 0, value
    else:
        for point in np.unique(series.point):
            yield int(point), value[series.point == point]


def autocorrelation_time(samples: np.ndarray) -> float:
    """Integrated, in samples, of [n, R] series about their own means, with a window of five times itself."""
    deviation = samples - samples.mean(axis=0)
    variance = np.mean(deviation**2)
    if variance == 0:
        return 0.5
    length = len(samples)
    spectrum = np.abs(np.fft.rfft(deviation, 2 * length, axis=0)) ** 2
    covariance = np.fft.irfft(spectrum, axis=0)[:length].mean(axis=1) / np.arange(length, 0, -1)
    sums = 0.5 + np.cumsum(covariance[1:] / variance)
    windows = np.flatnonzero(np.arange(1, length) >= 5 * sums)
    return float(max(0.5, sums[windows[0]] if len(windows) else sums[-1]))


def difference(samples: np.ndarray, share: float) -> tuple[float, float, float]:
    """Means of the first part and of the second half of [n, R] samples, and their difference in errors.

    share: length of the first part, at most 0.5. The difference of a part that is too short is 0.
    """
    first, second = samples[:int(share * len(samples))], samples[-(len(samples) // 2):]
    replicas = samples.shape[1]
    # A drift would inflate the autocorrelation time of the first part, so both have that of the second half.
    time = autocorrelation_time(second)
    if len(first) < max(_FEWEST_OF_PART, 4 * time):
        return 0.0, 0.0, 0.0
    error = np.sqrt(np.mean(second.var(axis=0)) * 2 * time / replicas * (1 / len(first) + 1 / len(second)))
    of_replicas = second.mean(axis=0) - first.mean(axis=0)
    if replicas >= 8:
        error = max(error, of_replicas.std(ddof=1) / np.sqrt(replicas))
    z = abs(of_replicas.mean()) / error if error > 0 else 0.0
    return float(first.mean()), float(second.mean()), float(z)


def disagreement(samples: np.ndarray) -> float:
    """Excess of the scatter of the means of replicas [n, R] over their errors, in its standard deviations."""
    replicas = samples.shape[1]
    square = np.mean(samples.var(axis=0)) * 2 * autocorrelation_time(samples) / len(samples)
    if replicas < 2 or square == 0:
        return 0.0
    excess = samples.mean(axis=0).var(ddof=1) / square - 1
    return float(excess / np.sqrt(2 / (replicas - 1)))


def _is_constant(stage: Stage) -> bool:
    """Is the stage in one state on average? A ramp of the temperature or pressure is not."""
    return stage.kind in _STATIONARY and stage.completed


def _of_series(results: Point, stage: Stage, where: str) -> Iterator[Remark]:
    """Series whose halves differ, and replicas that disagree."""
    if not _is_constant(stage) or _has_ramp(results, stage):
        return
    apart: dict[str, list[int]] = {}
    disordered = _is_disordered(results)
    for name in _SERIES:
        if name not in stage.series or stage.group[f"series/{name}/value"].size > _MOST_VALUES:
            continue
        drifts = []
        for point, samples in _chains(stage, stage.series[name]):
            if len(samples) < _FEWEST_SAMPLES or not np.isfinite(samples).all():
                continue
            found = [(*difference(samples, share), part, most) for part, share, most in _PARTS]
            first, second, z, part, most = max(found, key=lambda entry: entry[2] / entry[4])
            if z > most:
                drifts.append((z, first, second, part, point))
            elif not disordered and disagreement(samples) > 6:
                apart.setdefault(name, []).append(point)
        if drifts:
            z, first, second, part, _ = max(drifts)
            points = np.array(sorted(point for *_, point in drifts))
            yield Remark(
                SEVERE if z > 6 else CAUTION,
                where,
                f"Not thermalised: the {_named([name])} still drifts{_points_text(stage, points)}. "
                f"The first {part} has the mean {first:.6g}, the second half {second:.6g}: {z:.1f} errors apart.",
                "Set a longer thermalisation, or start from a state near equilibrium.",
            )
    if apart:
        points = np.array(sorted({point for found in apart.values() for point in found}))
        yield Remark(
            CAUTION,
            where,
            f"Replicas disagree in the {_named(list(apart))}{_points_text(stage, points)}: "
            "their means scatter more than their errors allow. Each replica may be trapped in a state of its own.",
            "Use parallel tempering or cluster updates, or run longer.",
        )


def _has_ramp(results: Point, stage: Stage) -> bool:
    """Does the study change the temperature or pressure within an md stage?"""
    stages = study_tree(results).get("stage", [])
    if stage.kind != "md" or stage.number > len(stages):
        return False
    values = [stages[stage.number - 1].get(name) for name in ("temperature", "pressure")]
    return any(isinstance(entry, dict) for value in values for entry in (value if isinstance(value, list) else [value]))


def _of_conserved(results: Point, stage: Stage, where: str) -> Iterator[Remark]:
    """The conserved quantity of molecular dynamics against the fluctuations of the kinetic energy."""
    if (
        stage.kind != "md"
        or "conserved_quantity" not in stage.series
        or "kinetic_energy" not in stage.series
        or _has_ramp(results, stage)
    ):
        return
    series, kinetic = stage.series["conserved_quantity"], stage.series["kinetic_energy"]
    if len(series.value) < _FEWEST_SAMPLES or series.value.ndim != 2:
        return
    tenth = max(1, len(series.value) // 10)
    drift = float(np.mean(series.value[-tenth:] - series.value[:tenth]))
    scale = float(np.mean(kinetic.value))
    if scale > 0 and abs(drift) > 0.02 * scale:
        yield Remark(
            CAUTION,
            where,
            f"The conserved quantity drifts by {drift:.3g} {series.unit} over the stage, which is "
            f"{100 * abs(drift) / scale:.1f} % of the kinetic energy.",
            "Take a shorter time step.",
        )


def _of_energy(results: Point, stage: Stage, where: str) -> Iterator[Remark]:
    """The energy of spins that precess without damping and heat bath, which should not change."""
    stages = study_tree(results).get("stage", [])
    if stage.kind != "dynamics" or stage.number > len(stages) or "energy" not in stage.series:
        return
    study = stages[stage.number - 1]
    if is_nonzero(study.get("damping", [1.0])) or any(
        is_nonzero(study.get(name)) for name in ("temperature", "temperature_schedule", "pulse", "torque")
    ):
        return
    value = np.atleast_2d(stage.series["energy"].value)
    drift, scale = float(np.mean(value[-1] - value[0])), float(np.mean(np.abs(value)))
    if len(value) > 1 and scale > 0 and abs(drift) > _DRIFT_OF_ENERGY * scale:
        yield Remark(
            CAUTION if abs(drift) > 10 * _DRIFT_OF_ENERGY * scale else NOTE,
            where,
            f"The energy per site changes by {drift:.2g} {stage.series['energy'].unit}".rstrip() + ", which is "
            f"{100 * abs(drift) / scale:.2g} % of it. Without damping and heat bath it should stay.",
            "Take a shorter time step.",
        )


def _of_convergence(results: Point, stage: Stage, where: str) -> Iterator[Remark]:
    details = stage.details
    if stage.kind == "minimise" and not details.get("converged", 1):
        count = details.get("replicas_converged")
        some = f" Only {int(count)} replicas are at a minimum." if count is not None else ""
        yield Remark(
            SEVERE,
            where,
            f"The minimisation has not converged within its steps.{some}",
            "Allow more steps, or a larger tolerance.",
        )
    if "converged" in stage and stage.kind == "hysteresis":
        failed = np.atleast_1d(stage.group["converged"][()]) == 0
        if failed.any():
            yield Remark(
                SEVERE,
                where,
                f"{failed.sum()} of {len(failed)} fields did not reach a minimum.",
                "Allow more steps at each field.",
            )


def _of_path(results: Point, stage: Stage, where: str) -> Iterator[Remark]:
    if stage.kind != "minimum-energy-path" or stage.details.get("converged", 1):
        return
    if stage.details.get("saddle_converged", 0):
        yield Remark(
            NOTE,
            where,
            "The path has converged only at its saddle. Barriers are right; images elsewhere are approximate.",
        )
    else:
        yield Remark(
            SEVERE,
            where,
            "The path has not converged, so its barriers are only estimates.",
            "Allow more steps, or more images.",
        )


def _of_lifetime(results: Point, stage: Stage, where: str) -> Iterator[Remark]:
    group = stage.group.get("lifetime")
    places = [] if group is None else [(name, group[name]) for name in ("first", "saddle", "last") if name in group]
    if "saddle" in stage:
        places.append(("saddle", stage.group["saddle"]))
    seen = set()
    for name, place in places:
        modes, right = place.attrs.get("unstable_modes"), 1 if name == "saddle" else 0
        if modes is not None and int(plain(modes)) != right and name not in seen:
            seen.add(name)
            state = "saddle" if name == "saddle" else f"{name} state"
            yield Remark(
                SEVERE,
                where,
                f"The {state} has {int(plain(modes))} unstable modes in place of {right}. Rates over it are not valid.",
                "Break the symmetry of the path, for instance by another state between its ends." if right else "",
            )
    for way in ("forward", "backward"):
        entry = None if group is None else group.get(f"{way}/reliable")
        if entry is not None and (entry[()] == 0).any():
            yield Remark(
                CAUTION,
                where,
                f"Lifetimes ({way}) at {int((entry[()] == 0).sum())} of {entry.size} temperatures are only estimates: "
                "the barrier is only a few k_B T.",
            )


def _of_ladder(results: Point, stage: Stage, where: str) -> Iterator[Remark]:
    if "ladder" not in stage:
        return
    ladder = stage.ladder
    low = np.flatnonzero(ladder.acceptance < _LOW_ACCEPTANCE)
    if len(low):
        pair = low[np.argmin(ladder.acceptance[low])]
        yield Remark(
            CAUTION,
            where,
            f"Few exchanges: {len(low)} of {len(ladder.acceptance)} neighbouring rungs exchange in less than "
            f"{100 * _LOW_ACCEPTANCE:.0f} % of the attempts. The lowest share is {100 * ladder.acceptance[pair]:.2g} %, "
            f"between {ladder.values[pair]:.5g} and {ladder.values[pair + 1]:.5g}.",
            "Take more rungs there.",
        )
    trips = np.asarray(ladder.round_trips, dtype=float)
    if len(trips) and trips.mean() < _FEW_ROUND_TRIPS:
        none = int((trips == 0).sum())
        yield Remark(
            SEVERE if none == len(trips) else CAUTION,
            where,
            f"Few round trips: a ladder has {trips.mean():.3g} on average, and {none} of {len(trips)} ladders have none. "
            "Samples of the coldest rungs may not be independent.",
            "Run longer, or tune the ladder.",
        )
    elif ladder.stuck.any():
        yield Remark(
            CAUTION,
            where,
            f"Replicas seldom pass {int(ladder.stuck.sum())} gaps of the ladder.",
            "Take more rungs there.",
        )


def _of_population(results: Point, stage: Stage, where: str) -> Iterator[Remark]:
    if "population" not in stage:
        return
    population = stage.population
    if "mean_square_family_size" in population and "size" in population:
        enough = population["size"] / np.maximum(population["mean_square_family_size"], 1)
        few = np.flatnonzero(enough < _FEWEST_FAMILIES)
        if len(few):
            yield Remark(
                CAUTION,
                where,
                f"The population is small{_points_text(stage, few)}: it is only {enough.min():.3g} times as large as its "
                "mean square family size.",
                "Take a larger population, or more sweeps at each temperature.",
            )


def _of_spin_waves(results: Point, stage: Stage, where: str) -> Iterator[Remark]:
    if stage.kind == "spin-waves" and not stage.details.get("minimum", 1):
        yield Remark(
            SEVERE,
            where,
            "The spins are not a minimum of the energy, so some modes grow.",
            "Minimise the energy before this stage.",
        )


def _of_structure_factor(results: Point, stage: Stage, where: str) -> Iterator[Remark]:
    group = stage.group.get("structure-factor")
    if isinstance(group, h5py.Group) and "reliable" in group:
        few = np.asarray(group["reliable"][()]) == 0
        if few.mean() > 0.05:
            yield Remark(
                CAUTION,
                where,
                f"Errors of S(q) come from too few samples at {100 * few.mean():.0f} % of the wave vectors.",
                "Run longer, or with more replicas.",
            )


def _of_quantum(results: Point, stage: Stage, where: str) -> Iterator[Remark]:
    flags = {
        name[:-9]: entry[()] == 0
        for name, entry in stage.group.items()
        if name.endswith("_reliable") and isinstance(entry, h5py.Dataset)
    }
    names = [name for name, few in flags.items() if np.any(few)]
    if names:
        share = np.mean([few.mean() for few in flags.values()])
        yield Remark(
            CAUTION,
            where,
            f"Errors of {_named(names)} come from too few samples ({100 * share:.0f} % of all values).",
            "Take more sweeps.",
        )
    group = stage.group.get("extrapolated")
    if group is not None and "slices" in stage:
        freedom = max(1, stage.group["slices"].size - 2)
        bad = [name[:-5] for name in group if name.endswith("_chi2")
               and np.nanmax(np.append(np.ravel(group[name][()]), 0)) > freedom + 5 * np.sqrt(2 * freedom)]
        if bad:
            yield Remark(
                CAUTION,
                where,
                f"The extrapolation to infinitely many slices fits badly for {_named(bad)}.",
                "Take more slices.",
            )


def _of_states(results: Point, stage: Stage, where: str) -> Iterator[Remark]:
    states = stage.group.get("states")
    if stage.kind != "parsplice" or states is None:
        return
    if "p_exponential" in states:
        p = states["p_exponential"][()]
        known = p[np.isfinite(p)]
        if len(known) and known.min() < 0.001 / len(known):
            yield Remark(
                SEVERE,
                where,
                "Waiting times in some states are not exponential, so states are left before they are settled.",
                "Take a longer correlation time.",
            )
    if "exits" in states and np.sum(states["exits"][()]) < _FEWEST_INDEPENDENT:
        yield Remark(
            CAUTION,
            where,
            f"The trajectory left states only {np.sum(states['exits'][()]):.0f} times, so rates have large errors.",
        )


def _of_scan(scan: Scan) -> Iterator[Remark]:
    done = scan.completed
    if not done.all():
        yield Remark(SEVERE, "Scan", f"{int((~done).sum())} of {done.size} points are not done.")
    for stage, grids in scan.summary.items():
        names, count = [], 0
        for name, grid in grids.items():
            if grid.reliable is not None:
                few = ~grid.reliable & np.isfinite(grid.value) & np.isfinite(grid.error) & (grid.error > 0)
                if few.any():
                    names.append(name)
                    # A point with several temperatures counts once.
                    count = max(count, int(few.reshape(*done.shape, -1).any(axis=-1).sum()))
        if names:
            yield Remark(
                CAUTION,
                f"Scan, stage {stage}",
                f"Too short to trust the errors of {_named(names)}: "
                f"few samples are independent in up to {count} of {done.size} points.",
                "Run longer, or with more replicas.",
            )


def _of_reweighted(reweighted: Reweighted) -> Iterator[Remark]:
    for system in reweighted.systems:
        few = ~system.reliable
        if few.any():
            values = system.parameter[few]
            yield Remark(
                CAUTION,
                system.name,
                f"Errors at {few.sum()} of {len(few)} values of {reweighted.parameter} are not reliable "
                f"(between {values.min():.5g} and {values.max():.5g}).",
                "Sample more states there, or run longer.",
            )


def _of_fit(fit: Fit) -> Iterator[Remark]:
    rank, columns = fit.details.get("rank"), fit.details.get("columns")
    if rank is not None and columns is not None and int(rank) < int(columns):
        yield Remark(CAUTION, "Fit", f"The set determines only {int(rank)} of {int(columns)} coefficients.")
    for kind in FITTED_KINDS:
        try:
            errors = fit.errors(kind)
        except (NotInResults, KeyError):
            continue
        training, test = errors.root_mean_square[-1]
        if np.isfinite(test) and errors.count[-1, 1] > 0 and test > 2 * training:
            yield Remark(
                CAUTION,
                "Fit",
                f"The {kind} of configurations that are only tested has an error of {test:.4g} {errors.unit}, "
                f"{test / training:.1f} times that of the training set.",
                "Take fewer coefficients, a penalty, or a larger set.",
            )
