"""Stages on the energy landscape in studies: results, notes, and spins passed to the next stage."""
# Rooms: spins, study

import subprocess

import h5py
import numpy as np
import pytest

from running import LARMOR

CHAIN = """
seed = 2
{head}
[lattice]
type = "chain"
size = [40]
periodic = false

[[exchange]]
shell = 1
J = 1.0

[[anisotropy]]
K = 0.05
"""


def run(folder, text, *arguments):
    study = folder / "study.toml"
    study.write_text(text)
    done = subprocess.run([LARMOR, "run", str(study), "-o", str(folder / "study.h5"), "--progress",
                           "quiet", "--force", *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "study.h5", done.stderr


def test_minimise_writes_series_averages_and_spins(tmp_path):
    path, errors = run(tmp_path, CHAIN.format(head="replicas = 3") + """
[[stage]]
kind = "minimise"
measure = ["energy-terms"]
measure_every = 3
keep_configurations = 3
""")
    assert "note" not in errors
    with h5py.File(path) as file:
        stage = file["stages/01-minimise"]
        assert stage.attrs["converged"] == 1 and stage.attrs["replicas_converged"] == 3
        energy = stage["series/energy/value"][:]
        step = stage["series/energy/step"][:]
        torque = stage["series/largest_torque/value"][:]
        assert energy.shape == torque.shape == (len(step), 3)
        assert step[0] == 0 and step[-1] == stage.attrs["steps"]
        assert np.all(np.diff(step) > 0) and np.all(step[:-1] % 3 == 0)
        assert np.all(np.diff(energy, axis=0) < 1e-13)
        assert np.all(torque[-1] <= stage.attrs["tolerance"])
        total = stage["averages/energy/value"][0]
        assert abs(total - energy[-1].mean()) < 1e-14
        terms = [stage[f"averages/energy_{term}/value"][0] for term in ("exchange", "anisotropy")]
        assert abs(sum(terms) - total) < 1e-13
        assert stage["configuration"].shape == (3, 40, 3)
        # The tolerance is 1e-8 of the largest field, which is that of two neighbours plus twice K.
        assert abs(stage.attrs["tolerance"] - 2.1e-8) < 1e-12


def test_minimise_says_when_it_has_not_converged(tmp_path):
    path, errors = run(tmp_path, CHAIN.format(head="") + """
[[stage]]
kind = "minimise"
steps = 3
""")
    assert "note:" in errors and "not converged after 3 steps" in errors
    with h5py.File(path) as file:
        assert file["stages/01-minimise"].attrs["converged"] == 0
    shown = subprocess.run([LARMOR, "show", str(path)], capture_output=True, text=True).stdout
    assert "has not converged" in shown


def test_the_field_of_a_hysteresis_is_on_top_of_the_hamiltonians(tmp_path):
    """A study with units of a material, a list of fields, configurations at each of them, and
    random disorder."""
    path, _ = run(tmp_path, """
units = "material"
[lattice]
type = "square"
size = [4, 4]
constant = "3 Å"
moment = "2 μB"
[field]
B = ["1 T", "0 T", "0 T"]
[[stage]]
kind = "hysteresis"
direction = [0, 3, 0]
field = ["0 T", "1 T", "-1 T"]
trajectory = true
""")
    with h5py.File(path) as file:
        stage = file["stages/01-hysteresis"]
        assert stage["field"].attrs["unit"] == "T"
        along = stage["averages/magnetisation_along/value"][:]
        np.testing.assert_allclose(along, [0, np.sqrt(2), -np.sqrt(2)], atol=1e-6)
        np.testing.assert_allclose(stage["averages/magnetisation_x/value"],
                                   [2, np.sqrt(2), np.sqrt(2)], atol=1e-6)
        total = np.array([1, np.sqrt(2), np.sqrt(2)])
        np.testing.assert_allclose(stage["averages/energy/value"], -2 * 5.7883818060e-5 * total,
                                   rtol=1e-9)
        spins = stage["trajectory/value"][:, 0]
        np.testing.assert_allclose(2 * spins[:, :, 1].mean(1), along, atol=1e-12)


PATH = """
[[stage]]
kind = "minimum-energy-path"
final = {{ state = "aligned", direction = [0, 0, -1] }}
through = [{{ state = "domain-wall", normal = [1, 0, 0], width = 3 }}]
{more}
"""


def test_path_of_a_wall_through_a_chain(tmp_path):
    path, errors = run(tmp_path, CHAIN.format(head="") + '[initial]\nstate = "aligned"\n'
                       + PATH.format(more="images = 11"))
    assert "note" not in errors
    with h5py.File(path) as file:
        stage = file["stages/01-minimum-energy-path"]
        assert stage.attrs["converged"] == 1
        attributes = stage["path"].attrs
        energy = stage["path/energy"][:]
        wall = 2 * np.sqrt(2 * 0.05)
        assert abs(attributes["barrier_forward"] - wall) < 0.05 * wall
        assert abs(attributes["barrier_forward"] - attributes["barrier_backward"]) < 1e-9
        assert attributes["saddle_energy"] == energy.max() == energy[attributes["saddle_image"]]
        # The total energy is that of 39 bonds and 40 spins.
        np.testing.assert_allclose(energy[[0, -1]], -39 - 40 * 0.05, atol=1e-9)
        coordinate = stage["path/reaction_coordinate"][:]
        gaps = np.diff(coordinate)
        assert gaps.max() < 1.05 * gaps.min()
        force, tolerance = stage["path/force"][:], stage.attrs["tolerance"]
        assert force[attributes["climbing_image"]] <= tolerance and force.max() <= 10 * tolerance
        curve = stage["path/interpolation/energy"][:]
        np.testing.assert_allclose(curve[::10], energy, atol=1e-12)
        assert curve.max() < energy.max() + 1e-3
        images = stage["configuration"][:]
        assert images.shape == (11, 40, 3)
        np.testing.assert_allclose(images[0, :, 2], 1)
        np.testing.assert_allclose(images[-1, :, 2], -1)
        middle = images[5, :, 2]
        assert abs(middle[0]) > 0.99 and middle[0] * middle[-1] < -0.98


def test_the_spins_go_on_from_the_end_of_the_path(tmp_path):
    path, _ = run(tmp_path, CHAIN.format(head="") + '[initial]\nstate = "aligned"\n'
                  + PATH.format(more="images = 5\nrelax = false\nclimb = false\nsteps = 3")
                  + '[[stage]]\nkind = "minimise"\n')
    with h5py.File(path) as file:
        assert file["stages/01-minimum-energy-path"].attrs["converged"] == 0
        np.testing.assert_allclose(file["stages/02-minimise/configuration"][0, :, 2], -1)


def test_spins_from_a_file(tmp_path):
    """Relaxed spins are exported and start another study, which has nothing left to relax."""
    first, _ = run(tmp_path, CHAIN.format(head="") + '[[stage]]\nkind = "minimise"\n')
    exported = tmp_path / "spins.extxyz"
    done = subprocess.run([LARMOR, "export", str(first), "-o", str(exported)], capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stderr
    with h5py.File(first) as file:
        expected = file["stages/01-minimise/configuration"][:]
    again, _ = run(tmp_path, CHAIN.format(head="") + '[initial]\nstate = "file"\n'
                   'file = "spins.extxyz"\n[[stage]]\nkind = "minimise"\n')
    with h5py.File(again) as file:
        assert file["stages/01-minimise"].attrs["steps"] == 0
        assert np.array_equal(file["stages/01-minimise/configuration"][:], expected)
        assert any(b"spins.extxyz" in name for name in file["study/files"][:])


@pytest.mark.parametrize("edit, contains", [
    (lambda lines: lines[:-1], "spins.extxyz:42"),
    (lambda lines: [lines[0], lines[1].replace("spin:R:3", "velo:R:3"), *lines[2:]], "spin:R:3"),
    (lambda lines: ["39", *lines[1:]], "39"),
    (lambda lines: [*lines[:5], "A 3 0 0 up 0 0 1", *lines[6:]], "spins.extxyz:6"),
])
def test_malformed_files_of_spins(tmp_path, edit, contains):
    first, _ = run(tmp_path, CHAIN.format(head="") + '[[stage]]\nkind = "minimise"\nsteps = 1\n')
    spins = tmp_path / "spins.extxyz"
    subprocess.run([LARMOR, "export", str(first), "-o", str(spins)], check=True,
                   capture_output=True)
    spins.write_text("\n".join(edit(spins.read_text().splitlines())) + "\n")
    (tmp_path / "bad.toml").write_text(CHAIN.format(head="") + '[initial]\nstate = "file"\n'
                                       'file = "spins.extxyz"\n[[stage]]\nkind = "minimise"\n')
    refused = subprocess.run([LARMOR, "check", str(tmp_path / "bad.toml")], capture_output=True,
                             text=True)
    assert refused.returncode == 2, refused.stderr
    assert "spins.extxyz" in refused.stderr and contains in refused.stderr
