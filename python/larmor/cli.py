"""Command line of python -m larmor.

plot: pictures of a results file. curves: their numbers as CSV. scaling: critical temperature (or kappa) and exponents of reweighted results.
report: one HTML page. plot-bench: pictures of a benchmark. Exit codes are those of larmor: 2 for missing or wrong input, 3 for failures
of the machine and damaged files, 128 plus the number of a signal."""

from __future__ import annotations

import argparse
import json
import os
import sys
import warnings
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NoReturn

from .errors import (
    CannotRead,
    CannotWrite,
    DamagedResults,
    NothingToDraw,
    NotInResults,
    PictureExists,
    ResultsError,
    not_in_results,
    reported_as_damage,
)
from .curves import FILE_CURVES, curves_of
from .output_files import csv_file, json_file, write_all
from .pictures import (FIT_KINDS, FORMATS, KINDS, SCAN, Drawing, Options, Picture, draw_all, draw_fit, draw_scan, files_of, note_of_point,
                       title_of)
from .plot_bench import plot_bench, read_measured
from .plot_scaling import plot_collapse, plot_curves
from .report import write_report
from .results import Point, Results, open_results
from .reweighted import Reweighted
from .scaling import BINDER, scale
from .scaling_report import report
from .stage import Stage
from .stage_curves import STAGE_CURVES
from .structure_factor import COMPONENTS

INPUT_ERROR = 2
MACHINE_ERROR = 3
INTERRUPTED = 128 + 2

_PICTURES = [*KINDS, SCAN, *FIT_KINDS]


