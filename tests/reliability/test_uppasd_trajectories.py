"""Spins after steps without a temperature, compared with those of UppASD from the same input files.

uppasd_trajectories.json holds small inputs and the spins, in 9 digits, that UppASD d8d6663 (gfortran, double precision)
computed from them. The directions at the start have 8 digits.
"""
# Rooms: imports, spins

import json
import pathlib

import h5py
import numpy as np
import pytest

from program import larmor

CASES = {case["name"]: case
         for case in json.loads(pathlib.Path(__file__).with_name("uppasd_trajectories.json").read_text())}
MILLIRYDBERG = 13.605693009e-3  # eV
# UppASD prints other energies of anisotropies than those whose derivatives are its fields.
OTHER_ENERGY = {"uniaxial"}


def write_case(folder, case):
    (folder / "inpsd.dat").write_text(case["inpsd"])
    for name, text in case["files"].items():
        (folder / name).write_text(text)
    rows = [f"0 1 {site + 1} {case['moments'][site % len(case['moments'])]} {x} {y} {z}"
            for site, (x, y, z) in enumerate(case["start"])]
    head = ["#" * 80, "# File type: R", "# Simulation type: Init", f"# Number of atoms: {len(rows)}",
            "# Number of ensembles: 1", "#" * 80, "# iter ens iatom |Mom| M_x M_y M_z"]
    (folder / "restart").write_text("\n".join(head + rows) + "\n")


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_spins_after_some_steps(tmp_path, case):
    write_case(tmp_path, case)
    run = larmor("run", tmp_path / "inpsd.dat", "-o", tmp_path / "out.h5")
    assert run.returncode == 0, run.stderr
    with h5py.File(tmp_path / "out.h5") as file:
        stage = file["stages/01-dynamics"]
        steps = stage["trajectory/step"][:].tolist()
        spins = stage["trajectory/value"][:, 0]
        energies = dict(zip(stage["series/energy/step"][:].tolist(), stage["series/energy/value"][:, 0]))
    for step, expected in case["spins"].items():
        at = steps.index(int(step))
        # The spins have moved since the start.
        assert np.abs(spins[at] - spins[0]).max() > 0.01
        assert spins[at][case["sites"]] == pytest.approx(np.array(expected), abs=3e-8)
    assert case["energy_mRy"]
    for step, expected in case["energy_mRy"].items():
        per_atom = energies[int(step)] / MILLIRYDBERG
        same = per_atom == pytest.approx(expected, rel=2e-8)
        assert same != (case["name"] in OTHER_ENERGY), (step, per_atom, expected)


@pytest.mark.parametrize("solver", [4, 5])
def test_torques_that_uppasd_halves_are_told(tmp_path, solver):
    case = CASES["current"]
    write_case(tmp_path, case)
    (tmp_path / "inpsd.dat").write_text(case["inpsd"].replace("SDEalgh 1", f"SDEalgh {solver}"))
    check = larmor("check", tmp_path / "inpsd.dat")
    assert check.returncode == 0, check.stderr
    assert f"stt A with SDEalgh {solver}: UppASD's corrector leaves the torque out" in check.stderr
