"""Minimum-energy paths of atoms in the whole program: results, rates, equal bits, export, pictures, and the
refusal of invalid studies. LARMOR_TEST_REFERENCE names the folder of the folder `replicas` with a vacancy hop in
tungsten."""
# Rooms: atoms, paths, study

import json
import os
import pathlib
import sys

import h5py
import numpy as np
import pytest

from program import ROOT, assert_same_bits, larmor, run_study
from running import assert_killed_runs_go_on

sys.path.insert(0, str(ROOT / "python"))

import larmor as reader
from larmor.pictures import Options, draw_all

EDGE = 5.6
STUDY = """
units = "material"
[model]
kind = "atoms"
[structure]
file = "first.extxyz"
[[zbl]]
inner = "3.4 Å"
outer = "4.2 Å"
[[stage]]
kind = "minimum-energy-path"
final = {{ file = "{final}" }}
{keys}
"""
RATES = 'images = 5\nlifetime = { temperature = ["300 K", "600 K"], equivalent_saddles = 8 }'


def vacancy(edge, cells):
    """Positions of a bcc crystal without the atom at the origin. @return positions before and after the hop of a
    neighbour into this place; the number of the atom that hops"""
    corners = np.stack(np.meshgrid(*3 * [np.arange(cells)], indexing="ij"), -1).reshape(-1, 3)
    sites = np.concatenate([corners, corners + 0.5])[1:] * edge / cells
    hops = int(np.argmin(np.abs(sites - 0.5 * edge / cells).sum(1)))
    last = sites.copy()
    last[hops] = 0
    return sites, last, hops


def write(path, positions, edge, elements=None):
    elements = elements or ["W"] * len(positions)
    atoms = "".join(f"{name} {x:.17g} {y:.17g} {z:.17g}\n" for name, (x, y, z) in zip(elements, positions))
    path.write_text(f'{len(positions)}\nLattice="{edge} 0 0 0 {edge} 0 0 0 {edge}" Properties=species:S:1:pos:R:3\n'
                    + atoms)


@pytest.fixture
def folder(tmp_path):
    """A folder with both structures of a hop in a small crystal."""
    first, last, _ = vacancy(EDGE, 2)
    write(tmp_path / "first.extxyz", first, EDGE)
    write(tmp_path / "last.extxyz", last, EDGE)
    return tmp_path


def text(keys=RATES, final="last.extxyz"):
    return STUDY.format(keys=keys, final=final)


def stage_of(output):
    return h5py.File(output)["stages/01-minimum-energy-path"]


def test_a_hop_between_equal_minima_has_equal_barriers_and_rates(folder):
    run, output = run_study(folder, text())
    assert run.returncode == 0, run.stderr
    stage = stage_of(output)
    path, saddle, lifetime = stage["path"], stage["saddle"], stage["lifetime"]
    assert stage.attrs["converged"] == 1 and stage.attrs["saddle_converged"] == 1
    assert path.attrs["barrier_forward"] == pytest.approx(path.attrs["barrier_backward"], abs=1e-9)
    assert path.attrs["saddle_image"] == path.attrs["climbing_image"] == 2
    assert path["energy"][2] == pytest.approx(saddle.attrs["energy"], abs=1e-11)
    np.testing.assert_allclose(stage["configuration"][2], saddle["configuration"][()], atol=0)
    assert saddle.attrs["largest_force"] <= 1e-8 and saddle.attrs["unstable_modes"] == 1
    frequency = saddle["frequency"][()]
    assert len(frequency) == 3 * 15 - 3 and frequency[0] < 0 < frequency[1]
    assert path["reaction_coordinate"].attrs["unit"] == "Å"
    # Vineyard's ratio of products of frequencies.
    minimum = lifetime["first/frequency"][()]
    nu = np.exp(np.log(minimum).sum() - np.log(frequency[1:]).sum())
    assert lifetime["forward"].attrs["attempt_frequency"] == pytest.approx(nu, rel=1e-9)
    k_B_T = 8.617333262e-5 * lifetime["temperature"][()]
    expected = 8 * nu * np.exp(-path.attrs["barrier_forward"] / k_B_T)
    np.testing.assert_allclose(lifetime["forward/rate"][()], expected, rtol=1e-6)
    np.testing.assert_allclose(lifetime["backward/rate"][()], expected, rtol=1e-5)


def test_show_export_and_pictures(folder):
    run, output = run_study(folder, text())
    assert run.returncode == 0, run.stderr
    shown = larmor("show", output).stdout
    assert "path of 5 images" in shown and "Å long" in shown and "lifetime" in shown
    exported = larmor("export", output, "--replica", "2", "-o", folder / "saddle.extxyz")
    assert exported.returncode == 0, exported.stderr
    lines = (folder / "saddle.extxyz").read_text().splitlines()
    positions = np.array([line.split()[1:4] for line in lines[2:]], float)
    np.testing.assert_allclose(positions, stage_of(output)["configuration"][2], rtol=1e-12)
    with reader.open(output) as results:
        path = results.stages[0].path
        assert path.coordinate_unit == "Å" and path.saddle == 2 and path.converged
        names = [picture.name for picture in draw_all(results, None, results.stages, Options()).pictures]
    assert any("path" in name for name in names) and any("lifetime" in name for name in names)


def test_threads_change_no_bit(folder):
    outputs = []
    for threads in (1, 3):
        (folder / "study.toml").write_text(text())
        outputs.append(folder / f"{threads}.h5")
        run = larmor("run", folder / "study.toml", "-o", outputs[-1], "--threads", threads)
        assert run.returncode == 0, run.stderr
    assert_same_bits(*outputs)


