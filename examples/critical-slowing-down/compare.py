"""Autocorrelation times of <m^2> against the size of the lattice, and their powers: python compare.py study.h5 [times.png]"""

import sys
from dataclasses import dataclass

import numpy as np

import larmor
from larmor.style import BLUE, VERMILLION, new_figure, styled

# The sum for the autocorrelation time ends at this number of autocorrelation times. A longer window
# adds noise, and a shorter window cuts the sum off.
WINDOW = 6
# Smallest edge for the fit of the powers. Smaller lattices deviate from the powers.
SMALLEST = 16


@dataclass(frozen=True)
class Times:
    """Integrated autocorrelation times in sweeps [n] and their errors, for lattices with edges [n]."""

    edge: np.ndarray
    value: np.ndarray
    error: np.ndarray

    def power(self):
        """z, its error, and ln A of the law A edge^z, by least squares over the edges from SMALLEST
        on."""
        large = self.edge >= SMALLEST
        x, y, weight = (part[large] for part in (np.log(self.edge), np.log(self.value), self.value / self.error))
        terms = np.stack([x, np.ones_like(x)], axis=1) * weight[:, None]
        covariance = np.linalg.inv(terms.T @ terms)
        z, height = covariance @ terms.T @ (y * weight)
        return z, np.sqrt(covariance[0, 0]), height


def autocorrelation_time(series):
    """Integrated time of series [n, R] of R replicas, in samples, and its error. The sum ends at
    WINDOW times the integrated time (N. Madras and A. D. Sokal, J. Stat. Phys. 50, 109 (1988)).
    Independent samples give 1/2."""
    samples, replicas = series.shape
    deviation = series - series.mean()
    spectrum = np.abs(np.fft.rfft(deviation, 2 * samples, axis=0)) ** 2
    correlation = np.fft.irfft(spectrum.mean(axis=1))[:samples] / (samples - np.arange(samples))
    sums = 0.5 + np.cumsum(correlation[1:] / correlation[0])
    window = int(np.argmax(np.arange(1, samples) >= WINDOW * sums))
    return sums[window], sums[window] * np.sqrt(2 * (2 * window + 3) / (samples * replicas))


def times_of(results):
    """Times of the stages, by the name of their sampler."""
    names = ("Metropolis", "Swendsen-Wang")
    found = {name: [] for name in names}
    for point in results.points.values():
        edge = round(np.sqrt(point.model.positions.shape[0]))
        for name, stage in zip(names, point.stages):
            series = stage.series["magnetisation"]
            sweeps = series.step[1] - series.step[0]
            time, error = autocorrelation_time(series.value**2)
            found[name].append((edge, time * sweeps, error * sweeps))
    return {name: Times(*np.array(rows, dtype=float).T) for name, rows in found.items()}


def draw(times):
    figure = new_figure(6.2, 4.8)
    axes = figure.subplots()
    for (name, of), colour, marker in zip(times.items(), (BLUE, VERMILLION), "os"):
        z, error, height = of.power()
        edges = np.array([SMALLEST / 1.15, of.edge[-1] * 1.15])
        axes.plot(edges, np.exp(height) * edges**z, color=colour, linewidth=1)
        axes.errorbar(of.edge, of.value, of.error, color=colour, marker=marker, linestyle="none",
                      label=rf"{name}: $L^{{{z:.2f} \pm {error:.2f}}}$")
    axes.set(xscale="log", yscale="log", xlabel="L", ylabel=r"autocorrelation time of $m^2$, in sweeps",
             xticks=of.edge, xticklabels=[f"{edge:.0f}" for edge in of.edge])
    axes.minorticks_off()
    axes.legend(loc="upper left")
    return figure


def main(results, picture="times.png"):
    with larmor.open(results) as file:
        times = times_of(file)
    for name, of in times.items():
        for edge, value, error in zip(of.edge, of.value, of.error):
            print(f"{name:14} L = {edge:3.0f}: {value:9.2f} +- {error:.2f} sweeps")
        z, error, _ = of.power()
        print(f"{name:14} power {z:.3f} +- {error:.3f}")
    with styled():
        draw(times).savefig(picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
