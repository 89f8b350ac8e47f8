"""The kagome ferromagnet: gaps at Γ and K equal their closed forms, and every band of S(q,w) lies on spin-wave
theory."""
# Rooms: correlations, spinwaves

import h5py
import numpy as np
import pytest

from running import run_example
from spin_wave_theory import ridge_offsets

J, D, FIELD = 1.0, 0.2, 0.3


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    output = run_example("kagome-dmi", tmp_path_factory.mktemp("kagome"))
    with h5py.File(output) as file:
        yield file


def test_gaps_are_those_of_the_closed_form(results):
    waves = results["stages/01-spin-waves/dispersion"]
    labels = dict(zip(waves["label_text"].asstr()[:], waves["label_index"][:].astype(int)))
    split = np.sqrt(3) * D
    gamma, corner = (waves["frequency"][labels[name]] - FIELD for name in ("Γ", "K"))
    np.testing.assert_allclose(gamma, [0, 6 * J - 2 * split, 6 * J + 2 * split], atol=1e-9)
    np.testing.assert_allclose(corner, [3 * J - split, 3 * J + split, 6 * J], atol=1e-9)


def test_the_bands_of_s_of_q_w_sit_on_spin_wave_theory(results):
    offsets = ridge_offsets(results["stages/03-dynamics/structure-factor"],
                            results["stages/01-spin-waves/dispersion"])
    assert len(offsets) >= 40
    assert np.max(np.abs(offsets)) < 0.5
