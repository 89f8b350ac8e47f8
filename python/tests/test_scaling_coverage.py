"""Errors of finite-size scaling cover the true values of curves that follow its laws."""

import numpy as np
from scaling_laws import BETA_OVER_NU, NU, OMEGA, T_C, U_C, found_in, write


def test_errors_cover_the_truth(tmp_path):
    """For many sets of curves, intervals of one sigma hold the true values as often as they
    should."""
    off = []
    for seed in range(60):
        path = write(tmp_path / f"{seed}.h5", seed=seed)
        found = found_in(path, OMEGA)
        path.unlink()
        off.append([(number.value - truth) / number.error for number, truth in (
            (found.T_c, T_C), (found.at_critical, U_C), (found.exponents["nu"], NU),
            (found.exponents["beta_over_nu"], BETA_OVER_NU))])
    inside = np.mean(np.abs(off) < 1, axis=0)
    # If intervals of one sigma are right, 41.0 +- 3.6 of 60 hold the value (68.3 %).
    assert np.all(np.abs(inside - 0.683) < 0.19), inside
    np.testing.assert_allclose(np.std(off, axis=0), 1, atol=0.35)
