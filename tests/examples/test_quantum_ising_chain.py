"""Quantum Ising chains: levels of free fermions, central charge 1/2 and scaling dimension 1/8 at the critical field."""
# Rooms: quantum

import numpy as np
import pytest

from running import run_example, script_of_example

script = script_of_example("quantum-ising-chain")


@pytest.fixture(scope="module")
def chains(tmp_path_factory):
    return script.chains_of(run_example("quantum-ising-chain", tmp_path_factory.mktemp("chains")))


def test_levels_are_those_of_free_fermions(chains):
    assert len(chains.L) == 42
    assert chains.largest_error() < 1e-10


def test_the_critical_point_is_that_of_the_classical_square_lattice(chains):
    charges = chains.central_charges()
    assert charges[-1] == pytest.approx(0.5, abs=2e-3)
    assert (np.diff(abs(charges - 0.5)) < 0).all()
    assert chains.scaling_dimension() == pytest.approx(1 / 8, abs=1e-3)