class _Parser(argparse.ArgumentParser):
    """Reports wrong arguments as the program does."""

    def error(self, message: str) -> NoReturn:
        if not _errors_are_json():
            super().error(message)
        sys.exit(_fail(message, INPUT_ERROR))


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="larmor",
                                     description="Results of Larmor in Python.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    plot = commands.add_parser(
        "plot", help="draw pictures of a results file",
        description="Draws all pictures of a results file, or those that --what names.")
    plot.add_argument("results", type=Path, help="results file, results.h5")
    plot.add_argument("--what", action="append", choices=_PICTURES,
                      metavar="PICTURE",
                      help=f"only these pictures ({', '.join(_PICTURES)}); may be repeated")
    plot.add_argument("--stage", metavar="STAGE",
                      help="only this stage: its number from 1, its name, or its kind")
    plot.add_argument("-o", "--output", type=Path, metavar="PATH",
                      help="folder for the pictures, or a file for a single picture; "
                           "default: the folder of the results")
    plot.add_argument("--format", choices=FORMATS, help="format of the files (png)")
    plot.add_argument("--force", action="store_true", help="overwrite pictures that exist already")
    scans = plot.add_argument_group("scans")
    scans.add_argument("--x", metavar="KEY", help="scanned key on the horizontal axis; default: the "
                                                  "temperatures or fields within a stage, or else the key "
                                                  "with the most values")
    scans.add_argument("--point", type=int, metavar="N",
                       help="number of one point, from 0, to draw instead of the whole scan")
    single = plot.add_argument_group("single pictures")
    single.add_argument("--overlay", type=Path, metavar="CSV",
                        help="table of a dispersion to draw over the first S(q,w) of a stage; its first line names "
                             "the columns: path_distance or h,k,l, and frequency or energy with a unit, such as "
                             "energy (meV)")
    single.add_argument("--component", choices=COMPONENTS,
                        help="component of S(q,w) to draw instead of the sum of the components")
    single.add_argument("--max-frequency", type=_positive, metavar="W",
                        help="end of the frequency axis, in the unit that the axis shows")
    single.add_argument("--replica", type=int, metavar="R",
                        help="number of the replica, or of the image of a path, whose spins are drawn, from 0 "
                             "(0; the saddle of a path)")
    single.add_argument("--layer", type=int, metavar="L",
                        help="number of the drawn layer of a 3D lattice, from 1 (the middle layer)")
    curves = commands.add_parser(
        "curves", help="write the numbers behind the pictures as CSV",
        description="Writes tables of CSV with the curves of a results file: a line of names, with units in brackets, "
                    "and columns NAME_error with standard errors. Numbers have the units of the results.")
    curves.add_argument("results", type=Path, help="results file, results.h5")
    curves.add_argument("--what", action="append", choices=[*STAGE_CURVES, *FILE_CURVES], metavar="CURVES",
                        help=f"only these curves ({', '.join([*STAGE_CURVES, *FILE_CURVES])}); may be repeated")
    curves.add_argument("--stage", metavar="STAGE", help="only this stage: its number from 1, its name, or its kind")
    curves.add_argument("--point", type=int, metavar="N", help="number of one point of a scan, from 0, in place of the "
                                                               "whole scan")
    curves.add_argument("-o", "--output", type=Path, metavar="PATH",
                        help="folder for the tables, or a file .csv for a single table; default: the folder of the results")
    curves.add_argument("--force", action="store_true", help="overwrite tables with equal columns")
    scaling = commands.add_parser(
        "scaling", help="critical temperature (or kappa) and exponents by finite-size scaling",
        description="Finite-size scaling of curves that larmor reweight has written, for two sizes of a lattice or "
                    "more. Prints crossings, the critical temperature (kappa for phi^4 fields) and exponents, with "
                    "errors, and draws two pictures.",
        epilog="examples: larmor reweight sizes.h5 && larmor scaling sizes-reweighted.h5; "
               "larmor reweight fields.h5 --kappa 0.108:0.114:61 && larmor scaling fields-reweighted.h5; "
               "larmor scaling L8.h5 L16.h5 L32.h5 --omega 0.83 --json found.json")
    scaling.add_argument("results", type=Path, nargs="+", help="files that larmor reweight has written")
    scaling.add_argument("--of", default=BINDER, metavar="CURVE",
                         help="dimensionless average whose curves cross (binder_cumulant)")
    scaling.add_argument("--omega", type=_omega, default="usual",
                         help="exponent of the correction to scaling, or the word none "
                              "(1.75 in 2 dimensions, 0.8 in 3, none in 4)")
    scaling.add_argument("--sizes", type=_lengths, metavar="L,L,..",
                         help="edges of the lattices to use (all)")
    scaling.add_argument("--json", type=Path, metavar="FILE", help="file for the numbers; default: no file")
    scaling.add_argument("-o", "--output", type=Path, metavar="FOLDER",
                         help="folder for the pictures; default: the folder of the first file")
    scaling.add_argument("--format", choices=FORMATS, default="png", help="format of the pictures (png)")
    scaling.add_argument("--force", action="store_true", help="overwrite files that exist already")
    report_of = commands.add_parser(
        "report", help="write one HTML page about a results file",
        description="Writes one HTML page about a results file: pictures, numbers as tables, reasons to doubt them, the "
                    "study, provenance and references. The page needs no network.")
    report_of.add_argument("results", type=Path, help="results file, results.h5")
    report_of.add_argument("-o", "--output", type=Path, metavar="FILE",
                           help="page; default: the results file with the ending -report.html")
    report_of.add_argument("--force", action="store_true", help="overwrite a report that exists already")
    bench = commands.add_parser(
        "plot-bench", help="draw what larmor bench correlations, glass, snap or tempering has measured",
        description="Draws the file that larmor bench has written with --json for correlations, glass, snap or "
                    "tempering.")
    bench.add_argument("measured", type=Path, help="file of larmor bench correlations, glass, snap or tempering, JSON")
    bench.add_argument("-o", "--output", type=Path, metavar="FILE",
                       help="picture; default: the measured file with the suffix .png")
    bench.add_argument("--force", action="store_true", help="overwrite a picture that exists already")
    return parser


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"must be positive, not {text}")
    return value


def _lengths(text: str) -> list[float]:
    return [_positive(part) for part in text.split(",")]


