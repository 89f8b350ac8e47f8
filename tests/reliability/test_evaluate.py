"""larmor evaluate: energies, forces, virials and descriptors, read without code of Larmor."""
# Rooms: io, evaluation

import json
import os
import pathlib
import re
import shutil

import numpy as np
import pytest

from program import larmor

# References of LAMMPS, if the environment names their folder.
REFERENCE = pathlib.Path(os.environ.get("LARMOR_TEST_REFERENCE", "none")) / "snap"
# The coefficients for 2J = 2, beta_0 and five components, describe no real material.
COEFFICIENTS = """# made up
2 6
W 0.5 1
-0.3
0.021
-0.034
0.011
0.027
-0.019
Be 0.42 0.96
0.2
-0.013
0.022
0.031
-0.009
0.017
"""
PARAMETERS = "rcutfac 4.7\ntwojmax 2\nrfac0 0.99363\nrmin0 0\nbzeroflag 0\n"
ZBL = ["--zbl", "2.0", "3.1"]
CELL = np.array([[3.4, 0, 0], [0.5, 5.1, 0], [-0.3, 0.8, 4.6]])
SYMBOLS = ["W", "Be", "W", "W", "Be"]
POSITIONS = np.array(
    [[0.1, 0.0, 0.2], [1.7, 1.1, 0.4], [0.3, 2.6, 2.1], [2.2, 3.9, 0.9], [1.6, 1.0, 2.8]]
)


def vectors(numbers):
    return " ".join(repr(float(x)) for x in np.ravel(numbers))


def frame(symbols=SYMBOLS, positions=POSITIONS, cell=CELL, keys=""):
    lattice = f'Lattice="{vectors(cell)}" ' if cell is not None else ""
    rows = [f"{symbol} {vectors(r)}" for symbol, r in zip(symbols, positions)]
    header = f"{lattice}Properties=species:S:1:pos:R:3 {keys}"
    return "\n".join([str(len(rows)), header, *rows, ""])


def read(path):
    """Frames as dictionaries of keys and columns."""
    lines = path.read_text().splitlines()
    frames = []
    while lines:
        atoms = int(lines[0])
        keys = {k: q or w for k, q, w in re.findall(r'(\w+)=(?:"([^"]*)"|(\S+))', lines[1])}
        words = np.array([line.split() for line in lines[2 : 2 + atoms]])
        parts, first = keys["Properties"].split(":"), 0
        found = {"keys": keys, "columns": parts[::3], "energy": float(keys["energy"])}
        for name, kind, width in zip(parts[::3], parts[1::3], map(int, parts[2::3])):
            column = words[:, first : first + width]
            found[name] = column if kind == "S" else column.astype(float)
            first += width
        assert first == words.shape[1]
        for name in ("virial", "stress"):
            if name in keys:
                found[name] = np.array(keys[name].split(), dtype=float).reshape(3, 3)
        frames.append(found)
        lines = lines[2 + atoms :]
    return frames


@pytest.fixture
def prefix(tmp_path):
    (tmp_path / "made_up.snapcoeff").write_text(COEFFICIENTS)
    (tmp_path / "made_up.snapparam").write_text(PARAMETERS)
    return tmp_path / "made_up"


def evaluate(folder, text, *options, name="in.extxyz"):
    """Frames of the output."""
    (folder / name).write_text(text)
    done = larmor("evaluate", folder / name, "-o", folder / "out.extxyz", "--force", *options)
    assert done.returncode == 0, done.stderr
    return read(folder / "out.extxyz")


