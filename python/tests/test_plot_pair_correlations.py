"""Correlations over all pairs: read by name, drawn over wave vectors and distances."""

import h5py
import larmor
import numpy as np
import pytest
import results_file as synthetic
from larmor.plot_pair_correlations import plot_pair_correlations


def add_estimates(stage, name, value):
    stage[f"{name}/value"] = value
    stage[f"{name}/error"] = 0.1 * np.ones_like(value)


@pytest.fixture
def correlated(tmp_path):
    """One stage with everything but groups, one bin of which is empty."""
    path = tmp_path / "correlated.h5"
    with synthetic.create(path, title="Pairs") as file:
        stage = synthetic.add_stage(file, "01-pair-correlations")
        stage["wave-vectors/q"] = np.array([[0, 0, 0], [0.5, 0, 0], [0.5, 0.5, 0]])
        stage["wave-vectors/path_distance"] = np.array([0.0, 3.1, 6.3])
        add_estimates(stage, "structure", np.array([2.0, 1.0, 0.5]))
        add_estimates(stage, "spin-glass-susceptibility", np.array([9.0, 1.0, 0.2]))
        stage["by-distance/edges"] = np.arange(4.0)
        stage["by-distance/pairs"] = np.array([8.0, 0.0, 24.0])
        add_estimates(stage, "by-distance/correlation", np.array([1.0, np.nan, 0.1]))
        add_estimates(stage, "by-distance/square", np.array([1.0, np.nan, 0.3]))
    return path


def test_groups_are_read_by_name(correlated):
    with h5py.File(correlated, "r+") as file:
        groups = file["stages/01-pair-correlations"].create_group("between-groups")
        groups["names"] = ["Fe", "Co"]
        add_estimates(groups, "correlation", np.array([[1.0, -0.5], [-0.5, 0.8]]))
        add_estimates(groups, "square", np.array([[1.0, 0.3], [0.3, 0.7]]))
    with larmor.open(correlated) as results:
        pairs = results.stages[0].pair_correlations
        assert pairs.group_names == ["Fe", "Co"]
        assert pairs.groups.value[0, 1] == -0.5 and pairs.groups_square.value[1, 1] == 0.7


def test_are_read_by_name(correlated):
    with larmor.open(correlated) as results:
        pairs = results.stages[0].pair_correlations
        value, error = pairs.spin_glass
        assert value.tolist() == [9, 1, 0.2] and error[0] == 0.1
        assert pairs.wave_vectors.path_distance[-1] == 6.3 and pairs.wave_vectors.labels == []
        assert pairs.edges.tolist() == [0, 1, 2, 3]
        with pytest.raises(larmor.NotInResults, match="between-groups"):
            pairs.groups


def test_two_panels_leave_empty_bins_out(correlated):
    with larmor.open(correlated) as results:
        figure = plot_pair_correlations(results.stages[0])
    waves, distances = figure.axes
    assert waves.get_yscale() == "log"
    drawn = [list(bars[0].get_xdata()) for bars in distances.containers]
    assert drawn == [[0, 2], [0, 2]]


def test_without_either_there_is_nothing_to_draw(correlated):
    with h5py.File(correlated, "r+") as file:
        stage = file["stages/01-pair-correlations"]
        del stage["structure"], stage["by-distance"]
    with larmor.open(correlated) as results, pytest.raises(larmor.NothingToDraw):
        plot_pair_correlations(results.stages[0])
