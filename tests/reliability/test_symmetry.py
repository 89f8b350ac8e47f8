"""larmor symmetry: its tables, with numbers for letters, make studies that run; wrong input is
refused and nothing is written."""
# Rooms: symmetry, imports

import json
import random
import re

import numpy as np
import pytest

import larmor as package
from program import LARMOR, larmor

IRON_IODIDE = """data_FeI2
_cell_length_a 4.05
_cell_length_b 4.05
_cell_length_c 6.76
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 120
_symmetry_space_group_name_H-M 'P -3 m 1'
loop_
_atom_site_label
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
Fe1 0 0 0
I1 0.3333 0.6667 0.25
"""

POSCAR = """diamond
5.0
0 0.5 0.5
0.5 0 0.5
0.5 0.5 0
Cr
2
Direct
0 0 0
0.25 0.25 0.25
"""


def report(path, *options):
    run = larmor("symmetry", path, "--json", *options)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def with_numbers(tables, seed=1):
    """The tables with an energy for each letter."""
    draw = random.Random(seed)
    out = []
    for table in re.split(r"\n(?=\[\[)", tables):
        values = {}

        def number(found):
            text = found[1]
            if text == "0 meV":
                return found[0]
            for name in re.findall(r"\b[A-Z]\b", text):
                values.setdefault(name, draw.uniform(-1, 1))
            value = eval(text, {"sqrt": np.sqrt}, values)  # noqa: S307
            return f'"{value:.15g} meV"'

        head, _, matrix = table.partition("A = ")
        out.append(head + "A = " + re.sub(r'"([^"]*)"', number, matrix))
    return "\n".join(out)


def test_the_tables_of_a_cif_make_a_study(tmp_path):
    crystal = tmp_path / "FeI2.cif"
    crystal.write_text(IRON_IODIDE)
    found = report(crystal, "--distance", "8")
    assert found["symbol"] == "P-3m1" and found["number"] == 164
    assert [site["symmetry"] for site in found["sites"]] == ["-3m"]
    assert found["bonds"][0]["letters"] == [["A", "0", "0"], ["0", "B", "D"], ["0", "D", "C"]]
    study = tmp_path / "study.toml"
    study.write_text(
        'units = "material"\n[lattice]\nconstant = "1 angstrom"\n'
        "cell = [[4.05, 0, 0], [-2.025, 3.5074028853269764, 0], [0, 0, 6.76]]\nsize = [4, 4, 3]\n"
        "other_atoms = [[0.33333333, 0.66666667, 0.25], [0.66666667, 0.33333333, 0.75]]\n"
        'other_species = ["I"]\n'
        + with_numbers(found["tables"])
        + '[[stage]]\nkind = "monte-carlo"\ntemperature = "1 K"\nsweeps = 10\n'
    )
    run = larmor("run", study, "-o", tmp_path / "out.h5")
    assert run.returncode == 0, run.stderr
    # The study has the crystal of the file.
    again = report(study, "--distance", "8")
    assert again["symbol"] == found["symbol"]
    assert [bond["letters"] for bond in again["bonds"]] == [
        bond["letters"] for bond in found["bonds"]
    ]


def test_letters_in_a_study_are_refused_by_name(tmp_path):
    crystal = tmp_path / "FeI2.cif"
    crystal.write_text(IRON_IODIDE)
    study = tmp_path / "study.toml"
    study.write_text(
        'units = "material"\n[lattice]\ntype = "sc"\nsize = [3]\n'
        + report(crystal)["tables"]
        + '[[stage]]\nkind = "monte-carlo"\ntemperature = "1 K"\nsweeps = 10\n'
    )
    run = larmor("run", study, "-o", tmp_path / "out.h5")
    assert run.returncode == 2 and '"A"' in run.stderr and "study.toml:" in run.stderr
    assert not (tmp_path / "out.h5").exists()


