"""The spin glass in three dimensions. Blocks of time agree, correlations grow at low temperature,
and the script finds the crossings of curves."""
# Rooms: overlaps, ising

import numpy as np
import pytest

from running import run_example, script_of_example

compare = script_of_example("spin-glass-3d")


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Runs the example with fewer samples."""
    return run_example("spin-glass-3d", tmp_path_factory.mktemp("glass"), "samples=20", "replicas=320")


def test_blocks_of_time_agree(results):
    with compare.larmor.open(results) as file:
        for point in file.points.values():
            value, error = point.stages["tempering"].overlap.blocks["overlap_square"]
            # All blocks have equal samples of disorder, so that their difference scatters less than
            # each of them.
            assert np.all(np.abs(value[-1] - value[-3]) < 2 * error[-1] + 0.01), point.model.size


def test_correlations_grow_in_the_cold(results):
    with compare.larmor.open(results) as file:
        curves = compare.curves_of(file)
    assert [curve.edge for curve in curves] == [4, 6, 8]
    for curve in curves:
        assert np.all(np.diff(curve.value) < 0)
        at_transition = np.interp(compare.CRITICAL, curve.temperature, curve.value)
        # Small systems have corrections of some hundredths.
        assert abs(at_transition - compare.RATIO) < 4 * curve.error[1] + 0.06, curve.edge
    # Well above the transition, curves follow the order of sizes.
    assert curves[0].value[-1] > curves[2].value[-1] + 3 * np.hypot(curves[0].error[-1], curves[2].error[-1])


def test_the_script_finds_where_curves_cross():
    T = np.array([1.0, 1.2, 1.4])
    curves = [compare.Curve(edge, T, 0.6 - slope * (T - 1.15), np.full(3, 0.001)) for edge, slope in ((4, 0.4), (8, 0.8))]
    at, error = compare.crossing(*curves)
    assert at == pytest.approx(1.15)
    assert 0.001 < error < 0.01
    assert np.isnan(compare.crossing(*reversed(curves))[0])


def test_the_script_draws_and_prints(results, capsys):
    picture = results.with_name("crossing.png")
    compare.main(str(results), str(picture))
    assert picture.stat().st_size > 10000
    assert len(capsys.readouterr().out.splitlines()) == 3
