"""Gaps and ground states of quantum Ising chains: python compare.py study.h5 [chain.png]"""

import sys
import tomllib
from dataclasses import dataclass

import h5py
import numpy as np

from larmor.style import BLUE, GREEN, VERMILLION, new_figure, styled

# Excitations with long wavelengths have this velocity at Gamma = J = 1.
VELOCITY = 2.0


def exact_levels(L, gamma):
    """The lowest even and odd level by free fermions (Pfeuty 1970), J = 1."""
    def energy(k):
        return 2 * np.sqrt(1 + gamma**2 - 2 * gamma * np.cos(k))

    n = np.arange(L)
    even = -energy((2 * n + 1) * np.pi / L).sum() / 2
    # The fermion of k = 0 has the energy 2 (Gamma - 1), and is present.
    odd = -energy(2 * n[1:] * np.pi / L).sum() / 2 + (gamma - 1)
    return even, odd


@dataclass(frozen=True)
class Chains:
    """Lowest even and odd levels of rings [points]."""

    L: np.ndarray
    gamma: np.ndarray
    even: np.ndarray
    odd: np.ndarray

    def largest_error(self):
        """The largest difference of a level from that of free fermions."""
        exact = np.array([exact_levels(int(L), gamma) for L, gamma in zip(self.L, self.gamma)])
        return max(abs(self.even - exact[:, 0]).max(), abs(self.odd - exact[:, 1]).max())

    def scaled_gaps(self, L):
        """Gamma and L (E_odd - E_even) of one size."""
        chosen = self.L == L
        return self.gamma[chosen], L * (self.odd - self.even)[chosen]

    def central_charges(self):
        """From pairs of critical rings: E / L = e - pi c v / (6 L^2)."""
        critical = self.gamma == 1
        slope = np.diff(self.even[critical] / self.L[critical]) / np.diff(self.L[critical] ** -2.0)
        return -6 * slope / (np.pi * VELOCITY)

    def scaling_dimension(self):
        """x of the spin from the gap of the largest critical ring: L gap = 2 pi v x."""
        gamma, gaps = self.scaled_gaps(self.L.max())
        return gaps[gamma == 1][0] / (2 * np.pi * VELOCITY)


def gamma_of(point):
    return tomllib.loads(point["study/completed"][()].decode())["field"]["Gamma"]


def chains_of(path):
    rows = []
    with h5py.File(path) as file:
        for point in file["points"].values():
            stage = point["stages/01-spectrum"]
            rows.append((point["model/size"][0], gamma_of(point), stage["even/energy"][0, 0],
                         stage["odd/energy"][0, 0]))
    return Chains(*np.array(rows, dtype=float).T)


def draw(chains):
    figure = new_figure(6.2, 4.2)
    axes = figure.subplots()
    colours = dict(zip(sorted(set(chains.L))[::2], (BLUE, GREEN, VERMILLION)))
    for L, colour in colours.items():
        axes.plot(*chains.scaled_gaps(L), "o", color=colour, label=f"L = {L:.0f}")
        fine = np.linspace(0.6, 1.4, 81)
        exact = np.array([exact_levels(int(L), gamma) for gamma in fine])
        axes.plot(fine, L * (exact[:, 1] - exact[:, 0]), color=colour, linewidth=0.8)
    axes.axhline(np.pi / 2, color="black", linewidth=0.8)
    axes.set(xlabel=r"transverse field $\Gamma / J$", ylabel=r"$L\,(E_{odd} - E_{even})$")
    axes.legend()
    return figure


def main(results, picture="chain.png"):
    chains = chains_of(results)
    print(f"largest error of a level: {chains.largest_error():.1e}")
    print("central charges of pairs of sizes:", np.round(chains.central_charges(), 6))
    print(f"scaling dimension of the spin: {chains.scaling_dimension():.6f}")
    with styled():
        draw(chains).savefig(picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