def test_images_of_a_bond_are_those_of_its_rotations(tmp_path):
    crystal = tmp_path / "POSCAR"
    crystal.write_text(POSCAR)
    found = report(crystal, "--distance", "4")
    assert found["symbol"] == "Fd-3m"
    cell = 5 * (np.ones((3, 3)) - np.eye(3)) / 2
    basis = np.array([[0, 0, 0], [0.25, 0.25, 0.25]])
    for bond in found["bonds"]:
        matrices = bond["symmetric"] + bond["antisymmetric"]
        for image in bond["images"]:
            a, b = image["atoms"]
            r = (basis[b] + image["offset"] - basis[a]) @ cell
            rotation = np.array(image["rotation"])
            assert np.allclose(rotation @ rotation.T, np.eye(3))
            assert np.allclose(rotation @ bond["vector"], r)
            # Moriya: no D where an inversion centre is in the middle of the bond.
            assert matrices
        assert len(bond["images"]) * 2 == sum(
            bond["neighbours"] for _ in range(2)
        ), "both atoms of the cell are alike"
    assert [bond["neighbours"] for bond in found["bonds"]] == [4, 12]
    assert found["bonds"][0]["antisymmetric"] == []
    assert len(found["bonds"][1]["antisymmetric"]) == 1


def test_the_text_names_site_bonds_and_tables(tmp_path):
    crystal = tmp_path / "FeI2.cif"
    crystal.write_text(IRON_IODIDE)
    run = larmor("symmetry", crystal)
    assert run.returncode == 0
    for part in (
        "space group P-3m1 (164), 12 operations",
        "site symmetry -3m",
        "no Dzyaloshinskii-Moriya vector",
        "[[exchange-tensor]]",
        "[[anisotropy]]",
    ):
        assert part in run.stdout


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (IRON_IODIDE, ["--spins", "Co"], 'no species "Co"'),
        (IRON_IODIDE, ["--order"], "gives no moments"),
        (IRON_IODIDE, ["--tolerance", "0"], "--tolerance"),
        (IRON_IODIDE.replace("4.05", "?"), [], "not a number"),
        (IRON_IODIDE.replace("0.3333 ", "0.3333 x "), [], "number of values"),
        ("data_x\n", [], "no atoms"),
        ("", [], "CIF"),
    ],
)
def test_wrong_input_is_refused(tmp_path, text, options, message):
    crystal = tmp_path / "a.cif"
    crystal.write_text(text)
    before = sorted(tmp_path.iterdir())
    run = larmor("symmetry", crystal, *options)
    assert run.returncode == 2, run.stderr
    assert message in run.stderr
    assert sorted(tmp_path.iterdir()) == before


def test_a_study_without_spins_is_refused(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text('[model]\nkind = "ising"\n[lattice]\ntype = "square"\nsize = [4, 4]\n')
    run = larmor("symmetry", study)
    assert run.returncode == 2 and "study.toml:2" in run.stderr


def test_python_has_the_matrices(tmp_path, monkeypatch):
    monkeypatch.setenv("LARMOR", LARMOR)
    crystal = tmp_path / "FeI2.cif"
    crystal.write_text(IRON_IODIDE)
    found = package.symmetry(crystal, distance=7, spins=["Fe"])
    assert (found.symbol, found.number, found.operations) == ("P-3m1", 164, 12)
    assert [site.symmetry for site in found.sites] == ["-3m"]
    assert np.allclose(found.sites[0].anisotropy, [np.diag([1, 1, -2])])
    first = found.bonds[0]
    assert first.symmetric.shape == (4, 3, 3) and first.antisymmetric.shape == (0, 3, 3)
    assert np.isclose(np.linalg.norm(first.vector), first.length)
    # A study has the same crystal as the file.
    study = package.Study()
    study.lattice(cell=[[4.05, 0, 0], [-2.025, 3.5074028853269764, 0], [0, 0, 6.76]], size=[4, 4, 3],
                  other_atoms=[[1 / 3, 2 / 3, 0.25], [2 / 3, 1 / 3, 0.75]], other_species=["I"])
    again = package.symmetry(study, distance=7)
    assert [bond.letters for bond in again.bonds] == [bond.letters for bond in found.bonds]
    with pytest.raises(package.InputError, match="Co"):
        package.symmetry(crystal, spins=["Co"])