def test_forces_and_virials_are_derivatives_of_energies(tmp_path, prefix):
    step = 1e-4
    frames = [frame()]
    for atom in range(len(SYMBOLS)):
        for d in range(3):
            for sign in (1, -1):
                moved = POSITIONS.copy()
                moved[atom, d] += sign * step
                frames.append(frame(positions=moved))
    for a in range(3):
        for b in range(3):
            for sign in (1, -1):
                strain = np.eye(3)
                strain[a, b] += sign * step
                frames.append(frame(positions=POSITIONS @ strain.T, cell=CELL @ strain.T))
    base, *others = evaluate(tmp_path, "".join(frames), "--snap", prefix, *ZBL)
    energy = np.array([found["energy"] for found in others]).reshape(-1, 2)
    slope = (energy[:, 0] - energy[:, 1]) / (2 * step)
    atoms = 3 * len(SYMBOLS)
    strongest = np.abs(base["forces"]).max()
    assert strongest > 0.1
    assert np.allclose(base["forces"], -slope[:atoms].reshape(-1, 3), atol=1e-6 * strongest)
    most = np.abs(base["virial"]).max()
    assert np.allclose(base["virial"], -slope[atoms:].reshape(3, 3), atol=1e-6 * most)
    assert np.allclose(base["stress"], -base["virial"] / np.linalg.det(CELL), rtol=1e-14)
    assert base["energies"].sum() == pytest.approx(base["energy"], rel=1e-14)
    assert np.abs(base["forces"].sum(axis=0)).max() < 1e-12 * strongest


def test_potentials_are_found_in_the_folder_of_lammps(tmp_path, prefix, monkeypatch):
    here = evaluate(tmp_path, frame(), "--snap", prefix)
    monkeypatch.setenv("LAMMPS_POTENTIALS", str(tmp_path))
    there = evaluate(tmp_path, frame(), "--snap", "made_up")
    assert there[0]["energy"] == here[0]["energy"]


def test_zbl_is_added_between_all_elements(tmp_path, prefix):
    # If atoms are closer than the inner radius, the repulsion is V = e^2 Z Z' phi(r / a) / r +
    # constant.
    def dimers(a, b, *options):
        at = [frame([a, b], [[0, 0, 0], [r, 0, 0]], None) for r in (1.0, 1.001)]
        return np.diff([f["energy"] for f in evaluate(tmp_path, "".join(at), *options)])[0] / 1e-3

    def slope(charge, other, r=1.0005, h=1e-5):
        def energy(x):
            length = 0.46850 / (charge**0.23 + other**0.23)
            terms = [(0.18175, 3.19980), (0.50986, 0.94229), (0.28022, 0.40290), (0.02817, 0.20162)]
            screening = sum(c * np.exp(-d * x / length) for c, d in terms)
            return 14.399645 * charge * other / x * screening

        return (energy(r + h) - energy(r - h)) / (2 * h)

    for a, b, charges in (("W", "W", (74, 74)), ("W", "Be", (74, 4)), ("Be", "Be", (4, 4))):
        added = dimers(a, b, "--snap", prefix, *ZBL) - dimers(a, b, "--snap", prefix)
        assert added == pytest.approx(slope(*charges), rel=1e-5)


def golden(name):
    path = REFERENCE / "golden" / f"{name}.json"
    if not path.exists():
        pytest.skip("no reference of SNAP: LARMOR_TEST_REFERENCE names none")
    return json.loads(path.read_text())


GOLDEN = [
    ("Ta06A_2J6_bcc54", ["Ta"], "Ta06A.snap"),
    ("W2940_2J8_bcc54", ["W"], "W_2940_2017_2.snap"),
    ("W2940_2J8_triclinic54", ["W"], None),
    ("W2940_2J8_var_inner", ["W"], None),
    ("WBe_2J8_bcc128", ["W", "Be"], "WBe_Wood_PRB2019.snap"),
    ("Ni_quad_2J6_fcc108", ["Ni"], None),
    ("W_2J14_bcc128", ["W"], None),
]