def test_killed_runs_go_on(folder):
    (folder / "study.toml").write_text(text(RATES + "\ntolerance = '1e-5 eV/Å'\nmeasure_every = 1"))
    assert_killed_runs_go_on(folder / "study.toml")


def test_the_next_stage_begins_at_the_end_of_the_path(folder):
    run, output = run_study(folder, text() + '[[stage]]\nkind = "minimise"\ntolerance = "1e-6 eV/Å"\n')
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        path = file["stages/01-minimum-energy-path"]
        assert file["stages/02-minimise/averages/potential_energy/value"][0] == pytest.approx(
            path["path/energy"][-1], abs=1e-9)


def test_a_path_through_another_structure(folder):
    first, last, hops = vacancy(EDGE, 2)
    middle = (first + last) / 2
    middle[hops] += [0.3, -0.3, 0]
    write(folder / "middle.extxyz", middle, EDGE)
    barriers = []
    for keys in ("", 'through = [{ file = "middle.extxyz" }]'):
        run, output = run_study(folder, text(f"images = 5\n{keys}"), "--force")
        assert run.returncode == 0, run.stderr
        barriers.append(stage_of(output)["path"].attrs["barrier_forward"])
    assert barriers[0] == pytest.approx(barriers[1], abs=1e-8)


def structures_that_do_not_fit():
    first, last, _ = vacancy(EDGE, 2)
    mixed = ["W"] * len(first)
    mixed[3] = "Be"
    return {
        "more atoms": (np.concatenate([last, [[2.0, 2.0, 0.3]]]), EDGE, None, "has 16 atoms, and the first one has 15"),
        "other species": (last, EDGE, mixed, "atom 3 is Be"),
        "another box": (last, 1.01 * EDGE, None, "box of the first structure"),
        "equal ends": (first + 0.1, EDGE, None, "same structure"),
    }


@pytest.mark.parametrize("name", structures_that_do_not_fit())
def test_structures_that_do_not_fit(folder, name):
    positions, edge, elements, words = structures_that_do_not_fit()[name]
    write(folder / "last.extxyz", positions, edge, elements)
    run, output = run_study(folder, text())
    assert run.returncode == 2, run.stderr
    assert words in run.stderr and not output.exists()


@pytest.mark.parametrize("keys, words", [
    ("climb = false\nlifetime = { temperature = '300 K' }", "no image climbs"),
    ("refine = false\nlifetime = { temperature = '300 K' }", "refine = true"),
    ("images = 2", "images"),
    ("lifetime = { temperature = '0 K' }", "positive temperature"),
])
def test_keys_that_do_not_fit(folder, keys, words):
    run, _ = run_study(folder, text(keys))
    assert run.returncode == 2 and words in run.stderr, run.stderr


def test_several_replicas_are_refused(folder):
    run, _ = run_study(folder, "replicas = 2\n" + text())
    assert run.returncode == 2 and "replicas = 1" in run.stderr


def test_too_few_steps_are_told(folder):
    run, output = run_study(folder, text(RATES + "\nsteps = 4"))
    assert run.returncode == 0, run.stderr
    assert stage_of(output).attrs["converged"] == 0
    assert "lifetime" not in stage_of(output)
    assert "not converged" in run.stderr + run.stdout


def test_vacancy_hop_in_tungsten(tmp_path):
    reference, potentials = os.environ.get("LARMOR_TEST_REFERENCE"), os.environ.get("LAMMPS_POTENTIALS")
    if reference is None or potentials is None:
        pytest.skip("LARMOR_TEST_REFERENCE or LAMMPS_POTENTIALS is not set")
    expected = json.loads((pathlib.Path(reference) / "replicas" / "w_vacancy_53.json").read_text())
    first, last, _ = vacancy(expected["box"], 3)
    write(tmp_path / "first.extxyz", first, expected["box"])
    write(tmp_path / "last.extxyz", last, expected["box"])
    temperatures = sorted(int(T) for T in expected["rate_per_direction"])
    study = f"""
units = "material"
[model]
kind = "atoms"
[structure]
file = "first.extxyz"
[[snap]]
prefix = "W_2940_2017_2"
[[zbl]]
inner = "4.0 Å"
outer = "4.8 Å"
[[stage]]
kind = "minimum-energy-path"
final = {{ file = "last.extxyz" }}
images = 5
lifetime = {{ temperature = {[f"{T} K" for T in temperatures]} }}
"""
    run, output = run_study(tmp_path, study)
    assert run.returncode == 0, run.stderr
    stage = stage_of(output)
    path, forward = stage["path"], stage["lifetime/forward"]
    barrier, nu = path.attrs["barrier_forward"], forward.attrs["attempt_frequency"]
    print(f"barrier {barrier:.9f} eV, attempt frequency {nu:.6f} THz, "
          f"imaginary frequency {-stage['saddle/frequency'][0]:.6f} THz")
    assert barrier == pytest.approx(expected["barrier"], abs=1e-5)
    assert path["energy"][0] == pytest.approx(expected["energy_minimum"], abs=1e-5)
    assert nu == pytest.approx(expected["attempt_frequency_THz"], rel=1e-3)
    assert -stage["saddle/frequency"][0] == pytest.approx(expected["imaginary_frequency_THz"], rel=1e-3)
    rates = [1e-12 * expected["rate_per_direction"][str(T)] for T in temperatures]
    np.testing.assert_allclose(forward["rate"][()], rates, rtol=2e-3)
