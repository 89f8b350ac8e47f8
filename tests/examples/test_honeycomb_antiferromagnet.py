"""The honeycomb antiferromagnet: spin-wave theory compared with its closed form, and S(q,w) with the theory."""
# Rooms: correlations, spinwaves

import h5py
import numpy as np
import pytest

from running import run_example
from spin_wave_theory import ridge_offsets

J, K = 1.0, 0.05


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    output = run_example("honeycomb-antiferromagnet", tmp_path_factory.mktemp("honeycomb"))
    with h5py.File(output) as file:
        yield file


def test_frequencies_are_those_of_the_closed_form(results):
    waves = results["stages/01-spin-waves/dispersion"]
    h, k = 2 * np.pi * waves["q"][:, 0], 2 * np.pi * waves["q"][:, 1]
    square = 3 + 2 * (np.cos(h) + np.cos(k) + np.cos(h + k))
    expected = np.sqrt((3 * J + 2 * K) ** 2 - J**2 * square)
    assert waves["frequency"].shape == (37, 2)
    np.testing.assert_allclose(waves["frequency"][:], np.column_stack([expected] * 2), atol=1e-9)
    assert results["stages/01-spin-waves"].attrs["minimum"]


def test_the_ridge_of_s_of_q_w_sits_on_spin_wave_theory(results):
    offsets = ridge_offsets(results["stages/03-dynamics/structure-factor"],
                            results["stages/01-spin-waves/dispersion"])
    assert len(offsets) >= 70
    # The offsets are in bins. Temperature shifts lines by about T.
    assert np.max(np.abs(offsets)) < 0.5


def test_the_static_intensity_is_that_of_the_lines(results):
    waves = results["stages/01-spin-waves/dispersion"]
    expected = waves["intensity"][:].sum(axis=1) + waves["mirror_intensity"][:].sum(axis=1)
    ratio = results["stages/03-dynamics/structure-factor/static"][:] / expected
    # Each ratio is a chi-square with about 130 degrees of freedom.
    assert abs(ratio.mean() - 1) < 0.06
    assert np.all(np.abs(ratio - 1) < 0.6)


def test_density_of_states_counts_every_mode_once(results):
    states = results["stages/01-spin-waves/density-of-states"]
    frequency, density = states["frequency"][:], states["density"][:]
    assert density.sum() * (frequency[1] - frequency[0]) == pytest.approx(1, abs=1e-3)
    gap = np.sqrt((3 * J + 2 * K) ** 2 - 9 * J**2)
    # The density is smeared by a Gaussian of width 0.05.
    assert np.all(density[frequency < gap - 0.15] < 1e-6)
    assert np.all(density[(frequency > gap + 0.1) & (frequency < 3 * J)] > 0.02)
