"""The case that docs/from-uppasd.md converts: its files, its energies and the factor 2.

Reference: UppASD (commit d8d6663), Metropolis, 2000 atoms at 300 K: 1.9549 mu_B, -10.4232 mRy.
"""
# Rooms: spins, io

import re
import subprocess

import h5py
import pytest

from running import LARMOR, ROOT, run_example

RYDBERG_EV = 13.605693122994
PAGE = (ROOT / "docs" / "from-uppasd.md").read_text()
CASE = ROOT / "examples" / "from-uppasd"
# The energy per atom is - sum_j J_ij of the jfile, over 8, 6, 12 and 24 neighbours.
FERROMAGNET_MRY = -(8 * 1.33767484769984 + 6 * 0.75703576545650 - 12 * 0.05975437643846
                    - 24 * 0.08819834160658)


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.S)


def ferromagnetic_energy(study):
    """Energy in mRy per atom, as `larmor check` prints it."""
    shown = subprocess.run([LARMOR, "check", str(study)], capture_output=True, text=True, check=True)
    (energy,) = re.findall(r"ferromagnetic bond energy (\S+) eV a site", shown.stdout)
    return float(energy) / RYDBERG_EV * 1e3


def test_the_page_shows_the_files_of_the_case():
    shown = blocks("text")
    assert shown == [(CASE / name).read_text() for name in ("inpsd.dat", "posfile", "momfile", "jfile")]
    assert blocks("toml")[0] == (CASE / "study.toml").read_text()


def test_the_ferromagnet_has_the_energy_of_uppasd():
    assert FERROMAGNET_MRY == pytest.approx(-12.4098, abs=5e-5)
    assert ferromagnetic_energy(CASE / "study.toml") == pytest.approx(FERROMAGNET_MRY, rel=1e-5)


def test_the_input_as_it_stands_has_this_energy():
    assert ferromagnetic_energy(CASE / "inpsd.dat") == pytest.approx(FERROMAGNET_MRY, rel=1e-5)


def test_doubled_couplings_by_shell_are_those_of_the_jfile(tmp_path):
    head, tail = (CASE / "study.toml").read_text().split("[[exchange]]")
    stages = tail[tail.index("[initial]"):]
    for name in ("posfile", "momfile"):
        (tmp_path / name).write_text((CASE / name).read_text())
    study = tmp_path / "study.toml"
    study.write_text(head + blocks("toml")[1] + "\n" + stages)
    assert ferromagnetic_energy(study) == pytest.approx(FERROMAGNET_MRY, rel=1e-5)


def test_a_pair_has_twice_the_coupling_of_the_file(tmp_path):
    (tmp_path / "posfile").write_text("1 1 0 0 0\n2 2 0.5 0 0\n")
    (tmp_path / "jfile").write_text("1 2 0.5 0 0 3.0\n2 1 -0.5 0 0 3.0\n")
    study = tmp_path / "study.toml"
    study.write_text("""
units = "material"
[lattice]
cell = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
size = [1, 1, 1]
periodic = false
posfile = "posfile"
[[exchange]]
file = "jfile"
[initial]
state = "aligned"
[[stage]]
kind = "minimise"
""")
    output = tmp_path / "pair.h5"
    subprocess.run([LARMOR, "run", str(study), "-o", str(output), "--progress", "quiet"], check=True)
    with h5py.File(output) as file:
        energy = file["/stages/01-minimise/averages/energy/value"][0]
    # The energy is - J_12 - J_21 for the pair, and half of it per atom.
    assert energy / RYDBERG_EV * 1e3 == pytest.approx(-3.0, rel=1e-9)


def test_averages_are_those_of_uppasd(tmp_path):
    output = run_example("from-uppasd", tmp_path)
    with h5py.File(output) as file:
        averages = file["/stages/01-monte-carlo/averages"]
        energy = averages["energy/value"][0] / RYDBERG_EV * 1e3
        magnetisation = averages["magnetisation/value"][0]
    assert energy == pytest.approx(-10.4232, rel=0.003)
    assert magnetisation == pytest.approx(1.9549, rel=0.005)


def test_the_dynamics_of_the_page_is_accepted(tmp_path):
    head = (CASE / "study.toml").read_text()
    for name in ("posfile", "momfile", "jfile"):
        (tmp_path / name).write_text((CASE / name).read_text())
    study = tmp_path / "study.toml"
    study.write_text(head[:head.index("[[stage]]")] + blocks("toml")[2])
    checked = subprocess.run([LARMOR, "check", str(study)], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
    assert "semi-implicit" in checked.stdout
