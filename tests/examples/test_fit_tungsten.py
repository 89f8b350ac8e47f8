"""The example that fits tungsten: the known potential comes back, and smaller ones have errors."""
# Rooms: fitting

import os
import pathlib
import re
import subprocess

import h5py
import numpy as np
import pytest

from running import LARMOR, ROOT, require_potential, script_of_example

FOLDER = ROOT / "examples" / "fit-tungsten"


def coefficients(path):
    words = [line.split("#")[0].split() for line in path.read_text().splitlines()]
    return np.array([float(row[0]) for row in words if len(row) == 1])


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    require_potential("W_2940_2017_2.snap")
    os.environ.setdefault("LARMOR", LARMOR)
    folder = tmp_path_factory.mktemp("set")
    script_of_example("fit-tungsten", "make_set").write(folder)
    return folder


def fit(folder, data, twojmax):
    text = re.sub(r"twojmax = \d+", f"twojmax = {twojmax}", (FOLDER / "fit.toml").read_text())
    (folder / "fit.toml").write_text(text)
    subprocess.run([LARMOR, "fit", str(folder / "fit.toml"), "--data", str(data), "--progress", "quiet"], check=True)
    with h5py.File(folder / "tungsten.h5") as file:
        return [file[f"fit/errors/{kind}/root_mean_square"][-1, 0] for kind in ("energy", "force", "stress")]


@pytest.mark.parametrize("twojmax, errors", [(4, (0.0977, 1.295, 0.0564)), (6, (0.0348, 0.426, 0.0325))])
def test_the_errors_of_the_page(tmp_path, data, twojmax, errors):
    assert fit(tmp_path, data, twojmax) == pytest.approx(errors, rel=5e-3)


def test_the_known_potential_comes_back(tmp_path, data):
    assert max(fit(tmp_path, data, 8)) < 1e-11
    known = coefficients(pathlib.Path(os.environ["LAMMPS_POTENTIALS"]) / "W_2940_2017_2.snapcoeff")
    assert np.abs(coefficients(tmp_path / "tungsten.snapcoeff") - known).max() < 1e-10
