"""Pictures of the output of larmor bench glass."""

import json

import pytest
from larmor.cli import main
from larmor.plot_bench import plot_bench


def ladders(length, rounds, alone):
    return {"name": f"{length}^3, Philox-{rounds}", "length": length, "rungs": 4, "samples": 64, "alone": alone,
            "exchanged": 1.2 * alone, "measured": 1.5 * alone, "acceptance": [0.3, 0.5, 0.6]}


def measured(*of):
    return {"format": "larmor-bench-glass", "device": "a CPU", "measured_every": 10, "ladders": list(of)}


def test_times_and_acceptances_are_drawn():
    times, acceptance = plot_bench(measured(ladders(8, 10, 1e-12), ladders(8, 7, 0.8e-12), ladders(16, 10, 2e-12))).axes
    assert [bar.get_height() for bar in times.patches] == pytest.approx([1, 0.8, 2, 1.2, 0.96, 2.4, 1.5, 1.2, 3])
    assert [list(line.get_ydata()) for line in acceptance.lines] == [[0.3, 0.5, 0.6]] * 2


def test_command(tmp_path, capsys):
    path = tmp_path / "glass.json"
    path.write_text(json.dumps(measured(ladders(8, 10, 1e-12))))
    assert main(["plot-bench", str(path)]) == 0
    assert path.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
    path.write_text(json.dumps(measured()))
    assert main(["plot-bench", str(path), "--force"]) == 2
    assert "nothing was measured" in capsys.readouterr().err
