"""Pictures of fits: predictions over targets, and errors by group."""

import h5py
import larmor
import numpy as np
import pytest
import results_file as synthetic
from larmor.cli import main
from larmor.errors import NotInResults
from larmor.plot_fit import plot_fit_errors, plot_parity

GROUPS = ["bulk", "surface"]


def add_fit(file, sizes=(6, 12, 0)):
    """The group /fit; each kind has this many numbers, of which the last third is only tested."""
    random = np.random.default_rng(2)
    fit = file.create_group("fit")
    fit.attrs.update(method="qr", rows=18, columns=12)
    fit["groups"], fit["elements"] = GROUPS, ["W"]
    fit["coefficients"], fit["covariance"] = random.normal(size=(1, 12)), np.eye(12)
    for kind, size in zip(("energy", "force", "stress"), sizes):
        target = random.normal(size=size)
        for name, values in (("target", target), ("predicted", target + 0.1 * random.normal(size=size))):
            fit[f"parity/{kind}/{name}"] = values
            fit[f"parity/{kind}/{name}"].attrs["unit"] = "eV/atom"
        fit[f"parity/{kind}/group"] = np.arange(size) % 2
        fit[f"parity/{kind}/is_test"] = (np.arange(size) >= size - size // 3).astype(np.uint8)
        count = np.array([[size / 3, size / 6], [size / 3, size / 6], [2 * size / 3, size / 3]])
        fit[f"errors/{kind}/count"] = count
        for name, value in (("mean_absolute", 0.1), ("root_mean_square", 0.2), ("largest", 0.4)):
            fit[f"errors/{kind}/{name}"] = np.where(count > 0, value, np.nan)
            fit[f"errors/{kind}/{name}"].attrs["unit"] = "eV/atom"


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "fitted.h5"
    with synthetic.create(path) as file:
        add_fit(file)
    return path


def test_points_are_targets_and_predictions(path):
    with larmor.open(path) as results:
        parity = results.fit.parity("force")
        figure = plot_parity(results.fit, "Title")
    assert len(figure.axes) == 4  # no stress; predictions, and below them deviations
    lines = figure.axes[1].lines[:-1]
    points = np.concatenate([line.get_xydata() for line in lines])
    expected = np.stack([parity.target, parity.predicted], axis=1)
    assert sorted(map(tuple, points)) == sorted(map(tuple, expected))
    hollow = [line for line in lines if line.get_markerfacecolor() == "none"]
    assert sum(len(line.get_xdata()) for line in hollow) == parity.is_test.sum() == 4


def test_deviations_have_a_logarithmic_axis(path):
    with larmor.open(path) as results:
        parity = results.fit.parity("force")
        figure = plot_parity(results.fit, "Title")
    deviations = figure.axes[3]
    assert deviations.get_yscale() == "log"
    heights = np.concatenate([line.get_ydata() for line in deviations.lines])
    np.testing.assert_allclose(np.sort(heights), np.sort(np.abs(parity.predicted - parity.target)))
    assert figure.get_suptitle() == "Title\nfit of W"


def test_marks_are_errors_of_groups(path):
    with larmor.open(path) as results:
        figure = plot_fit_errors(results.fit, "Title")
    marks = np.concatenate([line.get_xdata() for line in figure.axes[0].lines])
    np.testing.assert_allclose(np.sort(marks), [0.1] * 6 + [0.2] * 6)
    hollow = [line for line in figure.axes[0].lines if line.get_markerfacecolor() == "white"]
    assert [line.get_label() for line in hollow] == ["mean absolute error, test", "root-mean-square error, test"]
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == [*GROUPS, "all"]


def test_the_command_draws_both(path):
    assert main(["plot", str(path)]) == 0
    assert {p.name for p in path.parent.glob("*.png")} == {"fitted-parity.png", "fitted-errors.png"}
    assert main(["plot", str(path), "--what", "errors", "--output", str(path.parent / "only.png")]) == 0
    assert main(["plot", str(path), "--what", "spins"]) == 2


def test_other_results_have_no_fit(tmp_path):
    with synthetic.create(tmp_path / "other.h5"):
        pass
    with larmor.open(tmp_path / "other.h5") as results:
        assert not results.is_fit
        with pytest.raises(NotInResults):
            results.fit


def test_an_unknown_kind_is_refused(path):
    with larmor.open(path) as results, pytest.raises(NotInResults, match="energy, force, stress"):
        results.fit.errors("torque")


def test_errors_of_rounding_do_not_stretch_the_axis(path):
    with h5py.File(path, "a") as file:
        for name, value in (("mean_absolute", 1.0), ("root_mean_square", 2.0)):
            errors = file[f"fit/errors/force/{name}"]
            errors[...] = value * np.array([[1e-15, 1e-15], [0.03, 0.04], [0.4, 0.5]])
    with larmor.open(path) as results:
        energy, force = plot_fit_errors(results.fit, "Title").axes
    assert (energy.get_xscale(), force.get_xscale()) == ("linear", "log")
    np.testing.assert_allclose(force.get_xlim(), (0.01, 1))
    assert min(line.get_xdata().min() for line in force.lines) == pytest.approx(0.01)
