"""Runs the examples with the program under test."""

import importlib.util
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LARMOR = os.environ.get("LARMOR", str(ROOT / "build" / "release" / "larmor"))


def require_potential(name):
    """Skips a test if this file is missing among LAMMPS's potentials. Sets the folder that studies
    name."""
    folder = os.environ.setdefault("LAMMPS_POTENTIALS", "/usr/share/lammps/potentials")
    if not (pathlib.Path(folder) / name).exists():
        pytest.skip("no potentials of LAMMPS here")


def run_example(name, folder, *changes, study="study"):
    """Runs examples/NAME/STUDY.toml with changed keys, "KEY=VALUE"; returns the path of its results."""
    output = folder / f"{name}.h5"
    path = ROOT / "examples" / name / f"{study}.toml"
    settings = [word for change in changes for word in ("--set", change)]
    subprocess.run(
        [LARMOR, "run", str(path), "--output", str(output), "--progress", "quiet", *settings],
        check=True,
    )
    return output


def script_of_example(name, script="compare"):
    """The module examples/NAME/SCRIPT.py, which may import the package of this checkout."""
    package = str(ROOT / "python")
    if package not in sys.path:
        sys.path.insert(0, package)
    # Several examples have a script with this name, so the module gets the name of its example,
    # too.
    spec = importlib.util.spec_from_file_location(f"{name}_{script}".replace("-", "_"),
                                                  ROOT / "examples" / name / f"{script}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
