"""Crossings of Binder cumulants of the square lattice in a transverse field: python compare.py study.h5 [binder.png]"""

import itertools
import sys
from dataclasses import dataclass

import h5py
import numpy as np

from larmor.style import CYCLE, INK, new_figure, styled

# H. W. J. Bloete and Y. Deng, Phys. Rev. E 66, 066110 (2002).
CRITICAL = 3.04438
DRAWS = 400


@dataclass(frozen=True)
class Cumulants:
    """Binder cumulants of one size, extrapolated to infinitely many slices [fields]."""

    L: int
    gamma: np.ndarray
    value: np.ndarray
    error: np.ndarray

    def drawn(self, random):
        return Cumulants(self.L, self.gamma, random.normal(self.value, self.error), self.error)


def cumulants_of(path):
    sizes = []
    with h5py.File(path) as file:
        for point in file["points"].values():
            stage = point["stages/01-quantum-monte-carlo"]
            sizes.append(Cumulants(int(point["model/size"][0]), stage["Gamma"][()],
                                   stage["extrapolated/binder"][0], stage["extrapolated/binder_error"][0]))
    return sizes


def crossing_of(one, two):
    """The field at which a cubic through the differences is 0; NaN unless there is one in the range of fields."""
    weight = 1 / np.hypot(one.error, two.error)
    roots = np.roots(np.polyfit(one.gamma - CRITICAL, two.value - one.value, 3, w=weight)) + CRITICAL
    inside = [root.real for root in roots if root.imag == 0 and one.gamma[0] < root.real < one.gamma[-1]]
    return inside[0] if len(inside) == 1 else np.nan


def crossing_with_error(one, two):
    random = np.random.default_rng(1)
    draws = [crossing_of(one.drawn(random), two.drawn(random)) for _ in range(DRAWS)]
    return crossing_of(one, two), np.nanstd(draws)


def draw(sizes):
    figure = new_figure(6.2, 4.4)
    axes = figure.subplots()
    for size, colour in zip(sizes, CYCLE):
        axes.errorbar(size.gamma, size.value, size.error, fmt="o", color=colour, label=f"L = {size.L}")
        curve = np.polynomial.Polynomial.fit(size.gamma, size.value, 3, w=1 / size.error)
        axes.plot(*curve.linspace(100), color=colour, linewidth=0.9)
    axes.axvline(CRITICAL, color=INK, linewidth=0.8, linestyle="--", label=r"$\Gamma_c$ of the infinite lattice")
    axes.set(xlabel=r"transverse field $\Gamma / J$", ylabel="Binder cumulant")
    axes.legend()
    return figure


def main(results, picture="binder.png"):
    sizes = cumulants_of(results)
    for one, two in itertools.combinations(sizes, 2):
        value, error = crossing_with_error(one, two)
        print(f"L = {one.L} and {two.L} cross at Gamma = {value:.3f} +- {error:.3f}")
    with styled():
        draw(sizes).savefig(picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
