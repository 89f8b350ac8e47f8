"""Central charge, correlation length and domain wall of critical strips: python compare.py study.h5 [strips.png]"""

import sys
from dataclasses import dataclass

import h5py
import numpy as np

from larmor.style import BLUE, GREEN, VERMILLION, new_figure, styled

# -beta f of the infinite critical lattice: ln(2) / 2 + 2 G / pi, with Catalan's constant G.
INFINITE = np.log(2) / 2 + 2 * 0.915965594177219015 / np.pi


@dataclass(frozen=True)
class Strips:
    """Strips of circumference `edge` [n]. For each edge: -beta f per site, the correlation length
    of the spins and the free energy of a domain wall over k_B T [n]."""

    edge: np.ndarray
    free_energy: np.ndarray
    length: np.ndarray
    wall: np.ndarray

    def central_charges(self):
        """c from three sizes: -beta f = f_inf + pi c / (6 L^2) + a / L^4, with f_inf, c and a unknown. [n - 2]"""
        found = []
        for n in range(len(self.edge) - 2):
            L = self.edge[n:n + 3]
            terms = np.stack([np.ones(3), np.pi / (6 * L**2), L**-4.0], axis=1)
            found.append(np.linalg.solve(terms, self.free_energy[n:n + 3])[1])
        return np.array(found)

    def central_charges_of_pairs(self):
        """c from two sizes, without the term a / L^4. [n - 1]"""
        slope = np.diff(self.free_energy) / np.diff(self.edge**-2.0)
        return 6 * slope / np.pi


def strips_of(path):
    rows = []
    with h5py.File(path) as file:
        for point in file["points"].values():
            stage = point["stages/01-transfer-matrix"]
            temperature = stage["temperature"][0]
            rows.append((stage.attrs["sites_of_row"], -stage["free_energy"][0] / temperature,
                         stage["correlation_length_odd"][0], stage["domain_wall"][0] / temperature))
    return Strips(*np.array(rows, dtype=float).T)


def draw(strips):
    figure = new_figure(6.2, 6.4)
    upper, lower = figure.subplots(2, sharex=True)
    edges = strips.edge
    upper.plot(edges[:-2], strips.central_charges(), "o", color=BLUE, label=r"three sizes, with a term of $1/L^4$")
    upper.plot(edges[:-1], strips.central_charges_of_pairs(), "s", color=VERMILLION, label="two sizes")
    upper.axhline(0.5, color="black", linewidth=0.8)
    upper.set(ylabel="central charge c")
    upper.legend()
    lower.plot(edges, edges / (np.pi * strips.length), "o", color=BLUE, markersize=12, fillstyle="none",
               label=r"$L / (\pi \xi)$, limit 1/4")
    lower.plot(edges, edges * strips.wall / np.pi, "s", color=GREEN,
               label=r"$L \sigma / (\pi k_B T)$ of a domain wall, limit 1/4")
    lower.axhline(0.25, color="black", linewidth=0.8)
    lower.set(xlabel="circumference L (smallest of the sizes)", xticks=edges)
    lower.legend()
    return figure


def main(results, picture="strips.png"):
    strips = strips_of(results)
    for edge, free_energy, length, wall in zip(strips.edge, strips.free_energy, strips.length, strips.wall):
        print(f"L = {edge:2.0f}: -beta f - infinite = {free_energy - INFINITE:.10f}, L / (pi xi) = "
              f"{edge / (np.pi * length):.8f}, L sigma / (pi k_B T) = {edge * wall / np.pi:.8f}")
    for edge, c in zip(strips.edge, strips.central_charges()):
        print(f"c of L = {edge:.0f}, {edge + 2:.0f}, {edge + 4:.0f}: {c:.6f}")
    with styled():
        draw(strips).savefig(picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
