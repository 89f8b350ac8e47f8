"""All pictures of a results file: their kinds, their names, and why some are omitted."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from .dispersion import read_dispersion, theory_for
from .errors import NothingToDraw, NotInResults, reported_as_damage
from .fit_results import Fit
from .labels import key_name, plain_title
from .output_files import OutputFile, picture_file
from .plot_atoms import plot_atoms
from .plot_averages import plot_averages
from .plot_extrapolation import plot_extrapolation
from .plot_fit import plot_fit_errors, plot_parity
from .plot_hysteresis import plot_hysteresis
from .plot_ladder import plot_ladder
from .plot_lifetime import plot_lifetime
from .plot_overlap import plot_overlap
from .plot_pair_correlations import plot_pair_correlations
from .plot_pair_correlations_in_time import plot_pair_correlations_in_time
from .plot_path import plot_path
from .plot_population import plot_population
from .plot_scan import plot_scan, value_texts
from .plot_series import plot_series
from .plot_spin_waves import plot_spin_waves
from .plot_spins import plot_spins
from .plot_structure_factor import plot_structure_factor
from .plot_transitions import plot_transitions
from .results import Point, Results
from .stage import Stage
from .style import styled

FORMATS = ("png", "pdf", "svg")


@dataclass(frozen=True)
class Options:
    """Options of single pictures. The functions that draw the pictures explain them."""

    component: str | None = None
    overlay: Path | None = None
    max_frequency: float | None = None
    replica: int | None = None
    layer: int | None = None
    number: int = 1


Draw = Callable[[Point, Stage, str, Options], Figure]


def _stage_only(plot: Callable[[Stage, str], Figure]) -> Draw:
    """A picture that needs only its stage, without options."""
    return lambda results, stage, title, options: plot(stage, title)


def _structure_factor(results: Point, stage: Stage, title: str, options: Options) -> Figure:
    dispersion = theory = None
    if "structure-factor" in stage:
        factor = stage.structure_factors[options.number - 1]
        theory = theory_for(factor, (other.spin_waves for other in results.stages
                                     if "dispersion" in other))
        # A dispersion fits only the first structure factor, since other structure factors have
        # other wave vectors.
        if options.overlay is not None and options.number == 1:
            dispersion = read_dispersion(options.overlay, factor)
    return plot_structure_factor(stage, title, options.component, dispersion,
                                 options.max_frequency, theory, options.number)


def _pair_correlations(results: Point, stage: Stage, title: str, options: Options) -> Figure:
    if stage.kind != "pair-correlations":
        displaced = any("by-displacement" in pairs for pairs in stage.pair_correlations_in_time)
        return plot_pair_correlations_in_time(stage, title, results.model if displaced else None,
                                              options.max_frequency, options.number)
    return plot_pair_correlations(stage, title,
                                  results.model if "by-displacement" in stage else None)


def _spins(results: Point, stage: Stage, title: str, options: Options) -> Figure:
    return plot_spins(stage, results.model, title, options.replica, options.layer)


KINDS: dict[str, Draw] = {
    "averages": _stage_only(plot_averages),
    "series": _stage_only(plot_series),
    "hysteresis": _stage_only(plot_hysteresis),
    "ladder": _stage_only(plot_ladder),
    "population": _stage_only(plot_population),
    "overlap": _stage_only(plot_overlap),
    "extrapolation": _stage_only(plot_extrapolation),
    "path": _stage_only(plot_path),
    "lifetime": _stage_only(plot_lifetime),
    "transitions": _stage_only(plot_transitions),
    "structure-factor": _structure_factor,
    "dispersion": _stage_only(plot_spin_waves),
    "pair-correlations": _pair_correlations,
    "spins": _spins,
    "atoms": _stage_only(plot_atoms),
}


# The pictures of a fit.
FIT_KINDS: dict[str, Callable[[Fit, str], Figure]] = {"parity": plot_parity, "errors": plot_fit_errors}

# The picture of a whole scan.
SCAN = "scan"

# Names of files that do not tell one study from another.
_USUAL_NAMES = ("study", "results", "fit", "out", "output")

# Pictures that only one kind of stage has.
_OF_STAGE = {"hysteresis": "hysteresis", "ladder": "tempering", "population": "population-annealing",
             "path": "minimum-energy-path", "lifetime": "minimum-energy-path", "dispersion": "spin-waves", "atoms": "md",
             "extrapolation": "quantum-monte-carlo", "transitions": "parsplice"}

# The only pictures that these kinds of stage have.
_OF_STAGE_ALONE = {"spin-waves": ("dispersion", "structure-factor", "spins"),
                   "pair-correlations": ("pair-correlations",),
                   "quantum-monte-carlo": ("extrapolation",),
                   "parsplice": ("transitions",),
                   "md": ("averages", "series", "atoms")}


@dataclass(frozen=True)
class Picture:
    """One drawn figure; `name` is the name of its file without the suffix."""

    name: str
    kind: str
    figure: Figure


@dataclass
class Drawing:
    """Drawn pictures, and pairs (picture, reason) for omitted ones."""

    pictures: list[Picture] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)


def draw_scan(results: Results, stages: list[str], along: str | None) -> Drawing:
    """Averages of the points of a scan, stage by stage, as `plot_scan` draws them. If a stage has
    curves over temperatures or fields, its quantities with a single value get a separate
    picture."""
    drawing = Drawing()
    title = title_of(results)
    for stage in stages:
        of_points = {grid.value.ndim > len(results.scan.shape)
                     for grid in results.scan.grids(stage).values()}
        for single in (False, True) if len(of_points) == 2 else (False,):
            entry = f"{SCAN}-single" if single else SCAN
            try:
                with reported_as_damage(f"{results.path}: {entry} of stage {stage}"):
                    figure = plot_scan(results.scan, stage, title, along, single)
            except (NothingToDraw, NotInResults) as reason:
                drawing.skipped.append((f"{stage}: {entry}", str(reason)))
            else:
                drawing.pictures.append(Picture(f"{results.path.stem}-{stage}-{entry}", SCAN, figure))
    return drawing


def note_of_point(results: Results, number: int) -> str:
    """A line for titles: the number of a point of a scan, and its values of the scanned keys."""
    scan = results.scan
    values = (key_name(axis.key, axis.unit).equals(value_texts(axis)[index])
              for axis, index in zip(scan.axes, np.unravel_index(number, scan.shape)))
    return f"\npoint {number}: {', '.join(values)}"


def draw_fit(results: Results, kinds: list[str] | None = None) -> Drawing:
    """Predictions over targets, and errors by group, of a fit. kinds: only these pictures; None: both."""
    drawing = Drawing()
    title = title_of(results)
    for kind, draw in FIT_KINDS.items():
        if kinds is not None and kind not in kinds:
            continue
        try:
            with reported_as_damage(f"{results.path}: {kind}"):
                figure = draw(results.fit, title)
        except (NothingToDraw, NotInResults) as reason:
            drawing.skipped.append((kind, str(reason)))
        else:
            drawing.pictures.append(Picture(f"{results.path.stem}-{kind}", kind, figure))
    return drawing


def draw_all(results: Point, kinds: list[str] | None, stages: list[Stage], options: Options,
             name: str = "", note: str = "") -> Drawing:
    """Draws pictures of each stage that has the data. kinds: kinds of pictures; None: all that suit the
    kind of stage. name: first word of the file names; empty: the name of the results file. note: text after
    the title of the study."""
    drawing = Drawing()
    begin = name or results.path.stem
    for stage in stages:
        for kind in kinds_of(stage) if kinds is None else kinds:
            for number in range(1, _count(kind, stage) + 1):
                entry = kind if number == 1 else f"{kind}-{number}"
                try:
                    with reported_as_damage(f"{results.path}: {entry} of stage {stage.name}"):
                        figure = KINDS[kind](results, stage, title_of(results) + note,
                                             replace(options, number=number))
                except (NothingToDraw, NotInResults) as reason:
                    drawing.skipped.append((f"{stage.name}: {entry}", str(reason)))
                else:
                    drawing.pictures.append(Picture(f"{begin}-{stage.name}-{entry}", kind, figure))
    return drawing


def kinds_of(stage: Stage) -> list[str]:
    """Kinds of pictures that suit the kind of stage. A picture of an optional measurement needs
    this measurement."""
    if stage.kind in _OF_STAGE_ALONE:
        # Averages of md need replicas at different temperatures.
        has_rungs = "temperature" in stage and len(stage.temperature) > 1
        return [kind for kind in _OF_STAGE_ALONE[stage.kind]
                if (kind != "atoms" or stage.atom_curves) and (kind != "averages" or has_rungs)]
    return [kind for kind in KINDS if _OF_STAGE.get(kind, stage.kind) == stage.kind
            and (kind not in ("overlap", "lifetime") or kind in stage)
            and (kind != "pair-correlations" or stage.pair_correlations_in_time)]


def _count(kind: str, stage: Stage) -> int:
    """Number of pictures of one kind. It is at least 1, so that a picture without data gets a reason."""
    of_stage = {"structure-factor": stage.structure_factors,
                "pair-correlations": stage.pair_correlations_in_time}
    return max(1, len(of_stage.get(kind, [])))


def title_of(results: Point) -> str:
    """The title of a study, for pictures; without one the name of its file, or of its folder if the file has a usual
    name."""
    path = results.path.resolve()
    name = path.parent.name if path.stem in _USUAL_NAMES and path.parent.name else path.stem
    title = results.title
    return plain_title(name if not title or title.endswith(".toml") else title)


def files_of(drawing: Drawing, output: Path, file_format: str, source: Path) -> list[OutputFile]:
    """Files with the contents of the pictures, which are not yet written. If `output` has the suffix of a picture, it
    is the file of the only picture, else it is the folder of all. source: file of the results."""
    if output.suffix.lstrip(".") in FORMATS:
        paths, file_format = [output], output.suffix.lstrip(".")
    else:
        paths = [output / f"{picture.name}.{file_format}" for picture in drawing.pictures]
    files = []
    for path, picture in zip(paths, drawing.pictures, strict=True):
        contents = io.BytesIO()
        with reported_as_damage(f"{source}: {picture.name}"), styled(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            picture.figure.savefig(contents, format=file_format)
        files.append(picture_file(path, contents.getvalue()))
    return files
