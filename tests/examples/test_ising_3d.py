"""Three-dimensional Ising model by reweighting and finite-size scaling: critical temperature and exponents,
and the critical energy and Binder cumulant."""
# Rooms: ising, study

import json
import os
import subprocess
import sys

import h5py
import numpy as np
import pytest

from running import LARMOR, ROOT, run_example

# T_c: A. M. Ferrenberg, J. Xu and D. P. Landau, Phys. Rev. E 97, 043301 (2018). Exponents: F. Kos,
# D. Poland, D. Simmons-Duffin and A. Vichi, JHEP 2016, 36. Energy and Binder cumulant: M.
# Hasenbusch, Phys. Rev. B 82, 174433 (2010).
T_C = 1 / 0.221654626
NU, ETA, ENERGY, BINDER = 0.629971, 0.036298, -0.990604, 0.46548


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Runs the example with fewer samples, for smaller sizes."""
    return run_example("ising-3d", tmp_path_factory.mktemp("ising"), "stage.1.sweeps=600",
                       "scan.1.values=[[4, 4, 4], [6, 6, 6], [8, 8, 8], [12, 12, 12]]")


def reweight(results, name, *arguments):
    output = results.with_name(name)
    subprocess.run([LARMOR, "reweight", str(results), "-o", str(output), *arguments], check=True, capture_output=True)
    return output


def test_finite_size_scaling_finds_t_c_and_the_exponents(results):
    curves, found = reweight(results, "curves.h5"), results.with_name("found.json")
    subprocess.run([sys.executable, "-m", "larmor", "scaling", str(curves), "--omega", "0.83", "--json", str(found)],
                   check=True, env={**os.environ, "PYTHONPATH": str(ROOT / "python")})
    numbers = json.loads(found.read_text())
    # These small sizes have corrections of higher order, which add to the errors.
    for number, truth, beyond in ((numbers["T_c"], T_C, 0.005), (numbers["at_T_c"], BINDER, 0.01),
                                  (numbers["energy"], ENERGY, 0.01), (numbers["exponents"]["nu"], NU, 0.02),
                                  (numbers["exponents"]["eta"], ETA, 0.05)):
        assert abs(number["value"] - truth) < 3.5 * number["error"] + beyond
        assert number["error"] < 0.1
    # The correction is significant: without it, the sizes do not fit one curve.
    assert numbers["T_c_plain"]["value"] < T_C - 3 * numbers["T_c_plain"]["error"]


def test_energy_at_the_critical_temperature_is_that_of_the_literature(results):
    point = reweight(results, "critical.h5", "--temperatures", repr(T_C))
    with h5py.File(point) as file:
        systems = list(file["reweighted/systems"].values())[1:]
        length = np.array([system["size"][0] for system in systems], dtype=float)
        energy, error = (np.array([system[f"curves/energy/{of}"][0] for system in systems])
                         for of in ("value", "error"))
    terms = np.stack([np.ones(3), length ** (1 / NU - 3)], axis=1) / error[:, None]
    value = np.linalg.lstsq(terms, energy / error, rcond=None)[0][0]
    sigma = np.sqrt(np.linalg.inv(terms.T @ terms)[0, 0])
    assert abs(value - ENERGY) < 3.5 * sigma + 0.002 and sigma < 0.004
