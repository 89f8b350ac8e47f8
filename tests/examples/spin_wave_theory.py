"""Spin waves of the classical square-lattice ferromagnet at low temperature.

Hartree-Fock theory is of first order in T. Classical spins have no kinematic interaction (Dyson).
The exchange part of the frequency is multiplied by Z = 1 - (1/N) sum_k (1 - gamma_k) n_k, with n_k
= T / omega_k and gamma_k = (cos kx + cos ky) / 2. The sum is over the wave vectors of the lattice.
"""

import numpy as np


def frequencies(qx, qy, temperature, field=0.5, exchange=1.0, length=100):
    """omega(q) for wave vectors in radians, with self-consistent Z."""
    k = 2 * np.pi * np.arange(length) / length
    bracket = 1 - (np.cos(k)[:, None] + np.cos(k)[None, :]) / 2
    factor = 1.0
    for _ in range(50):
        occupation = temperature / (field + 4 * exchange * factor * bracket)
        factor = 1 - np.mean(bracket * occupation)
    return field + 2 * exchange * factor * (2 - np.cos(qx) - np.cos(qy))


def fit_peak(frequency, intensity):
    """Frequency of the maximum, by a parabola through the logarithms of three points."""
    top = int(np.argmax(intensity))
    left, centre, right = np.log(intensity[top - 1 : top + 2])
    return frequency[top] + 0.5 * (left - right) / (left - 2 * centre + right) * (
        frequency[1] - frequency[0]
    )


def ridge_offsets(factor, waves, window=4):
    """Distances, in bins, of lines of S(q,w) from the lines of a spin-waves stage, for every
    resolved line. A resolved line has no other intense line nearby, and at least a twentieth of the
    intensity at its q.

    factor, waves  groups structure-factor and dispersion of the same wave vectors
"""
    frequency, spectra = factor["frequency"][:], factor["intensity"][:]
    lines, strength = waves["frequency"][:], waves["intensity"][:]
    np.testing.assert_allclose(factor["q"][:], waves["q"][:], atol=1e-12)
    width = frequency[1] - frequency[0]
    offsets = []
    for spectrum, line, weight in zip(spectra, lines, strength):
        total = 2 * weight.sum()
        for mode, place in enumerate(line):
            apart = np.abs(line - place)
            near = (apart > 1e-6) & (apart < 2 * window * width) & (weight > 1e-3 * total)
            if weight[mode] < 0.05 * total or np.any(near) or place < 2 * window * width:
                continue
            centre = int(np.argmin(np.abs(frequency - place)))
            around = slice(centre - window, centre + window + 1)
            offsets.append((fit_peak(frequency[around], spectrum[around]) - place) / width)
    return np.array(offsets)
