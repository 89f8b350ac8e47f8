"""The known ground states of the icosidodecahedron: three sublattices, 120 degrees apart."""
# Rooms: spins, correlations

import h5py
import numpy as np
import pytest

from running import run_example

TEMPERATURE = 0.0002


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    with h5py.File(run_example("keplerate", tmp_path_factory.mktemp("keplerate"))) as file:
        yield file


def three_colourings(neighbours):
    """[n, N] all ways to give each site one of three sublattices, if neighbours must be on
    different ones."""
    sites = len(neighbours)
    order = [0]
    while len(order) < sites:
        order.append(max(set(range(sites)) - set(order),
                         key=lambda site: np.count_nonzero(neighbours[site, order])))
    partial = [np.full(sites, -1)]
    for site in order:
        partial = [np.where(np.arange(sites) == site, colour, one)
                   for one in partial for colour in range(3)
                   if colour not in one[neighbours[site]]]
    return np.array(partial)


@pytest.fixture(scope="module")
def ground_states(results):
    """Distances of all pairs, and C of all pairs in each ground state."""
    place = results["model/positions"][:]
    distance = np.linalg.norm(place[:, None] - place, axis=2)
    neighbours = np.abs(distance - 1) < 1e-9
    assert np.all(neighbours.sum(axis=1) == 4)
    colours = three_colourings(neighbours)
    assert len(colours) == 60
    same = colours[:, :, None] == colours[:, None, :]
    return distance, np.where(same, 1.0, -0.5)


def test_energy_and_specific_heat_are_those_of_stiff_and_soft_modes(results):
    # A ground state has 49 stiff modes (T/2 each), 8 soft modes (quartic, T/4), and 3 modes that
    # rotate the molecule.
    averages = results["stages/02-monte-carlo/averages"]
    energy, heat = averages["energy"], averages["specific_heat"]
    assert abs(energy["value"][0] - (-1 + 53 / 60 * TEMPERATURE)) < 5 * energy["error"][0]
    assert abs(heat["value"][0] - 53 / 60) < 5 * heat["error"][0]
    assert heat["error"][0] < 0.02


def test_correlations_by_distance_are_those_of_the_ground_states(results, ground_states):
    distance, states = ground_states
    group = results["stages/03-pair-correlations/by-distance"]
    value, error = (group[f"correlation/{name}"][:] for name in ("value", "error"))
    square, square_error = (group[f"square/{name}"][:] for name in ("value", "error"))
    # Pairs of neighbours give half of the energy per site.
    assert abs(value[10] - (-0.5 + 53 / 120 * TEMPERATURE)) < 5 * error[10]
    assert error[10] < 1e-5
    edges = group["edges"][:]
    shells = np.flatnonzero(group["pairs"][:])
    assert len(shells) == 9
    for shell in shells:
        pairs = (distance > edges[shell] - 1e-6) & (distance < edges[shell + 1] - 1e-6)
        mean = states[:, pairs].mean(axis=1)
        assert np.ptp(mean) < 1e-12 and np.count_nonzero(pairs) == group["pairs"][shell]
        # Soft modes reduce C by the order of the square root of the temperature.
        assert abs(value[shell] - mean[0]) < 5 * error[shell] + 0.01
        # All pairs of a shell have equal C, if it is averaged over ground states.
        assert np.ptp(states.mean(axis=0)[pairs]) < 1e-12
        assert abs(square[shell] - mean[0] ** 2) < 5 * square_error[shell] + 0.005


def test_structure_factor_is_that_of_the_ground_states(results, ground_states):
    stage = results["stages/03-pair-correlations"]
    q = stage["wave-vectors/q_cartesian"][:]
    assert np.allclose(q[:, 2], 0.5 * np.arange(21))
    place = results["model/positions"][:]
    phase = np.exp(-1j * q @ place.T)
    wanted = np.einsum("qr,qs,rs->q", phase, phase.conj(), ground_states[1].mean(axis=0)).real / 30
    value, error = stage["structure/value"][:], stage["structure/error"][:]
    assert np.all(np.abs(value - wanted) < 5 * error + 0.02 * wanted + 2e-4)
