"""Correlations over all pairs: read by name, drawn over wave vectors and distances."""

import h5py
import larmor
import numpy as np
import pytest
import results_file as synthetic
from larmor.pictures import Options, draw_all
from larmor.plot_pair_correlations import plot_pair_correlations


def add_estimates(stage, name, value):
    stage[f"{name}/value"] = value
    stage[f"{name}/error"] = 0.1 * np.ones_like(value)


@pytest.fixture
def correlated(tmp_path):
    """One stage with everything except groups; one bin is empty."""
    path = tmp_path / "correlated.h5"
    with synthetic.create(path, title="Pairs") as file:
        stage = synthetic.add_stage(file, "01-pair-correlations")
        stage.attrs["connected"] = 1
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
        assert pairs.edges.tolist() == [0, 1, 2, 3] and pairs.pairs.tolist() == [8, 0, 24]
        assert pairs.connected is True
        for missing in ("groups", "group_names"):
            with pytest.raises(larmor.NotInResults, match="between-groups"):
                getattr(pairs, missing)


def test_groups_are_read_with_their_names(correlated):
    with h5py.File(correlated, "r+") as file:
        stage = file["stages/01-pair-correlations"]
        add_estimates(stage, "between-groups/correlation", np.eye(2))
        stage["between-groups/names"] = np.array(["Fe", "Gd"], dtype=h5py.string_dtype())
        stage.attrs["connected"] = 0
    with larmor.open(correlated) as results:
        pairs = results.stages[0].pair_correlations
        assert pairs.groups.value.tolist() == [[1, 0], [0, 1]]
        assert pairs.group_names == ["Fe", "Gd"] and pairs.connected is False


def test_two_panels_leave_empty_bins_out(correlated):
    with larmor.open(correlated) as results:
        figure = plot_pair_correlations(results.stages[0])
    waves, distances = figure.axes
    assert waves.get_yscale() == "log"
    drawn = [list(bars[0].get_xdata()) for bars in distances.containers]
    assert drawn == [[0, 2], [0, 2]]


def test_nothing_else_is_missed_in_such_a_stage(correlated):
    with larmor.open(correlated) as results:
        drawing = draw_all(results, None, list(results.stages), Options())
    assert [picture.kind for picture in drawing.pictures] == ["pair-correlations"]
    assert drawing.skipped == []


def test_grids_are_maps_around_gamma(correlated):
    with h5py.File(correlated, "r+") as file:
        stage = file["stages/01-pair-correlations"]
        for name in ("wave-vectors", "structure", "spin-glass-susceptibility"):
            del stage[name]
        waves = stage.create_group("wave-vectors")
        waves["q"] = synthetic.square_grid(3, 2)
        waves["q_cartesian"] = 2 * np.pi * waves["q"][:]
        waves["path_distance"] = np.arange(6.0)
        synthetic.mark_as_grid(waves, 3, 2)
        add_estimates(stage, "structure", np.arange(1.0, 7.0))
        add_estimates(stage, "spin-glass-susceptibility", np.arange(2.0, 8.0))
    with larmor.open(correlated) as results:
        structure, glass, distances = plot_pair_correlations(results.stages[0]).axes[:3]
    # Gamma is the first wave vector. It is drawn in the middle, after the negative components.
    np.testing.assert_array_equal(structure.collections[0].get_array(), [[6, 4, 5], [3, 1, 2]])
    np.testing.assert_array_equal(glass.collections[0].get_array(), [[7, 5, 6], [4, 2, 3]])
    assert len(distances.containers) == 2


def test_lists_are_drawn_by_their_index(correlated):
    with h5py.File(correlated, "r+") as file:
        file["stages/01-pair-correlations/wave-vectors/path_distance"][:] = np.arange(3.0)
    with larmor.open(correlated) as results:
        waves = plot_pair_correlations(results.stages[0]).axes[0]
    assert waves.get_xlabel() == "Wave vector (index)"


def add_displacements(stage, y):
    """Two atoms with five by y displacements. C of the first atom with itself is dx + 10 dy."""
    dx, dy = np.arange(-2.0, 3.0), np.arange(float(y)) - y // 2
    for name, cells in (("dx", dx), ("dy", dy), ("dz", np.zeros(1))):
        stage[f"by-displacement/{name}"] = cells
    value = np.zeros((2, 2, 5, y, 1))
    value[0, 0, :, :, 0] = dx[:, None] + 10 * dy
    stage["by-displacement/pairs"] = np.full(value.shape, 15.0)
    add_estimates(stage, "by-displacement/correlation", value)
    add_estimates(stage, "by-displacement/square", value ** 2)


