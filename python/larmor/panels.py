"""Pictures for notebooks: their axes, in one list that a notebook shows."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .errors import NothingToDraw, not_in_results
from .labels import average_label, parameter_label, series_label, shown_unit
from .pictures import FIT_KINDS, KINDS, SCAN, Drawing, Options, draw_all, draw_fit, draw_scan, kinds_of
from .plot_scaling import plot_collapse, plot_curves
from .results import Point, Results
from .scaling import scale
from .stage import Stage
from .stage_words import site_word
from .style import drawn_at, styled

if TYPE_CHECKING:
    from .samples import Average, Series


class Panels(list[Axes]):
    """Axes of one picture or of several, in order; a notebook shows the pictures.

    `panels[0]` is an Axes of matplotlib, and `panels.figures` are the figures, such as for
    `panels.figures[0].savefig("picture.pdf")`.
    """

    @property
    def figures(self) -> list[Figure]:
        """The figures of these axes, each once."""
        figures = (axes.get_figure(root=True) for axes in self)
        return list({id(figure): figure for figure in figures if figure is not None}.values())

    def _repr_html_(self) -> str:
        images = []
        for figure in self.figures:
            contents = io.BytesIO()
            with styled():
                figure.savefig(contents, format="png", dpi=100)
            images.append(f'<img src="data:image/png;base64,{base64.b64encode(contents.getvalue()).decode()}">')
        return "".join(images)


def plot_results(results: Results, what: str | None, stage: str | None) -> Panels:
    """Pictures of a file, see `Results.plot`."""
    if results.is_scan:
        _require(what, [SCAN], "a scan, whose points have the others: .point(0).stages[0].plot()")
        names = list(results.scan.summary) if stage is None else [results.scan.stage_name(stage)]
        return _panels(draw_scan(results, names, None))
    if results.is_fit or results.is_reweighted:
        _require(stage, [], "a fit" if results.is_fit else "reweighted curves")
        _require(what, list(FIT_KINDS) if results.is_fit else [], "a fit" if results.is_fit else "reweighted curves")
    if results.is_fit:
        return _panels(draw_fit(results, None if what is None else [what]))
    if results.is_reweighted:
        curves = [results.reweighted]
        found = scale(curves)
        return _axes_of(draw(curves, found, results.title) for draw in (plot_curves, plot_collapse))
    stages = list(results.stages) if stage is None else [results.stages[stage]]
    return _panels(draw_all(results, None if what is None else [_known(what)], stages, Options()))


def plot_stage(stage: Stage, what: str | None, ax: Axes | None) -> Panels:
    """Pictures of a stage, see `Stage.plot`."""
    if what is not None and what not in KINDS:
        if what in stage.averages:
            return Panels([_told(stage, _draw_average(stage, stage.averages[what], ax))])
        if what in stage.series:
            return Panels([_told(stage, _draw_series(stage.series[what], ax))])
    study = Point(stage.group.parent.parent, stage.file or Path(stage.name))
    kinds = kinds_of(stage) if what is None else [_known(what, [*stage.averages, *stage.series])]
    if ax is None:
        return _panels(draw_all(study, kinds, [stage], Options()))
    if what is None:
        raise ValueError(f"ax is the place of one picture; choose it with what, such as what={kinds[0]!r}")
    with drawn_at(ax):
        return _panels(draw_all(study, kinds, [stage], Options()))


def _require(what: str | None, known: list[str], of: str) -> None:
    """Raises NotInResults for a picture or stage that such results do not have."""
    if what is not None and what not in known:
        raise not_in_results("picture or stage", what, of, known)


def _known(what: str, others: Iterable[str] = ()) -> str:
    """@param others averages and series, for the message"""
    if what not in KINDS:
        raise not_in_results("picture, average or series", what, "the stage", dict.fromkeys([*KINDS, *others]))
    return what


def _panels(drawing: Drawing) -> Panels:
    if not drawing.pictures:
        reasons = "; ".join(f"{what}: {why}" for what, why in drawing.skipped)
        raise NothingToDraw(f"nothing to draw ({reasons})" if reasons else "nothing to draw")
    return _axes_of(picture.figure for picture in drawing.pictures)


def _axes_of(figures: Iterable[Figure]) -> Panels:
    return Panels(axes for figure in figures for axes in figure.axes)


def _told(stage: Stage, axes: Axes) -> Axes:
    """The title says that a stage is unfinished."""
    if not stage.completed:
        axes.set_title(f"stage {stage.number}: {stage.kind}, unfinished")
    return axes


def _new_axes() -> Axes:
    with styled():
        return Figure(figsize=(6.2, 4.2), layout="constrained").subplots()


def _draw_average(stage: Stage, average: Average, ax: Axes | None) -> Axes:
    """An average over the temperature, field or kappa. Raises NothingToDraw if it has one point."""
    if len(average.value) < 2:
        raise NothingToDraw(f"{average.name} has one point: {average}")
    abscissa = stage.abscissa
    if abscissa is None:
        raise NothingToDraw(f"the points of {average.name} have no temperature, field or kappa")
    axes = _new_axes() if ax is None else ax
    factor, _ = shown_unit(average.unit, average.value)
    axes.errorbar(abscissa.values, factor * average.value, factor * average.error, fmt="o-", label=average.name)
    axes.set(xlabel=parameter_label(abscissa.name, abscissa.unit), ylabel=average_label(average.name, average.unit, average.value, site_word(stage)))
    return axes


def _draw_series(series: Series, ax: Axes | None) -> Axes:
    """A series of every replica, or the components of a vector of the first replica."""
    axes = _new_axes() if ax is None else ax
    factor, _ = shown_unit(series.unit, series.value)
    x, name = (series.step, "Step") if series.time is None else (series.time, f"Time ({series.time_unit})")
    value = factor * (series.value if series.value.ndim == 2 else series.value[:, 0])
    axes.plot(range(len(value)) if x is None or series.point is not None else x, value, linewidth=0.8)
    axes.set(xlabel="Sample" if x is None or series.point is not None else name,
             ylabel=series_label(series.name, series.unit, series.value))
    return axes
