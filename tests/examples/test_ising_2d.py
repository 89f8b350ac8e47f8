"""Two-dimensional Ising model: energies and specific heats with periodic boundaries and the spontaneous
magnetisation are exact. The exact results of the example's script are tested, too."""
# Rooms: ising

import h5py
import numpy as np
import pytest

from running import run_example, script_of_example

EDGE = 32
exact = script_of_example("ising-2d")


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Runs the example with fewer samples, for a smaller lattice."""
    return run_example("ising-2d", tmp_path_factory.mktemp("ising"), f"lattice.grid=[{EDGE}, {EDGE}]",
                       "stage.1.sweeps=2000")


def average(results, name):
    with h5py.File(results) as file:
        stage = file["stages/01-monte-carlo"]
        return (stage["temperature"][:], *(stage[f"averages/{name}/{part}"][:] for part in ("value", "error")))


@pytest.mark.parametrize("number, name", [(0, "energy"), (1, "specific_heat")])
def test_the_torus_has_kaufmans(results, number, name):
    T, value, error = average(results, name)
    off = (value - np.array([exact.kaufman(EDGE, t)[number] for t in T])) / error
    assert np.abs(off).max() < 4.5, off
    # A chi-square with 16 degrees of freedom exceeds 45 in one of 7000 cases.
    assert (off**2).sum() < 45, off


def test_cold_the_magnetisation_is_yangs(results):
    T, value, error = average(results, "magnetisation")
    cold = T < 2.05
    assert cold.sum() == 3
    off = (value - np.array([exact.yang(t) for t in T]))[cold] / error[cold]
    assert np.abs(off).max() < 4, off
    assert (value[~cold & (T > 2.4)] > 0.02).all()


@pytest.mark.parametrize("K", [0.3, 0.45, 0.6])
def test_kaufmans_partition_function_counts_all_states_of_a_small_torus(K):
    spins = ((np.arange(2**16)[:, None] >> np.arange(16)) & 1) * 2 - 1
    grid = spins.reshape(-1, 4, 4)
    energy = -(grid * np.roll(grid, 1, 1)).sum((1, 2)) - (grid * np.roll(grid, 1, 2)).sum((1, 2))
    assert exact.log_partition_function(4, K) == pytest.approx(np.log(np.exp(-K * energy).sum()), rel=1e-12)


@pytest.mark.parametrize("T", [1.7, 2.2, 2.4, 3.3])
def test_onsagers_specific_heat_is_the_slope_of_his_energy(T):
    step = 1e-5
    slope = (exact.onsager(T + step)[0] - exact.onsager(T - step)[0]) / (2 * step)
    assert exact.onsager(T)[1] == pytest.approx(slope, rel=1e-6)
    # A lattice much larger than the correlation length has the energy of the infinite lattice.
    assert exact.kaufman(256, T) == pytest.approx(exact.onsager(T), rel=1e-4)


def test_the_script_draws_and_prints_them(results, capsys):
    picture = results.with_name("exact.png")
    exact.main(str(results), str(picture))
    assert picture.stat().st_size > 10000
    assert len(capsys.readouterr().out.splitlines()) == 17
