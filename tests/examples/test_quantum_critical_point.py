"""Binder cumulants of the square lattice in a transverse field cross at its quantum critical point."""
# Rooms: trotter, quantum, study

import pytest

from running import run_example, script_of_example

script = script_of_example("quantum-critical-point")


@pytest.fixture(scope="module")
def sizes(tmp_path_factory):
    """Runs the example with fewer samples, for two of its sizes."""
    return script.cumulants_of(run_example("quantum-critical-point", tmp_path_factory.mktemp("critical"),
                                           "stage.1.sweeps=800", "stage.1.slices=[48, 64]",
                                           "scan.1.values=[[4, 4], [6, 6]]"))


def test_the_crossing_is_near_the_critical_field(sizes):
    assert [size.L for size in sizes] == [4, 6]
    value, error = script.crossing_with_error(*sizes)
    assert 0 < error < 0.06
    # The crossings of such small sizes have corrections to scaling.
    assert abs(value - script.CRITICAL) < 3 * error + 0.06


def test_larger_lattices_order_more_sharply(sizes):
    small, large = sizes
    assert large.value[0] > small.value[0] + 0.02
    assert large.value[-1] < small.value[-1] - 0.02
