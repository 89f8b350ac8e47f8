"""The ends of a minimum-energy path relax to minima. A stationary end of exact symmetry that is not a
minimum relaxes further, and a note says so."""
# Rooms: spins, study

import re

import h5py
import pytest

from program import larmor

WAS_NO_MINIMUM = (r"the final state was not a minimum: after a random turn of its spins by up to 0\.01 rad "
                  r"it converged to a state that lies ([\d.]+) lower")

# Aligned spins are stationary. A spiral that turns from layer to layer about the field has less
# energy.
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
    """The end relaxes to the first state, so that there is no path, or to the opposite state."""
    outcomes = set()
    for seed in range(1, 13):
        done = run(tmp_path, f"seed = {seed}\n" + GRAIN)
        told = re.search(WAS_NO_MINIMUM, done.stderr)
        assert told and told[1] == "2", done.stderr  # 8 spins of K
        outcomes.add(done.returncode)
        if done.returncode == 2:
            assert "both ends have converged to the same state" in done.stderr
            continue
        with h5py.File(tmp_path / "results.h5") as file:
            assert abs(file["stages/01-minimum-energy-path/path"].attrs["barrier_forward"] - 2) < 1e-8
    assert outcomes == {0, 2}


def test_ends_that_need_not_relax_stay(tmp_path):
    done = run(tmp_path, "seed = 1\n" + GRAIN + "relax = false\n")
    assert done.returncode == 0 and "minimum:" not in done.stderr, done.stderr
    with h5py.File(tmp_path / "results.h5") as file:
        assert (file["stages/01-minimum-energy-path/configuration"][-1] == [1, 0, 0]).all()


def test_a_large_system_that_just_turns_over_is_no_minimum(tmp_path):
    """4096 spins are in a field 5 % beyond the field that turns all of them over. K is 1e-4 J."""
    text = (GRAIN.replace("[2, 2, 2]", "[16, 16, 16]").replace("K = 0.25", "K = 1e-4")
            .replace("[1, 0, 0]", "[0, 0, -1]") + "images = 5\n")
    for B, returned in (("-1.9e-4", 0), ("-2.1e-4", 2)):
        done = run(tmp_path, f"seed = 1\n[field]\nB = [0, 0, {B}]\n" + text)
        assert done.returncode == returned, done.stderr
        assert ("the first state was not a minimum" in done.stderr) == (returned == 2)


@pytest.mark.parametrize("replicas", [1, 3])
def test_a_large_soft_system_switches_where_its_valley_ends(tmp_path, replicas):
    text = GRAIN[: GRAIN.index("[[stage]]")].replace("[2, 2, 2]", "[12, 12, 12]").replace("K = 0.25", "K = 1e-4")
    done = run(tmp_path, f"seed = 2\nreplicas = {replicas}\n" + text + """\
[[stage]]
kind = "hysteresis"
direction = [0, 0, 1]
field = { from = 0.5e-4, to = -3e-4, step = 1e-5 }
""")
    assert done.returncode == 0, done.stderr
    with h5py.File(tmp_path / "results.h5") as file:
        stage = file["stages/01-hysteresis"]
        assert abs(stage["loop/coercive_field_falling/value"][()].item() + 2e-4) < 1.1e-5


def test_nothing_is_told_of_minima(tmp_path):
    text = GRAIN.replace("direction = [1, 0, 0]", "direction = [0, 0, -1]")
    done = run(tmp_path, "seed = 1\n" + text)
    assert done.returncode == 0 and "minimum:" not in done.stderr, done.stderr


def test_ends_that_have_not_relaxed_are_named_with_their_torques(tmp_path):
    text = (GRAIN.replace("direction = [1, 0, 0]", "direction = [0, 0.1, -1]").replace("K = 0.25", "K = 0.05")
            + "lifetime = { temperature = 0.1 }\n")
    done = run(tmp_path, "seed = 1\n" + text + "steps = 2\n")
    told = re.search(r"the ends have not converged after 2 steps: the largest torques on them are (\S+) and (\S+), and "
                     r"the tolerance is 6\S*e-08\n", done.stderr)
    assert told and float(told[1]) == 0 and float(told[2]) > 1e-6, done.stderr
    assert "there are no rates: the ends have not converged" in done.stderr
    with h5py.File(tmp_path / "results.h5") as file:
        assert file["stages/01-minimum-energy-path"].attrs["saddle_converged"] == 0
    shown = larmor("show", tmp_path / "results.h5").stdout
    assert "    note: minimum-energy-path: the ends have not converged" in shown


def test_a_path_that_only_falls_says_that_no_image_climbs(tmp_path):
    done = run(tmp_path, "seed = 1\n" + GRAIN.replace("[initial]\nstate = \"aligned\"", """\
[initial]
state = "aligned"
direction = [1, 0, 0]""").replace("[1, 0, 0] }", "[0, 0, -1] }") + "relax = false\nperturbation = 0\n")
    assert done.returncode == 0, done.stderr
    assert ("no image climbs: the path is highest at its first image, which need not be a minimum, because relax = false "
            "keeps it") in done.stderr
    with h5py.File(tmp_path / "results.h5") as file:
        stage = file["stages/01-minimum-energy-path"]
        assert stage.attrs["note"] in done.stderr
        assert stage["path"].attrs["barrier_forward"] == 0


@pytest.mark.parametrize("final, words", [
    ("\"aligned\"", ("final must be a table, not a string", "below [final]")),
    ('{ state = "skyrmion" }', ("error: a skyrmion lacks its radius",)),
    ("{ state = \"aligned\" }\nmax_distance = 0.1\nmax_images = 5",
     ("max_images = 5 are fewer than images = 15", "give max_images that are at least images")),
])
def test_final_states_and_images_that_make_no_sense(tmp_path, final, words):
    done = run(tmp_path, GRAIN[: GRAIN.index("final")] + f"final = {final}\n")
    assert done.returncode == 2 and all(word in done.stderr for word in words), done.stderr
    assert not (tmp_path / "results.h5").exists()


def test_a_scan_names_the_point_that_cannot_run(tmp_path):
    scan = '[[scan]]\nkey = "stage.1.final.direction"\nvalues = [[0, 0, -1], [0, 0, 1]]\n'
    done = run(tmp_path, "seed = 1\n" + GRAIN + scan)
    assert done.returncode == 2 and "converged to the same state" in done.stderr, done.stderr
    assert "point 1 (stage.1.final.direction = [0, 0, 1]) cannot run, and the scan stops" in done.stderr


@pytest.mark.parametrize("keys, words", [
    ("climb = false\n", ""),
    ("images = 110\nmax_distance = 0.1\n", ""),
    ("first_images = 5\nsteps = 2\n",
     "the first path, of 5 images, has not converged after 2 steps: .*; the other images have not been inserted"),
])
def test_what_is_told_of_a_path_with_other_images(tmp_path, keys, words):
    text = GRAIN.replace("direction = [1, 0, 0]", "direction = [0, 0, -1]").replace("[2, 2, 2]", "[1, 1, 1]")
    done = run(tmp_path, "seed = 1\n" + text.replace("[[exchange]]\nshell = 1\nJ = 1\n", "") + keys)
    assert done.returncode == 0, done.stderr
    told = [line for line in done.stderr.splitlines() if "minimum-energy-path" in line]
    assert (re.search(words, "\n".join(told)) is not None) if words else not told, done.stderr
