"""Makes one HTML page from a results file, with pictures, numbers, remarks, study, provenance and references."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import resources
from string import Template
from typing import Any

import numpy as np

from ..errors import NothingToDraw, NotInResults, ResultsError
from ..labels import key_name, plain_title, with_error
from ..pictures import Drawing, Options, Picture, draw_all, draw_fit, draw_scan
from ..results import Point, Results
from ..scaling import scale
from ..stage import Stage
from . import numbers
from .plain_math import to_html
from .references import Reference, references_of
from .remarks import Remark, remarks_of
from .study_text import coloured, input_of_fit
from .vector_picture import vector_picture

# Names of facts in the order of the page.
_KEYS = (
    "started",
    "ended",
    "finished",
    "command",
    "version",
    "commit",
    "build",
    "device",
    "backend",
    "gpu",
    "precision",
    "instruction_set",
    "threads",
    "ranks",
    "exchange",
    "jit_kernels",
    "contraction",
    "seed",
    "run",
)


@dataclass
class _Page:
    """Parts of the page, and the names that it has used."""

    parts: list[str] = field(default_factory=list)
    contents: list[tuple[str, str]] = field(default_factory=list)
    title: str = ""
    pictures: int = 0
    tables: int = 0

    def add(self, *parts: str) -> None:
        self.parts += parts

    def section(self, name: str, title: str, entry: str = "") -> None:
        """A heading that the contents name. title: text; entry: a shorter one for the contents."""
        self.contents.append((name, entry or title))
        self.add(f'<h2 id="{name}">{html.escape(title)}</h2>')


def report_page(results: Results) -> str:
    """The page as HTML text. It loads nothing from elsewhere."""
    page = _Page(title=plain_title(results.title or results.path.stem))
    remarks = remarks_of(results)
    _remarks(page, remarks)
    if results.is_scan:
        _scan(page, results)
    for stage in results.stages:
        _stage(page, results, stage)
    if results.is_fit:
        _fit(page, results)
    if results.is_reweighted:
        _reweighted(page, results)
    _study(page, results)
    _provenance(page, results)
    _references(page, references_of(results))
    return _filled(page, results)


def _filled(page: _Page, results: Results) -> str:
    here = resources.files(__package__)
    script = here.joinpath("report.js").read_text(encoding="utf-8")
    title = results.title or results.path.stem
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    return Template(here.joinpath("page.html").read_text(encoding="utf-8")).substitute(
        title=html.escape(f"{title} - Larmor report"),
        heading=html.escape(title),
        facts=_facts(results),
        digest=digest,
        style=here.joinpath("report.css").read_text(encoding="utf-8"),
        script=script,
        body="\n".join(page.parts),
        contents="\n".join(f'<li><a href="#{name}">{html.escape(entry)}</a></li>' for name, entry in page.contents),
        footer=f"Written by <code>larmor report</code> from {html.escape(results.path.name)}. This page works without a network.",
    )


def _facts(results: Results) -> str:
    provenance, legs = results.provenance, results.legs
    first = legs[0] if legs else {}
    facts = [results.path.name, f"{results.units} units"]
    if "version" in first:
        facts.append(f"Larmor {first['version']}")
    facts += [str(first["device"])] if first.get("device") else []
    if provenance.get("started"):
        facts.append(f"started {provenance['started']}")
    return f'<p class="facts">{html.escape(" · ".join(facts))}</p>'


# ---- remarks ----

def _remarks(page: _Page, remarks: list[Remark]) -> None:
    page.section("remarks", "Can these numbers be trusted?", "Remarks")
    doubts = [remark for remark in remarks if remark.level != "note"]
    severe = sum(remark.level == "severe" for remark in doubts)
    verdict = "No reason for doubt was found in the stored numbers."
    if len(doubts) == 1:
        verdict = f"There is one {'severe ' if severe else ''}reason for doubt."
    elif doubts:
        verdict = f"There are {len(doubts)} reasons for doubt; {severe or 'none'} of them {'is' if severe == 1 else 'are'} severe."
    page.add(
        f'<p class="verdict">{verdict}</p>',
        '<p class="note">The page checks for unfinished stages, too few independent samples, drifts between the first and the second '
        "half of a series, replicas that disagree, ladders with few exchanges or round trips, and minima and paths that have not "
        "converged. It cannot find errors that these numbers do not show.</p>",
    )
    if any(remark.where.startswith("Point ") for remark in remarks):
        page.add('<p class="note">Points of a scan count from 0, as in <code>larmor show --point 0</code>. Stages count from 1, as in '
                 "the key stage.1.sweeps.</p>")
    notes = [remark for remark in remarks if remark.level == "note"]
    if doubts:
        page.add('<ul class="remarks">', *map(_remark, doubts), "</ul>")
    if notes:
        page.add(f"<details{'' if doubts else ' open'}><summary>Notes ({len(notes)})</summary>",
                 '<ul class="remarks">', *map(_remark, notes), "</ul></details>")


def _remark(remark: Remark) -> str:
    advice = f' <span class="advice">{html.escape(remark.advice)}</span>' if remark.advice else ""
    return (f'<li class="{remark.level}"><span class="where">{html.escape(remark.where)}:</span> '
            f"{html.escape(remark.text)}{advice}</li>")


# ---- pictures ----

def _pictures(page: _Page, drawing: Drawing) -> None:
    for picture in drawing.pictures:
        page.add(_picture(page, picture))


def _picture(page: _Page, picture: Picture) -> str:
    page.pictures += 1
    prefix = f"p{page.pictures}"
    drawn = vector_picture(picture.figure, prefix)
    name = picture.kind.replace("-", " ").capitalize()
    description = json.dumps(
        {"name": picture.name, **drawn.description}, separators=(",", ":"), allow_nan=False, ensure_ascii=False
    )
    # Text of a script element ends at the first </script, so no < may stand there.
    description = description.replace("<", "\\u003c")
    alternative = html.escape(f"{name}. {drawn.alternative}", quote=True)
    # The title of the page needs no repetition.
    title = drawn.title.removeprefix(page.title).removesuffix("(unfinished)").strip(" \n,;:")
    title = to_html(title).replace("\n", "; ")
    buttons = [("zoomIn", "+", "Zoom in"), ("zoomOut", "−", "Zoom out"), ("reset", "Reset", "Show all again (key 0)"),
               ("full", "Full", "Fill the window (key f)"), ("saveSvg", "SVG", "Download as vector graphics"),
               ("savePng", "PNG", "Download as pixels"), ("saveCsv", "CSV", "Download the curves as a table")]
    if not any(place["curves"] for place in drawn.description["axes"]):
        buttons.pop()
    tools = "".join(f'<button type="button" data-action="{action}" title="{hint}" aria-label="{hint}">{label}</button>'
                    for action, label, hint in buttons)
    svg = drawn.svg.replace(
        "<svg ",
        f'<svg role="img" aria-label="{alternative}" style="max-width: {1.45 * drawn.description["width"]:.0f}px" ',
        1,
    )
    return (
        f'<figure class="picture" id="{prefix}"><figcaption><div class="title">{html.escape(name)} <span>{title}</span></div>'
        f'<div class="tools" role="toolbar" aria-label="Tools of this picture">{tools}</div></figcaption>'
        f'<div class="frame" tabindex="0" role="group" aria-label="{alternative}. Keys: plus, minus and arrows zoom and move; '
        f'n, p and c read out points of curves; 0 resets.">{svg}<div class="bubble" hidden></div></div>'
        f'<p class="readout" aria-live="polite">&nbsp;</p>'
        f'<script type="application/json">{description}</script></figure>'
    )


# ---- tables ----

def _table(page: _Page, table: numbers.Table) -> str:
    page.tables += 1
    name = f"t{page.tables}"
    heads = []
    for column in table.columns:
        unit = column.unit
        key = column.name if not unit else f"{column.name} ({_plain_unit(unit)})"
        error = f"{column.name}_error" + (f" ({_plain_unit(unit)})" if unit else "")
        of_unit = f'<span class="unit">{to_html(unit)}</span>' if unit else ""
        heads.append(
            f'<th scope="col" data-name="{html.escape(key, quote=True)}" data-error="{html.escape(error, quote=True)}"'
            f"{_class_of(column)}>{_head(column)}{of_unit}</th>"
        )
    rows = []
    for row in range(len(table.columns[0].values)):
        rows.append("<tr>" + "".join(_cell(column, row) for column in table.columns) + "</tr>")
    notes = [table.note] if table.note else []
    if table.left_out:
        notes.append(f"{table.left_out} more rows are in the file.")
    if any(column.few is not None and np.any(column.few) for column in table.columns):
        notes.append("* too few samples for a reliable error.")
    note = f'<p class="note">{html.escape(" ".join(notes))}</p>' if notes else ""
    buttons = "".join(
        f'<button type="button" data-copy="{kind}" data-of="{name}">Copy as {kind.upper()}</button>'
        for kind in ("csv", "tsv")
    )
    return (
        f'<div class="table-head"><h4>{html.escape(table.title)}</h4><div class="tools">{buttons}</div></div>'
        f'<div class="scroll" tabindex="0" role="region" aria-label="{html.escape(table.title, quote=True)}"><table id="{name}"><thead><tr>{"".join(heads)}</tr></thead>'
        f'<tbody>{"".join(rows)}</tbody></table></div>{note}'
    )


def _plain_unit(unit: str) -> str:
    return re.sub(r"<[^>]*>", "", to_html(unit))


def _head(column: numbers.Column) -> str:
    return _name_of_key(column.name) if column.is_key else numbers.words(column.name)


def _name_of_key(key: str) -> str:
    """The name of a scanned key as HTML, as pictures have it."""
    name = key_name(key)
    return to_html(f"{plain_title(name.words)} {name.symbol}".strip())


def _class_of(column: numbers.Column) -> str:
    is_text = column.is_abscissa or (len(column.values) and isinstance(column.values[0], str))
    return ' class="text"' if is_text else ""


def _cell(column: numbers.Column, row: int) -> str:
    value = column.values[row]
    tag = "th scope=\"row\"" if column.is_abscissa else "td"
    end = tag.split(" ")[0]
    if isinstance(value, str):
        # Texts of tables are either HTML from numbers.words, or plain names.
        text = value if column.name in ("quantity", "unit") and not column.is_key else html.escape(value)
        return f'<{tag} class="text">{text}</{end}>'
    value = float(value)
    error = None if column.errors is None else float(column.errors[row])
    if not np.isfinite(value):
        return f'<{tag} data-value="">–</{end}>'
    few = column.few is not None and bool(column.few[row])
    data = f' data-value="{value:.17g}"' + (
        f' data-error="{error:.6g}"' if error is not None and np.isfinite(error) else ""
    )
    return f'<{tag}{data}{" class=few" if few else ""}>{_shown(value, error)}</{end}>'


def _shown(value: float, error: float | None) -> str:
    """A value with its error in brackets as HTML; small and large ones with a power of ten."""
    # An error at the level of rounding would give a row of useless digits.
    if error is not None and (not np.isfinite(error) or error < 1e-12 * abs(value)):
        error = None
    largest = max(abs(value), error or 0.0)
    power = int(np.floor(np.log10(largest))) if largest > 0 else 0
    power = 0 if -5 < power < 6 else power
    value, error = value / 10.0**power, None if error is None else error / 10.0**power
    text = f"{value:.6g}" if error is None else with_error(value, error)
    return text.replace("-", "−") + (f" × 10<sup>{power}</sup>".replace("-", "−") if power else "")


# ---- parts of the results ----

def _stage(page: _Page, results: Results, stage: Stage) -> None:
    title = f": {stage.title}" if stage.title else ""
    page.section(f"stage-{stage.number}", f"Stage {stage.number}: {stage.kind}{title}", f"{stage.number} {stage.kind}")
    details = stage.details
    facts = ["completed" if stage.completed else "unfinished"]
    if details.get("wall_seconds"):
        facts.append(f"{float(details['wall_seconds']):.3g} s")
    if details.get("rate"):
        facts.append(f"{float(details['rate']):.3g} {details.get('rate_unit', '')}".strip())
    page.add(f'<p class="facts">{html.escape(" · ".join(facts))}</p>')
    drawing = draw_all(results, None, [stage], Options())
    _pictures(page, drawing)
    tables = numbers.tables_of_stage(stage)
    page.add(*(_table(page, table) for table in tables))
    if not drawing.pictures and not tables:
        page.add('<p class="skipped">This stage stored neither curves nor averages.</p>')


def _scan(page: _Page, results: Results) -> None:
    page.section("scan", "Scan")
    scan = results.scan
    done = int(np.sum(scan.completed))
    axes = "; ".join(f"{_name_of_key(axis.key)}: {len(axis.values)} values, "
                     + html.escape(f"{axis.text(0)} to {axis.text(len(axis.values) - 1)}") for axis in scan.axes)
    page.add(f'<p class="facts">{done} of {scan.completed.size} points done. {axes}</p>')
    if scan.summary:
        _pictures(page, draw_scan(results, list(scan.summary), None))
    last = ""
    for stage, tables in numbers.tables_of_scan(scan):
        page.add(
            *([f"<h3>Stage {html.escape(stage)}</h3>"] if stage != last else []),
            *(_table(page, table) for table in tables),
        )
        last = stage


def _fit(page: _Page, results: Results) -> None:
    page.section("fit", "Fit of a potential", "Fit")
    _pictures(page, draw_fit(results))
    page.add(*(_table(page, table) for table in numbers.tables_of_fit(results.fit)))
    page.add(_facts_table({name: value for name, value in results.fit.details.items() if np.ndim(value) == 0}))


def _reweighted(page: _Page, results: Results) -> None:
    page.section("curves", "Reweighted curves", "Curves")
    for picture in _scaling_pictures(results):
        page.add(_picture(page, picture))
    page.add(*(_table(page, table) for table in numbers.tables_of_reweighted(results.reweighted)))


def _scaling_pictures(results: Results) -> Iterator[Picture]:
    """Pictures of finite-size scaling, if the file has the sizes for it."""
    from ..plot_scaling import plot_collapse, plot_curves
    files = [results.reweighted]
    try:
        found = scale(files)
        title = plain_title(results.title or results.path.stem)
        for name, draw in (("curves", plot_curves), ("collapse", plot_collapse)):
            yield Picture(f"{results.path.stem}-{name}", name, draw(files, found, title))
    except (NothingToDraw, NotInResults, ResultsError):
        return


def _study(page: _Page, results: Results) -> None:
    texts = {}
    for name in ("study", "completed_study"):
        try:
            texts[name] = getattr(results, name)
        except NotInResults:
            continue
    if input_of_fit(results):
        texts["study"] = input_of_fit(results)
    if not texts:
        return
    page.section("study", "Study")
    if "study" in texts:
        page.add(_source("study-text", texts["study"], coloured(texts["study"])))
    if "completed_study" in texts:
        page.add("<details><summary>With every default written out</summary>",
                 _source("study-completed", texts["completed_study"], coloured(texts["completed_study"])), "</details>")


def _source(name: str, text: str, shown: str) -> str:
    return (f'<div class="table-head"><span class="note">{len(text.splitlines())} lines</span>'
            f'<div class="tools"><button type="button" data-copy="text" data-of="{name}">Copy</button></div></div>'
            f'<pre id="{name}" tabindex="0">{shown}</pre>')


def _provenance(page: _Page, results: Results) -> None:
    page.section("provenance", "Provenance")
    provenance = {name: value for name, value in results.provenance.items() if np.ndim(value) == 0}
    if provenance:
        page.add(_facts_table({name: provenance[name] for name in sorted(provenance, key=_order)}))
    legs = results.legs if "legs" in results._group.get("provenance", {}) else []
    for number, leg in enumerate(legs, start=1):
        page.add(f"<h3>{'Run' if number == 1 else f'Resumed run {number}'}</h3>",
                 _facts_table({name: leg[name] for name in sorted(leg, key=_order) if str(leg[name]) != ""}))


def _order(name: str) -> tuple[int, str]:
    return (_KEYS.index(name) if name in _KEYS else len(_KEYS), name)


def _facts_table(facts: dict[str, Any]) -> str:
    rows = "".join(
        f'<tr><th scope="row">{html.escape(name.replace("_", " ").capitalize())}</th><td>{html.escape(_fact(value))}</td></tr>'
        for name, value in facts.items()
    )
    return f'<div class="scroll"><table class="facts-table"><tbody>{rows}</tbody></table></div>'


def _fact(value: Any) -> str:
    return f"{value:.8g}" if isinstance(value, float) else str(value)


def _references(page: _Page, references: list[Reference]) -> None:
    page.section("references", "References")
    page.add(
        "<p>If you publish these results, please cite Larmor and the methods that this study used:</p>",
        '<ul class="bib">',
    )
    for reference in references:
        uses = f' <span class="note">{html.escape(", ".join(reference.uses))}</span>' if reference.uses else ""
        page.add(f"<li>{html.escape(reference.citation)}{uses}</li>")
    text = "\n\n".join(reference.bibtex for reference in references) + "\n"
    page.add("</ul>", "<details><summary>BibTeX</summary>", _source("bibtex", text, html.escape(text)), "</details>")
