"""Chains of quantum spins with free ends are free fermions (P. Pfeuty, Ann. Phys. 57, 79 (1970)): energies and gaps of
18 spins, and in depth of more than 20."""
# Rooms: quantum

import h5py
import numpy as np
import pytest

from program import DEPTH, run_study


def modes(J, gamma):
    """Energies of the fermions, twice the singular values of a matrix with Gamma on its diagonal and J next to it."""
    return 2 * np.linalg.svd(np.diag(gamma) - np.diag(J, 1), compute_uv=False)


def uniform(random, L):
    return np.ones(L - 1), np.ones(L)


def disordered(random, L):
    return random.uniform(0.3, 1, L - 1), random.uniform(0.3, 1, L)


def plus_minus_j(random, L):
    return random.choice([-1.0, 1.0], L - 1), np.full(L, 0.7)


CASES = [(disordered, 18)]
if DEPTH:
    CASES += [(disordered, 22)] + [(kind, 24) for kind in (uniform, disordered, plus_minus_j)]


@pytest.mark.parametrize("kind, L", CASES, ids=lambda value: getattr(value, "__name__", value))
def test_energies_and_gaps_of_long_chains(tmp_path, kind, L):
    J, gamma = kind(np.random.default_rng(L), L)
    bonds = "".join(f"[[exchange]]\npairs = [[{i}, {i + 1}]]\nJ = {float(value)!r}\n" for i, value in enumerate(J))
    done, path = run_study(
        tmp_path, f'[model]\nkind = "quantum"\n[lattice]\nsites = {L}\n{bonds}[field]\nGamma_by_site = {gamma.tolist()}\n'
        '[[stage]]\nkind = "spectrum"\ntolerance = 1e-8\n', "--progress", "quiet")
    assert done.returncode == 0, done.stderr
    energies = modes(J, gamma)
    with h5py.File(path) as file:
        found = file["stages/01-spectrum"]
        deviations = (abs(found["ground_state_energy"][0] + energies.sum() / 2), abs(found["gap"][0] - energies[-1]))
    print(f"{kind.__name__} {L}: deviations of energy and gap {deviations}")
    assert max(deviations) < 1e-10
