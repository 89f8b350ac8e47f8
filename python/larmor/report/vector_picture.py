"""Turns a figure into an SVG for a page, and a description of its axes and curves for the script of the page.

All places are in points from the upper left corner of the figure, the unit of the SVG."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axes._secondary_axes import SecondaryAxis
from matplotlib.axis import Axis
from matplotlib.collections import Collection, LineCollection, PathCollection, QuadMesh
from matplotlib.colors import to_hex
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Patch
from matplotlib.text import Text
from matplotlib.ticker import FixedFormatter, FixedLocator, LogFormatter, NullFormatter, ScalarFormatter

from ..style import styled
from .plain_math import to_text

# Resolution of the parts that are stored as pixels.
_PIXELS_PER_INCH = 160
# A collection with more shapes than this is stored as pixels.
_MOST_SHAPES = 2500
# Larger maps have no values in the page.
_MOST_CELLS = 16000
# A column of panels that is wider than this (inches) becomes narrower, since phones are narrow.
_WIDEST_COLUMN = 6.2
# Curves with more points together keep every second, third, ... point in the page.
_MOST_POINTS = 60000


@dataclass(frozen=True)
class VectorPicture:
    """A picture of the page.

    svg          the root element with all ids prefixed;
    description  axes, curves and legends, for the script of the page;
    title        title of the figure, with mathematics;
    alternative  the picture in words.
    """

    svg: str
    description: dict[str, Any]
    title: str
    alternative: str


def vector_picture(figure: Figure, prefix: str) -> VectorPicture:
    """Saves a figure as SVG. Its title is left out, since the page has it as text.

    prefix: first letters of all ids of the SVG, unique in the page
    """
    title = ""
    if figure._suptitle is not None:
        title = figure._suptitle.get_text()
        figure._suptitle.set_in_layout(False)
        figure._suptitle.set_visible(False)
    shown = [axes for axes in figure.axes if axes.get_visible()]
    _narrow(figure, shown)
    marked = {axes: _mark_artists(axes, f"{prefix}-a{number}") for number, axes in enumerate(shown)}
    legends = _mark_legends(figure, shown, prefix)
    with styled(), mpl.rc_context({"svg.fonttype": "path", "svg.hashsalt": prefix}), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        contents = io.BytesIO()
        figure.savefig(contents, format="svg", dpi=_PIXELS_PER_INCH, metadata={"Date": None})
        width, height = 72 * figure.get_size_inches()
        places = [_axes(axes, marked[axes], shown, width, height) for axes in shown]
        _thin(places)
        panels = _panels(figure, shown)
        crop = _around([panel["box"] for panel in panels]) or [0, 0, round(width, 2), round(height, 2)]
        description = {"prefix": prefix, "width": crop[2], "height": crop[3], "axes": places,
                       "legends": _legends(shown, legends), "panels": panels}
    svg = _prefixed(contents.getvalue().decode("utf-8"), prefix)
    svg = re.sub(r'viewBox="[^"]*"', f'viewBox="{" ".join(map(str, crop))}"', svg, count=1)
    return VectorPicture(svg, description, title, _alternative(places))


def _around(boxes: list[list[float]]) -> list[float]:
    """The smallest box around boxes (left, top, width, height); empty if there are none."""
    if not boxes:
        return []
    left, top = (min(box[side] for box in boxes) for side in (0, 1))
    right, bottom = (max(box[side] + box[side + 2] for box in boxes) for side in (0, 1))
    return [round(left, 1), round(top, 1), round(right - left, 1), round(bottom - top, 1)]


def _narrow(figure: Figure, shown: list[Axes]) -> None:
    grids = [
        axes.get_subplotspec().get_gridspec()
        for axes in shown
        if axes.get_subplotspec() and not hasattr(axes, "_colorbar")
    ]
    width, height = figure.get_size_inches()
    if (
        grids
        and all(grid.ncols == 1 for grid in grids)
        and width > _WIDEST_COLUMN
        and not any(axes.get_aspect() != "auto" for axes in shown)
    ):
        figure.set_size_inches(_WIDEST_COLUMN, height)


def _mark_artists(axes: Axes, prefix: str) -> dict[str, Artist]:
    """Gives ids to the artists that show data; they move when a reader zooms. Returns them by id."""
    marked: dict[str, Artist] = {}
    axes.set_gid(prefix)
    for name, axis in (("x", axes.xaxis), ("y", axes.yaxis)):
        axis.offsetText.set_gid(f"{prefix}-{name}offset")
        axis.get_label().set_gid(f"{prefix}-{name}label")
    for number, child in enumerate(_secondary(axes)):
        child.set_gid(f"{prefix}-c{number}")
    texts = [
        text
        for text in axes.texts
        if getattr(text, "xycoords", "data") == "data" and _moves(text, axes) == (True, True)
    ]
    arrows = [text.arrow_patch for text in texts if getattr(text, "arrow_patch", None) is not None]
    for number, artist in enumerate([*axes.lines, *axes.collections, *axes.images, *axes.patches, *arrows, *texts]):
        name = f"{prefix}-d{number}"
        artist.set_gid(name)
        marked[name] = artist
        if _is_dense(artist):
            artist.set_rasterized(True)
    return marked


def _secondary(axes: Axes) -> list[Artist]:
    """Axes with another scale at the rim of these axes. The page hides their numbers while a reader zooms."""
    return [child for child in axes.child_axes if isinstance(child, SecondaryAxis)]


def _moves(artist: Artist, axes: Axes) -> tuple[bool, bool]:
    """Does the artist follow the data along x and along y? A line over the whole width follows only y."""
    if isinstance(artist, PathCollection):
        transform = artist.get_offset_transform()
    elif isinstance(artist, (QuadMesh, AxesImage, FancyArrowPatch)) or hasattr(artist, "xycoords"):
        return True, True
    else:
        transform = artist.get_transform()
    along_x, along_y = transform.contains_branch_seperately(axes.transData)
    return bool(along_x), bool(along_y)


def _is_dense(artist: Artist) -> bool:
    if isinstance(artist, QuadMesh):
        return True
    if isinstance(artist, Collection):
        return max(len(artist.get_paths()), len(artist.get_offsets())) > _MOST_SHAPES
    return False


def _colour(artist: Any) -> str:
    """Colour of a line, a collection of one colour or a patch; empty: none or several."""
    if isinstance(artist, Line2D):
        return to_hex(artist.get_color())
    if isinstance(artist, Patch):
        return to_hex(artist.get_facecolor() if artist.get_fill() else artist.get_edgecolor())
    if isinstance(artist, Collection):
        colours = artist.get_edgecolor() if isinstance(artist, LineCollection) else artist.get_facecolor()
        colours = artist.get_edgecolor() if len(colours) == 0 else colours
        seen = {to_hex(colour) for colour in np.atleast_2d(colours)[:50]} if len(colours) else set()
        return seen.pop() if len(seen) == 1 else ""
    return ""


def _is_named(label: Any) -> bool:
    return bool(label) and not str(label).startswith("_")


def _families(axes: Axes) -> Iterator[tuple[str, list[Artist]]]:
    """Labels and the artists that belong to each: a line with its error bars, or a single artist."""
    in_containers = set()
    for container in axes.containers:
        if isinstance(container, ErrorbarContainer):
            line, caps, bars = container.lines
            parts = [part for part in (line, *caps, *bars) if part is not None]
        else:
            parts = list(container)
        in_containers.update(map(id, parts))
        yield str(container.get_label() or ""), parts
    for artist in (*axes.lines, *axes.collections, *axes.patches):
        if id(artist) not in in_containers:
            yield str(artist.get_label() or ""), [artist]


def _mark_legends(figure: Figure, shown: list[Axes], prefix: str) -> list[tuple[Legend, Axes | None, list[str]]]:
    """Gives ids to the texts of legends. Returns each legend, its axes (None: that of the figure) and the ids."""
    found: list[tuple[Legend, Axes | None, list[str]]] = []
    owned = [(legend, None) for legend in figure.legends]
    for axes in shown:
        owned += [(legend, axes) for legend in axes.get_children() if isinstance(legend, Legend)]
    for number, (legend, axes) in enumerate(owned):
        names = []
        legend.set_gid(f"{prefix}-l{number}")
        for entry, text in enumerate(legend.get_texts()):
            names.append(f"{prefix}-l{number}-t{entry}")
            text.set_gid(names[-1])
        found.append((legend, axes, names))
    return found


def _legends(shown: list[Axes], legends: list) -> list[dict[str, Any]]:
    """Entries of legends with the ids of the artists that each hides."""
    entries = []
    for legend, axes, names in legends:
        handles = getattr(legend, "legend_handles", None) or getattr(legend, "legendHandles", [])
        searched = _searched(axes, shown)
        for name, text, handle in zip(names, legend.get_texts(), handles):
            colour = _colour(handle)
            targets = _of_label(text.get_text(), colour, searched) or _of_colour(handle, colour, searched)
            if targets:
                entries.append({"text": name, "label": _entry_words(legend, text.get_text()), "targets": targets,
                                "handle": round(legend.handlelength * text.get_fontsize(), 1)})
    return entries


def _entry_words(legend: Legend, label: str) -> str:
    """The label of an entry; numbers have the title of the legend before them: "Field B_z = 0.5"."""
    title, words = to_text(legend.get_title().get_text()), to_text(label)
    return f"{title} = {words}" if title and re.match(r"[−-]?[\d\[]", words) else words


def _searched(axes: Axes | None, shown: list[Axes]) -> list[Axes]:
    """The axes that a legend explains: its own and those without a legend, or all for a legend of the figure."""
    if axes is None:
        return shown
    return [axes, *(other for other in shown if other is not axes and other.get_legend() is None)]


def _of_label(label: str, colour: str, searched: list[Axes]) -> list[str]:
    """Ids of the artists with a label, and of those without a label that share their colour: bands, symbols."""
    targets: list[str] = []
    for axes in searched:
        families = list(_families(axes))
        chosen = [parts for name, parts in families if name == label]
        if not chosen:
            continue
        others = {_colour(parts[0]) for name, parts in families if _is_named(name) and name != label}
        targets += [part.get_gid() for parts in chosen for part in parts]
        if colour and colour not in others:
            targets += [part.get_gid() for name, parts in families if not _is_named(name)
                        for part in parts if _colour(parts[0]) == colour]
    return [target for target in dict.fromkeys(targets) if target]


def _of_colour(handle: Artist, colour: str, searched: list[Axes]) -> list[str]:
    """Ids of the artists that look like the handle of a legend that has words of its own."""
    if not colour:
        return []
    targets = []
    for axes in searched:
        for _, parts in _families(axes):
            same_style = (not isinstance(handle, Line2D) or not isinstance(parts[0], Line2D)
                          or parts[0].get_linestyle() == handle.get_linestyle())
            if _colour(parts[0]) == colour and same_style:
                targets += [part.get_gid() for part in parts]
    return [target for target in dict.fromkeys(targets) if target]


def _axes(axes: Axes, marked: dict[str, Artist], shown: list[Axes], width: float, height: float) -> dict[str, Any]:
    box = axes.get_position()
    place = [box.x0 * width, (1 - box.y1) * height, box.width * width, box.height * height]
    is_bar = hasattr(axes, "_colorbar")
    return {
        "id": axes.get_gid(),
        "box": [round(number, 3) for number in place],
        "x": _axis(axes.xaxis, axes.get_xlim(), axes.get_xscale()),
        "y": _axis(axes.yaxis, axes.get_ylim(), axes.get_yscale()),
        "movable": bool(axes.axison) and not is_bar and axes.name == "rectilinear" and bool(marked),
        "bar": is_bar,
        "square": axes.get_aspect() != "auto",
        "withx": [shown.index(other) for other in axes.get_shared_x_axes().get_siblings(axes) if other in shown],
        "withy": [shown.index(other) for other in axes.get_shared_y_axes().get_siblings(axes) if other in shown],
        "shapes": [name for name, artist in marked.items() if _is_shape(artist)],
        "texts": {
            name: _text_place(artist, axes, height) for name, artist in marked.items() if isinstance(artist, Text)
        },
        "data": list(marked),
        "held": {
            name: [not along for along in _moves(artist, axes)]
            for name, artist in marked.items()
            if _moves(artist, axes) != (True, True)
        },
        "secondary": [child.get_gid() for child in _secondary(axes)],
        "curves": [] if is_bar else list(_curves(axes)),
        "maps": [] if is_bar else list(_maps(axes)),
    }


def _is_shape(artist: Artist) -> bool:
    """Are the outlines of the artist in the units of the axes? Those of symbols are not."""
    return isinstance(artist, Collection) and not isinstance(artist, PathCollection)


def _text_place(text: Text, axes: Axes, height: float) -> list[float]:
    where = getattr(text, "xy", None) or text.get_position()
    scale = 72 / axes.figure.dpi
    x, y = axes.transData.transform(where) * scale
    return [round(float(x), 2), round(float(height - y), 2)]


def _axis(axis: Axis, limits: tuple[float, float], scale: str) -> dict[str, Any]:
    label = axis.get_label().get_text()
    labels = [text for text in axis.get_ticklabels() if text.get_visible() and text.get_text()]
    formatter, locator = axis.get_major_formatter(), axis.get_major_locator()
    is_plain = scale in ("linear", "log") and isinstance(formatter, (ScalarFormatter, LogFormatter, NullFormatter))
    sides = axis.get_tick_params()
    first, second = ("bottom", "top") if axis.axis_name == "x" else ("left", "right")
    return {
        "label": to_text(label),
        "scale": scale,
        "limits": [float(limits[0]), float(limits[1])],
        **({} if scale in ("linear", "log") else {"samples": _samples(axis, limits)}),
        # Ticks with words of their own keep them; others get new numbers when a reader zooms.
        "numbers": bool(
            is_plain and not isinstance(locator, FixedLocator) and not isinstance(formatter, FixedFormatter)
        ),
        "ticks": [bool(sides.get(first, True)), bool(sides.get(second, False))],
        "labels": [
            bool(sides.get(f"label{first}", True)) and bool(labels),
            bool(sides.get(f"label{second}", False)) and bool(labels),
        ],
        "size": round(float(labels[0].get_fontsize()), 1) if labels else 11,
    }


def _samples(axis: Axis, limits: tuple[float, float]) -> list[float]:
    """Data at evenly spaced places along an axis, for scales that the script of the page does not know."""
    transform = axis.get_transform()
    ends = transform.transform(np.array(limits, dtype=float))
    return [float(f"{value:.8g}") for value in transform.inverted().transform(np.linspace(*ends, 129))]


def _curves(axes: Axes) -> Iterator[dict[str, Any]]:
    for label, parts in _families(axes):
        line = parts[0]
        if (
            isinstance(line, Line2D)
            and line.get_gid()
            and all(line.get_transform().contains_branch_seperately(axes.transData))
        ):
            x, y = (np.asarray(numbers, dtype=float) for numbers in (line.get_xdata(), line.get_ydata()))
            yield {"id": line.get_gid(), "label": to_text(label) if _is_named(label) else "",
                   "colour": _colour(line), "x": x, "y": y, **_errors(axes, parts, len(x))}
        elif isinstance(line, PathCollection) and not line.get_rasterized():
            x, y = np.ma.filled(line.get_offsets().astype(float), np.nan).T
            yield {"id": line.get_gid(), "label": to_text(label) if _is_named(label) else "",
                   "colour": _colour(line), "x": x, "y": y}


def _errors(axes: Axes, parts: list[Artist], points: int) -> dict[str, np.ndarray]:
    """Half lengths of the bars of an errorbar, by "ex" and "ey"."""
    found = {}
    for bars in parts:
        if not isinstance(bars, LineCollection):
            continue
        # get_segments would leave out the ends of bars that are not known.
        ends = [np.asarray(path.vertices, dtype=float) for path in bars.get_paths()]
        if len(ends) != points or any(end.shape != (2, 2) for end in ends):
            continue
        wide, high = np.array([np.abs(end[1] - end[0]) / 2 for end in ends]).T
        found.update({"ex": wide} if np.nansum(wide) > 0 else {"ey": high})
    return found


def _maps(axes: Axes) -> Iterator[dict[str, Any]]:
    """Values of maps, so that the page can tell the value under the cursor."""
    for artist in (*axes.collections, *axes.images):
        values = artist.get_array() if isinstance(artist, (QuadMesh, AxesImage)) else None
        if values is None or values.ndim != 2 or values.size > _MOST_CELLS:
            continue
        if isinstance(artist, QuadMesh):
            corners = np.asarray(artist.get_coordinates(), dtype=float)
            x, y = corners[0, :, 0], corners[:, 0, 1]
            is_grid = np.allclose(corners[..., 0], x[None, :]) and np.allclose(corners[..., 1], y[:, None])
            if not is_grid or corners.shape[:2] != (values.shape[0] + 1, values.shape[1] + 1):
                continue
        else:
            left, right, bottom, top = artist.get_extent()
            x = np.linspace(left, right, values.shape[1] + 1)
            y = np.linspace(bottom, top, values.shape[0] + 1)
            values = values if artist.origin == "lower" else values[::-1]
        bar = getattr(artist, "colorbar", None)
        label = bar.ax.get_ylabel() or bar.ax.get_xlabel() if bar is not None else ""
        yield {"label": to_text(label), "x": _numbers(x, 7), "y": _numbers(y, 7),
               "values": [_numbers(row, 4) for row in np.ma.filled(values.astype(float), np.nan)]}


def _thin(places: list[dict[str, Any]]) -> None:
    """Leaves out points of the curves if there are too many, and turns arrays into lists of numbers."""
    curves = [curve for place in places for curve in place["curves"]]
    every = -(-sum(len(curve["x"]) for curve in curves) // _MOST_POINTS) or 1
    seen: dict[bytes, int] = {}
    for number, curve in enumerate(curves):
        if every > 1:
            curve["every"] = every
        # Curves of one figure often share their abscissae, which are then stored once.
        first = seen.setdefault(np.ascontiguousarray(curve["x"]).tobytes(), number)
        for name in ("x", "y", "ex", "ey"):
            if name in curve:
                curve[name] = _numbers(curve[name][::every], 8 if name in "xy" else 4)
        if first != number:
            curve["x"] = first


def _numbers(values: np.ndarray, digits: int) -> list[float | None]:
    return [float(f"{value:.{digits}g}") if np.isfinite(value) else None for value in np.asarray(values, dtype=float)]


def _panels(figure: Figure, shown: list[Axes]) -> list[dict[str, Any]]:
    """Parts of the figure that a narrow page shows one below the other: axes with their colour bars."""
    width, height = 72 * figure.get_size_inches()
    renderer = figure._get_renderer()
    scale = 72 / figure.dpi
    parts = []
    for item, name in [(axes, axes.get_gid()) for axes in shown] + [
        (legend, legend.get_gid()) for legend in figure.legends
    ]:
        box = item.get_tightbbox(renderer) if isinstance(item, Axes) else item.get_window_extent(renderer)
        if box is None:
            continue
        parts.append([{name}, [box.x0 * scale, height - box.y1 * scale, box.x1 * scale, height - box.y0 * scale]])
    parents = {axes: [parent for parent in axes._colorbar_info["parents"] if parent in shown]
               for axes in shown if "parents" in getattr(axes, "_colorbar_info", {})}
    joined = [{axes.get_gid(), *(parent.get_gid() for parent in of)} for axes, of in parents.items() if len(of) == 1]
    return _merged(parts, joined, width, height)


def _merged(parts: list, joined: list[set], width: float, height: float) -> list[dict[str, Any]]:
    """Joins the parts that overlap or belong together."""
    changed = True
    while changed:
        changed = False
        for first in range(len(parts)):
            for second in range(first + 1, len(parts)):
                names = parts[first][0] | parts[second][0]
                if _overlap(parts[first][1], parts[second][1]) or any(
                        names & pair == pair and parts[first][0] & pair and parts[second][0] & pair for pair in joined):
                    a, b = parts[first][1], parts[second][1]
                    parts[first] = [names, [min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])]]
                    del parts[second]
                    changed = True
                    break
            if changed:
                break
    air = 4
    return [{"parts": sorted(names), "box": [round(max(0, box[0] - air), 1), round(max(0, box[1] - air), 1),
                                             round(min(width, box[2] + air) - max(0, box[0] - air), 1),
                                             round(min(height, box[3] + air) - max(0, box[1] - air), 1)]}
            for names, box in parts]


def _overlap(a: list[float], b: list[float]) -> bool:
    """Do two boxes share more than a rim, which bends of labels make?"""
    rim = 3
    return min(a[2], b[2]) - max(a[0], b[0]) > rim and min(a[3], b[3]) - max(a[1], b[1]) > rim


def _alternative(places: list[dict[str, Any]]) -> str:
    """The picture in words: the axes and the number of curves."""
    words = []
    for place in places:
        if place["bar"] or not (place["x"]["label"] or place["y"]["label"]):
            continue
        of = f"{place['y']['label'] or 'a quantity'} against {place['x']['label'] or 'the common axis below'}"
        named = [curve["label"] for curve in place["curves"] if curve["label"]]
        words.append(of + (f" ({', '.join(named[:8])})" if named else ""))
    return "; ".join(words) or "Picture without axes"


_CUT = re.compile(r"(\.\d\d)\d+")
_PATHS = re.compile(r'( d="| x="| y=")([^"]*)"')


def _prefixed(text: str, prefix: str) -> str:
    """The root element without metadata and comments, with short numbers and unique ids."""
    text = text[text.index("<svg"):]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r'<style type="text/css">.*?</style>', "", text, flags=re.DOTALL)
    text = _PATHS.sub(lambda match: match[1] + _CUT.sub(r"\1", match[2].replace("\n", " ").strip()) + '"', text)
    text = re.sub(r"\n\s*", "\n", text)
    text = re.sub(r'\bid="(?!%s-)([^"]+)"' % re.escape(prefix), rf'id="{prefix}-\1"', text)
    text = re.sub(r'xlink:href="#(?!%s-)' % re.escape(prefix), f'xlink:href="#{prefix}-', text)
    text = re.sub(r"url\(#(?!%s-)" % re.escape(prefix), f"url(#{prefix}-", text)
    # The style sheet of the page has the stroke joins of matplotlib, and the size follows from the page.
    return re.sub(r'<svg ([^>]*?)width="[^"]*" height="[^"]*"', r"<svg \1", text, count=1).strip()
