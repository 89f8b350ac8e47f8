"""Defaults of S(q,w) of a dynamics stage, if a study sets neither origins nor frequencies."""
# Rooms: correlations, study

import h5py
import numpy as np
import pytest

from program import larmor, run_study

# A field cants an antiferromagnet at a low temperature, which has two branches. If there is one
# origin, the products of the two branches hide the gap between them.
CANTED = """
seed = 4
replicas = 8
[lattice]
type = "square"
size = [16, 16]
[[exchange]]
shell = 1
J     = -1.0
[field]
B = [0, 0, 3]
[initial]
state = "random"
[[stage]]
kind = "minimise"
perturbation = 0.01
keep_configurations = 0
[[stage]]
kind           = "monte-carlo"
sampler        = "heat-bath"
temperature    = 0.005
thermalisation = 200
sweeps         = 10
[[stage]]
kind     = "dynamics"
timestep = 0.04
steps    = 2400
measure  = [{{ what = "structure-factor", path = ["Γ", "X", "M", "Γ"], every = 8{more} }}]
"""

# Since w(q) = 2 J (2 - cos q_x - cos q_y) + B, the band ends at 8.5.
FERROMAGNET = """
seed = 3
replicas = 4
[lattice]
type = "square"
size = [8, 8]
[[exchange]]
shell = 1
J     = 1.0
[field]
B = [0, 0, 0.5]
[initial]
state = "aligned"
[[stage]]
kind           = "monte-carlo"
sampler        = "heat-bath"
temperature    = 0.05
thermalisation = 50
sweeps         = 10
[[stage]]
kind     = "dynamics"
timestep = 0.02
steps    = 1200
measure  = [{{ what = "structure-factor", path = ["Γ", "X", "M", "Γ"], every = 5{more} }}]
"""


def factor_of(output):
    with h5py.File(output) as file:
        stage = [name for name in file["stages"] if name.endswith("dynamics")][0]
        group = file[f"stages/{stage}/structure-factor"]
        numbers = {name: group[name][()] for name in group if group[name].dtype != object}
        return numbers, dict(group.attrs)


def measured(folder, text, more=""):
    folder.mkdir()
    run, output = run_study(folder, text.format(more=more))
    assert run.returncode == 0, run.stderr
    return factor_of(output)


def test_between_the_branches_there_is_little(tmp_path):
    """The median over wave vectors of the negative share of |S(q,w)|."""

    def negative(intensity):
        shares = -np.minimum(intensity, 0).sum(axis=1) / np.abs(intensity).sum(axis=1)
        return np.median(shares)

    plain, attributes = measured(tmp_path / "plain", CANTED)
    fixed, of_fixed = measured(tmp_path / "fixed", CANTED, ', origins = "fixed"')
    assert attributes["origins"] == "all" and of_fixed["origins"] == "fixed"
    assert negative(plain["intensity"]) < 0.04
    assert negative(fixed["intensity"]) > 0.08
    # The window spreads a line over several frequencies. Half of these frequencies are far from
    # both branches.
    quiet = np.median(np.abs(plain["intensity"]), axis=1) / plain["intensity"].max(axis=1)
    streaks = np.median(np.abs(fixed["intensity"]), axis=1) / fixed["intensity"].max(axis=1)
    assert 10 * np.median(quiet) < np.median(streaks)


def test_frequencies_end_near_the_top_of_the_band(tmp_path):
    plain, _ = measured(tmp_path / "plain", FERROMAGNET)
    band = 8.5
    step = plain["frequency"][1] - plain["frequency"][0]
    assert band < plain["frequency"].max() < 1.15 * band
    assert np.allclose(plain["frequency"], -plain["frequency"][::-1])
    # The line at M is complete, and so are the weights of all other lines.
    corner = np.argmin(np.abs(plain["q"] - [0.5, 0.5, 0]).sum(axis=1))
    line = np.abs(plain["frequency"][np.argmax(plain["intensity"][corner])])
    assert 0.95 * band < line < band + step
    sums = plain["intensity"].sum(axis=1) * step / (2 * np.pi)
    assert np.allclose(sums[1:-1], plain["intermediate"][1:-1, 0, 0], rtol=0.02)


def test_whoever_names_origins_keeps_every_frequency(tmp_path):
    samples = 1200 // 5 + 1
    for origins in ("fixed", "all"):
        named, _ = measured(tmp_path / origins, FERROMAGNET, f', origins = "{origins}"')
        assert len(named["frequency"]) == 2 * samples - 1
        assert named["frequency"].max() == pytest.approx(np.pi / 0.1, rel=0.01)


def test_the_largest_frequency_that_is_asked_for_counts(tmp_path):
    wide, _ = measured(tmp_path / "wide", FERROMAGNET, ", max_frequency = 1000")
    assert len(wide["frequency"]) == 2 * (1200 // 5 + 1) - 1
    few, _ = measured(tmp_path / "few", FERROMAGNET, ", max_frequency = 4")
    kept = np.abs(wide["frequency"]) <= 4
    assert np.array_equal(few["frequency"], wide["frequency"][kept])
    for name in ("intensity", "error", "components"):
        assert np.array_equal(few[name], wide[name][:, kept])
    assert np.array_equal(few["intermediate"], wide["intermediate"])


def test_energies_and_frequencies_say_where_to_end(tmp_path):
    text = """
units = "material"
replicas = 2
[lattice]
type = "chain"
size = [8]
moment = "2 μB"
[[exchange]]
shell = 1
J = "10 meV"
[[stage]]
kind = "dynamics"
timestep = "1 fs"
steps = 400
measure = [{{ what = "structure-factor", path = ["Γ", "X"], every = 4, max_frequency = "{end}" }}]
"""
    largest = []
    for name, end in (("a", "20 THz"), ("b", f"{20 * 4.135667696923859} meV")):
        (tmp_path / name).mkdir()
        run, output = run_study(tmp_path / name, text.format(end=end))
        assert run.returncode == 0, run.stderr
        largest.append(factor_of(output)[0]["frequency"].max())
    assert largest[0] == largest[1]
    assert 0.9 * 2 * np.pi * 20 < largest[0] <= 2 * np.pi * 20  # rad/ps


def test_max_frequency_is_of_structure_factors_alone(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(FERROMAGNET.format(more="").replace(
        "measure  = [", 'measure  = [{ what = "energy", max_frequency = 3 }, '))
    refused = larmor("check", study)
    assert refused.returncode == 2 and "max_frequency" in refused.stderr