@pytest.mark.parametrize("name, elements, script", GOLDEN, ids=[case[0] for case in GOLDEN])
def test_what_lammps_computed_is_matched(tmp_path, name, elements, script):
    case = golden(name)
    text = frame([elements[n - 1] for n in case["types"]], case["positions_A"], case["cell_A"])
    runs = []
    potentials = REFERENCE / "potentials"
    shutil.copy(potentials / case["coeff_file"], tmp_path / "x.snapcoeff")
    shutil.copy(potentials / case["param_file"], tmp_path / "x.snapparam")
    runs.append((case["snap"], ["--snap", tmp_path / "x", "--bispectrum"]))
    if script:
        runs.append((case["snap_plus_zbl"], ["--potential", potentials / script]))
    for expected, options in runs:
        (found,) = evaluate(tmp_path, text, *options)
        energies = np.array(expected["energy_per_atom_eV"])
        assert np.allclose(found["energies"][:, 0], energies, atol=1e-11 * np.abs(energies).max())
        forces = np.array(expected["forces_eV_per_A"])
        assert np.allclose(found["forces"], forces, atol=1e-11 * max(1, np.abs(forces).max()))
        xx, yy, zz, xy, xz, yz = expected["virial_eV_xx_yy_zz_xy_xz_yz"]
        virial = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        assert np.allclose(found["virial"], virial, atol=1e-10 * max(1, np.abs(virial).max()))
        if "bispectrum" in found:
            components = np.array(expected["bispectrum_first4atoms"])
            scale = np.abs(components).max()
            assert found["bispectrum"].shape[1] == components.shape[1]
            assert np.allclose(found["bispectrum"][:4], components, atol=1e-11 * scale)


def test_bytes_do_not_depend_on_threads(tmp_path, prefix):
    rng = np.random.default_rng(1)
    # There are several small structures, and one structure whose atoms all threads share.
    texts = [frame(positions=POSITIONS + 0.1 * rng.normal(size=POSITIONS.shape)) for _ in range(40)]
    shifts = np.array([[i, j, k] for i in range(9) for j in range(6) for k in range(6)])
    many = (POSITIONS + (shifts @ CELL)[:, None, :]).reshape(-1, 3)
    many += 0.05 * rng.normal(size=many.shape)
    texts.append(frame(SYMBOLS * len(shifts), many, CELL * [[9], [6], [6]]))
    seen = set()
    for threads in (1, 2, 7):
        evaluate(tmp_path, "".join(texts), "--snap", prefix, *ZBL, "--bispectrum", "--threads", threads)
        seen.add((tmp_path / "out.extxyz").read_bytes())
    assert len(seen) == 1


def test_other_keys_and_columns_are_kept_and_forces_come_last(tmp_path, prefix):
    rows = [f"W {vectors(r)} {n + 7} 1.5 a{n} 9 9 9" for n, r in enumerate(POSITIONS)]
    keys = (
        f'Lattice="{vectors(CELL)}" energy=5 stress="1 0 0 0 1 0 0 0 1" config_type="bulk, 300 K" '
        "Properties=species:S:1:pos:R:3:id:I:1:mass:R:1:tag:S:1:forces:R:3"
    )
    (found,) = evaluate(tmp_path, "\n".join(["5", keys, *rows, ""]), "--snap", prefix, "--bispectrum")
    assert found["columns"] == ["species", "pos", "id", "masses", "tag", "energies", "bispectrum", "forces"]
    assert found["keys"]["config_type"] == "bulk, 300 K"
    assert np.array_equal(found["pos"], POSITIONS)
    assert np.array_equal(found["id"][:, 0], [7, 8, 9, 10, 11]) and np.all(found["masses"] == 1.5)
    assert list(found["tag"][:, 0]) == ["a0", "a1", "a2", "a3", "a4"]
    assert found["energy"] != 5 and not np.any(found["forces"] == 9)
    assert found["bispectrum"].shape == (5, 5)
    again = evaluate(tmp_path, (tmp_path / "out.extxyz").read_text(), "--snap", prefix, "--bispectrum")
    assert again[0]["columns"] == found["columns"] and again[0]["energy"] == found["energy"]


