"""Pictures of trajectories from state to state."""

import numpy as np
import pytest
import results_file as synthetic

import larmor
from larmor.pictures import Options, draw_all
from larmor.plot_transitions import plot_transitions


def trajectory(path, exits=30):
    """Three states, of which the first one has so many exits with the waiting times of an exponential of rate 2."""
    with synthetic.create(path) as file:
        stage = synthetic.add_stage(file, "01-parsplice")
        stage["trajectory/state"], stage["trajectory/time"] = np.array([0, 1, 0, 2]), np.array([3.0, 1.0, 2.0, 4.0])
        stage["trajectory/time"].attrs["unit"] = "ps"
        stage["states/label"] = np.arange(3, dtype=np.uint64)
        stage["states/time"], stage["states/rate"] = np.array([5.0, 1.0, 4.0]), np.array([2.0, 1.0, np.nan])
        stage["states/p_exponential"] = np.array([0.4, np.nan, np.nan])
        stage["waiting_times/state"] = np.zeros(exits, int)
        stage["waiting_times/time"] = -np.log1p(-(np.arange(exits) + 0.5) / exits) / 2
        stage["waiting_times/time"].attrs["unit"] = "ps"
        stage["rates/from"], stage["rates/to"] = np.array([0, 0, 1]), np.array([1, 0, 0])
        stage["rates/exits"] = np.array([4, 7, 2])


def test_it_shows_states_waiting_times_and_the_network(tmp_path):
    trajectory(tmp_path / "states.h5")
    with larmor.open(tmp_path / "states.h5") as results:
        along, waiting, network, *_ = plot_transitions(results.stages[0], "Title").axes
    (steps,) = along.patches
    np.testing.assert_allclose(steps.get_data().values, [0, 1, 0, 2])
    np.testing.assert_allclose(steps.get_data().edges, [0, 3, 4, 6, 10])
    assert along.get_xlabel() == "Time $t$ (ps)" and along.get_title() == "3 states, 3 changes"
    assert waiting.get_legend_handles_labels()[1] == ["state 0, p = 0.4"]
    times, share = waiting.lines[0].get_data()
    np.testing.assert_allclose(share, np.exp(-2 * times), atol=1.1 / 30)
    # An exit to its own state has no arrow.
    arrows = [text for text in network.texts if getattr(text, "arrow_patch", None)]
    assert len(arrows) == 2
    widths = [arrow.arrow_patch.get_linewidth() for arrow in arrows]
    assert widths[0] > widths[1]
    assert [text.get_text() for text in network.texts if text.get_text()] == ["0", "1", "2"]


def test_many_states_are_also_drawn_together(tmp_path):
    with synthetic.create(tmp_path / "many.h5") as file:
        stage = synthetic.add_stage(file, "01-parsplice")
        count = 30
        stage["trajectory/state"], stage["trajectory/time"] = np.arange(count), np.ones(count)
        stage["states/label"] = np.arange(count, dtype=np.uint64)
        stage["states/time"] = stage["states/settled_time"] = np.full(count, 0.5)
        stage["states/rate"], stage["states/p_exponential"] = np.full(count, 2.0), np.full(count, np.nan)
        stage["waiting_times/state"], stage["waiting_times/time"] = np.arange(count), np.linspace(0.1, 1, count)
        stage["rates/from"], stage["rates/to"] = np.arange(count - 1), np.arange(1, count)
        stage["rates/exits"] = np.ones(count - 1, int)
    with larmor.open(tmp_path / "many.h5") as results:
        _, waiting, network, *_ = plot_transitions(results.stages[0]).axes
    assert waiting.get_legend_handles_labels()[1] == ["all states together"]
    at, share = waiting.lines[1].get_data()
    np.testing.assert_allclose(share, np.exp(-2 * at))
    assert network.get_title() == "24 of 30 states"


def test_few_exits_have_no_waiting_times(tmp_path):
    trajectory(tmp_path / "few.h5", exits=3)
    with larmor.open(tmp_path / "few.h5") as results:
        waiting = plot_transitions(results.stages[0]).axes[1]
    assert not waiting.lines and "no state has 5 exits" in waiting.texts[0].get_text()


def test_an_unfinished_stage_is_not_drawn(tmp_path):
    with synthetic.create(tmp_path / "begun.h5") as file:
        synthetic.add_stage(file, "01-parsplice")
    with larmor.open(tmp_path / "begun.h5") as results:
        with pytest.raises(larmor.NothingToDraw, match="no trajectory"):
            plot_transitions(results.stages[0])
        drawing = draw_all(results, None, list(results.stages), Options())
    assert not drawing.pictures and len(drawing.skipped) == 1
