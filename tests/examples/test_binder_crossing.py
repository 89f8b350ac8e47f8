"""Binder cumulants of a scan of sizes cross at the critical temperature: in the results, in the output of
`show`, and in the picture."""
# Rooms: spins, study

import csv
import io
import json
import os
import re
import subprocess
import sys

import h5py
import numpy as np
import pytest

from running import LARMOR, ROOT, run_example

# K. Chen, A. M. Ferrenberg and D. P. Landau, Phys. Rev. B 48, 3249 (1993).
T_C = 1.4429
STAGE = "01-monte-carlo"


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Runs the example with fewer samples, for two of its sizes."""
    return run_example("binder-crossing", tmp_path_factory.mktemp("binder"), "stage.1.sweeps=2000",
                       "scan.1.values=[[6, 6, 6], [10, 10, 10]]")


def test_the_crossing_is_the_critical_temperature(results):
    with h5py.File(results) as file:
        crossing = file[f"scan/stages/{STAGE}/binder_crossings"]
        assert (crossing["first"][()].tolist(), crossing["second"][()].tolist()) == ([[0]], [[1]])
        value, error = crossing["value"][0], crossing["error"][0]
        cumulant, scatter = (file[f"scan/summary/{STAGE}/binder_cumulant/{name}"][()] for name in ("value", "error"))
    assert 0 < error < 0.01 * T_C
    # The crossings of such small sizes have corrections to scaling.
    assert abs(value - T_C) < 3.89 * error + 0.01
    # The crossing of a straight line through the differences at 1.46, 1.44 and 1.42.
    near = slice(2, 5)
    weight = 1 / np.hypot(*scatter)[near]
    slope, height = np.polyfit(np.array([1.46, 1.44, 1.42]) - T_C, (cumulant[1] - cumulant[0])[near], 1, w=weight)
    assert slope < 0 and abs(value - (T_C - height / slope)) < 3 * error


def test_reweighting_and_scaling_find_it_with_smaller_errors(results):
    curves, found = results.with_name("curves.h5"), results.with_name("found.json")
    subprocess.run([LARMOR, "reweight", str(results), "--temperatures", "1.38:1.5:31", "--draws", "100",
                    "-o", str(curves)], check=True, capture_output=True)
    subprocess.run([sys.executable, "-m", "larmor", "scaling", str(curves), "--json", str(found)], check=True,
                   env={**os.environ, "PYTHONPATH": str(ROOT / "python")})
    numbers = json.loads(found.read_text())
    T_c, nu, eta = numbers["T_c"], numbers["exponents"]["nu"], numbers["exponents"]["eta"]
    assert abs(T_c["value"] - T_C) < 3.89 * T_c["error"] + 0.01
    # M. Campostrini et al., Phys. Rev. B 65, 144520 (2002).
    assert abs(nu["value"] - 0.7112) < 3.89 * nu["error"] + 0.03 and nu["error"] < 0.15
    assert abs(eta["value"] - 0.0375) < 3.89 * eta["error"] + 0.05
    with h5py.File(results) as file:
        crossing = file[f"scan/stages/{STAGE}/binder_crossings"]
        assert T_c["error"] < crossing["error"][0]
        assert abs(T_c["value"] - crossing["value"][0]) < 3 * crossing["error"][0]


def test_show_prints_it_under_a_row_for_each_size_and_temperature(results):
    shown = subprocess.run([LARMOR, "show", str(results)], capture_output=True, text=True, check=True).stdout
    lines = shown.splitlines()
    rows = [line for line in lines if re.match(r" +\d+ +\[\d+, \d+, \d+\] +1\.\d+ ", line)]
    assert len(rows) == 14
    (foot,) = [line for line in lines if "crosses at temperature" in line]
    assert "[6, 6, 6]" in foot and "[10, 10, 10]" in foot
    value, error = re.search(r"= (1\.\d+)\((\d+)\)$", foot).groups()
    digits = len(value) - 2
    assert abs(float(value) - T_C) < 3.89 * int(error) * 10**-digits + 0.01


def test_csv_has_the_curves(results):
    text = subprocess.run([LARMOR, "show", str(results), "--csv"], capture_output=True, text=True, check=True).stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    with h5py.File(results) as file:
        cumulant = file[f"scan/summary/{STAGE}/binder_cumulant/value"][()]
    assert [float(row["binder_cumulant"]) for row in rows] == cumulant.ravel().tolist()
