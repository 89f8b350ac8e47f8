"""Pictures of the output of larmor bench snap."""

import json

import pytest
from larmor.cli import main
from larmor.plot_bench import plot_bench


def method(name, seconds, **parts):
    return {"name": name, "seconds": seconds, "error": 1e-14, "parts": parts}


def system(twojmax, *methods):
    return {"twojmax": twojmax, "atoms": 432, "neighbours": 26, "flops": 4e5, "floor_rate": 6e10,
            "methods": list(methods), "left_out": []}


def measured(*systems):
    return {"format": "larmor-bench-snap", "device": "a CPU", "potential": "linear, made up",
            "floor": "products", "systems": list(systems)}


SMALL = system(8, method("baseline", 1e-3, U=2e-4, Z=3e-4, forces=5e-4), method("adjoint", 1e-5, U=2e-6, Y=8e-6))
LARGE = system(14, method("adjoint", 1e-4, U=1e-5, Y=9e-5))


def test_rates_stand_beside_their_floors_and_parts_add_up():
    rates, of_small, of_large = plot_bench(measured(SMALL, LARGE)).axes
    small, floor, large = rates.lines[:3]
    assert list(small.get_ydata()) == pytest.approx([1e3, 1e5])
    assert floor.get_ydata()[0] == pytest.approx(6e10 / 4e5)
    assert list(large.get_xdata()) == [1]
    assert [bar.get_height() for bar in of_small.patches] == pytest.approx([20, 30, 50, 20, 80])
    assert [bar.get_height() for bar in of_large.patches] == pytest.approx([10, 90])
    assert of_small.patches[0].get_facecolor() == of_large.patches[0].get_facecolor()


def test_command(tmp_path, capsys):
    path = tmp_path / "snap.json"
    path.write_text(json.dumps(measured(SMALL)))
    assert main(["plot-bench", str(path)]) == 0
    assert path.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
    path.write_text(json.dumps(measured()))
    assert main(["plot-bench", str(path), "--force"]) == 2
    assert "no system was measured" in capsys.readouterr().err
