"""For other programs: errors and tables as JSON, folders of files, commands that Python has."""
# Rooms: study

import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

from program import LARMOR, ROOT, larmor

STUDY = """
[lattice]
type = "chain"
size = [4]

[[exchange]]
shell = 1
J     = 1.0

[[stage]]
kind        = "monte-carlo"
temperature = 1.0
sweeps      = 10
"""


def error_of(*arguments, cwd=None, **variables):
    """The error of a refused command as JSON, without its exit code."""
    refused = larmor(*arguments, cwd=cwd, env={**os.environ, "LARMOR_ERRORS": "json", **variables})
    assert refused.returncode == 2
    lines = refused.stderr.splitlines()
    assert len(lines) == 1
    return json.loads(lines[0])


@pytest.mark.parametrize("wrong, key", [
    ("J     = 1.0|J     = true", "exchange.1.J"),
    ("J     = 1.0|j     = 1.0", "exchange.1.j"),
    ("J     = 1.0|", "exchange.1.J"),
    ("size = [4]|size = [4.5]", "lattice.size.1"),
    ("temperature = 1.0|temperature = [1.0, -1.0]", "stage.1.temperature"),
    ("kind        = \"monte-carlo\"|kind        = \"monte-carl\"", "stage.1.kind"),
    ("[lattice]|[latice]", "latice"),
])
def test_an_error_of_a_study_names_its_key(tmp_path, wrong, key):
    before, after = wrong.split("|")
    assert before in STUDY
    study = tmp_path / "study.toml"
    study.write_text(STUDY.replace(before, after))
    error = error_of("check", study)
    assert error["event"] == "error" and error["kind"] == "input"
    assert error["key"] == key
    assert error["problem"] and error["problem"] in error["text"]
    assert error["file"] == str(study) and error["line"] >= 1
    plain = larmor("check", study)
    assert plain.returncode == 2 and plain.stderr.rstrip("\n") == error["text"]


def test_an_error_of_a_changed_key_names_this_key(tmp_path):
    (tmp_path / "study.toml").write_text(STUDY)
    error = error_of("check", "study.toml", "--set", "stage.1.sweeps=-5", cwd=tmp_path)
    assert error["key"] == "stage.1.sweeps"


def test_errors_without_a_place_have_no_key(tmp_path):
    (tmp_path / "study.toml").write_text("[lattice\n")
    assert error_of("check", "none.toml", cwd=tmp_path)["key"] == ""
    assert error_of("check", "study.toml", cwd=tmp_path)["key"] == ""
    assert error_of("check")["line"] == 0
    assert error_of("run", "study.toml", "--threads", "-1", cwd=tmp_path)["kind"] == "input"


def test_files_are_found_in_the_given_folder(tmp_path):
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "bonds.txt").write_text("0 1 1.5\n1 2 1.5\n")
    study = tmp_path / "study.toml"
    study.write_text(STUDY.replace("shell = 1\nJ     = 1.0", 'file = "bonds.txt"')
                     .replace("[lattice]", '[model]\nkind = "ising"\n\n[lattice]'))
    assert larmor("check", study).returncode == 2
    assert larmor("check", study, "--folder", tmp_path / "files").returncode == 0
    ran = larmor("run", study, "-o", tmp_path / "o.h5", "--folder", "files", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    refused = larmor("check", study, "--folder", tmp_path / "none")
    assert refused.returncode == 2 and "--folder" in refused.stderr


def test_tables_as_json_are_those_that_explain_prints():
    told = json.loads(larmor("explain", "--json").stdout)
    assert told["version"] in larmor("--version").stdout
    assert {kind["name"] for kind in told["model_kinds"]} >= {"spins", "ising", "atoms"}
    tables = {table["name"]: table for table in told["tables"]}
    assert tables["exchange"]["array"] and not tables["lattice"]["array"]
    keys = {key["key"]: key for key in tables["exchange"]["keys"]}
    assert keys["J"]["dimension"] == "energy" and keys["J"]["unit"]
    assert [table["model_kinds"] for table in told["tables"] if table["name"] == "exchange"] == [
        ["spins"], ["ising", "potts"], ["quantum"]]
    assert tables["checkpoint"]["model_kinds"] == []
    stages = {stage["name"]: stage for stage in told["stages"]}
    dynamics = {key["key"]: key for key in stages["dynamics"]["keys"]}
    assert dynamics["steps"]["required"]
    assert {"every", "what"} <= {key["key"] for key in dynamics["measure"]["children"]}
    text = larmor("explain", "dynamics").stdout
    for key, info in dynamics.items():
        assert f"  {key}: {info['type']}" in text and info["doc"] in text
    for kind in told["model_kinds"]:
        assert set(kind["stages"]) <= set(stages) and set(kind["tables"]) <= set(tables)


def test_pictures_are_drawn_by_python(tmp_path):
    (tmp_path / "study.toml").write_text(STUDY.replace("temperature = 1.0", "temperature = [1.0, 2.0]"))
    assert larmor("run", "study.toml", cwd=tmp_path).returncode == 0
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    variables["LARMOR_PYTHON"] = sys.executable
    helped = larmor("plot", "--help", env=variables)
    assert helped.returncode == 0 and "larmor plot" in helped.stdout
    drawn = larmor("plot", "study.h5", "--what", "averages", cwd=tmp_path, env=variables)
    assert drawn.returncode == 0, drawn.stderr
    assert [pathlib.Path(line).suffix for line in drawn.stdout.splitlines()] == [".png"]
    assert list(tmp_path.glob("*.png"))
    written = larmor("export", "study.h5", "--what", "averages", "--stage", "1", cwd=tmp_path, env=variables)
    assert written.returncode == 0, written.stderr
    [table] = [tmp_path / line for line in written.stdout.splitlines()]
    assert table.suffix == ".csv" and table.read_text().startswith("temperature")
    again = larmor("export", "study.h5", "--what", "averages", cwd=tmp_path, env=variables)
    assert again.returncode == 2 and "--force" in again.stderr
    mixed = larmor("export", "study.h5", "--what", "averages", "--frame", "last", cwd=tmp_path, env=variables)
    assert mixed.returncode == 2
    for wrong in (["plot", "none.h5"], ["curves", "study.h5", "--what", "nothing"], ["report"]):
        error = error_of(*wrong, cwd=tmp_path, **variables)
        assert error["kind"] == "input" and error["text"]
    missing = larmor("plot", "none.h5", cwd=tmp_path, env=variables)
    assert missing.returncode == 2 and "none.h5" in missing.stderr
    variables["LARMOR_PYTHON"] = str(tmp_path / "no-python")
    refused = larmor("plot", "study.h5", cwd=tmp_path, env=variables)
    assert refused.returncode == 3 and "LARMOR_PYTHON" in refused.stderr


def test_an_installed_program_finds_its_package(tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "share" / "larmor" / "python").mkdir(parents=True)
    shutil.copy2(LARMOR, tmp_path / "bin" / "larmor")
    package = tmp_path / "share" / "larmor" / "python" / "larmor"
    shutil.copytree(ROOT / "python" / "larmor", package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "__main__.py").write_text("import larmor, os, sys\n"
                                         "print(larmor.__file__, os.environ['LARMOR'], *sys.argv[1:])\n")
    variables = {"PATH": os.environ["PATH"], "LARMOR_PYTHON": sys.executable}
    told = subprocess.run([tmp_path / "bin" / "larmor", "report", "a b.h5"], capture_output=True, text=True,
                          env=variables, check=True).stdout
    assert told == f"{package / '__init__.py'} {pathlib.Path(tmp_path, 'bin', 'larmor')} report a b.h5\n"
