"""Pictures of the output of larmor bench tempering."""

import json

import pytest
from larmor.cli import main
from larmor.plot_bench import plot_bench

COST = {"name": "Heisenberg 16^3 x 32 rungs, metropolis", "seconds": 1e-4, "with": {"1": 1.2e-4, "10": 1.03e-4}}


def spacing(name, rate, *flow):
    return {"name": name, "rungs": [0.2, 0.5, 2.0], "acceptance": [[0.3, 0.01], [0.4, None]],
            "flow": [[f, None] for f in flow], "diffusivity": [0.1, None], "rate": [rate, 1e-4],
            "rate_of_exchanges": 0.02, "time": [3 / rate, None], "gain": [rate / 1e-3, 0.1]}


def measured(costs, *glasses):
    named = [{"name": "a glass", "spacings": spacings} for spacings in glasses]
    return {"format": "larmor-bench-tempering", "device": "a CPU", "costs": costs, "glasses": named}


LADDERS = [spacing("geometric", 1e-3, 1, 0.8, 0), spacing("flow", 2.5e-3, 1, 0.5, 0)]


def test_all_that_was_measured_is_drawn():
    costs, rungs, flow, rates = plot_bench(measured([COST], LADDERS)).axes
    assert [bar.get_width() for bar in costs.patches] == pytest.approx([20, 3])
    assert list(rungs.lines[1].get_ydata()) == [0.2, 0.5, 2.0]
    assert list(flow.lines[1].get_ydata()) == [1, 0.8, 0]
    assert [bar.get_height() for bar in rates.patches] == pytest.approx([1, 2.5])
    assert [text.get_text() for text in rates.texts] == ["2.50 ± 0.10 times"]


def test_what_was_not_measured_is_left_out():
    assert len(plot_bench(measured([COST])).axes) == 1
    assert len(plot_bench(measured([], LADDERS, LADDERS)).axes) == 6


def test_command(tmp_path, capsys):
    path = tmp_path / "tempering.json"
    path.write_text(json.dumps(measured([COST], LADDERS)))
    assert main(["plot-bench", str(path)]) == 0
    assert path.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
    path.write_text(json.dumps(measured([])))
    assert main(["plot-bench", str(path), "--force"]) == 2
    assert "nothing was measured" in capsys.readouterr().err
