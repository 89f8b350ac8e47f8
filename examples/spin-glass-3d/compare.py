"""Correlation lengths of the glass over L, and the crossings of their curves: python compare.py study.h5
[crossing.png]"""

import sys
from dataclasses import dataclass

import numpy as np

import larmor
from larmor.style import CYCLE, INK, new_figure, styled

# Critical temperature T_c of +-J couplings, 1.1019(29), and xi/L at T_c, 0.6516(32): M. Baity-Jesi
# et al., Phys. Rev. B 88, 224416 (2013).
CRITICAL = 1.1019
RATIO = 0.6516


@dataclass(frozen=True)
class Curve:
    """xi/L of cubes with a given edge, with errors, at rising temperatures [P]."""

    edge: int
    temperature: np.ndarray
    value: np.ndarray
    error: np.ndarray


def curves_of(results):
    curves = []
    for point in results.points.values():
        stage = point.stages["tempering"]
        value, error = stage.overlap.averages["correlation_length_ratio"]
        curves.append(Curve(int(point.model.size[0]), stage.temperature, value, error))
    return sorted(curves, key=lambda curve: curve.edge)


def crossing(small, large, draws=2000):
    """Temperature at which two curves cross, and its error. The curves are lines between points
    with randomly drawn values. Below the crossing, the larger system has the larger xi/L."""
    random = np.random.default_rng(1)
    found = []
    for n in range(draws + 1):
        # The first set of values is used without noise.
        noise = [0.0, 0.0] if n == 0 else random.standard_normal((2, len(small.temperature)))
        gap = large.value + noise[1] * large.error - small.value - noise[0] * small.error
        changes = np.flatnonzero((gap[:-1] > 0) & (gap[1:] <= 0))
        if len(changes) == 0:
            continue
        at = changes[-1]
        T = small.temperature
        found.append(T[at] + (T[at + 1] - T[at]) * gap[at] / (gap[at] - gap[at + 1]))
    return (found[0], np.std(found[1:])) if len(found) > draws / 2 else (np.nan, np.nan)


def main(path, picture=None):
    with larmor.open(path) as results:
        curves = curves_of(results)
    for large in curves[1:]:
        T, error = crossing(curves[0], large)
        print(f"L = {curves[0].edge} and {large.edge} cross at T = {T:.3f} +- {error:.3f}")
    print(f"T_c = {CRITICAL} (Baity-Jesi et al. 2013)")
    if picture is None:
        return
    with styled():
        figure = new_figure(6.2, 4.4)
        axes = figure.subplots()
        for curve, colour in zip(curves, CYCLE):
            axes.errorbar(curve.temperature, curve.value, curve.error, fmt="o-", color=colour, label=f"L = {curve.edge}")
        axes.axvline(CRITICAL, color=INK, linewidth=0.8, linestyle="--")
        axes.plot(CRITICAL, RATIO, "*", color=INK, markersize=11, label="large L at $T_c$")
        axes.set_xlabel("Temperature $T$ ($J$)")
        axes.set_ylabel(r"$\xi / L$")
        axes.legend()
        figure.savefig(picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
