"""Compares the entropy and the free energy of a population with those of a transfer matrix, and draws them:
python compare.py study.h5 [entropy.png]"""

import sys

import numpy as np

import larmor
from larmor.style import BLUE, INK, VERMILLION, new_figure, styled

# Entropy per site of the infinite lattice at T = 0 (G. H. Wannier, Phys. Rev. 79, 357 (1950)).
WANNIER = 0.3230659669


def log_partition_function(width, length, K):
    """ln Z of width x length sites with periodic boundaries and three bonds per site, K = -|J| / k_B T.

    Z is the trace of T^length, with the matrix T of the weights of two neighbouring rows. Weights are relative
    to that of a ground state, which has the energy -|J| per site.
"""
    rows = 1 - 2 * ((np.arange(2**width)[:, None] >> np.arange(width)) & 1)
    within = (rows * np.roll(rows, 1, axis=1)).sum(axis=1)
    between = rows @ rows.T + rows @ np.roll(rows, 1, axis=1).T
    matrix = np.exp(K * (within[:, None] + between) - abs(K) * width)
    return np.log(np.trace(np.linalg.matrix_power(matrix, length))) + abs(K) * width * length


def exact(width, length, T, step=1e-4):
    """Energy, free energy and entropy per site, J = -1."""
    sites, K = width * length, -1 / T
    here, above, below = (log_partition_function(width, length, K + shift) for shift in (0, step, -step))
    # K is minus the inverse temperature.
    energy = (above - below) / (2 * step * sites)
    return energy, -T * here / sites, here / sites + energy / T


def draw(stage, known):
    figure = new_figure(10, 4.6)
    for number, (name, label) in enumerate((("entropy", "entropy a site"), ("free_energy", "free energy a site")), 1):
        panel = figure.add_subplot(3, 2, (number, number + 2))
        strip = figure.add_subplot(3, 2, number + 4, sharex=panel)
        value, error = stage.averages[name]
        column = known[:, 2 if name == "entropy" else 1]
        panel.plot(stage.temperature, column, color=INK, label="transfer matrix")
        panel.errorbar(stage.temperature, value, error, color=BLUE, marker="o", markersize=3, linestyle="none",
                       label="Larmor")
        if name == "entropy":
            panel.axhline(WANNIER, color=VERMILLION, linestyle="--", label="infinite lattice at T = 0, Wannier")
        panel.set(xscale="log", ylabel=label)
        panel.tick_params(labelbottom=False)
        panel.legend(fontsize=9)
        strip.axhline(0, color=INK, linewidth=0.9)
        strip.errorbar(stage.temperature, (value - column) / error, np.ones_like(error), color=BLUE, marker="o",
                       markersize=3, linestyle="none")
        strip.set(ylim=(-4.5, 4.5), ylabel="off, in errors", xlabel=r"$k_B T / |J|$")
    return figure


def main(results, picture="entropy.png"):
    with larmor.open(results) as file:
        stage = file.stages[0]
        width, length, _ = file.model.size
        known = np.array([exact(width, length, T) for T in stage.temperature])
        entropy, free_energy = (stage.averages[name] for name in ("entropy", "free_energy"))
        print("     T       S   error    exact         F   error     exact")
        for point, T in enumerate(stage.temperature):
            print(f"{T:6.3f} {entropy.value[point]:7.5f} {entropy.error[point]:.5f}  {known[point, 2]:7.5f}  "
                  f"{free_energy.value[point]:8.5f} {free_energy.error[point]:.5f}  {known[point, 1]:8.5f}")
        with styled():
            draw(stage, known).savefig(picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
