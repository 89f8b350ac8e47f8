"""Skipped tests are reported by ctest, and with their reasons in the closing line of `make
test`."""

import os
import pathlib
import subprocess
import sys

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
UNIT_TESTS = pathlib.Path(os.environ["LARMOR"]).parent / "unit_tests"
WITHOUT_NVRTC = {**os.environ, "LARMOR_NVRTC": "/nowhere/libnvrtc.so"}

ALL_SKIP = """
import pytest
pytestmark = pytest.mark.skipif(True, reason="no GPU here")
@pytest.mark.parametrize("n", range(3))
def test_of_a_gpu(n): pass
"""
SOME_SKIP = """
import pytest
def test_runs(): pass
def test_skips(): pytest.skip("no MPI here")
@pytest.mark.xfail
def test_is_known_to_fail(): assert False
"""
SKIPS_ON_IMPORT = """
import pytest
pytest.skip("no HDF5 here", allow_module_level=True)
"""
FAILS = """
import pytest
def test_skips(): pytest.skip("no GPU here")
def test_fails(): assert False
"""


def run_pytest(folder, text):
    module = folder / "test_module.py"
    module.write_text(text)
    command = [sys.executable, TOOLS / "run_pytest.py", "-q", "-p", "no:cacheprovider", module]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder)


def test_a_module_of_which_nothing_runs_is_skipped(tmp_path):
    done = run_pytest(tmp_path, ALL_SKIP)
    assert done.returncode == 77, done.stdout
    assert done.stdout.splitlines()[-1] == "skipped 3: no GPU here"
    assert run_pytest(tmp_path, SKIPS_ON_IMPORT).returncode == 77


def test_a_module_of_which_something_runs_passes_or_fails(tmp_path):
    done = run_pytest(tmp_path, SOME_SKIP)
    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines()[-1] == "skipped 1: no MPI here"
    assert run_pytest(tmp_path, FAILS).returncode == 1
    assert run_pytest(tmp_path, "def broken(:").returncode not in (0, 77)


def closing_line(folder, tests):
    """The closing line of a run of ctest. The argument `tests` maps names to commands."""
    lines = ["cmake_minimum_required(VERSION 3.25)", "project(skips NONE)", "enable_testing()"]
    for name, command in tests.items():
        words = " ".join(f'"{word}"' for word in command)
        lines.append(f"add_test(NAME {name} COMMAND {words})")
        lines.append(f"set_tests_properties({name} PROPERTIES SKIP_RETURN_CODE 77)")
    (folder / "CMakeLists.txt").write_text("\n".join(lines))
    subprocess.run(["cmake", "-S", folder, "-B", folder / "build"], capture_output=True, check=True)
    # The command runs ctest as `make test` does.
    command = ["ctest", "--test-dir", folder / "build", "--output-junit", "tests.xml",
               "--test-output-size-passed", "1000000"]
    told = subprocess.run(command, capture_output=True, text=True, env=WITHOUT_NVRTC).stdout
    command = [sys.executable, TOOLS / "closing_lines.py", folder / "build" / "tests.xml"]
    return told, subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_the_closing_line_adds_up_what_skipped_by_its_reason(tmp_path):
    commands = {"googletest": [UNIT_TESTS, "--gtest_filter=RuntimeCompiler.SaysWhatDoesNotCompile"]}
    for name, text in {"all": ALL_SKIP, "some": SOME_SKIP}.items():
        (tmp_path / name).mkdir()
        module = tmp_path / name / f"test_{name}.py"
        module.write_text(text)
        commands[name] = [sys.executable, TOOLS / "run_pytest.py", "-q", module]
    told, line = closing_line(tmp_path, commands)
    assert "all (Skipped)" in told and "some (Skipped)" not in told, told
    assert line == "5 tests skipped: no GPU here (3), no MPI here (1), no NVRTC here (1)"


def test_the_closing_line_says_where_none_skipped(tmp_path):
    told, line = closing_line(tmp_path, {"runs": ["true"]})
    assert "100% tests passed" in told, told
    assert line == "no test skipped"