def test_open_structures_have_no_stress_and_slabs_may_lack_a_vector(tmp_path, prefix):
    flat = CELL.copy()
    flat[2] = 0
    tall = CELL.copy()
    tall[2] = [0, 0, 40]
    text = frame(cell=None) + frame(cell=flat, keys='pbc="T T F"') + frame(cell=tall, keys='pbc="T T F"')
    cluster, slab, in_vacuum = evaluate(tmp_path, text, "--snap", prefix)
    assert "stress" not in cluster and "Lattice" not in cluster["keys"]
    assert "stress" not in slab and "stress" in in_vacuum
    assert slab["energy"] == in_vacuum["energy"] != cluster["energy"]
    assert slab["keys"]["pbc"] == "T T F" and slab["keys"]["Lattice"].endswith("0 0 0")


# The cell is CELL. Image flags or fractions move some positions by whole vectors.
DATA = """LAMMPS data file via write_data, version 2 Aug 2023, timestep = 0, units = metal

5 atoms
2 atom types

0.0 3.4 xlo xhi
0.0 5.1 ylo yhi
0.0 4.6 zlo zhi
0.5 -0.3 0.8 xy xz yz

Masses

1 9.0122
2 183.84

Atoms # atomic

5 1 1.6 1.0 2.8 0 0 0
1 2 0.1 0.0 0.2 0 0 0
2 1 1.2 -4.0 0.4 0 1 0
3 2 0.3 2.6 2.1 0 0 0
4 2 5.6 3.9 0.9 -1 0 0

Velocities

1 0.1 0.2 0.3
2 1 1 1
3 2 2 2
4 3 3 3
5 -0.5 0 4
"""
POSCAR = """made up
2.0
1.7 0 0
0.25 2.55 0
-0.15 0.4 2.3
W_pv Be
3 2
Selective dynamics
Cartesian
0.05 0 0.1 T T F
0.15 1.3 1.05 T T F
1.1 1.95 0.45 T T F
0.85 0.55 0.2 T T F
0.8 0.5 1.4 T T F
"""


# The atoms of DATA, in the order of a dump.
DUMP = """ITEM: TIMESTEP
0
ITEM: NUMBER OF ATOMS
5
ITEM: BOX BOUNDS xy xz yz pp pp pp
-0.3 3.9 0.5
0.0 5.9 -0.3
0.0 4.6 0.8
ITEM: ATOMS id type element x y z ix iy iz vx vy vz
5 1 Be 1.6 1.0 2.8 0 0 0 -0.5 0 4
1 2 W 0.1 0.0 0.2 0 0 0 0.1 0.2 0.3
2 1 Be 1.2 -4.0 0.4 0 1 0 1 1 1
3 2 W 0.3 2.6 2.1 0 0 0 2 2 2
4 2 W 5.6 3.9 0.9 -1 0 0 3 3 3
"""


def test_frames_of_dump_files_give_what_extended_xyz_gives(tmp_path, prefix):
    (expected,) = evaluate(tmp_path, frame(), "--snap", prefix)
    first, second = evaluate(tmp_path, DUMP + DUMP.replace("1 2 W 0.1 0.0 0.2", "1 2 W 0.1 0.1 0.2"), "--snap", prefix,
                             name="run.dump")
    assert np.array_equal(first["id"][:, 0], [1, 2, 3, 4, 5])
    assert list(first["species"][:, 0]) == SYMBOLS
    assert np.allclose(first["pos"], POSITIONS, atol=1e-14)
    assert first["energy"] == pytest.approx(expected["energy"], rel=1e-12)
    assert np.allclose(first["forces"], expected["forces"], atol=1e-11)
    assert np.array_equal(first["velocities"][4], [-0.5, 0, 4])
    assert second["energy"] != first["energy"]
    out = tmp_path / "cut.extxyz"
    (tmp_path / "cut.dump").write_text(DUMP[: DUMP.index("3 2 W")])
    said = without_output(tmp_path, tmp_path / "cut.dump", "--snap", prefix, "-o", out)
    assert "cut.dump:13:1: error: the file ends where atom 4 of 5 should stand" in said


