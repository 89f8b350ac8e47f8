"""The spin-wave example: every peak of S(q,w) lies on the renormalised dispersion."""
# Rooms: correlations, spinwaves

import h5py
import numpy as np
import pytest

from running import run_example
from spin_wave_theory import fit_peak, frequencies


@pytest.fixture(scope="module")
def output(tmp_path_factory):
    return run_example("spin-waves-square", tmp_path_factory.mktemp("spin-waves"))


@pytest.fixture(scope="module")
def structure_factor(output):
    with h5py.File(output) as results:
        group = results["/stages/03-dynamics/structure-factor"]
        names = ("q", "frequency", "intensity", "error", "time", "intermediate", "static")
        return {name: group[name][:] for name in names}


def test_the_path_holds_every_commensurate_wave_vector(structure_factor):
    assert structure_factor["q"].shape == (151, 3)


def test_peaks_lie_within_a_fifth_of_a_bin_of_the_dispersion(structure_factor):
    q = 2 * np.pi * structure_factor["q"]
    frequency = structure_factor["frequency"]
    positive = frequency > 0
    theory = frequencies(q[:, 0], q[:, 1], temperature=0.01)
    bins = [
        (fit_peak(frequency[positive], row[positive]) - expected) / (frequency[1] - frequency[0])
        for row, expected in zip(structure_factor["intensity"], theory)
    ]
    assert np.max(np.abs(bins)) < 0.2
    # The correction for temperature is significant: without it, the peaks would not fit.
    bare = frequencies(q[:, 0], q[:, 1], temperature=0.0)
    assert np.max(bare - theory) > 0.5 * (frequency[1] - frequency[0])


def test_frequencies_sum_to_the_equal_time_correlation(structure_factor):
    step = structure_factor["frequency"][1] - structure_factor["frequency"][0]
    total = structure_factor["intensity"].sum(axis=1) * step / (2 * np.pi)
    # The tails of lines extend beyond the band of frequencies in the results.
    np.testing.assert_allclose(total, structure_factor["intermediate"][:, 0, 0], rtol=1e-4)


def test_static_intensity_is_that_of_classical_magnons(structure_factor):
    """S(q) = 2 T / omega(q) for two transverse components, to the error of 50 replicas."""
    q = 2 * np.pi * structure_factor["q"]
    theory = 2 * 0.01 / frequencies(q[:, 0], q[:, 1], temperature=0.01)
    ratio = structure_factor["static"] / theory
    # Each ratio is a chi-square with about 100 degrees of freedom. Its error is 14%, and that of
    # the mean of 150 is 1.2%.
    assert abs(ratio.mean() - 1) < 0.05
    assert np.all(np.abs(ratio - 1) < 0.6)


def test_linear_spin_wave_theory_is_the_dispersion_without_temperature(output):
    with h5py.File(output) as results:
        waves = results["stages/04-spin-waves/dispersion"]
        q = 2 * np.pi * waves["q"][:]
        bare = frequencies(q[:, 0], q[:, 1], temperature=0.0)
        np.testing.assert_allclose(waves["frequency"][:, 0], bare, atol=1e-12)
        np.testing.assert_allclose(waves["intensity"][:, 0], 0.01 / bare, rtol=1e-10)
