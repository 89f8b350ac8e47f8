"""Packages: installed trees run, and descriptions of packages agree with the sources."""
# Rooms: study

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LARMOR = pathlib.Path(os.environ["LARMOR"])
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def run(*command, **environment):
    return subprocess.run([os.fspath(word) for word in command], env={**os.environ, **environment}, text=True,
                          capture_output=True, check=False)


def version_of_cmake():
    return re.search(r"project\(larmor VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]


def test_the_wheel_has_the_version_of_the_program():
    source = PYPROJECT["tool"]["scikit-build"]["metadata"]["version"]
    found = re.search(source["regex"], (ROOT / source["input"]).read_text(encoding="utf-8"))
    assert found["value"] == version_of_cmake()
    assert version_of_cmake() in run(LARMOR, "--version").stdout


def test_settings_of_the_wheel_are_settings_of_cmake():
    known = "".join(path.read_text(encoding="utf-8")
                    for path in [ROOT / "CMakeLists.txt", *(ROOT / "cmake").glob("*.cmake")])
    for name in PYPROJECT["tool"]["scikit-build"]["cmake"]["define"]:
        if name.startswith("LARMOR_"):
            assert re.search(rf"(set|option)\({name}\b", known), name


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    prefix = tmp_path_factory.mktemp("installed")
    for component in ("program", "mpi", "python"):
        done = run("cmake", "--install", LARMOR.parent, "--prefix", prefix, "--component", component)
        assert done.returncode == 0, done.stderr
    return prefix


def test_an_installed_program_starts(installed):
    shown = run(installed / "bin/larmor", "--version")
    assert version_of_cmake() in shown.stdout, shown.stderr


def test_an_installed_package_finds_its_version_and_program(installed):
    code = "import larmor, larmor.program; print(larmor.__version__, larmor.program.find_program())"
    place = {"PYTHONPATH": os.fspath(installed / "share/larmor/python"), "PATH": "/usr/bin:/bin"}
    environment = {name: value for name, value in os.environ.items() if name != "LARMOR"} | place
    shown = subprocess.run([sys.executable, "-c", code], env=environment, text=True, capture_output=True, check=False)
    assert shown.stdout.split() == [version_of_cmake(), os.fspath(installed / "bin/larmor")], shown.stderr


def test_an_installed_package_has_every_file(installed):
    def files(folder):
        return {path.relative_to(folder) for path in folder.rglob("*")
                if path.is_file() and "__pycache__" not in path.parts and not path.name.endswith(".so")}

    assert files(installed / "share/larmor/python/larmor") == files(ROOT / "python/larmor")


def make_wheel_tree(folder):
    (folder / "larmor/_bin").mkdir(parents=True)
    # The package fails if it is imported, which would take long.
    (folder / "larmor/__init__.py").write_text("raise SystemExit('imported')\n")
    shutil.copy(ROOT / "python/larmor_command.py", folder)
    return [sys.executable, "-c", "import larmor_command; larmor_command.main()"]


def test_the_command_of_the_wheel_is_the_program(tmp_path):
    command = make_wheel_tree(tmp_path)
    (tmp_path / "larmor/_bin/larmor").symlink_to(LARMOR)
    assert version_of_cmake() in run(*command, "--version", PYTHONPATH=os.fspath(tmp_path)).stdout
    wrong = run(*command, "fly", PYTHONPATH=os.fspath(tmp_path))
    assert wrong.returncode == 2 and "fly" in wrong.stderr


def test_the_command_of_a_damaged_wheel_tells_so(tmp_path):
    shown = run(*make_wheel_tree(tmp_path), "--version", PYTHONPATH=os.fspath(tmp_path))
    assert shown.returncode == 1 and "install larmor-engine again" in shown.stderr


def test_the_page_of_licences_names_every_library_inside():
    page = (ROOT / "docs/licences.md").read_text(encoding="utf-8").lower()
    libraries = re.findall(r"set\(package_of_(\S+) ", (ROOT / "cmake/LarmorInstall.cmake").read_text(encoding="utf-8"))
    assert len(libraries) > 10
    for library in libraries:
        word = {"tomlplusplus": "toml++", "gcc-runtime": "libstdc++"}.get(library, library)
        assert word in page, library