def test_displacements_are_read_by_name(correlated):
    with h5py.File(correlated, "r+") as file:
        add_displacements(file["stages/01-pair-correlations"], 3)
    with larmor.open(correlated) as results:
        pairs = results.stages[0].pair_correlations
        dx, dy, dz = pairs.displacements
        assert (list(dx), list(dy), list(dz)) == ([-2, -1, 0, 1, 2], [-1, 0, 1], [0])
        assert pairs.displaced_pairs[1, 0, 0, 0, 0] == 15
        assert pairs.displaced_correlation.value[0, 0, 4, 2, 0] == 12
        assert pairs.displaced_square.value[0, 0, 4, 2, 0] == 144


def test_displacements_of_a_plane_are_a_map(correlated):
    with h5py.File(correlated, "r+") as file:
        add_displacements(file["stages/01-pair-correlations"], 3)
    with larmor.open(correlated) as results:
        axes = plot_pair_correlations(results.stages[0]).axes[2]
    # Rows of the map are dy, and columns are dx.
    np.testing.assert_array_equal(axes.collections[0].get_array(),
                                  np.arange(-2, 3) + 10 * np.array([[-1], [0], [1]]))


def test_displacements_of_a_chain_are_a_line(correlated):
    with h5py.File(correlated, "r+") as file:
        add_displacements(file["stages/01-pair-correlations"], 1)
    with larmor.open(correlated) as results:
        axes = plot_pair_correlations(results.stages[0]).axes[2]
    correlation, square = [list(bars[0].get_ydata()) for bars in axes.containers]
    assert correlation == [-2, -1, 0, 1, 2] and square == [4, 1, 0, 1, 4]


def test_displacements_of_a_plane_are_drawn_as_they_are_in_space(correlated):
    with h5py.File(correlated, "r+") as file:
        synthetic.add_model(file, (5, 3, 1), synthetic.TRIANGULAR, length_unit="Å")
        add_displacements(file["stages/01-pair-correlations"], 3)
        file["stages/01-pair-correlations/by-displacement/correlation/value"][0, 0, 4, 2] = np.nan
    with larmor.open(correlated) as results:
        axes = plot_pair_correlations(results.stages[0], "", results.model).axes[2]
    mesh = axes.collections[0]
    centres = mesh.get_coordinates()
    centres = (centres[:-1, :-1] + centres[1:, 1:]) / 2
    cells = np.stack(np.meshgrid(np.arange(-2, 3), np.arange(-1, 2)), axis=-1)
    np.testing.assert_allclose(centres, cells @ synthetic.TRIANGULAR[:2, :2], atol=1e-12)
    assert axes.get_xlabel() == "Displacement $d_x$ (Å)" and axes.get_aspect() == 1
    # Bins without pairs do not have the white of zero correlation.
    assert np.ma.getmaskarray(mesh.get_array())[2, 4] and axes.get_facecolor()[:3] != (1, 1, 1)


@pytest.mark.parametrize("axis", [1, 2])
def test_displacements_along_one_lattice_vector_are_a_line(correlated, axis):
    shape = [2, 2, 1, 1, 1]
    shape[2 + axis] = 5
    with h5py.File(correlated, "r+") as file:
        group = file["stages/01-pair-correlations"].create_group("by-displacement")
        for other, name in enumerate(("dx", "dy", "dz")):
            group[name] = np.arange(-2.0, 3.0) if other == axis else np.zeros(1)
        for name in ("correlation", "square"):
            add_estimates(group, name, np.arange(20.0).reshape(shape))
        group["pairs"] = np.ones(shape)
    with larmor.open(correlated) as results:
        axes = plot_pair_correlations(results.stages[0]).axes[2]
    assert axes.get_xlabel() == (
        f"Displacement along lattice vector {axis + 1} (cells),\natom 1 with atom 1")
    assert list(axes.containers[0][0].get_xdata()) == [-2, -1, 0, 1, 2]
    assert list(axes.containers[0][0].get_ydata()) == [0, 1, 2, 3, 4]


def test_groups_are_a_table_in_colours(correlated):
    with h5py.File(correlated, "r+") as file:
        stage = file["stages/01-pair-correlations"]
        for name in ("structure", "by-distance"):
            del stage[name]
        stage["between-groups/names"] = np.array(["core", "shell"], dtype=h5py.string_dtype())
        add_estimates(stage, "between-groups/correlation", np.array([[1.0, -0.5], [-0.5, 0.8]]))
        stage["between-groups/correlation/error"][1, 1] = np.nan
    with larmor.open(correlated) as results:
        axes = plot_pair_correlations(results.stages[0]).axes[0]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["core", "shell"]
    np.testing.assert_array_equal(axes.images[0].get_array(), [[1, -0.5], [-0.5, 0.8]])
    assert [text.get_text() for text in axes.texts] == ["1\n± 0.1", "-0.5\n± 0.1", "-0.5\n± 0.1", "0.8"]


