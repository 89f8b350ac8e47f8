"""Runs the examples with the program under test."""

import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
LARMOR = os.environ.get("LARMOR", str(ROOT / "build" / "release" / "larmor"))


def run_example(name, folder, *changes):
    """Runs examples/NAME/study.toml with some keys changed, "KEY=VALUE"; returns the path of its results."""
    output = folder / f"{name}.h5"
    study = ROOT / "examples" / name / "study.toml"
    settings = [word for change in changes for word in ("--set", change)]
    subprocess.run(
        [LARMOR, "run", str(study), "--output", str(output), "--progress", "quiet", *settings],
        check=True,
    )
    return output
