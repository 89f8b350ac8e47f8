"""Dynamics in material units, compared with absolute times. The numbers here are from CODATA, not from the
program."""
# Rooms: core, study

import h5py
import numpy as np
import pytest

from program import run_study

# Gyromagnetic ratio of the electron, 1.76085963023e11 rad/(s T), in rad/(ps T).
GAMMA = 0.176085963023
FIELD = 10.0  # T

# One spin in a field along z, with any moment. It starts at 60 degrees to the field.
STUDY = """
units = "material"
[lattice]
type     = "chain"
size     = [1]
periodic = false
constant = "3 Å"
moment   = "2.5 μB"
[field]
B = ["0 T", "0 T", "10 T"]
[initial]
state     = "aligned"
direction = [0.8660254037844386, 0, 0.5]
[[stage]]
kind       = "dynamics"
integrator = "{integrator}"
timestep   = "1 fs"
steps      = 20000
damping    = {damping}
measure    = [{{ what = "magnetisation", every = 50 }}]
"""

INTEGRATORS = ["rk4", "depondt", "heun", "semi-implicit", "midpoint"]


def motion(folder, integrator, damping):
    """Times in ps, azimuths and polar angles."""
    run, output = run_study(folder, STUDY.format(integrator=integrator, damping=damping))
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        series = file["stages/01-dynamics/series/magnetisation"]
        assert series["time"].attrs["unit"] in ("ps", b"ps")
        time, m = series["time"][:], series["value"][:, 0] / 2.5
    np.testing.assert_allclose(np.linalg.norm(m, axis=1), 1, rtol=1e-10)
    return time, np.unwrap(np.arctan2(m[:, 1], m[:, 0])), np.arccos(m[:, 2])


def slope(x, y):
    return np.polyfit(x - x.mean(), y, 1)[0]


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_larmor_period_lasts_as_long_as_nature_says(tmp_path, integrator):
    time, azimuth, polar = motion(tmp_path, integrator, 0)
    assert time[-1] == pytest.approx(20, abs=0.1)  # ps
    # The spin turns counterclockwise, seen from the tip of the field. The period is 3.568245 ps.
    period = 2 * np.pi / slope(time, azimuth)
    assert period == pytest.approx(2 * np.pi / (GAMMA * FIELD), rel=1e-6)
    np.testing.assert_allclose(polar, np.pi / 3, rtol=1e-6)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_damped_spin_turns_to_the_field_in_time(tmp_path, integrator):
    """The damping lets tan(theta / 2) fall as exp(- alpha gamma B t / (1 + alpha^2))."""
    alpha = 0.1
    time, azimuth, polar = motion(tmp_path, integrator, alpha)
    rate = GAMMA * FIELD / (1 + alpha**2)
    assert slope(time, azimuth) == pytest.approx(rate, rel=2e-6)
    assert slope(time, np.log(np.tan(polar / 2))) == pytest.approx(-alpha * rate, rel=2e-5)