def test_data_files_of_lammps_and_poscar_give_what_extended_xyz_gives(tmp_path, prefix):
    options = ["--snap", prefix, *ZBL]
    (expected,) = evaluate(tmp_path, frame(), *options)
    (data,) = evaluate(tmp_path, DATA, *options, name="data.made_up")
    assert list(data["species"][:, 0]) == SYMBOLS
    assert np.allclose(data["pos"], POSITIONS, atol=1e-14)
    assert data["energy"] == pytest.approx(expected["energy"], rel=1e-13)
    assert np.allclose(data["forces"], expected["forces"], atol=1e-11)
    assert np.array_equal(data["id"][:, 0], [1, 2, 3, 4, 5])
    assert np.array_equal(data["velocities"][4], [-0.5, 0, 4])
    assert np.array_equal(data["masses"][:2, 0], [183.84, 9.0122])
    (poscar,) = evaluate(tmp_path, POSCAR, *options, name="without_ending")
    order = [0, 2, 3, 1, 4]
    assert list(poscar["species"][:, 0]) == [SYMBOLS[n] for n in order]
    assert np.allclose(poscar["pos"], POSITIONS[order], atol=1e-14)
    assert np.allclose(poscar["forces"], expected["forces"][order], atol=1e-11)


def test_elements_of_numbered_types_can_be_named(tmp_path, prefix):
    unnamed = DATA.replace("1 9.0122\n2 183.84", "1 500\n2 500")
    # If nothing else defines the elements, they follow the order of the coefficient file, W before
    # Be.
    (by_file,) = evaluate(tmp_path, unnamed, "--snap", prefix, name="x.data")
    assert list(by_file["species"][:, 0]) == ["Be", "W", "Be", "Be", "W"]
    (named,) = evaluate(tmp_path, unnamed, "--snap", prefix, "--elements", "Be,W", name="x.data")
    assert list(named["species"][:, 0]) == SYMBOLS


def without_output(folder, *arguments):
    """The message of the program, which must end with exit code 2 and write no file."""
    before = {path: path.read_bytes() for path in folder.iterdir()}
    refused = larmor("evaluate", *arguments)
    assert refused.returncode == 2, (refused.returncode, refused.stderr)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
    return refused.stderr


BAD_STRUCTURES = [
    (frame() + frame(["W", "Be", "Xx", "W", "W"]), "in.extxyz:12: error: the potential has no element 'Xx'"),
    (frame(cell=None, keys='pbc="T T T"'), "in.extxyz:2:36: error: the positions are periodic"),
    (frame() + frame(positions=POSITIONS[[0, 1, 2, 3, 1]]), "in.extxyz:14: error: the atom has the position"),
    (frame(positions=[[0, 0, 0], [0, 0, np.nan]]), "in.extxyz:4:12: error: z is \"nan\""),
    (frame(positions=POSITIONS[:4]).replace("4\n", "5\n", 1), "the file ends after 4 of 5 atoms"),
    (frame() + "five\n", "in.extxyz:8:1: error: the number of atoms is \"five\""),
    (frame(cell=CELL * [[1], [1], [0]]), "in.extxyz:2:9: error: the vectors of the cell lie in a plane"),
    (frame(cell=1e-3 * CELL), "in.extxyz:2:9: error: the box repeats more than 100 times"),
    (frame(positions=[[0, 0, 0], [1e12, 0, 0]]), "in.extxyz:4: error: the atom is more than a million boxes"),
    ("", "in.extxyz:1:1: error: the file does not begin"),
]


@pytest.mark.parametrize("text, words", BAD_STRUCTURES, ids=range(len(BAD_STRUCTURES)))
def test_bad_structures_are_refused_where_they_are(tmp_path, prefix, text, words):
    (tmp_path / "in.extxyz").write_text(text)
    out = tmp_path / "out.extxyz"
    for threads in (1, 3):
        said = without_output(tmp_path, tmp_path / "in.extxyz", "--snap", prefix, "-o", out, "--threads", threads)
        assert words in said


