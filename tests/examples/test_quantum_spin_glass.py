"""Gaps, energies and overlaps of samples of a quantum spin glass by Monte Carlo are those of the Lanczos method."""
# Rooms: trotter, quantum, study

import numpy as np
import pytest

from running import run_example, script_of_example

script = script_of_example("quantum-spin-glass")


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    """Runs the example with fewer sweeps."""
    return script.samples_of(run_example("quantum-spin-glass", tmp_path_factory.mktemp("glass"),
                                         "stage.3.sweeps=6000", "stage.3.measure_every=2"))


def test_exact_averages_need_no_higher_levels(samples):
    assert samples.weight_of_higher_levels() < 1e-6
    # Samples differ, and both parities have a level below the second even one.
    assert samples.gap.exact.min() < 0.1 < 0.5 < samples.gap.exact.max()


def test_averages_of_samples_are_exact(samples):
    # Blocks of so few sweeps are short for the slowest samples. So their errors are uncertain.
    for values, largest in ((samples.energy, 4.5), (samples.sx, 6), (samples.overlap, 6)):
        assert abs(values.deviations()).max() < largest
        assert 0.2 < values.chi2() / values.exact.size < 3
    assert samples.energy.error.max() < 0.002


def test_gaps_of_samples_are_exact(samples):
    # The correlation of the largest gap decays into noise in so few sweeps.
    gap, small = samples.gap, samples.gap.exact < 0.5
    assert small.sum() == 7
    assert (abs(gap.value - gap.exact) < 5 * np.hypot(gap.error, 0.015))[small].all()
    assert gap.error[small].max() < 0.2


def test_samples_with_small_gaps_are_the_frozen_ones(samples):
    order = np.argsort(samples.gap.exact)
    assert (np.diff(samples.overlap.exact[order]) < 0.01).all()
    assert samples.binder[order[0]] > samples.binder[order[-1]] + 0.3
