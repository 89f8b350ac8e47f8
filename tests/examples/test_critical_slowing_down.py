"""Critical slowing down: exponents of the autocorrelation times at T_c, for single-spin updates and
clusters."""
# Rooms: ising

import numpy as np
import pytest

import larmor
from running import run_example, script_of_example

script = script_of_example("critical-slowing-down")


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Runs the example with fewer sweeps."""
    return run_example("critical-slowing-down", tmp_path_factory.mktemp("times"), "stage.2.sweeps=1500",
                       "scan.1.with.1.values=[2000, 10000, 30000, 120000]")


@pytest.fixture(scope="module")
def times(results):
    with larmor.open(results) as file:
        return script.times_of(file)


def test_single_spins_slow_down_as_the_square_of_the_length_and_more(times):
    z, error, _ = times["Metropolis"].power()
    # On larger lattices, z = 2.1667(5) (M. P. Nightingale and H. W. J. Bloete, Phys. Rev. Lett. 76,
    # 4548 (1996)).
    assert abs(z - 2.1667) < 4 * error + 0.08 and error < 0.1, (z, error)


def test_clusters_hardly_do(times):
    z, error, _ = times["Swendsen-Wang"].power()
    assert abs(z - 0.25) < 4 * error + 0.05 and error < 0.15, (z, error)
    assert (times["Swendsen-Wang"].value < 6).all()
    assert times["Metropolis"].value[-1] > 25 * times["Swendsen-Wang"].value[-1]


def test_both_updates_sample_the_same_model(results):
    with larmor.open(results) as file:
        for point in file.points.values():
            (one, error), (other, scatter) = (stage.averages["energy"] for stage in point.stages)
            assert abs(one[0] - other[0]) < 4 * np.hypot(error[0], scatter[0])


@pytest.mark.parametrize("memory", [0.0, 0.8, 0.95])
def test_times_of_a_series_with_a_known_one(memory):
    noise = np.random.default_rng(5).standard_normal((20000, 8))
    series = np.empty_like(noise)
    series[0] = noise[0] / np.sqrt(1 - memory**2)
    for step in range(1, len(noise)):
        series[step] = memory * series[step - 1] + noise[step]
    time, error = script.autocorrelation_time(series)
    exact = (1 + memory) / (1 - memory) / 2
    # The window of six autocorrelation times cuts off a fraction of exp(-6).
    assert abs(time - exact) < 4 * error + 0.003 * exact and error < 0.1 * exact


def test_the_script_draws_and_prints_them(results, capsys):
    picture = results.with_name("times.png")
    script.main(str(results), str(picture))
    assert picture.stat().st_size > 10000
    assert len(capsys.readouterr().out.splitlines()) == 10
