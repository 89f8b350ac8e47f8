"""Draws S(q, w): a map along a path of wave vectors, maps of a grid of them, spectra of a few, or the
static S(q)."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from .cell_edges import cell_edges
from .dispersion import Dispersion
from .errors import NothingToDraw
from .labels import frequency_label, shown_unit
from .path_axis import limits, mark_path, path_of
from .plot_static import draw_static
from .stage import Stage
from .stage_words import heading
from .structure_factor import COMPONENTS, StructureFactor
from .style import INTENSITY_MAP, SKY, TEMPERATURE_MAP, finish, new_figure, styled
from .zone_map import draw_zone, is_plane

# If there are fewer wave vectors than this, lines are clearer than a map.
_FEWEST_OF_A_MAP = 8
# If the asymmetry of S(q, w) exceeds this, negative frequencies are drawn too.
_ASYMMETRY = 0.15
_SIGMAS = 3


def plot_structure_factor(stage: Stage, title: str = "", component: str | None = None,
                          dispersion: Dispersion | None = None,
                          max_frequency: float | None = None,
                          theory: Dispersion | None = None, number: int = 1) -> Figure:
    """Draws a map of S(q, w) on a logarithmic scale, or spectra if there are fewer than 8 wave vectors.
    On a grid, one map shows S(q, w) integrated over the frequencies, another the frequency where it is
    strongest. If the stage has no frequencies, S(q) is drawn.

    component      xx, yy or zz; None: their sum;
    dispersion     lines to draw over the map;
    theory         spin waves at the wave vectors of S(q, w), to draw over the map or mark in spectra;
                   left out if there is a dispersion
    max_frequency  end of the axis, in the unit shown; None: the end of the signal
    number         number of the structure factor in the stage, from 1

    Raises NothingToDraw if the stage measured no structure factor, or nothing in it is positive.
    """
    if "structure-factor" not in stage:
        raise NothingToDraw("no structure factor was measured")
    factor = stage.structure_factors[number - 1]
    with styled():
        if "intensity" not in factor:
            _refuse(dispersion, "S(q)")
            return finish(heading(title, stage), draw_static(factor, component))
        spectrum = Spectrum(factor, component)
        if is_plane(factor):
            _refuse(dispersion, "a grid of wave vectors")
            return finish(heading(title, stage), _draw_zones(factor, spectrum))
        limit = max_frequency or spectrum.last_frequency()
        if len(spectrum.intensity) < _FEWEST_OF_A_MAP:
            _refuse(dispersion, "the spectra of a few wave vectors")
            return finish(heading(title, stage), _draw_spectra(factor, spectrum, limit, theory))
        return finish(heading(title, stage), _draw_map(factor, spectrum, limit, dispersion or theory))


def _refuse(dispersion: Dispersion | None, picture: str) -> None:
    if dispersion is not None:
        raise NothingToDraw(f"a dispersion can be drawn only over maps, not over {picture}")


class Spectrum:
    """Intensity [Q, F], its noise and its frequencies [F], sorted and in the unit shown."""

    def __init__(self, factor: StructureFactor, component: str | None):
        unit = factor.frequency_unit
        self.scale, _ = shown_unit(unit)
        self.frequency_label = frequency_label(unit)
        self.name = r"$S(\mathbf{q},\omega)$" if component is None else (
            rf"$S^{{{component}}}(\mathbf{{q}},\omega)$")
        order = np.argsort(factor.frequency, kind="stable")
        self.frequency = self.scale * factor.frequency[order]
        intensity = factor.intensity if component is None else (
            factor.components[..., COMPONENTS.index(component)])
        self.intensity = intensity[:, order]
        self.error = factor.error[:, order] if "error" in factor and component is None else None
        # The integral int dw / (2 pi) S(q, w), [Q].
        width = np.diff(factor.frequency[order]).mean()
        self.integrated = self.intensity.sum(axis=1) * width / (2 * np.pi)
        if not np.any(self.intensity > 0):
            raise NothingToDraw("the structure factor is nowhere positive")
        if not self._needs_negative():
            kept = self.frequency >= -1e-9 * np.abs(self.frequency).max()
            self.frequency = self.frequency[kept]
            self.intensity = self.intensity[:, kept]
            self.error = None if self.error is None else self.error[:, kept]

    def _needs_negative(self) -> bool:
        """Does S(q, -w) differ from S(q, w) by more than noise, as in chiral magnets?"""
        positive = np.flatnonzero(self.frequency > 0)
        if len(positive) < 2 or self.frequency[0] >= 0:
            return False
        mirror = np.argmin(np.abs(self.frequency[:, None] + self.frequency[positive]), axis=0)
        forward, backward = self.intensity[:, positive], self.intensity[:, mirror]
        total = forward + backward
        # If there is one replica, the scatter of a spectrum equals its height.
        noise = total**2 / 2
        if self.error is not None:
            known = self.error[:, positive] ** 2 + self.error[:, mirror] ** 2
            noise = np.where(np.isfinite(known), known, noise)
        excess = np.nansum((forward - backward) ** 2 - noise)
        # If two variates are exponential, the variance of the square of their difference is 5
        # noise^2.
        chance = _SIGMAS * np.sqrt(5 * np.nansum(noise**2))
        return bool(excess > max(_ASYMMETRY**2 * np.nansum(total**2), chance))

    def range(self) -> tuple[float, float]:
        """Colour limits: from the noise, the median of the map, to its brightest points.

        At least 1.5 and at most 5 decades; S(q, w) is mostly empty, so its median is background.
        """
        positive = self.intensity[self.intensity > 0]
        highest = float(np.percentile(positive, 99.8))
        return float(np.clip(np.median(positive), 1e-5 * highest, highest / 30)), highest

    def last_frequency(self) -> float:
        """End of the signal, with a small margin. The Nyquist frequency is often far above this
        end."""
        lowest, highest = self.range()
        above = np.nanmax(self.intensity, axis=0) > np.sqrt(lowest * highest)
        last = np.abs(self.frequency[above]).max(initial=0.0)
        whole = np.abs(self.frequency).max()
        return float(min(1.15 * last, whole)) if last > 0 else float(whole)


def _draw_map(factor: StructureFactor, spectrum: Spectrum, limit: float,
              dispersion: Dispersion | None) -> Figure:
    distance, is_path = path_of(factor)
    lowest, highest = spectrum.range()
    figure = new_figure(7.2, 4.8)
    axes = figure.subplots()
    mesh = axes.pcolormesh(cell_edges(distance), cell_edges(spectrum.frequency),
                           np.where(spectrum.intensity.T > lowest, spectrum.intensity.T, lowest),
                           norm=LogNorm(lowest, highest), cmap=INTENSITY_MAP, rasterized=True)
    negative = spectrum.frequency[0] < 0
    axes.set(xlim=limits(distance, is_path), ylim=(-limit if negative else 0.0, limit))
    if negative:
        axes.axhline(0, color="white", linewidth=0.6, alpha=0.5)
    mark_path(axes, factor, distance, is_path, line="white")
    axes.set_ylabel(spectrum.frequency_label)
    axes.tick_params(axis="y", which="both", color="white")
    if dispersion is not None:
        _draw_dispersion(axes, dispersion, spectrum.scale)
    figure.colorbar(mesh, ax=axes, pad=0.02, extend="both", label=spectrum.name)
    return figure


def _draw_zones(factor: StructureFactor, spectrum: Spectrum) -> Figure:
    figure = new_figure(9.6, 4.4)
    left, right = figure.subplots(1, 2)
    total = draw_zone(left, factor, spectrum.integrated, logarithmic=True)
    figure.colorbar(total, ax=left, pad=0.02,
                    label=rf"$\int \mathrm{{d}}\omega$ {spectrum.name} $/ 2\pi$")
    strongest = np.abs(spectrum.frequency[spectrum.intensity.argmax(axis=1)])
    peaks = draw_zone(right, factor, strongest, logarithmic=False, colours=TEMPERATURE_MAP)
    figure.colorbar(peaks, ax=right, pad=0.02,
                    label=f"{spectrum.frequency_label} of the strongest line")
    return figure


def _draw_dispersion(axes: Axes, dispersion: Dispersion, scale: float) -> None:
    branches = [dispersion.frequency]
    if dispersion.negative is not None and axes.get_ylim()[0] < 0:
        branches.append(dispersion.negative)
    lines = axes.plot(dispersion.distance, scale * np.hstack(branches), color=SKY,
                      linewidth=1.5, linestyle=(0, (4, 3)))
    lines[0].set_label(dispersion.name)
    # Above the map, the legend hides no lines.
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 0.99), borderaxespad=0.2)


def _q_text(q: np.ndarray) -> str:
    return "(" + ", ".join(f"{number:.3g}" for number in np.where(np.abs(q) < 1e-9, 0, q)) + ")"


def _draw_spectra(factor: StructureFactor, spectrum: Spectrum, limit: float,
                  theory: Dispersion | None) -> Figure:
    figure = new_figure(8.2, 4.4)
    axes = figure.subplots()
    names = dict(factor.labels)
    for index, (q, intensity) in enumerate(zip(factor.q, spectrum.intensity)):
        (line,) = axes.plot(spectrum.frequency, intensity,
                            label=f"{names.get(index, '')} {_q_text(q)}".strip())
        if spectrum.error is not None and np.all(np.isfinite(spectrum.error[index])):
            error = spectrum.error[index]
            axes.fill_between(spectrum.frequency, intensity - error, intensity + error,
                              color=line.get_color(), alpha=0.25, linewidth=0)
        # Spin waves on a path with more points do not belong to these wave vectors one by one.
        if theory is not None and len(theory.distance) == len(factor.q):
            for branch in (theory.frequency, theory.negative):
                for frequency in [] if branch is None else branch[index]:
                    axes.axvline(spectrum.scale * frequency, color=line.get_color(),
                                 linewidth=0.9, linestyle=(0, (4, 3)))
    axes.set(xlim=(-limit if spectrum.frequency[0] < 0 else 0.0, limit), yscale="log",
             ylim=(spectrum.range()[0] / 3, 2 * np.nanmax(spectrum.intensity)),
             xlabel=spectrum.frequency_label, ylabel=spectrum.name)
    axes.legend(title=r"$\mathbf{q}$ (r.l.u.)", loc="upper left", bbox_to_anchor=(1.0, 1.02),
                alignment="left", handlelength=1.4)
    return figure
