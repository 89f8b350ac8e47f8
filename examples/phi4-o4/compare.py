"""Draws susceptibility, order parameter and Binder cumulant of O(4) fields against kappa, with the expansion
at small kappa: python compare.py study.h5 [ladder.png]"""

import sys

import numpy as np

import larmor
from larmor.style import BLUE, INK, VERMILLION, new_figure, styled

# Numbers of self-avoiding walks of n steps on the hypercubic lattice of four dimensions.
WALKS = (1, 8, 56, 392, 2696)


def bond(kappa):
    """<phi_x . phi_y> of two isolated sites is I_2(K) / I_1(K), with K = 2 kappa, for four
    components (H. E. Stanley, Phys. Rev. 179, 570 (1969)). It is computed by the continued fraction
    of Gauss."""
    K, ratio = 2 * kappa, 0.0
    for order in range(30, 1, -1):
        ratio = K / (2 * order + K * ratio)
    return ratio


def bond_on_the_lattice(kappa):
    """<phi_x . phi_y> of neighbours in four dimensions, up to the third power of the correlation of
    a bond. Each bond is a side of 6 squares."""
    return bond(kappa) + 6 * bond(kappa) ** 3


def susceptibility(kappa):
    """V <m^2> up to the fourth power of the correlation of a bond. A walk of n steps contributes
    the n-th power."""
    return sum(walks * bond(kappa) ** steps for steps, walks in enumerate(WALKS))


def draw(stage):
    kappa = stage.kappa
    figure = new_figure(11, 3.9)
    panels = figure.subplots(1, 3)
    value, error = stage.averages["improved_susceptibility"]
    small = np.linspace(0, 0.2, 100)
    panels[0].plot(small, susceptibility(small), color=VERMILLION, label="small kappa, to 4th order")
    panels[0].set(yscale="log", ylabel=r"$V \langle m^2 \rangle$, by clusters")
    panels[0].errorbar(kappa, value, error, color=BLUE, marker="o", linestyle="none", label="Larmor")
    panels[0].legend(loc="upper left")
    near = kappa > 0.27
    for panel, name, label in ((panels[1], "m2", r"$\langle m^2 \rangle$"),
                               (panels[2], "binder_cumulant", "Binder cumulant")):
        value, error = stage.averages[name]
        panel.errorbar(kappa[near], value[near], error[near], color=BLUE, marker="o", linewidth=1)
        panel.set_ylabel(label)
        panel.axvline(0.304, color=INK, linestyle=":")
    panels[1].text(0.3035, 0.13, "transition of the\ninfinite lattice", ha="right", fontsize=9.5)
    for height, words in ((1 / 2, "disorder: 1/2"), (2 / 3, "order: 2/3")):
        panels[2].axhline(height, color=VERMILLION, linestyle="--", linewidth=1)
        panels[2].text(0.331 if height < 0.6 else 0.279, height + 0.004, words, fontsize=9.5,
                       ha="right" if height < 0.6 else "left")
    panels[2].set_ylim(0.47, 0.69)
    for panel in panels:
        panel.set_xlabel(r"$\kappa$")
    return figure


def main(results, picture="ladder.png"):
    with larmor.open(results) as file:
        stage = file.stages[0]
        print(" kappa   V <m^2>    error  4th order     bond    error  3rd order")
        for point, kappa in enumerate(stage.kappa):
            (chi, chi_error), (link, link_error) = (
                [part[point] for part in stage.averages[name]] for name in ("improved_susceptibility", "bond"))
            exact = f"{susceptibility(kappa):10.5f}" if kappa < 0.15 else " " * 10
            exact_link = f"{bond_on_the_lattice(kappa):10.6f}" if kappa < 0.15 else ""
            print(f"{kappa:6.3f} {chi:9.4f} {chi_error:8.4f} {exact} {link:9.5f} {link_error:.6f} {exact_link}")
        with styled():
            draw(stage).savefig(picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
