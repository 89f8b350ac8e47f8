"""Compares results with exact solutions of the square lattice and draws them: python compare.py study.h5
[exact.png]"""

import sys

import numpy as np

import larmor
from larmor.style import BLUE, INK, VERMILLION, new_figure, styled

T_C = 2 / np.log(1 + np.sqrt(2))


def elliptic(modulus, complement):
    """Complete elliptic integrals of the first and second kind, by the arithmetic-geometric mean.

    complement  sqrt(1 - modulus^2), since near 1 the modulus does not determine it precisely
"""
    a, b, c = 1.0, complement, modulus
    total, power = c**2 / 2, 1.0
    while abs(c) > 1e-15:
        a, b, c = (a + b) / 2, np.sqrt(a * b), (a - b) / 2
        total += power * c**2
        power *= 2
    return np.pi / (2 * a), np.pi / (2 * a) * (1 - total)


def onsager(T):
    """Energy and specific heat per site of the infinite lattice at temperatures other than T_c (L.
    Onsager, Phys. Rev. 65, 117 (1944))."""
    K = 1 / T
    coth, tanh_squared = 1 / np.tanh(2 * K), np.tanh(2 * K) ** 2
    first, second = elliptic(2 * np.sinh(2 * K) / np.cosh(2 * K) ** 2, abs(2 * tanh_squared - 1))
    energy = -coth * (1 + 2 / np.pi * (2 * tanh_squared - 1) * first)
    specific_heat = 4 / np.pi * (K * coth) ** 2 * (
        first - second - (1 - tanh_squared) * (np.pi / 2 + (2 * tanh_squared - 1) * first))
    return energy, specific_heat


def yang(T):
    """Spontaneous magnetisation of the infinite lattice (C. N. Yang, Phys. Rev. 85, 808 (1952))."""
    return (1 - np.sinh(2 / T) ** -4) ** (1 / 8) if T < T_C else 0.0


def log_partition_function(n, K):
    """ln Z of n by n sites with periodic boundaries, K = J / k_B T (B. Kaufman, Phys. Rev. 76, 1232 (1949))."""
    k = np.arange(1, 2 * n)
    gamma = np.concatenate([[2 * K + np.log(np.tanh(K))],
                            np.arccosh(np.cosh(2 * K) / np.tanh(2 * K) - np.cos(np.pi * k / n))])
    x = n * gamma / 2
    # Logarithms of 2 cosh x and of 2 |sinh x|. Only the first number x may be negative.
    cosh, sinh = (np.abs(x) + np.log1p(sign * np.exp(-2 * np.abs(x))) for sign in (1, -1))
    terms = np.array([cosh[1::2].sum(), sinh[1::2].sum(), cosh[0::2].sum(), sinh[0::2].sum()])
    signs = np.array([1, 1, 1, np.sign(x[0])])
    return terms[0] + np.log((signs * np.exp(terms - terms[0])).sum() / 2) + n**2 / 2 * np.log(2 * np.sinh(2 * K))


def kaufman(n, T, step=2e-4):
    """Energy and specific heat per site of n by n sites with periodic boundaries. 1 / T must differ
    from 1 / T_c by more than `step`, because sinh x is 0 at T_c."""
    K = 1 / T
    below, here, above = (log_partition_function(n, K + shift) for shift in (-step, 0, step))
    return -(above - below) / (2 * step * n**2), K**2 * (above + below - 2 * here) / (step * n) ** 2


def draw(stage, edge):
    temperatures = np.linspace(1.4, 3.6, 800)
    torus = np.array([kaufman(edge, T) for T in temperatures])
    infinite = np.array([(*onsager(T), yang(T)) for T in temperatures])
    figure = new_figure(11, 5)
    for number, name in enumerate(("energy", "specific_heat", "magnetisation")):
        panel = figure.add_subplot(3, 3, (number + 1, number + 4))
        strip = figure.add_subplot(3, 3, number + 7, sharex=panel)
        value, error = stage.averages[name]
        panel.plot(temperatures, infinite[:, number], color=VERMILLION, linestyle="--",
                   label="infinite lattice, " + ("Yang" if number == 2 else "Onsager"))
        if number < 2:
            panel.plot(temperatures, torus[:, number], color=INK, label=f"torus of {edge} x {edge}, Kaufman")
            exact = np.array([kaufman(edge, T)[number] for T in stage.temperature])
        else:
            # Above 2.15, a finite lattice has a larger magnetisation than the infinite lattice,
            # which has none above T_c.
            exact = np.array([yang(T) if T < 2.15 else np.nan for T in stage.temperature])
        panel.errorbar(stage.temperature, value, error, color=BLUE, marker="o", linestyle="none", label="Larmor")
        panel.set_ylabel(("energy a site", "specific heat a site", "magnetisation |m|")[number])
        panel.tick_params(labelbottom=False)
        if number != 1:
            panel.legend(loc="upper left" if number == 0 else "upper right", fontsize=9)
        strip.axhline(0, color=INK if number < 2 else VERMILLION, linewidth=0.9)
        strip.errorbar(stage.temperature, (value - exact) / error, np.ones_like(error), color=BLUE, marker="o",
                       linestyle="none")
        strip.set(ylim=(-4.5, 4.5), ylabel="off, in errors", xlabel=r"$k_B T / J$")
    figure.axes[2].set_ylim(0, 3)
    return figure


def main(results, picture="exact.png"):
    with larmor.open(results) as file:
        stage = file.stages[0]
        edge = round(np.sqrt(file.model.positions.shape[0]))
        energy, specific_heat, magnetisation = (
            stage.averages[name] for name in ("energy", "specific_heat", "magnetisation"))
        print("     T   energy  error     exact    C   error   exact   |m|   error   infinite lattice")
        for point, T in enumerate(stage.temperature):
            exact = kaufman(edge, T)
            print(f"{T:6.4f} {energy.value[point]:8.5f} {energy.error[point]:.5f} {exact[0]:8.5f}  "
                  f"{specific_heat.value[point]:6.4f} {specific_heat.error[point]:.4f} {exact[1]:6.4f}  "
                  f"{magnetisation.value[point]:6.4f} {magnetisation.error[point]:.5f} {yang(T):6.4f}")
        with styled():
            draw(stage, edge).savefig(picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
