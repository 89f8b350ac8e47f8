"""Pictures of the extrapolation of quantum Monte Carlo in the number of slices."""

import numpy as np
import pytest
import results_file as synthetic

import larmor
from larmor.pictures import Options, draw_all
from larmor.plot_extrapolation import plot_extrapolation

NAMES = ("energy", "specific_heat", "susceptibility", "absolute_magnetisation", "magnetisation_squared", "binder")
SLICES, TEMPERATURES = np.array([4.0, 8.0, 16.0]), np.array([0.5, 1.0])


def sliced(path, with_limit=True):
    """Averages 1 + T + dtau^2 - dtau^4 / 2, with errors and residuals of the fit."""
    with synthetic.create(path) as file:
        stage = synthetic.add_stage(file, "01-quantum-monte-carlo")
        stage["temperature"], stage["slices"] = TEMPERATURES, SLICES
        squares = (1 / (SLICES[:, None, None] * TEMPERATURES)) ** 2
        for name in NAMES:
            residual = np.array([1.0, -2.0, 1.0])[:, None, None] * np.ones((1, 1, 2))
            stage[name] = 1 + TEMPERATURES + squares - squares**2 / 2 + 0.01 * residual
            stage[f"{name}_error"] = np.full((3, 1, 2), 0.01)
            if with_limit:
                stage[f"extrapolated/{name}"] = 1 + TEMPERATURES[None]
                stage[f"extrapolated/{name}_error"] = np.full((1, 2), 0.02)
                stage[f"extrapolated/{name}_residual"] = residual


def test_it_shows_averages_the_fit_and_its_limit(tmp_path):
    sliced(tmp_path / "sliced.h5")
    with larmor.open(tmp_path / "sliced.h5") as results:
        axes = plot_extrapolation(results.stages[0], "Title").axes
    assert len(axes) == len(NAMES)
    assert axes[0].get_legend_handles_labels()[1] == ["$T$ = 0.5", "$T$ = 1"]
    points, limit = axes[0].containers[:2]
    np.testing.assert_allclose(points.lines[0].get_xdata(), (1 / (SLICES * 0.5)) ** 2)
    np.testing.assert_allclose(limit.lines[0].get_xydata(), [[0, 1.5]])
    (curve,) = [line for line in axes[0].lines if len(line.get_xdata()) == 100][:1]
    x, y = curve.get_data()
    np.testing.assert_allclose(y, 1.5 + x - x**2 / 2, atol=1e-9)


def test_one_number_of_slices_is_not_drawn(tmp_path):
    sliced(tmp_path / "single.h5", with_limit=False)
    with larmor.open(tmp_path / "single.h5") as results:
        with pytest.raises(larmor.NothingToDraw, match="no extrapolation"):
            plot_extrapolation(results.stages[0])
        drawing = draw_all(results, None, list(results.stages), Options())
    assert not drawing.pictures and len(drawing.skipped) == 1
