"""Random quantum Ising chains: gaps of free fermions for the couplings in results, and their spread over samples."""
# Rooms: quantum

import numpy as np
import pytest

from running import run_example, script_of_example

script = script_of_example("random-quantum-chain")
# The standard deviation of ln(gap) over the root of L, and its error, from 40000, 40000, 20000, 10000 and 4000 other
# samples of free fermions.
KNOWN = {4: (0.8163, 0.0045), 8: (0.7772, 0.004), 16: (0.7505, 0.005), 32: (0.7319, 0.007), 64: (0.7215, 0.011)}


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    return script.chains_of(run_example("random-quantum-chain", tmp_path_factory.mktemp("chains")))


def test_gaps_are_those_of_free_fermions(found):
    assert [(chains.L, len(chains.gaps)) for chains in found] == [(4, 8000), (8, 4000), (12, 500), (16, 40)]
    for chains in found:
        assert chains.largest_error() < 1e-10
        for numbers in (chains.J, chains.gamma):
            assert ((numbers > 0) & (numbers < 1)).all()


def test_logarithms_of_gaps_spread_as_the_root_of_the_length(found):
    for chains in found:
        if chains.L not in KNOWN:
            continue
        value, error = chains.scaled_spread()
        known, of_known = KNOWN[chains.L]
        assert abs(value - known) < 4 * np.hypot(error, of_known), chains.L


def test_long_chains_continue_the_short_ones():
    lengths, rows = script.continuation()
    for L, (value, error) in zip(lengths, rows):
        known, of_known = KNOWN[L]
        assert abs(value - known) < 4 * np.hypot(error, of_known), L
    # The gap falls as exp(-sqrt(L)): the scaled spread goes to a constant, and not to 0.
    assert rows[-1, 0] > 0.6