def _omega(text: str) -> float | str | None:
    return text if text == "usual" else None if text == "none" else _positive(text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns its exit code."""
    chosen = _parser().parse_args(arguments)
    try:
        with warnings.catch_warnings():
            # A user sees NaN and infinite numbers in the picture, so warnings of libraries are not
            # needed.
            warnings.simplefilter("ignore")
            _run(chosen)
        if sys.stdout is not None:
            sys.stdout.flush()
        return 0
    except KeyboardInterrupt:
        return _fail("interrupted", INTERRUPTED)
    except (DamagedResults, CannotRead, CannotWrite) as error:
        return _fail(str(error), MACHINE_ERROR)
    except (ResultsError, NothingToDraw, NotInResults, PictureExists, FileNotFoundError) as error:
        return _fail(str(error), INPUT_ERROR)
    except OSError as error:
        # The rest of the output would fail again when Python ends.
        _drop_output()
        return _fail(f"the output cannot be written ({error.strerror or error})", MACHINE_ERROR)


def _errors_are_json() -> bool:
    return os.environ.get("LARMOR_ERRORS") == "json"


def _fail(message: str, code: int) -> int:
    """Reports an error as text, or as the program does for other programs."""
    if _errors_are_json():
        kind = "input" if code == INPUT_ERROR else "machine"
        error = {"event": "error", "kind": kind, "text": message, "problem": message, "remedy": "", "file": "",
                 "line": 0, "column": 0, "key": ""}
        print(json.dumps(error, ensure_ascii=False), file=sys.stderr)
    else:
        print(f"larmor: {message}", file=sys.stderr)
    return code


def _drop_output() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _run(chosen: argparse.Namespace) -> None:
    if chosen.command == "plot-bench":
        _plot_bench(chosen)
    elif chosen.command == "scaling":
        _scaling(chosen)
    elif chosen.command == "curves":
        with open_results(chosen.results) as results, reported_as_damage(str(chosen.results)):
            written = _curves(results, chosen)
        _report(written)
    elif chosen.command == "report":
        with open_results(chosen.results) as results:
            _report([write_report(results, chosen.output, chosen.force)])
    else:
        with open_results(chosen.results) as results, reported_as_damage(str(chosen.results)):
            written = _plot(results, chosen)
        _report(written)


def _report(written: Sequence[Path]) -> None:
    for path in written:
        print(path)


def _plot_bench(chosen: argparse.Namespace) -> None:
    measured = read_measured(chosen.measured)
    with reported_as_damage(str(chosen.measured)):
        figure = plot_bench(measured)
    output = chosen.output or chosen.measured.with_suffix(".png")
    drawing = Drawing([Picture(output.stem, "benchmark", figure)])
    _report(write_all(files_of(drawing, output, "png", chosen.measured), chosen.force))


def _scaling(chosen: argparse.Namespace) -> None:
    names = ", ".join(map(str, chosen.results))
    with ExitStack() as stack:
        results = [stack.enter_context(open_results(path)) for path in chosen.results]
        files = [_reweighted(file, path) for file, path in zip(results, chosen.results)]
        stem, folder = chosen.results[0].stem, chosen.output or chosen.results[0].parent
        with reported_as_damage(names):
            found = scale(files, chosen.omega, chosen.of, chosen.sizes)
            title = title_of(results[0])
            drawing = Drawing([Picture(f"{stem}-{name}", "scaling", draw(files, found, title))
                               for name, draw in (("curves", plot_curves), ("collapse", plot_collapse))])
            told, table = report(found), found.as_dict()
    if folder.suffix.lstrip(".") in FORMATS:
        raise ResultsError(f"{folder} is one file for two pictures; name a folder with --output")
    tables = [] if chosen.json is None else [json_file(chosen.json, table)]
    written = write_all(tables + files_of(drawing, folder, chosen.format, chosen.results[0]), chosen.force)
    print(told)
    _report(written)


def _reweighted(results: Results, path: Path) -> Reweighted:
    try:
        with reported_as_damage(str(path)):
            return results.reweighted
    except NotInResults as error:
        raise ResultsError(f"{path}: no reweighted curves, which scaling needs; run `larmor reweight {path}` "
                           "first") from error


def _plot(results: Results, chosen: argparse.Namespace) -> list[Path]:
    if results.is_scan and chosen.point is None:
        drawing = draw_scan(results, _stages_of_scan(results, chosen.stage), chosen.x)
        done, points = int(results.scan.completed.sum()), results.scan.completed.size
        if done < points and drawing.pictures:
            print(f"larmor: the scan is unfinished: the pictures show {done} of {points} points", file=sys.stderr)
    elif results.is_fit:
        drawing = draw_fit(results, chosen.what)
    else:
        drawing = _draw_study(results, chosen)
    _check_wanted(chosen, drawing)
    output = chosen.output or results.path.parent
    return write_all(files_of(drawing, output, chosen.format or "png", results.path), chosen.force)


def _curves(results: Results, chosen: argparse.Namespace) -> list[Path]:
    study: Point = results
    name, stages, scanned = results.path.stem, [], []
    if chosen.point is not None:
        study, name = results.point(chosen.point), f"{results.path.stem}-{chosen.point:04}"
    if chosen.point is None and results.is_scan:
        scanned = _stages_of_scan(results, chosen.stage)
    elif not results.is_fit and not results.is_reweighted:
        stages = _stages(study, chosen.stage)
    found, reasons = curves_of(results, chosen.what, stages, scanned)
    for kind in chosen.what or []:
        if not any(kind == of for of, _, _ in found):
            raise ResultsError(f"{results.path}: no {kind} to write" + "".join(f"\n  {reason}" for reason in reasons))
    if not found:
        raise ResultsError(f"{results.path}: no curves to write")
    output = chosen.output or results.path.parent
    if output.suffix == ".csv":
        if len(found) > 1:
            names = ", ".join(table_name for _, table_name, _ in found)
            raise ResultsError(f"{output} is one file for {len(found)} tables ({names}); choose with --what and --stage, "
                               "or name a folder")
        paths = [output]
    else:
        paths = [output / f"{name}-{table_name}.csv" for _, table_name, _ in found]
    return write_all([csv_file(path, table.text()) for path, (_, _, table) in zip(paths, found)], chosen.force)


def _draw_study(results: Results, chosen: argparse.Namespace) -> Drawing:
    study: Point = results
    name = note = ""
    if chosen.point is not None:
        study, name = results.point(chosen.point), f"{results.path.stem}-{chosen.point:04}"
        note = note_of_point(results, chosen.point)
    stages = _stages(study, chosen.stage)
    options = Options(chosen.component, chosen.overlay, chosen.max_frequency, chosen.replica,
                      chosen.layer)
    drawing = draw_all(study, chosen.what, stages, options, name, note)
    for stage in stages:
        if not stage.completed and drawing.pictures:
            print(f"larmor: stage {stage.name} is unfinished: the run continues or was interrupted; "
                  "the picture shows the data so far", file=sys.stderr)
    return drawing


def _stages_of_scan(results: Results, wanted: str | None) -> list[str]:
    names = list(results.scan.summary)
    if not names:
        raise ResultsError(f"{results.path}: no point with averages is done yet")
    chosen = [name for name in names
              if wanted is None or wanted in (name, name.split("-", 1)[1], str(int(name.split("-", 1)[0])))]
    if not chosen:
        raise not_in_results("stage", wanted, "the scan", names)
    return chosen


def _stages(results: Point, wanted: str | None) -> list[Stage]:
    stages = results.stages
    if results.is_reweighted:
        raise ResultsError(f"{results.path}: holds only reweighted curves; draw them with larmor scaling")
    if not stages:
        raise ResultsError(f"{results.path}: no stage has begun yet")
    if wanted is None:
        return list(stages)
    for stage in stages:
        if wanted == str(stage.number):
            return [stage]
    return [stages[wanted]]


def _check_wanted(chosen: argparse.Namespace, drawing: Drawing) -> None:
    """Raises ResultsError if a requested picture cannot be drawn."""
    drawn = {picture.kind for picture in drawing.pictures}
    reasons = "".join(f"\n  {what}: {why}" for what, why in drawing.skipped)
    if not drawing.pictures:
        raise ResultsError(f"{chosen.results}: nothing to draw{reasons}")
    wanted = set(chosen.what or [])
    if chosen.overlay is not None:
        wanted.add("structure-factor")
    for kind in _PICTURES:
        if kind in wanted - drawn:
            raise ResultsError(f"{chosen.results}: no {kind} to draw{reasons}")
    suffix = chosen.output.suffix.lstrip(".") if chosen.output else ""
    if suffix not in FORMATS:
        return
    if len(drawing.pictures) > 1:
        names = ", ".join(picture.name for picture in drawing.pictures)
        raise ResultsError(f"{chosen.output} is one file for {len(drawing.pictures)} pictures "
                           f"({names}); choose with --what and --stage, or name a folder")
    if chosen.format not in (None, suffix):
        raise ResultsError(f"{chosen.output} and --format {chosen.format} contradict each other; leave out --format")
