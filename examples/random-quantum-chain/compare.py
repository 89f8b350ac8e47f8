"""Gaps of random quantum Ising chains: python compare.py study.h5 [gaps.png]"""

import sys
from dataclasses import dataclass

import h5py
import numpy as np

from larmor.style import BLUE, GREEN, VERMILLION, new_figure, styled

# Lengths and samples of the free-fermion chains that continue those of the study.
CONTINUED = {4: 100000, 8: 100000, 16: 50000, 32: 20000, 64: 6000}


def free_fermion_gaps(J, gamma):
    """Gaps of chains with free ends (Lieb, Schultz, Mattis 1961; Pfeuty 1970). J: [samples, L - 1], gamma: [samples, L].

    The energies of the fermions are twice the singular values of a matrix with Gamma on its diagonal and J next to it.
    """
    L = gamma.shape[1]
    matrices = np.zeros((len(gamma), L, L))
    matrices[:, np.arange(L), np.arange(L)] = gamma
    matrices[:, np.arange(L - 1), np.arange(1, L)] = -J
    return 2 * np.linalg.svd(matrices, compute_uv=False)[:, -1]


def random_gaps(L, samples, random):
    """Gaps of new samples, whose J and Gamma are uniform between 0 and 1."""
    return free_fermion_gaps(random.random((samples, L - 1)), random.random((samples, L)))


def spread(gaps):
    """The standard deviation of ln(gap), and its error."""
    ln = np.log(gaps)
    deviations = ln - ln.mean()
    variance = (deviations**2).mean()
    # The variance of a variance has the fourth moment; a distribution with long tails has a large one.
    of_variance = ((deviations**4).mean() - variance**2) / len(ln)
    return ln.std(ddof=1), np.sqrt(of_variance / variance) / 2


@dataclass(frozen=True)
class Chains:
    """Samples of one length: J [samples, L - 1], Gamma [samples, L] and gaps [samples]."""

    J: np.ndarray
    gamma: np.ndarray
    gaps: np.ndarray

    @property
    def L(self):
        return self.gamma.shape[1]

    def largest_error(self):
        """The largest difference of a gap from that of free fermions with the same couplings."""
        return abs(self.gaps - free_fermion_gaps(self.J, self.gamma)).max()

    def scaled_spread(self):
        """The standard deviation of ln(gap) over the root of L, and its error."""
        return np.array(spread(self.gaps)) / np.sqrt(self.L)


def chains_of(path):
    """The lengths of a study, the shortest first."""
    found = []
    with h5py.File(path) as file:
        for point in file["points"].values():
            found.append(Chains(point["model/J"][()], point["model/Gamma"][()], point["stages/01-spectrum/gap"][()]))
    return sorted(found, key=lambda chains: chains.L)


def continuation():
    """Lengths, and scaled spreads with errors [lengths, 2], by free fermions."""
    random = np.random.default_rng(1)
    rows = [np.array(spread(random_gaps(L, samples, random))) / np.sqrt(L) for L, samples in CONTINUED.items()]
    return np.array(list(CONTINUED)), np.array(rows)


def draw(found):
    figure = new_figure(6.2, 6.4)
    upper, lower = figure.subplots(2)
    lengths, rows = continuation()
    upper.errorbar(lengths, rows[:, 0], rows[:, 1], color="black", linewidth=0.8, label="free fermions")
    values = np.array([chains.scaled_spread() for chains in found])
    upper.errorbar([chains.L for chains in found], values[:, 0], values[:, 1], fmt="o", color=BLUE, label="Larmor")
    upper.set_xscale("log", base=2)
    upper.set_xticks(lengths, [str(L) for L in lengths])
    upper.set(xlabel="length L", ylabel=r"std($\ln$ gap) / $\sqrt{L}$")
    upper.legend()
    edges = np.linspace(-5, 0.4, 28)
    random = np.random.default_rng(2)
    for L, colour in zip((4, 8), (BLUE, GREEN)):
        for chains in found:
            if chains.L == L:
                lower.stairs(*np.histogram(np.log(chains.gaps) / np.sqrt(L), edges, density=True), color=colour,
                             label=f"L = {L}")
    lower.stairs(*np.histogram(np.log(random_gaps(64, 4000, random)) / 8, edges, density=True), color=VERMILLION,
                 label="L = 64, free fermions")
    lower.set(xlabel=r"$\ln$ gap / $\sqrt{L}$", ylabel="probability density")
    lower.legend()
    return figure


def main(results, picture="gaps.png"):
    found = chains_of(results)
    print(f"largest error of a gap: {max(chains.largest_error() for chains in found):.1e}")
    for chains in found:
        value, error = chains.scaled_spread()
        print(f"L = {chains.L:2d}: std(ln gap) / sqrt(L) = {value:.3f} +- {error:.3f}")
    with styled():
        draw(found).savefig(picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
