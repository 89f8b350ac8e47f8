"""Lowest energies that copies of a sample find, with cluster moves and without: python compare.py study.h5 [energies.png]"""

import sys

import numpy as np

import larmor
from larmor.style import BLUE, INK, VERMILLION, new_figure, styled

# Ground-state energy of large systems: M. Diehl, C. De Simone, M. Juenger, P. Mutzel, G. Reinelt
# and G. Rinaldi, report MPI-I-95-1-004 of the Max-Planck-Institut fuer Informatik (1995).
GROUND_STATE = -1.317
NAMES = {2: "with cluster moves", 100000: "single spins alone"}
COPIES = 2


def lowest_of_copies(stage):
    """The lowest energy of each copy up to each time, [time, sample, copy], and the sweeps [time]."""
    energy = stage.series["energy"]
    by_rung = energy.value.reshape(len(energy.value), -1, COPIES, len(stage.temperature))
    return np.minimum.accumulate(by_rung.min(axis=3), axis=0), energy.step


def agreement(lowest):
    """The share of samples whose copies have equal lowest energies [time]."""
    return np.isclose(lowest[..., 0], lowest[..., 1], rtol=0, atol=1e-10).mean(axis=1)


def mean_and_error(of_samples):
    return of_samples.mean(), of_samples.std(ddof=1) / np.sqrt(len(of_samples))


def searches_of(results):
    """Lowest energies and sweeps, by the kind of moves."""
    return {NAMES[int(every)]: lowest_of_copies(point.stages["tempering"])
            for every, point in zip(results.scan.axes[0].values, results.points.values(), strict=True)}


def main(path, picture=None):
    with larmor.open(path) as results:
        searches = searches_of(results)
    for name, (lowest, _) in searches.items():
        value, error = mean_and_error(lowest[-1].min(axis=1))
        print(f"{name:20} lowest energy {value:.4f} +- {error:.4f} a spin; copies agree in "
              f"{agreement(lowest)[-1]:.0%} of the samples")
    print(f"large systems: {GROUND_STATE}")
    if picture is None:
        return
    with styled():
        figure = new_figure(9.6, 4.0)
        energies, shares = figure.subplots(1, 2)
        for (name, (lowest, sweeps)), colour in zip(searches.items(), (BLUE, VERMILLION)):
            energies.plot(sweeps, lowest.mean(axis=(1, 2)), color=colour, label=name)
            shares.plot(sweeps, agreement(lowest), color=colour, label=name)
        energies.axhline(GROUND_STATE, color=INK, linewidth=0.8, linestyle="--", label="large systems")
        energies.set_ylabel("Lowest energy of a copy ($J$ per spin)")
        shares.set_ylabel("Samples whose copies agree")
        for axes in (energies, shares):
            axes.set_xscale("log")
            axes.set_xlabel("Sweeps")
            axes.legend()
        figure.savefig(picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