def test_many_groups_are_numbered_as_atoms_of_the_basis_are(correlated):
    names = [str(number) for number in range(1, 31)]
    with h5py.File(correlated, "r+") as file:
        stage = file["stages/01-pair-correlations"]
        for name in ("structure", "by-distance"):
            del stage[name]
        stage["between-groups/names"] = np.array(names, dtype=h5py.string_dtype())
        add_estimates(stage, "between-groups/correlation", np.eye(30))
    with larmor.open(correlated) as results:
        axes = plot_pair_correlations(results.stages[0]).axes[0]
    assert axes.get_xlim() == (0.5, 30.5) and axes.get_ylim() == (30.5, 0.5)
    assert "from 1" in axes.get_xlabel() and not axes.texts


def add_distribution(stage):
    group = stage.create_group("distribution")
    group["edges"] = np.array([-1.0, -0.5, 0.0, 0.5, 1.0])
    add_estimates(group, "pairs", np.array([2.0, 40.0, 100.0, 0.0]))
    for name, pairs in (("below", 0.0), ("above", 4.0)):
        add_estimates(group, name, np.float64(pairs))
    for name, value, sites in (("largest", 1.25, [3, 7]), ("smallest", -0.75, [0, 5])):
        group[f"{name}/value"] = value
        group[f"{name}/sites"] = np.array(sites, dtype=float)


def test_distributions_are_read_by_name(correlated):
    with h5py.File(correlated, "r+") as file:
        add_distribution(file["stages/01-pair-correlations"])
    with larmor.open(correlated) as results:
        pairs = results.stages[0].pair_correlations
        assert pairs.distribution_edges.tolist() == [-1, -0.5, 0, 0.5, 1]
        assert pairs.distribution.value.tolist() == [2, 40, 100, 0]
        assert (pairs.below.value, pairs.above.value, pairs.above.error) == (0, 4, 0.1)
        assert (pairs.largest.value, pairs.largest.sites) == (1.25, (3, 7))
        assert (pairs.smallest.value, pairs.smallest.sites) == (-0.75, (0, 5))


def test_a_stage_without_a_distribution_says_so(correlated):
    with larmor.open(correlated) as results:
        pairs = results.stages[0].pair_correlations
        for missing in ("distribution", "distribution_edges", "above", "largest"):
            with pytest.raises(larmor.NotInResults, match="distribution"):
                getattr(pairs, missing)


def test_a_distribution_is_a_histogram_of_its_pairs(correlated):
    with h5py.File(correlated, "r+") as file:
        stage = file["stages/01-pair-correlations"]
        for name in ("structure", "by-distance"):
            del stage[name]
        add_distribution(stage)
    with larmor.open(correlated) as results:
        axes, = plot_pair_correlations(results.stages[0]).axes
    values, edges, _ = axes.patches[0].get_data()
    assert values.tolist() == [2, 40, 100, 0] and edges.tolist() == [-1, -0.5, 0, 0.5, 1]
    assert axes.get_yscale() == "log" and axes.get_title() == "4 above"
    # The largest C lies beyond the bins.
    assert [list(line.get_xdata()) for line in axes.lines if line.get_linestyle() == "--"] == [
        [-0.75, -0.75]]


def test_without_either_there_is_nothing_to_draw(correlated):
    with h5py.File(correlated, "r+") as file:
        stage = file["stages/01-pair-correlations"]
        del stage["structure"], stage["by-distance"]
    with larmor.open(correlated) as results, pytest.raises(larmor.NothingToDraw):
        plot_pair_correlations(results.stages[0])


@pytest.mark.parametrize("rows", [1, 3])
def test_of_a_vacant_atom_no_displacements_are_drawn(correlated, rows):
    with h5py.File(correlated, "r+") as file:
        stage = file["stages/01-pair-correlations"]
        add_displacements(stage, rows)
        stage["by-displacement/pairs"][0] = 0
        stage["by-displacement/pairs"][:, 0] = 0
        for name in ("correlation", "square"):
            stage[f"by-displacement/{name}/value"][0] = np.nan
            stage[f"by-displacement/{name}/value"][:, 0] = np.nan
    with larmor.open(correlated) as results:
        figure = plot_pair_correlations(results.stages[0])
    labels = [axes.get_xlabel() + axes.get_ylabel() for axes in figure.axes]
    assert any("atom 2 with atom 2" in label for label in labels)
