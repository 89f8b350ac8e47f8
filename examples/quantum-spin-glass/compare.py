"""Samples of a quantum spin glass, compared with their exact levels: python compare.py study.h5 [samples.png]"""

import sys
from dataclasses import dataclass

import h5py
import numpy as np
from matplotlib.ticker import NullFormatter

from larmor.style import BLUE, CYCLE, GREEN, INK, PURPLE, VERMILLION, new_figure, styled

# The samples whose correlations the picture shows, and tau / beta at which the fit of the gap begins.
SHOWN = (5, 0, 4, 3)
GAP_FROM = 0.25
GAP_LABEL = r"exact gap $E_{odd} - E_{even}$"


@dataclass(frozen=True)
class Values:
    """Averages of quantum Monte Carlo with exact values; all have the shape [samples] or [samples, sites]."""

    exact: np.ndarray
    value: np.ndarray
    error: np.ndarray

    def deviations(self):
        return (self.value - self.exact) / self.error

    def chi2(self):
        return (self.deviations() ** 2).sum()


@dataclass(frozen=True)
class Samples:
    """All samples. `even` and `odd` have the two lowest levels of each [samples, 2]."""

    beta: float
    even: np.ndarray
    odd: np.ndarray
    gap: Values
    energy: Values
    sx: Values
    overlap: Values
    binder: np.ndarray
    binder_error: np.ndarray
    tau: np.ndarray
    correlation: np.ndarray
    correlation_error: np.ndarray

    def weight_of_higher_levels(self):
        """The largest weight of the second even and odd levels, which the exact averages leave out."""
        above = np.minimum(self.even[:, 1], self.odd[:, 1]) - self.even[:, 0]
        return np.exp(-self.beta * above).max()


def thermal(even, odd, weight):
    """The average over two states [samples, ..]. @param weight that of the odd state [samples]"""
    weight = weight.reshape(-1, *[1] * (even.ndim - 1))
    return (1 - weight) * even + weight * odd


def samples_of(path):
    with h5py.File(path) as file:
        even, odd, sampled = (stage for stage in file["stages"].values())
        beta = 1 / sampled["temperature"][0]
        levels = even["even/energy"][()], odd["odd/energy"][()]
        gap = levels[1][:, 0] - levels[0][:, 0]
        weight = 1 / (1 + np.exp(beta * gap))
        szsz = thermal(even["szsz"][()], odd["szsz"][()], weight)

        def values(name, exact):
            return Values(exact, sampled[name][0, :, 0], sampled[f"{name}_error"][0, :, 0])

        return Samples(
            beta=beta, even=levels[0], odd=levels[1],
            gap=values("gap", gap),
            energy=values("energy", thermal(levels[0][:, 0], levels[1][:, 0], weight) / szsz.shape[-1]),
            sx=values("sx", thermal(even["sx"][()], odd["sx"][()], weight)),
            # Copies are independent, so q^2 is the mean square of the correlations of all pairs.
            overlap=values("overlap_squared", (szsz**2).mean(axis=(1, 2))),
            binder=sampled["overlap_binder"][0, :, 0], binder_error=sampled["overlap_binder_error"][0, :, 0],
            tau=sampled["imaginary_time"][()] * beta,
            correlation=sampled["local_time_correlation"][0, :, 0],
            correlation_error=sampled["local_time_correlation_error"][0, :, 0])


def ends_of(samples):
    """The ends of the axes of gaps."""
    return np.array([0.7 * samples.gap.exact.min(), 1.5 * samples.gap.exact.max()])


def draw_correlations(axes, samples):
    """The slopes of the lines are exact gaps; their heights are fitted."""
    fitted = samples.tau >= GAP_FROM * samples.beta
    for sample, colour in zip(SHOWN, CYCLE):
        gap, G, error = samples.gap.exact[sample], samples.correlation[sample], samples.correlation_error[sample]
        shape = np.cosh(gap * (samples.beta / 2 - samples.tau))
        height = np.average(G[fitted] / shape[fitted], weights=(shape[fitted] / error[fitted]) ** 2)
        axes.errorbar(samples.tau[::2], G[::2], error[::2], fmt="o", markersize=3.2, color=colour,
                      label=f"{gap:.3f}")
        axes.plot(samples.tau, height * shape, color=colour, linewidth=0.9)
    axes.axvspan(GAP_FROM * samples.beta, samples.beta / 2, color="0.93", zorder=0)
    axes.set(xlabel=r"imaginary time $\tau$", ylabel=r"local correlation $G(\tau)$", yscale="log",
             xlim=(0, samples.beta / 2), ylim=(0.002, 1.2))
    axes.legend(title="exact gap", loc="lower left", ncols=2, handletextpad=0.2, columnspacing=0.8)


