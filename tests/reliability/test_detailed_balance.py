"""S(q,w) with detailed balance is the classical S(q,w) times the harmonic factor, at one
temperature."""
# Rooms: correlations

import h5py
import numpy as np
import pytest

from program import run_study

STUDY = """
units = "{units}"
seed = 3
replicas = 4
[lattice]
type = "chain"
size = [8]
{lattice}
[[exchange]]
shell = 1
J = {J}
[initial]
state = "random"
[[stage]]
kind = "dynamics"
timestep = {timestep}
steps = 40
{stage}
measure = [{measure}]
"""
REDUCED = {"units": "reduced", "lattice": "", "J": "1.0", "timestep": "0.1"}
MATERIAL = {"units": "material", "J": '"5 meV"', "timestep": '"0.005 ps"',
            "lattice": 'constant = "3 Å"\nmoment = "2 μB"'}
PLAIN = '{ what = "structure-factor", path = ["Γ", "X"], every = 4, origins = "all" }'
BATH = "damping = 0.1\ntemperature = {}"
K_B, HBAR = 8.617333262e-5, 6.582119569509066e-4  # eV / K, eV ps


def balanced(keys):
    return PLAIN.replace(" }", f", {keys} }}")


def run(tmp_path, units, stage, *measure):
    return run_study(tmp_path, STUDY.format(**units, stage=stage, measure=", ".join(measure)))


@pytest.mark.parametrize(("units", "stage", "keys", "temperature", "beta_hbar"), [
    (REDUCED, "", "detailed_balance = true, temperature = 0.7", 0.7, 1 / 0.7),
    (REDUCED, BATH.format("0.3"), "detailed_balance = true", 0.3, 1 / 0.3),
    (MATERIAL, "", 'detailed_balance = true, temperature = "40 K"', 40, HBAR / (K_B * 40)),
])
def test_classical_spectrum_gets_the_factor(tmp_path, units, stage, keys, temperature, beta_hbar):
    done, output = run(tmp_path, units, stage, PLAIN, balanced(keys))
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        classical, quantum = (file["stages/01-dynamics"][name]
                              for name in ("structure-factor", "structure-factor-2"))
        x = beta_hbar * quantum["frequency"][:]
        middle = len(x) // 2
        assert x[middle] == 0 and np.abs(x).max() > 1
        ratio = quantum["intensity"][:] / classical["intensity"][:]
        np.testing.assert_allclose(ratio[:, middle], 1)
        np.testing.assert_allclose(ratio[:, ::-1], np.exp(-x) * ratio, rtol=1e-6)
        factor = np.ones_like(x)
        factor[x != 0] = x[x != 0] / (1 - np.exp(-x[x != 0]))
        for name in ("intensity", "error"):
            np.testing.assert_allclose(quantum[name], classical[name] * factor, rtol=1e-6)
        np.testing.assert_allclose(quantum["components"][:],
                                   classical["components"][:] * factor[:, None], rtol=1e-6)
        for name in ("intermediate", "intermediate_error", "static", "static_error"):
            np.testing.assert_array_equal(quantum[name], classical[name])
        assert quantum.attrs["detailed_balance"] == 1
        assert quantum.attrs["detailed_balance_temperature"] == temperature
        assert "beta hbar w" in quantum.attrs["normalisation"]
        assert classical.attrs["detailed_balance"] == 0
        assert "detailed_balance_temperature" not in classical.attrs
        assert "beta" not in classical.attrs["normalisation"]


SCHEDULE = "damping = 0.1\ntemperature_schedule = [{ time = 0, temperature = 1 }]"


@pytest.mark.parametrize(("stage", "measure", "words"), [
    ("", balanced("detailed_balance = true"), "needs a temperature"),
    (SCHEDULE, balanced("detailed_balance = true"), "needs a temperature"),
    ("", balanced("detailed_balance = true, temperature = 0"), "temperature"),
    ("", balanced("temperature = 1"), "temperature requires detailed_balance = true"),
    ("", balanced("detailed_balance = false, temperature = 1"), "temperature requires detailed_balance = true"),
    (BATH.format(1), balanced("detailed_balance = true, temperature = 1"), "two temperatures"),
    ("", '{ what = "energy", detailed_balance = true }', "belongs to structure-factor"),
    ("", '{ what = "energy", temperature = 1 }', "belongs to structure-factor"),
])
def test_what_has_no_temperature_is_refused(tmp_path, stage, measure, words):
    done, _ = run(tmp_path, REDUCED, stage, measure)
    assert done.returncode == 2 and done.stderr.count("error:") == 1, done.stderr
    assert words in done.stderr and "study.toml:" in done.stderr


def test_schedules_take_a_temperature_beside(tmp_path):
    done, _ = run(tmp_path, REDUCED, SCHEDULE, balanced("detailed_balance = true, temperature = 2"))
    assert done.returncode == 0, done.stderr
