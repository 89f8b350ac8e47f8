"""If harmonic rates do not hold, the results have no rates, or a note says so."""
# Rooms: spins, study

import h5py
import pytest

from program import larmor

STUDY = """\
seed = 1
[lattice]
type = "chain"
size = [{sites}]
periodic = false
{terms}
[initial]
state = "aligned"
[[stage]]
kind = "minimum-energy-path"
final = {{ state = "aligned", direction = {final} }}
images = {images}
{more}
lifetime = {{ {lifetime} }}
"""
EASY = "[[anisotropy]]\nK = 0.5\n"
HARD_TOO = EASY + "[[anisotropy]]\nK = -0.2\naxis = [1, 0, 0]\n"


def run(folder, terms, lifetime, sites=1, images=7, final="[0, 0, -1]", more=""):
    study = folder / "study.toml"
    study.write_text(STUDY.format(terms=terms, lifetime=lifetime, sites=sites, images=images, final=final, more=more))
    done = larmor("run", study, "-o", folder / "results.h5", "--force")
    assert done.returncode == 0, done.stderr
    with h5py.File(folder / "results.h5") as file:
        return done.stderr, "rate" in file["stages/01-minimum-energy-path"].get("lifetime/forward", {})


@pytest.mark.parametrize("damping, has_rates", [("", False), (", damping = 0.1", True)])
def test_spins_that_turn_about_an_axis_of_symmetry_cross_with_damping_alone(tmp_path, damping, has_rates):
    told, rates = run(tmp_path, EASY, "temperature = 0.02" + damping)
    assert rates == has_rates
    assert ("axis of symmetry" in told) == (not has_rates), told


def test_spins_without_such_an_axis_cross_without_damping(tmp_path):
    told, rates = run(tmp_path, HARD_TOO, "temperature = 0.02")
    assert rates and "lifetime" not in told, told


def test_barriers_of_few_thermal_energies_are_told_of(tmp_path):
    told, rates = run(tmp_path, HARD_TOO, "temperature = [0.02, 0.2]")
    assert rates and "lifetime: the smaller barrier is 2.5 k_B T at the highest temperature" in told, told


def test_another_minimum_on_the_path_has_no_rate(tmp_path):
    """Two spins that turn one after the other."""
    pair = HARD_TOO + "[[exchange]]\nshell = 1\nJ = 0.05\n"
    told, rates = run(tmp_path, pair, "temperature = 0.02", sites=2, images=31,
                      more="through = [{ state = 'domain-wall', normal = [1, 0, 0], width = 0.1 }]")
    assert not rates and "lifetime: there are no rates: the path has another minimum, at image " in told, told


def test_a_path_without_a_saddle_has_no_rate(tmp_path):
    told, rates = run(tmp_path, EASY, "temperature = 0.02, damping = 0.1", final="[1, 0, 0]", more="relax = false")
    assert not rates and "lifetime: there are no rates: no saddle has been found" in told, told