def draw_gaps(axes, samples):
    gap, ends = samples.gap, ends_of(samples)
    axes.plot(ends, ends, color=INK, linewidth=0.8)
    axes.errorbar(gap.exact, gap.value, gap.error, fmt="o", color=BLUE)
    axes.set(xlabel=GAP_LABEL, ylabel="gap from Monte Carlo", xscale="log", yscale="log",
             xlim=ends, ylim=ends)


def draw_overlaps(axes, samples):
    axes.plot(samples.gap.exact, samples.overlap.exact, "o", color=INK, fillstyle="none", markersize=8,
              label=r"$\langle q^2\rangle$, exact")
    axes.errorbar(samples.gap.exact, samples.overlap.value, samples.overlap.error, fmt=".", color=VERMILLION,
                  label=r"$\langle q^2\rangle$, Monte Carlo")
    axes.errorbar(samples.gap.exact, samples.binder, samples.binder_error, fmt="s", color=GREEN,
                  label="Binder, Monte Carlo")
    axes.set(xlabel=GAP_LABEL, ylabel="overlap of two copies", xscale="log", xlim=ends_of(samples),
             ylim=(0, 0.75))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.legend(loc="upper right", handletextpad=0.2)


def draw_deviations(axes, samples):
    numbers = np.arange(len(samples.gap.exact))
    axes.axhspan(-1, 1, color="0.9", zorder=0)
    axes.axhline(0, color=INK, linewidth=0.8)
    for n, sites in enumerate(samples.sx.deviations()):
        axes.plot(np.full(len(sites), n), sites, ".", color="0.6", markersize=3,
                  label=r"$\langle s^x_i\rangle$" if n == 0 else None)
    for values, marker, colour, shift, label in ((samples.energy, "o", BLUE, -0.2, "energy"),
                                                 (samples.gap, "^", PURPLE, 0.2, "gap"),
                                                 (samples.overlap, "s", VERMILLION, 0.35, r"$\langle q^2\rangle$")):
        axes.plot(numbers + shift, values.deviations(), marker, color=colour, label=label)
    axes.set(xlabel="sample", ylabel="deviation / error", ylim=(-5, 6.5))
    axes.set_xticks(numbers)
    axes.minorticks_off()
    axes.legend(loc="upper center", ncols=4, handletextpad=0.1, columnspacing=0.9)


def draw(samples):
    figure = new_figure(8.6, 7.0)
    for axes, panel in zip(figure.subplots(2, 2).flat,
                           (draw_correlations, draw_gaps, draw_overlaps, draw_deviations)):
        panel(axes, samples)
    return figure


def main(results, picture="samples.png"):
    samples = samples_of(results)
    print(f"weight of higher levels: less than {samples.weight_of_higher_levels():.0e}")
    print("sample  exact gap  Monte Carlo   exact q^2  Monte Carlo  Binder")
    gap, overlap = samples.gap, samples.overlap
    for n in range(len(gap.exact)):
        print(f"{n:4d} {gap.exact[n]:11.4f} {gap.value[n]:8.3f}({gap.error[n]:.3f}) {overlap.exact[n]:9.4f} "
              f"{overlap.value[n]:8.4f}({overlap.error[n]:.4f}) {samples.binder[n]:.3f}({samples.binder_error[n]:.3f})")
    for name in ("gap", "energy", "sx", "overlap"):
        values = getattr(samples, name)
        print(f"chi^2 of {name}: {values.chi2():.1f} for {values.exact.size} values")
    with styled():
        draw(samples).savefig(picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
