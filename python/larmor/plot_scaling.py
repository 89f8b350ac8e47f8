"""Draws finite-size scaling: curves with their errors as bands, and their collapse."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from .labels import average_label, parameter_label, shown_unit, with_error
from .reweighted import Curve, Reweighted, ReweightedSystem
from .scaling import Scaling, systems_of
from .style import CYCLE, INK, finish, new_figure, styled


# Averages of the runs. Caps wider than the dots show bars that are shorter than a dot.
_RAW = {"fmt": "o", "markersize": 2, "elinewidth": 1.2, "capsize": 4, "capthick": 1.2}


def plot_curves(files: Sequence[Reweighted], found: Scaling, title: str = "") -> Figure:
    """The observable, the order parameter, susceptibility and specific heat against temperature or kappa. Kappa has the
    slope of the bond in place of the specific heat. Each size is a line, with its error as a band. Dots with bars are
    the averages that the runs reported. The critical point is marked in all axes."""
    systems = systems_of(files, found.lengths)
    names = [found.observable, found.order, "susceptibility", files[0].response]
    with styled():
        figure = new_figure(9.2, 6.2)
        panels = np.ravel(figure.subplots(2, 2, sharex=True))
        for panel, name in zip(panels, names):
            factor, _ = shown_unit(systems[0].curves[name].unit, _values(systems, name))
            for colour, system in zip(_colours(systems), systems):
                _draw(panel, system, system.curves[name], found.parameter, colour, factor)
            panel.axvline(found.critical.value, color=INK, linewidth=0.8, linestyle=":")
            panel.set_ylabel(average_label(name, systems[0].curves[name].unit, _values(systems, name)))
            panel.margins(x=0.02, y=0.06)
        for panel in panels[2:]:
            panel.set_xlabel(parameter_label(found.parameter, found.unit))
        for crossing in found.crossings:
            panels[0].errorbar([crossing.parameter.value], [crossing.value.value],
                               xerr=[crossing.parameter.error], fmt="|", color=INK, markersize=9,
                               markeredgewidth=0.9, elinewidth=1.0, capsize=0, zorder=5)
        panels[0].set_title(f"{_critical(found)} = {_text(found.critical)} {found.unit}".rstrip(), loc="right",
                            fontsize="medium")
        raw = panels[0].errorbar([np.nan], [np.nan], [np.nan], color=INK, **_RAW)
        handles, labels = panels[0].get_legend_handles_labels()
        handles += [Line2D([], [], color=INK, linewidth=1.2), raw,
                    Line2D([], [], color=INK, marker="|", markersize=9, linewidth=1.0)]
        labels += ["reweighted", "averages of the runs", "crossings"]
        figure.legend(handles, labels, loc="outside right upper")
        figure.align_ylabels()
        return finish(title, figure)


def plot_collapse(files: Sequence[Reweighted], found: Scaling, title: str = "") -> Figure:
    """The observable and <m^2> times its power of L, both without their corrections, against (T - T_c) / T_c L^(1/nu),
    or the analogue for kappa: the curves of all sizes collapse. If there is a correction, third axes show the
    crossings of two sizes against the shift that the correction causes."""
    systems = systems_of(files, found.lengths)
    exponent = {name: number.value for name, number in found.exponents.items()}
    has_line = found.has_correction
    with styled():
        figure = new_figure(11.8 if has_line else 8.8, 3.8)
        panels = figure.subplots(1, 3 if has_line else 2)
        # Lines that coincide stay visible, because their widths differ.
        widths = np.linspace(1 + 0.8 * (len(systems) - 1), 1, len(systems))
        for colour, width, system in zip(_colours(systems), widths, systems):
            x = (system.parameter / found.critical.value - 1) * system.length ** (1 / exponent["nu"])
            correction = found.amplitude.value * system.length**-found.omega if has_line else 0
            scale = system.length ** (2 * exponent["beta_over_nu"])
            if has_line:
                scale /= np.exp(found.order_amplitude.value * system.length**-found.omega)
            for panel, name, factor, less in ((panels[0], found.observable, 1, correction),
                                              (panels[1], f"{found.order}_squared", scale, 0)):
                value, error = (array * factor for array in system.curves[name])
                value = value - less
                panel.plot(x, value, color=colour, linewidth=width, label=f"$L = {system.length:.6g}$")
                panel.fill_between(x, value - error, value + error, color=colour, alpha=0.25, linewidth=0)
        for panel in panels[:2]:
            panel.set_xlabel(rf"$({_letter(found)} / {_letter(found)}_c - 1)\, L^{{1/\nu}}$")
            panel.locator_params(axis="x", nbins=6)
        name = average_label(found.observable, "")
        panels[0].set_ylabel(rf"{name} $- c\, L^{{-\omega}}$" if has_line else name)
        panels[1].set_ylabel(r"$\langle m^2 \rangle\, L^{2\beta/\nu}" + (r"\, e^{-a L^{-\omega}}$" if has_line else "$"))
        nu, eta = (_text(found.exponents[name]) for name in ("nu", "eta"))
        critical = f"{_critical(found)} = {_text(found.critical)} {found.unit}".rstrip()
        for panel, words in ((panels[0], rf"{critical}, $\nu$ = {nu}"), (panels[1], rf"$\eta$ = {eta}")):
            panel.set_title(words, loc="right", fontsize="medium")
        if has_line:
            _draw_crossings(panels[2], found, 1 / exponent["nu"])
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside right upper")
        return finish(title, figure)


def _draw_crossings(panel: Axes, found: Scaling, y: float) -> None:
    """Near the critical point, the curves f(t L^y) + c L^(-omega) of two sizes are straight lines.
    The distance of their crossing from the critical point is proportional to (L^(-omega) -
    L'^(-omega)) / (L'^y - L^y)."""
    x = np.array([(c.first**-found.omega - c.second**-found.omega) / (c.second**y - c.first**y)
                  for c in found.crossings])
    place = np.array([c.parameter.value for c in found.crossings])
    error = [c.parameter.error for c in found.crossings]
    panel.errorbar(x, place, error, fmt="o", color=CYCLE[0], label="two sizes")
    panel.errorbar([0], [found.critical.value], [found.critical.error], fmt="s", color=CYCLE[1],
                   label=_critical(found))
    weight = 1 / np.array(error) ** 2
    slope = np.sum(weight * x * (place - found.critical.value)) / np.sum(weight * x * x)
    line = np.array([0, 1.05 * x.max()])
    panel.plot(line, found.critical.value + slope * line, color=INK, linewidth=0.9, linestyle="--")
    panel.set_xlabel(r"$(L^{-\omega} - L'^{-\omega}) / (L'^{1/\nu} - L^{1/\nu})$")
    unit = f" ({found.unit})" if found.unit else ""
    panel.set_ylabel(f"Crossing of $L$ and $L'${unit}")
    panel.locator_params(axis="x", nbins=5)
    panel.margins(x=0.06, y=0.08)
    panel.legend(loc="best")


def _draw(panel: Axes, system: ReweightedSystem, curve: Curve, parameter: str, colour: str, factor: float) -> None:
    value, error = (factor * array for array in curve)
    x = system.parameter
    panel.plot(x, value, color=colour, linewidth=1.2, label=f"$L = {system.length:.6g}$")
    panel.fill_between(x, value - error, value + error, color=colour, alpha=0.25, linewidth=0)
    if curve.name not in system.raw:
        return
    sampled = system.states[parameter]
    inside = (sampled >= x[0]) & (sampled <= x[-1])
    raw, bar = (factor * array[inside] for array in system.raw[curve.name])
    panel.errorbar(sampled[inside], raw, bar, color=colour, **_RAW)


def _values(systems: list[ReweightedSystem], name: str) -> np.ndarray:
    """The values of all sizes, one after another."""
    return np.concatenate([system.curves[name].value for system in systems])


def _colours(systems: list[ReweightedSystem]) -> list[str]:
    return [CYCLE[number % len(CYCLE)] for number in range(len(systems))]


def _letter(found: Scaling) -> str:
    return "T" if found.parameter == "temperature" else rf"\{found.parameter}"


def _critical(found: Scaling) -> str:
    return f"${_letter(found)}_c$"


def _text(number) -> str:
    return with_error(number.value, number.error)
