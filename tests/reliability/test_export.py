"""Output of larmor export, read without code of Larmor."""
# Rooms: io

import h5py
import numpy as np
import pytest

from program import larmor, write_study

MC = "stages/02-monte-carlo"
# The last stage with a trajectory, and the last stage.
DYNAMICS = "stages/03-dynamics"
LAST = "stages/05-monte-carlo"

MATERIAL = """
title = "two sublattices"
units = "material"
[lattice]
type = "bcc"
size = [3, 2, 2]
constant = "2.87 Å"
moment = ["2.2 μB", "1.5 μB"]
species = ["Fe", "Co"]
periodic = [true, false, true]
[[exchange]]
shell = 1
J = "10 meV"
[[stage]]
kind = "dynamics"
timestep = "1 fs"
steps = 20
keep_configurations = 0
measure = [{ what = "trajectory", every = 10 }]
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("export")
    study = write_study(folder / "study.toml", sweeps=50)
    assert larmor("run", study, "-o", folder / "r.h5").returncode == 0
    return folder / "r.h5"


@pytest.fixture(scope="module")
def material(tmp_path_factory):
    folder = tmp_path_factory.mktemp("export-material")
    (folder / "study.toml").write_text(MATERIAL)
    ran = larmor("run", folder / "study.toml", "-o", folder / "m.h5")
    assert ran.returncode == 0, ran.stderr
    return folder / "m.h5"


def export(*arguments, **options):
    done = larmor("export", *arguments, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refusal(*arguments):
    refused = larmor("export", *arguments)
    assert refused.returncode == 2, refused.stderr
    assert "error" in refused.stderr
    return refused.stderr


def read_extxyz(path):
    """Frames of (keys, species, positions, spins, moments)."""
    lines = path.read_text().splitlines()
    frames = []
    while lines:
        atoms = int(lines[0])
        rows = [line.split() for line in lines[2 : 2 + atoms]]
        numbers = np.array([row[1:] for row in rows], dtype=float)
        frames.append(
            (lines[1], [r[0] for r in rows], numbers[:, :3], numbers[:, 3:6], numbers[:, 6])
        )
        lines = lines[2 + atoms :]
    return frames


def read_ovf(path):
    """Header as a dictionary, and the numbers of the data block."""
    content = path.read_bytes()
    head, rest = content.split(b"# Begin: Data ", 1)
    lines = head.decode("ascii").splitlines()
    assert lines[0] == "# OOMMF OVF 2.0"
    header = dict(line[2:].split(": ", 1) for line in lines[1:])
    kind, rest = rest.split(b"\n", 1)
    body, end = rest.split(b"# End: Data " + kind, 1)
    assert end == b"\n# End: Segment\n"
    if kind == b"Text":
        return header, np.array(body.split(), dtype=float)
    assert kind == b"Binary 8"
    numbers = np.frombuffer(body[:-1], dtype="<f8")
    assert numbers[0] == 123456789012345.0
    return header, numbers[1:]


ALLOY = """
[lattice]
type = "honeycomb"
size = [3, 4]
species = ["Fe", "Co"]
moment = [2, 1]
[[alloy]]
by = "vacancy"
sites = [0, 3, 8]
[[alloy]]
species = "Co"
by = "Ni"
fraction = 0.5
moment = 0.6
[[exchange]]
shell = 1
J = 1.0
[[stage]]
kind = "dynamics"
timestep = 0.05
steps = 10
"""


@pytest.mark.parametrize("plain_positions", [False, True])
def test_of_an_alloy_extended_xyz_lacks_vacancies_and_ovf_has_them_as_zero(
    tmp_path, plain_positions
):
    study = ALLOY
    if plain_positions:
        atoms = [f"{'Fe' if n % 2 == 0 else 'Co'} {n} 0 0 {2 - n % 2}" for n in range(24)]
        keys = "Properties=species:S:1:pos:R:3:moment:R:1"
        (tmp_path / "a.xyz").write_text("\n".join(["24", keys, *atoms, ""]))
        study = study.replace(study[study.index("type") : study.index("[[alloy")], 'file = "a.xyz"\n')
    (tmp_path / "study.toml").write_text(study)
    assert larmor("run", tmp_path / "study.toml", "-o", tmp_path / "r.h5").returncode == 0
    with h5py.File(tmp_path / "r.h5") as file:
        occupied = file["model/occupied"][:].astype(bool)
        species = file["model/species"].asstr()[:]
        moments = file["model/moments"][:]
        positions = file["model/positions"][:]
        spins = file["stages/01-dynamics/configuration"][0]
    assert list(np.flatnonzero(~occupied)) == [0, 3, 8]
    assert list(species).count("Ni") == 6 and set(species[~occupied]) == {"vacancy"}
    assert np.all(moments[species == "Ni"] == 0.6) and np.all(moments[~occupied] == 0)
    assert np.all(spins[~occupied] == 0)
    assert np.allclose(np.linalg.norm(spins[occupied], axis=1), 1)
    export(tmp_path / "r.h5")
    ((_, names, places, vectors, sizes),) = read_extxyz(tmp_path / "r.extxyz")
    assert names == list(species[occupied])
    assert np.array_equal(vectors, spins[occupied]) and np.array_equal(sizes, moments[occupied])
    assert np.allclose(places, positions[occupied], atol=1e-12)
    export(tmp_path / "r.h5", "-o", tmp_path / "r.ovf", "--moments")
    _, numbers = read_ovf(tmp_path / "r.ovf")
    assert np.array_equal(numbers.reshape(-1, 6)[:, 3:], moments[:, None] * spins)


def test_final_configuration_of_the_last_stage_as_extended_xyz(results):
    said = export(results)
    output = results.with_suffix(".extxyz")
    assert str(output) in said and "05-monte-carlo" in said and "final configuration" in said
    (frame,) = read_extxyz(output)
    keys, species, positions, spins, moments = frame
    with h5py.File(results) as file:
        assert np.array_equal(spins, file[LAST + "/configuration"][0])
        assert np.allclose(positions, file["model/positions"], atol=1e-12)
    assert "Time=" not in keys and 'pbc="T T F"' in keys
    assert set(species) == {"X"} and set(moments) == {1.0}


def test_stage_replica_and_frame_are_chosen(results, tmp_path):
    export(results, "--stage", 2, "-o", tmp_path / "mc.extxyz")
    export(results, "--frame", "all", "-o", tmp_path / "all.extxyz")
    export(results, "--frame", "1", "-o", tmp_path / "1.extxyz")
    export(results, "--frame", "last", "--stage", 2, "-o", tmp_path / "last.extxyz")
    with h5py.File(results) as file:
        assert np.array_equal(
            read_extxyz(tmp_path / "mc.extxyz")[0][3], file[MC + "/configuration"][0]
        )
        trajectory = file[DYNAMICS + "/trajectory/value"]
        time = file[DYNAMICS + "/trajectory/time"][()]
        frames = read_extxyz(tmp_path / "all.extxyz")
        assert len(frames) == len(trajectory) == 3
        for n, frame in enumerate(frames):
            assert np.array_equal(frame[3], trajectory[n, 0])
            assert float(frame[0].split("Time=")[1]) == time[n]
        (one,) = read_extxyz(tmp_path / "1.extxyz")
        assert np.array_equal(one[3], trajectory[1, 0])
        (last,) = read_extxyz(tmp_path / "last.extxyz")
        assert np.array_equal(last[3], file[MC + "/trajectory/value"][-1, 0])
        # A sweep is not a time.
        assert "Time=" not in last[0]


def test_another_replica(tmp_path):
    study = write_study(tmp_path / "study.toml", sweeps=50)
    study.write_text(study.read_text() + "keep_configurations = 3\n")
    assert larmor("run", study, "-o", tmp_path / "r.h5").returncode == 0
    export(tmp_path / "r.h5", "--replica", 2, "-o", tmp_path / "2.extxyz")
    (frame,) = read_extxyz(tmp_path / "2.extxyz")
    with h5py.File(tmp_path / "r.h5") as file:
        kept = file[LAST + "/configuration"]
        assert np.array_equal(frame[3], kept[2]) and not np.array_equal(kept[0], kept[2])
    assert "replicas 0 to 2;" in refusal(tmp_path / "r.h5", "--replica", 3)


@pytest.mark.parametrize("form", ["ovf", "ovf-text"])
def test_rectangular_ovf(results, tmp_path, form):
    export(results, "--format", form, "-o", tmp_path / "spins.ovf")
    header, numbers = read_ovf(tmp_path / "spins.ovf")
    assert header["meshtype"] == "rectangular"
    assert [header[a + "nodes"] for a in "xyz"] == ["16", "16", "1"]
    assert header["Title"] == "everything in a few seconds, 05-monte-carlo, replica 0"
    with h5py.File(results) as file:
        assert np.array_equal(numbers.reshape(-1, 3), file[LAST + "/configuration"][0])


def test_ovf_of_all_frames_is_one_file_a_frame(results, tmp_path):
    # The suffix of the output determines the format.
    export(results, "--frame", "all", "-o", tmp_path / "t.ovf")
    assert sorted(p.name for p in tmp_path.iterdir()) == [f"t-00000{n}.ovf" for n in range(3)]
    with h5py.File(results) as file:
        for n in range(3):
            header, numbers = read_ovf(tmp_path / f"t-00000{n}.ovf")
            trajectory = file[DYNAMICS + "/trajectory"]
            assert np.array_equal(numbers.reshape(-1, 3), trajectory["value"][n, 0])
            said = header["Desc"].removeprefix("Total simulation time: ")
            assert float(said) == trajectory["time"][n]
    # If one of the files exists, no file is written.
    (tmp_path / "t-000000.ovf").unlink()
    (tmp_path / "t-000002.ovf").unlink()
    assert "t-000001.ovf' exists" in refusal(results, "--frame", "all", "-o", tmp_path / "t.ovf")
    assert [p.name for p in tmp_path.iterdir()] == ["t-000001.ovf"]


def test_material_units_species_and_moments(material, tmp_path):
    export(material, "--frame", "last", "-o", tmp_path / "m.extxyz")
    ((keys, species, positions, spins, moments),) = read_extxyz(tmp_path / "m.extxyz")
    assert species == ["Fe", "Co"] * 12 and list(moments) == [2.2, 1.5] * 12
    assert 'pbc="T F T"' in keys
    lattice = np.array(keys.split('"')[1].split(), dtype=float)
    assert np.allclose(lattice, np.diag([3 * 2.87, 2 * 2.87, 2 * 2.87]).ravel())
    export(material, "--frame", "last", "--moments", "-o", tmp_path / "m.ovf")
    header, numbers = read_ovf(tmp_path / "m.ovf")
    assert header["meshtype"] == "irregular" and header["pointcount"] == "24"
    assert header["meshunit"] == "Angstrom" and header["valueunits"] == "mu_B mu_B mu_B"
    assert header["Desc"].endswith(" ps")
    rows = numbers.reshape(-1, 6)
    with h5py.File(material) as file:
        assert np.allclose(positions, file["model/positions"], atol=1e-12)
        assert np.allclose(rows[:, :3], file["model/positions"], atol=1e-12)
        last = file["stages/01-dynamics/trajectory/value"][-1, 0]
    assert np.array_equal(spins, last)
    assert np.allclose(rows[:, 3:], last * moments[:, None], atol=1e-15)


def test_nothing_is_overwritten_without_force(results, tmp_path):
    output = tmp_path / "mine.extxyz"
    output.write_text("mine")
    said = refusal(results, "-o", output)
    assert "exists" in said and "--force" in said
    assert output.read_text() == "mine"
    export(results, "-o", output, "--force")
    assert len(read_extxyz(output)) == 1
    before = results.read_bytes()
    assert "results file itself" in refusal(results, "-o", results, "--force")
    assert results.read_bytes() == before


def test_what_is_not_there_is_refused_with_what_there_is(results, material, tmp_path):
    output = ("-o", tmp_path / "x.extxyz")
    stages = refusal(results, "--stage", 7, *output)
    assert "no stage 7" in stages and "02-monte-carlo" in stages
    assert "holds no trajectory" in refusal(results, "--stage", 1, "--frame", "all", *output)
    assert "only replica 0;" in refusal(results, "--replica", 1, *output)
    assert "frames 0 to 2" in refusal(results, "--frame", 3, *output)
    assert "not a number" in refusal(results, "--frame", "first", *output)
    assert "final configuration" in refusal(material, *output)
    assert "--moments is only for OVF" in refusal(results, "--moments", *output)
    assert "no folder" in refusal(results, "-o", tmp_path / "none" / "x.extxyz")
    assert "no results file" in refusal(tmp_path / "none.h5", *output)
    for wrong in (["--format", "vtk"], ["--stage", "0"], ["--replica", "-1"]):
        assert larmor("export", results, *wrong, *output).returncode == 2
    assert list(tmp_path.iterdir()) == []


def test_help_has_examples():
    shown = larmor("export", "--help").stdout
    assert "Examples" in shown and "--frame all" in shown
