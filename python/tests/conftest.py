"""Makes the package of this checkout importable, and writes the results files that tests share."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import results_file as synthetic  # noqa: E402
from larmor import style  # noqa: E402

TEMPERATURE = np.array([0.5, 1.0, 1.5])


@pytest.fixture
def thermal(tmp_path):
    """A finished monte-carlo stage of three temperatures on a 4 x 3 square lattice."""
    path = tmp_path / "thermal.h5"
    with synthetic.create(path, units="material", title="Thermal study") as file:
        sites = len(synthetic.add_model(file, length_unit="Å"))
        stage = synthetic.add_stage(file, "01-monte-carlo")
        synthetic.add_temperature(stage, TEMPERATURE, "K")
        synthetic.add_average(stage, "energy", np.array([-0.3, -0.2, -0.1]),
                              np.array([0.01, 0.02, np.inf]), "eV")
        synthetic.add_average(stage, "magnetisation", np.array([2.0, 1.0, 0.1]),
                              np.full(3, 0.05), "μB")
        point = np.repeat([0, 1, 2], 4)
        synthetic.add_series(stage, "energy", np.arange(24.0).reshape(12, 2), "eV", point=point)
        spins = np.tile([0.0, 0.0, 1.0], (2, sites, 1))
        spins[1] = [1.0, 0.0, 0.0]
        synthetic.add_configuration(stage, spins)
    return path


@pytest.fixture
def dynamic(tmp_path):
    """An interrupted dynamics stage with S(q, w) of a magnon w = 4 - 2 cos qx - 2 cos qy."""
    path = tmp_path / "dynamic.h5"
    q, distance, corners = synthetic.square_path(10)
    magnon = 4 - 2 * np.cos(2 * np.pi * q[:, 0]) - 2 * np.cos(2 * np.pi * q[:, 1])
    frequency = np.linspace(-30, 30, 241)
    lines = [0.2**2 / ((frequency - sign * magnon[:, None]) ** 2 + 0.2**2) for sign in (1, -1)]
    intensity = sum(lines) + 1e-6
    with synthetic.create(path) as file:
        synthetic.add_model(file)
        stage = synthetic.add_stage(file, "01-dynamics", completed=0)
        time = 0.1 * np.arange(5)
        energy = np.array([[-1.0, -2.0]]) + np.outer(time, [0.1, 0.3])
        synthetic.add_series(stage, "energy", energy, time=time)
        vectors = np.zeros((5, 2, 3))
        vectors[..., 2] = 0.5
        synthetic.add_series(stage, "magnetisation", vectors, time=time)
        labels = list(zip(corners, ["Γ", "X", "M", "Γ"]))
        synthetic.add_structure_factor(stage, q, distance, frequency, intensity,
                                       0.01 * intensity, labels)
    return path


@pytest.fixture(autouse=True)
def coarse(monkeypatch):
    """Lowers the resolution of pictures, which saves time. Other processes draw at full resolution."""
    monkeypatch.setattr("larmor.plot_spins._PIXELS", 180)
    monkeypatch.setitem(style._SETTINGS, "savefig.dpi", 40)


@pytest.fixture
def unsaved(monkeypatch):
    """Draws pictures without rendering them, since rendering takes most of the time."""
    begin = {"png": b"\x89PNG\r\n\x1a\n", "svg": b"<?xml version='1.0'?>\n<svg/>", "pdf": b"%PDF-1.4"}
    monkeypatch.setattr("matplotlib.figure.Figure.savefig", lambda self, file, format: file.write(begin[format]))