TILTS = "0.5 -0.3 0.8 xy xz yz"
# Files of LAMMPS with typical editing mistakes.
BAD_FILES = {
    "blank-step": ("x.dump", DUMP.replace("STEP\n0", "STEP\n"), "x.dump:2:1: error: the line is blank"),
    "blank-time": ("x.dump", "ITEM: TIME\n  \n" + DUMP, "x.dump:2:3: error: the line is blank"),
    "blank-number": ("x.dump", DUMP.replace("ATOMS\n5", "ATOMS\n"), "x.dump:4:1: error: the line is blank"),
    "blank-last-step": ("x.dump", DUMP + "ITEM: TIMESTEP\n\n", "x.dump:16:1: error: the line is blank"),
    "two-tilts": ("x.data", DATA.replace(TILTS, "0.5 0.8 xy xz yz"), "x.data:9:1: error: the line gives 2 of 3 tilts"),
    "quote-in-tilts": ("x.data", DATA.replace(TILTS, '0.5 " 0.8 xy xz yz'), "x.data:9:1: error: the line gives 2 of 3"),
    "id-twice": ("x.xyz", "2\nProperties=species:S:1:pos:R:3:id:I:1\nW 0 0 0 4\nW 0 0 2 4\n",
                 "x.xyz:4: error: the atom 4 is given twice, first in line 3"),
    "escape": ("x.xyz", "1\n\nW 0 0 \x1b[31m\n", 'x.xyz:3:7: error: z is "\\x1b[31m", not a number'),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_a_slip_in_a_file_is_told_with_its_line(tmp_path, prefix, case):
    name, text, words = BAD_FILES[case]
    (tmp_path / name).write_text(text)
    said = without_output(tmp_path, tmp_path / name, "--snap", prefix, "-o", tmp_path / "out.extxyz")
    assert words in said and "\x1b" not in said


def test_a_file_that_a_script_names_is_missed_where_it_is_named(tmp_path, prefix):
    (tmp_path / "in.extxyz").write_text(frame())
    script = tmp_path / "w.snap"
    script.write_text("pair_style snap\npair_coeff * * made_up.snapcoeff made_down.snapparam W Be\n")
    said = without_output(tmp_path, tmp_path / "in.extxyz", "--potential", script)
    assert f"{script}:2:34: error: there is no file" in said and "made_down.snapparam" in said


def test_bad_options_and_outputs_are_refused(tmp_path, prefix):
    atoms, out = tmp_path / "in.extxyz", tmp_path / "out.extxyz"
    atoms.write_text(frame())
    out.write_text("old")
    assert "exists" in without_output(tmp_path, atoms, "--snap", prefix, "-o", out)
    assert "is also an input" in without_output(tmp_path, atoms, "--snap", prefix, "-o", atoms, "--force")
    assert "made_down.snapcoeff" in without_output(tmp_path, atoms, "--snap", tmp_path / "made_down")
    assert "0 < inner < outer" in without_output(tmp_path, atoms, "--snap", prefix, "--zbl", "3", "2")
    assert "--snap" in without_output(tmp_path, atoms)
    assert "there is no file" in without_output(tmp_path, tmp_path / "none.extxyz", "--snap", prefix)
    strange = tmp_path / "strange"
    strange.write_text("no\natoms\nhere\n")
    assert "is not an extended XYZ" in without_output(tmp_path, strange, "--snap", prefix)
    made_up = COEFFICIENTS.replace("Be 0.42", "Q 0.42")
    (tmp_path / "made_up.snapcoeff").write_text(made_up)
    assert "'Q' is not a chemical element" in without_output(tmp_path, atoms, "--snap", prefix, *ZBL)


def test_progress_counts_atoms(tmp_path, prefix):
    (tmp_path / "in.extxyz").write_text(3 * frame())
    done = larmor("evaluate", tmp_path / "in.extxyz", "--snap", prefix, "--progress", "json")
    events = [json.loads(line) for line in done.stderr.splitlines()]
    assert [event["event"] for event in events] == ["start", "end"]
    assert events[-1]["done"] == events[-1]["total"] == 15 and events[-1]["unit"] == "atoms"
    assert "in-evaluated.extxyz: 3 structures of 15 atoms" in done.stdout
    assert len(read(tmp_path / "in-evaluated.extxyz")) == 3
