"""Pictures of larmor bench correlations: drawn contents, and refused files."""

import json

import pytest
from larmor.cli import main
from larmor.plot_bench import read_measured
from larmor.plot_correlations import plot_correlations


def way(name, seconds, **parts):
    return {"name": name, "seconds": seconds, "error": 1e-15, "parts": parts}


def lattice(length):
    """Measurements of a small lattice with all methods, or of a large lattice without those that
    store N x N matrices."""
    time = 1e-12 * length**4
    ways = [way("baseline", 40 * time), way("fused", time)]
    if length < 300:
        parts = {"GEMM": time, "outer product and axpy": time, "inner product": time}
        ways += [way("cublas-eq4", 3 * time, **parts), way("a new one", 2 * time)]
        del parts["outer product and axpy"]
        ways.append(way("cublas-eq5", 2 * time, **parts))
    left_out = [{"name": "cublas-eq4", "reason": "no memory for N x N"}] if length > 300 else []
    amplitudes = [{"wave_vectors": 1, "factorised": 1e-5, "fft": 2e-5, "auto": "factorised"}]
    return {"length": length, "step_seconds": 0.01 * time, "gemm_seconds": time * (length < 300),
            "ways": ways, "left_out": left_out, "precisions": [], "factorised": [],
            "amplitudes": {"1": amplitudes, "50": amplitudes},
            "of_ranks": {"1": time} | ({"4": time / 4} if length > 300 else {})}


def measured(*lengths):
    return {"format": "larmor-bench-correlations", "device": "a GPU", "configurations": 50,
            "gemm_rate": 6e13, "copy_bandwidth": 4e12, "lattices": [lattice(n) for n in lengths]}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "correlations.json"
    path.write_text(json.dumps(measured(420, 100, 200)))
    return path


def test_every_way_is_drawn_in_every_figure_that_it_belongs_to(file):
    axes = plot_correlations(read_measured(file)).axes

    def labels(number):
        return [line.get_label() for line in axes[number].lines
                if not line.get_label().startswith("_")]

    all_ways = ["baseline", "cublas-eq4", "cublas-eq5", "fused", "a new one"]
    assert labels(1) == all_ways and labels(3) == all_ways
    assert labels(2) == ["fused"]
    assert labels(4) == ["1 GPU", "4 GPUs"]
    assert list(axes[3].lines[3].get_xdata()) == [100, 200, 420]
    assert list(axes[3].lines[1].get_xdata()) == [100, 200]
    assert axes[2].lines[0].get_ydata() == pytest.approx([100, 100])


def test_command(file, capsys, request):
    assert main(["plot-bench", str(file)]) == 0
    picture = file.with_suffix(".png")
    assert capsys.readouterr().out.strip() == str(picture)
    assert picture.read_bytes().startswith(b"\x89PNG")
    request.getfixturevalue("unsaved")
    assert main(["plot-bench", str(file)]) == 2
    assert "--force overwrites" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "another"}'])
def test_other_files_are_refused(tmp_path, capsys, text):
    path = tmp_path / "other.json"
    path.write_text(text)
    assert main(["plot-bench", str(path)]) == 2
    assert "not a file of larmor bench correlations" in capsys.readouterr().err


def test_one_lattice_is_enough_and_none_is_not(tmp_path, capsys):
    assert len(plot_correlations(measured(420)).axes) == 6
    path = tmp_path / "empty.json"
    path.write_text(json.dumps(measured()))
    assert main(["plot-bench", str(path)]) == 2
    assert "no lattice was measured" in capsys.readouterr().err
