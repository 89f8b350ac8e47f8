"""larmor plot: files, messages and exit codes."""

import os
import subprocess
import sys
from pathlib import Path

import h5py
import pytest
import results_file as synthetic
from larmor.cli import main


def names(folder):
    return sorted(path.name for path in folder.iterdir() if path.suffix != ".h5")


def test_everything_drawable_is_drawn_and_nothing_else_is_said(thermal, capsys):
    assert main(["plot", str(thermal)]) == 0
    expected = [f"thermal-01-monte-carlo-{kind}.png" for kind in ("averages", "series", "spins")]
    assert names(thermal.parent) == expected
    output = capsys.readouterr()
    assert output.out.splitlines() == [str(thermal.parent / name) for name in expected]
    assert output.err == ""
    for name in expected:
        assert (thermal.parent / name).read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("suffix", "start"), [("pdf", b"%PDF"), ("svg", b"<?xml")])
def test_formats(thermal, tmp_path, suffix, start):
    folder = tmp_path / "new" / "pictures"
    assert main(["plot", str(thermal), "--what", "averages", "--format", suffix,
                 "--output", str(folder)]) == 0
    (path,) = folder.iterdir()
    assert path.suffix == f".{suffix}" and path.read_bytes().startswith(start)


def test_nothing_is_overwritten_without_force(thermal, unsaved, tmp_path, capsys):
    kept = tmp_path / "thermal-01-monte-carlo-series.png"
    mine = b"\x89PNG\r\n\x1a\nmine"
    kept.write_bytes(mine)
    assert main(["plot", str(thermal)]) == 2
    assert kept.read_bytes() == mine
    assert names(tmp_path) == [kept.name]
    assert "--force overwrites" in capsys.readouterr().err
    assert main(["plot", str(thermal), "--force"]) == 0
    assert kept.read_bytes() != mine and kept.read_bytes().startswith(b"\x89PNG")


def test_interrupted_run_is_drawn_with_a_word(dynamic, unsaved, capsys):
    assert main(["plot", str(dynamic)]) == 0
    output = capsys.readouterr()
    assert "stage 01-dynamics is unfinished" in output.err
    assert len(output.out.splitlines()) == 2


def test_what_is_asked_for_but_missing_fails(thermal, capsys):
    assert main(["plot", str(thermal), "--what", "averages", "--what", "structure-factor"]) == 2
    assert "no structure-factor to draw" in capsys.readouterr().err
    assert names(thermal.parent) == []


def test_nothing_to_draw_says_why(tmp_path, capsys):
    path = tmp_path / "begun.h5"
    with synthetic.create(path) as file:
        synthetic.add_stage(file, "01-anneal", completed=0)
    assert main(["plot", str(path)]) == 2
    error = capsys.readouterr().err
    assert "nothing to draw" in error
    assert "01-anneal: series: no series" in error


def test_no_stage_has_begun(tmp_path, capsys):
    path = tmp_path / "empty.h5"
    synthetic.create(path).close()
    assert main(["plot", str(path)]) == 2
    assert "no stage has begun" in capsys.readouterr().err


def test_missing_and_wrong_files(tmp_path, capsys):
    assert main(["plot", str(tmp_path / "nowhere.h5")]) == 2
    assert "no such file" in capsys.readouterr().err
    wrong = tmp_path / "wrong.h5"
    wrong.write_text("text")
    assert main(["plot", str(wrong)]) == 2
    assert "not an HDF5 file" in capsys.readouterr().err


def test_one_file_for_one_picture(thermal, unsaved, tmp_path, capsys):
    target = tmp_path / "figure.svg"
    assert main(["plot", str(thermal), "--output", str(target)]) == 2
    assert "one file for 3 pictures" in capsys.readouterr().err
    assert main(["plot", str(thermal), "--what", "spins", "--output", str(target)]) == 0
    assert target.read_bytes().startswith(b"<?xml")
    assert main(["plot", str(thermal), "--what", "spins", "--output", str(target), "--force",
                 "--format", "pdf"]) == 2


def test_stage_is_chosen(thermal, unsaved, capsys):
    for stage in ("1", "01-monte-carlo", "monte-carlo"):
        assert main(["plot", str(thermal), "--stage", stage, "--what", "averages", "--force"]) == 0
    assert main(["plot", str(thermal), "--stage", "monte-karlo"]) == 2
    assert "01-monte-carlo" in capsys.readouterr().err


def test_overlay(dynamic, tmp_path, capsys):
    table = tmp_path / "theory.csv"
    table.write_text("path_distance,w\n0,0\n1,1\n")
    command = ["plot", str(dynamic), "--what", "structure-factor", "--force", "--overlay"]
    assert main([*command, str(table)]) == 0
    assert main([*command, str(tmp_path / "nowhere.csv")]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_every_structure_factor_of_a_stage_is_drawn(dynamic, unsaved, tmp_path, capsys):
    with h5py.File(dynamic, "a") as file:
        stage = file["stages/01-dynamics"]
        stage.copy("structure-factor", "structure-factor-2")
        stage["structure-factor-2/intensity"][:] = 0
    table = tmp_path / "theory.csv"
    table.write_text("path_distance,w\n0,0\n1,1\n")
    command = ["plot", str(dynamic), "--what", "structure-factor", "--force"]
    assert main([*command, "--overlay", str(table)]) == 0
    drawn = capsys.readouterr()
    assert drawn.out.endswith("dynamic-01-dynamics-structure-factor.png\n")
    assert len(drawn.out.splitlines()) == 1 and "left out" not in drawn.err
    with h5py.File(dynamic, "a") as file:
        file["stages/01-dynamics/structure-factor-2/intensity"][:] = 1
    assert main(command) == 0
    assert names(dynamic.parent)[:2] == [f"dynamic-01-dynamics-structure-factor{number}.png"
                                         for number in ("-2", "")]


def test_overlay_without_a_map_fails(thermal, tmp_path, capsys):
    assert main(["plot", str(thermal), "--overlay", str(tmp_path / "theory.csv")]) == 2
    assert "no structure-factor to draw" in capsys.readouterr().err


def test_missing_model_leaves_spins_out(thermal, unsaved, capsys):
    with h5py.File(thermal, "a") as file:
        del file["model"]
    assert main(["plot", str(thermal)]) == 0
    output = capsys.readouterr()
    assert "averages" in output.out and "spins" not in output.out and output.err == ""
    assert main(["plot", str(thermal), "--what", "spins"]) == 2
    assert "spins: no group 'model'" in capsys.readouterr().err


def test_wrong_arguments_exit_with_2(thermal):
    for arguments in (["--what", "picture"], ["--max-frequency", "-1"], ["--format", "bmp"]):
        with pytest.raises(SystemExit) as caught:
            main(["plot", str(thermal), *arguments])
        assert caught.value.code == 2


def test_module_runs_without_a_display(thermal):
    package = Path(__file__).resolve().parents[1]
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    done = subprocess.run([sys.executable, "-m", "larmor", "plot", str(thermal), "--what", "spins"],
                          env={**environment, "PYTHONPATH": str(package)}, capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().endswith("thermal-01-monte-carlo-spins.png")
