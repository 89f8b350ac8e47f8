"""python -m larmor plot: pictures of a results file; plot-bench: of a benchmark. Exit codes as of
larmor itself: 2 for input that is missing or wrong."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .errors import NothingToDraw, NotInResults, PictureExists, ResultsError, not_in_results
from .pictures import FORMATS, KINDS, SCAN, Drawing, Options, Picture, draw_all, draw_scan, save_all
from .plot_correlations import plot_correlations, read_correlations
from .results import Point, Results, open_results
from .stage import Stage
from .structure_factor import COMPONENTS

INPUT_ERROR = 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m larmor",
                                     description="Results of Larmor in Python.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    plot = commands.add_parser(
        "plot", help="draw pictures of a results file",
        description="Draws everything that a results file holds, or what --what names.")
    plot.add_argument("results", type=Path, help="results file, results.h5")
    plot.add_argument("--what", action="append", choices=[*KINDS, SCAN],
                      metavar="PICTURE",
                      help=f"only these pictures ({', '.join([*KINDS, SCAN])}); may be repeated")
    plot.add_argument("--stage", metavar="STAGE",
                      help="only this stage: its number from 1, its name, or its kind")
    plot.add_argument("--output", type=Path, metavar="PATH",
                      help="folder for the pictures, or a file if there is but one; "
                           "without it they lie beside the results")
    plot.add_argument("--format", choices=FORMATS, help="of the files (png)")
    plot.add_argument("--force", action="store_true", help="overwrite pictures that are there")
    scans = plot.add_argument_group("scans")
    scans.add_argument("--x", metavar="KEY", help="scanned key on the horizontal axis; if left out, "
                                                  "the temperatures or fields within a stage, else the key "
                                                  "with the most values")
    scans.add_argument("--point", type=int, metavar="N",
                       help="pictures of one point, from 0, instead of the whole scan")
    single = plot.add_argument_group("single pictures")
    single.add_argument("--overlay", type=Path, metavar="CSV",
                        help="dispersion to lay over S(q,w), the first of a stage: columns "
                             "path_distance or h,k,l, then frequencies in the unit of the "
                             "results file")
    single.add_argument("--component", choices=COMPONENTS, help="of S(q,w), instead of the sum")
    single.add_argument("--max-frequency", type=_positive, metavar="W",
                        help="end of the frequency axis, in the unit shown")
    single.add_argument("--replica", type=int, default=0, metavar="R",
                        help="whose spins to draw, from 0 (0)")
    single.add_argument("--layer", type=int, metavar="L",
                        help="of a 3D lattice, from 1 (the middle one)")
    bench = commands.add_parser(
        "plot-bench", help="draw what larmor bench correlations has measured",
        description="Draws the file that larmor bench correlations --json has written.")
    bench.add_argument("measured", type=Path, help="file of larmor bench correlations, JSON")
    bench.add_argument("--output", type=Path, metavar="FILE",
                       help="picture; without it measured.png")
    bench.add_argument("--force", action="store_true", help="overwrite a picture that is there")
    return parser


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"must be positive, not {text}")
    return value


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns its exit code."""
    chosen = _parser().parse_args(arguments)
    try:
        if chosen.command == "plot-bench":
            return _plot_bench(chosen)
        with open_results(chosen.results) as results:
            return _plot(results, chosen)
    except (ResultsError, NothingToDraw, NotInResults, PictureExists, OSError) as error:
        print(f"larmor: {error}", file=sys.stderr)
    return INPUT_ERROR


def _plot_bench(chosen: argparse.Namespace) -> int:
    figure = plot_correlations(read_correlations(chosen.measured))
    output = chosen.output or chosen.measured.with_suffix(".png")
    drawing = Drawing([Picture(output.stem, "correlations", figure)])
    for path in save_all(drawing, output, "png", chosen.force):
        print(path)
    return 0


def _plot(results: Results, chosen: argparse.Namespace) -> int:
    if results.is_scan and chosen.point is None:
        drawing = draw_scan(results, _stages_of_scan(results, chosen.stage), chosen.x)
    else:
        drawing = _draw_study(results, chosen)
    _check_wanted(chosen, drawing)
    output = chosen.output or results.path.parent
    for path in save_all(drawing, output, chosen.format or "png", chosen.force):
        print(path)
    return 0


def _draw_study(results: Results, chosen: argparse.Namespace) -> Drawing:
    study: Point = results
    name = ""
    if chosen.point is not None:
        study, name = results.point(chosen.point), f"{results.path.stem}-{chosen.point:04}"
    stages = _stages(study, chosen.stage)
    for stage in stages:
        if not stage.completed:
            print(f"larmor: stage {stage.name} is unfinished: the run goes on or was interrupted; "
                  "drawing what is there", file=sys.stderr)
    options = Options(chosen.component, chosen.overlay, chosen.max_frequency, chosen.replica,
                      chosen.layer)
    return draw_all(study, chosen.what, stages, options, name)


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
    if not stages:
        raise ResultsError(f"{results.path}: no stage has begun yet")
    if wanted is None:
        return list(stages)
    for stage in stages:
        if wanted == str(stage.number):
            return [stage]
    return [stages[wanted]]


def _check_wanted(chosen: argparse.Namespace, drawing: Drawing) -> None:
    """Raises ResultsError if something that was asked for cannot be drawn."""
    drawn = {picture.kind for picture in drawing.pictures}
    reasons = "".join(f"\n  {what}: {why}" for what, why in drawing.skipped)
    if not drawing.pictures:
        raise ResultsError(f"{chosen.results}: nothing to draw{reasons}")
    wanted = set(chosen.what or [])
    if chosen.overlay is not None:
        wanted.add("structure-factor")
    for kind in [*KINDS, SCAN]:
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
        raise ResultsError(f"{chosen.output} and --format {chosen.format} contradict each other")
