"""The ends of a minimum-energy path rest at minima: one of exact symmetry that is none is left, and a note says so."""

import re

import h5py
import pytest

from program import larmor

WAS_NO_MINIMUM = (r"the final state was no minimum: after a random turn of its spins by up to 0\.01 rad "
                  r"it relaxed to a state that lies ([\d.]+) lower")

# Aligned spins are stationary, but turn about the field from layer to layer at less energy.
CHIRAL_FILM = """\
seed = 1
[lattice]
type = "sc"
size = [14, 14, 6]
periodic = [true, true, false]
[[exchange]]
shell = 1
J = 1
[[dmi]]
shell = 1
strength = 0.5
direction = "bond"
[field]
B = [0, 0, 0.15]
[initial]
state = "skyrmion"
radius = 4
[[stage]]
kind = "minimum-energy-path"
final = { state = "aligned" }
"""

GRAIN = """\
[lattice]
type = "sc"
size = [2, 2, 2]
[[exchange]]
shell = 1
J = 1
[[anisotropy]]
K = 0.25
[initial]
state = "aligned"
[[stage]]
kind = "minimum-energy-path"
final = { state = "aligned", direction = [1, 0, 0] }
"""


def run(folder, text, *options):
    (folder / "study.toml").write_text(text)
    return larmor("run", folder / "study.toml", "-o", folder / "results.h5", "--force", *options)


@pytest.mark.parametrize("images", [7, 11, 16])
def test_a_path_from_an_unstable_state_begins_at_the_minimum_below(tmp_path, images):
    done = run(tmp_path, CHIRAL_FILM + f"images = {images}\n")
    assert done.returncode == 0, done.stderr
    told = re.search(WAS_NO_MINIMUM + ", where the path ends", done.stderr)
    assert told and abs(float(told[1]) - 6.846) < 1e-3, done.stderr
    with h5py.File(tmp_path / "results.h5") as file:
        stage = file["stages/01-minimum-energy-path"]
        assert stage.attrs["converged"] == 1
        assert abs(stage["path"].attrs["barrier_forward"] - 30.07878) < 2e-5
        assert abs(stage["path"].attrs["barrier_backward"] - 2.06292) < 2e-5


def test_a_maximum_relaxes_to_either_side(tmp_path):
    """To the first state, with which there is no path, or to the one opposite to it."""
    outcomes = set()
    for seed in range(1, 13):
        done = run(tmp_path, f"seed = {seed}\n" + GRAIN)
        told = re.search(WAS_NO_MINIMUM, done.stderr)
        assert told and told[1] == "2", done.stderr  # 8 spins of K
        outcomes.add(done.returncode)
        if done.returncode == 2:
            assert "both ends have relaxed to the same state" in done.stderr
            continue
        with h5py.File(tmp_path / "results.h5") as file:
            assert abs(file["stages/01-minimum-energy-path/path"].attrs["barrier_forward"] - 2) < 1e-8
    assert outcomes == {0, 2}


def test_ends_that_need_not_relax_stay(tmp_path):
    done = run(tmp_path, "seed = 1\n" + GRAIN + "relax = false\n")
    assert done.returncode == 0 and "minimum:" not in done.stderr, done.stderr
    with h5py.File(tmp_path / "results.h5") as file:
        assert (file["stages/01-minimum-energy-path/configuration"][-1] == [1, 0, 0]).all()


def test_nothing_is_told_of_minima(tmp_path):
    text = GRAIN.replace("direction = [1, 0, 0]", "direction = [0, 0, -1]")
    done = run(tmp_path, "seed = 1\n" + text)
    assert done.returncode == 0 and "minimum:" not in done.stderr, done.stderr
