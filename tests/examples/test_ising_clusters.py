"""Critical Ising model by clusters: energies of the infinite lattice, a power law of cluster sizes, and
autocorrelation times of a few sweeps."""
# Rooms: clusters, ising

import h5py
import numpy as np
import pytest

from running import run_example

T_C = 2 / np.log(1 + np.sqrt(2))


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    """Runs the example with fewer samples, for a smaller lattice."""
    path = run_example("ising-clusters", tmp_path_factory.mktemp("clusters"), "lattice.grid=[64, 64]",
                       "stage.1.sweeps=600", "stage.1.thermalisation=100")
    with h5py.File(path) as file:
        yield file["stages/01-monte-carlo"]


def onsager(T):
    """Energy per site of the infinite lattice (L. Onsager, Phys. Rev. 65, 117 (1944))."""
    K = 1 / T
    kappa = 2 * np.sinh(2 * K) / np.cosh(2 * K) ** 2
    angle = (np.arange(20000) + 0.5) * np.pi / 40000
    elliptic = np.mean(1 / np.sqrt(1 - (kappa * np.sin(angle)) ** 2)) * np.pi / 2
    return -(1 + 2 / np.pi * (2 * np.tanh(2 * K) ** 2 - 1) * elliptic) / np.tanh(2 * K)


def test_energies_away_from_t_c_are_onsagers(stage):
    energy = stage["averages/energy"]
    for point, T in ((0, 2.0), (2, 2.6)):
        value, error = energy["value"][point], energy["error"][point]
        assert abs(value - onsager(T)) < 4 * error and error < 2e-3, (T, value, error, onsager(T))


def test_improved_estimators_agree_with_the_magnetisation(stage):
    improved, plain = (stage[f"averages/{name}magnetisation_squared"] for name in ("improved_", ""))
    for point in range(3):
        both = np.hypot(improved["error"][point], plain["error"][point])
        assert abs(improved["value"][point] - plain["value"][point]) < 4 * both
    # Above T_c, clusters are small and give smaller errors.
    assert improved["error"][2] < 0.7 * plain["error"][2]


def test_the_state_is_forgotten_in_a_few_sweeps(stage):
    times = stage["averages/energy/autocorrelation_time"][:]
    assert (2 * times < 30).all(), times


def test_clusters_are_of_all_sizes_at_t_c_alone(stage):
    sizes = stage["cluster-sizes"]
    assert sizes["temperature"][1] == pytest.approx(T_C)
    middle = slice(3, 8)  # 8 to 255 sites
    slope = np.polyfit(np.log(sizes["size"][middle]), np.log(sizes["value"][1, middle]), 1)[0]
    # At T_c, n(s) ~ s^(-tau) with tau = 1 + 2 / (15/8) = 31/15, and bins are as wide as s.
    assert slope == pytest.approx(-(31 / 15 - 1), abs=0.12)
    # Above T_c, large clusters are missing. Below T_c, clusters of middle size are missing.
    assert sizes["value"][2, 10] < 1e-6 < sizes["value"][1, 10]
    assert sizes["value"][0, 8] < 0.1 * sizes["value"][1, 8]


def test_correlation_length_falls_off_above_t_c(stage):
    length, error = (stage[f"averages/correlation_length_x/{part}"][:] for part in ("value", "error"))
    # Above T_c, the infinite lattice has 1 / xi = ln coth(1 / T) - 2 / T. The length of the second
    # moment is close to this xi.
    exact = 1 / (np.log(1 / np.tanh(1 / 2.6)) - 2 / 2.6)
    assert abs(length[2] - exact) < 4 * error[2] and error[2] < 0.4 * exact, (length, error, exact)
    assert length[1] > 5 * exact
