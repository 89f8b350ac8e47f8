"""Histograms of the energy of Potts models at T_c, with exact results: python compare.py study.h5
[energies.png]"""

import sys

import numpy as np

import larmor
from larmor.style import BLUE, INK, VERMILLION, new_figure, styled


def critical_temperature(q):
    """k_B T_c / J (R. J. Baxter, J. Phys. C 6, L445 (1973))."""
    return 1 / np.log(1 + np.sqrt(q))


def energies_at_t_c(q):
    """Energies per site of the ordered and of the disordered phase at T_c on the infinite lattice.
    If q <= 4, the energies are equal (Baxter)."""
    middle = -(1 + 1 / np.sqrt(q))
    if q <= 4:
        return middle, middle
    theta = np.arccosh(np.sqrt(q) / 2)
    latent_heat = -2 * middle * np.tanh(theta / 2) * np.prod(np.tanh(np.arange(1, 1000) * theta) ** 2)
    return middle - latent_heat / 2, middle + latent_heat / 2


def border_of_phases(energy, q):
    """The least likely energy between the energies of the ordered and of the disordered phase."""
    counts, edges = np.histogram(energy, 20, energies_at_t_c(q))
    least = counts.argmin()
    return (edges[least] + edges[least + 1]) / 2


def weights_at(beta_shift, energy, sites):
    """Weights [n, R] of samples at T_c for averages at 1 / T_c + beta_shift, with the sum 1.

    energy  [n, R] per site
"""
    exponents = -beta_shift * sites * (energy - energy.mean())
    weights = np.exp(exponents - exponents.max())
    return weights / weights.sum()


def equal_weight(energy, sites, border):
    """The shift of 1 / T_c at which energies below and above `border` have equal weights, by
    bisection."""
    low, high = -20 / sites, 20 / sites
    while high - low > 1e-9:
        middle = (low + high) / 2
        ordered = weights_at(middle, energy, sites)[energy < border].sum()
        low, high = (low, middle) if ordered > 0.5 else (middle, high)
    return (low + high) / 2


def with_error(of_replicas, energy):
    """A number from all samples [n, R], and its jackknife error over replicas."""
    replicas = energy.shape[1]
    without = np.array([of_replicas(np.delete(energy, r, axis=1)) for r in range(replicas)])
    return of_replicas(energy), np.sqrt((replicas - 1) * without.var())


def measured(energy, q, sites):
    """The weight of the ordered phase at T_c, and the temperature at which both phases have equal
    weights. Both numbers have errors."""
    border = border_of_phases(energy, q)
    share = with_error(lambda some: (some < border).mean(), energy)
    beta = 1 / critical_temperature(q)
    temperature = with_error(lambda some: 1 / (beta + equal_weight(some, sites, border)), energy)
    return share, temperature


def draw(series, sites):
    """series  energies per site [n, R] by q"""
    figure = new_figure(10, 4.2)
    for number, (q, energy) in enumerate(series.items()):
        panel = figure.add_subplot(1, 2, number + 1)
        bins = np.arange(-2, -0.6, 8 / sites) - 0.5 / sites
        order, disorder = energies_at_t_c(q)
        panel.hist(energy.ravel(), bins, density=True, histtype="stepfilled", color=BLUE, alpha=0.45, label=r"at $T_c$")
        if order < disorder:
            shift = equal_weight(energy, sites, border_of_phases(energy, q))
            weights = weights_at(shift, energy, sites)
            panel.hist(energy.ravel(), bins, weights=weights.ravel(), density=True, histtype="step", color=VERMILLION,
                       linewidth=1.6, label=f"reweighted to T = {1 / (1 / critical_temperature(q) + shift):.4f}")
        for place in {order, disorder}:
            panel.axvline(place, color=INK, linestyle=":", label="infinite lattice, exact" if place == order else None)
        panel.set(xlim=(-2, -0.6), xlabel="energy a site", ylabel="density", title=f"q = {q:.0f}")
        panel.legend(loc="upper right", fontsize=9.5, frameon=True, framealpha=1, edgecolor="none")
    return figure


def main(results, picture="energies.png"):
    with larmor.open(results) as file:
        states = file.scan.axes[0].values
        series = {q: file.point(number).stages[0].series["energy"].value for number, q in enumerate(states)}
        sites = file.point(0).model.positions.shape[0]
    for q, energy in series.items():
        order, disorder = energies_at_t_c(q)
        mean, error = with_error(np.mean, energy)
        print(f"q = {q:.0f}: T_c = {critical_temperature(q):.6f}, energy {mean:.4f} +- {error:.4f}")
        if order == disorder:
            print(f"  infinite lattice {order:.4f}")
            continue
        share, temperature = measured(energy, q, sites)
        print(f"  energies of order and disorder {order:.5f} and {disorder:.5f}; weighted by q and 1 "
              f"{(q * order + disorder) / (q + 1):.4f}")
        print(f"  share of order {share[0]:.3f} +- {share[1]:.3f}; q / (q + 1) = {q / (q + 1):.3f}")
        print(f"  equal weights at T = {temperature[0]:.5f} +- {temperature[1]:.5f}")
    with styled():
        draw(series, sites).savefig(picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
