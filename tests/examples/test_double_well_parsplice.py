"""The double well: rates by spliced segments and by direct motion, compared with an eigenvalue."""
# Rooms: study, parsplice, particles

import h5py
import pytest

from running import run_example

# Half of the second eigenvalue of the Fokker-Planck operator.
EXACT = 0.2418595821 / 2


def test_rates_are_exact(tmp_path):
    output = run_example("double-well-parsplice", tmp_path)
    with h5py.File(output) as file:
        for name in ("01-parsplice", "02-parsplice"):
            rates = file[f"stages/{name}/rates"]
            for one, other, value, error in zip(rates["from"], rates["to"], rates["value"], rates["error"]):
                if one != other:
                    assert error < 0.04 * EXACT
                    assert value == pytest.approx(EXACT, abs=3 * error)
            assert (file[f"stages/{name}/states/p_exponential"][()] > 0.005).all()
