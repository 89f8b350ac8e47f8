"""Studies that `larmor convert` writes into other folders."""
# Rooms: imports

import os

import pytest

from program import assert_same_bits, larmor

INPUT = """ncell 1 1 4
BC 0 0 P
cell 1 0 0
0 1 0
0 0 1
posfile ./posfile
momfile ./momfile
exchange ./jfile
Sym 1
Initmag 4
restartfile {restart}
mode S
temp 0
Nstep 10
"""
SPINS = [(1.0, 0.0, 0.0), (0.6, 0.8, 0.0), (0.0, 0.6, 0.8), (0.0, 0.0, -1.0)]


@pytest.fixture
def chain(tmp_path):
    """A folder with an input of UppASD that begins from a restart file."""
    folder = tmp_path / "chain"
    (folder / "states").mkdir(parents=True)
    (folder / "posfile").write_text("1 1 0 0 0\n")
    (folder / "momfile").write_text("1 1 1.0 0 0 1\n")
    (folder / "jfile").write_text("1 1 0 0 1 0.5\n")
    (folder / "states" / "start").write_text("# restart\n" + "".join(
        f"0 1 {n + 1} 1.0 {x} {y} {z}\n" for n, (x, y, z) in enumerate(SPINS)))
    (folder / "inpsd.dat").write_text(INPUT.format(restart="./states/start"))
    return folder


def assert_studies_agree(input_file, study, folder):
    outputs = folder / "input.h5", folder / "study.h5"
    for source, output in zip((input_file, study), outputs):
        run = larmor("run", source, "-o", output)
        assert run.returncode == 0, run.stderr
    assert_same_bits(*outputs)


@pytest.mark.parametrize("target", [".", "states", "../other/deep", "link"])
def test_paths_are_right_from_the_new_folder(chain, tmp_path, target):
    (tmp_path / "elsewhere" / "real").mkdir(parents=True)
    (chain / "link").symlink_to(tmp_path / "elsewhere" / "real", target_is_directory=True)
    (chain / target).mkdir(parents=True, exist_ok=True)
    study = chain / target / "study.toml"
    # A relative path of the study, from a folder that is not the one of the input.
    converted = larmor("convert", "chain/inpsd.dat", "-o", os.path.relpath(study, tmp_path), cwd=tmp_path)
    assert converted.returncode == 0, converted.stderr
    assert "--folder" not in converted.stderr
    assert_studies_agree(chain / "inpsd.dat", study, tmp_path)


def test_paths_in_the_folder_of_the_input_stay_as_written(chain):
    assert larmor("convert", "inpsd.dat", cwd=chain).returncode == 0
    assert 'file = "./states/start"' in (chain / "inpsd.toml").read_text()
    printed = larmor("convert", chain / "inpsd.dat", "-o", "-")
    assert 'file = "./states/start"' in printed.stdout


def test_absolute_paths_stay_as_written(chain, tmp_path):
    start = chain / "states" / "start"
    (chain / "inpsd.dat").write_text(INPUT.format(restart=start))
    study = tmp_path / "study.toml"
    assert larmor("convert", chain / "inpsd.dat", "-o", study).returncode == 0
    assert f'file = "{start}"' in study.read_text()
    assert_studies_agree(chain / "inpsd.dat", study, tmp_path)
