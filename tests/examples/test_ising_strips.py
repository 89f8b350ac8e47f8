"""Critical strips: central charge 1/2, and the correlation length and domain wall of conformal invariance."""
# Rooms: transfer

import numpy as np
import pytest

from running import run_example, script_of_example

script = script_of_example("ising-strips")


@pytest.fixture(scope="module")
def strips(tmp_path_factory):
    return script.strips_of(run_example("ising-strips", tmp_path_factory.mktemp("strips")))


def test_the_central_charge_is_a_half(strips):
    charges = strips.central_charges()
    assert charges[-1] == pytest.approx(0.5, abs=5e-4)
    assert (np.diff(np.abs(charges - 0.5)) < 0).all()
    assert strips.central_charges_of_pairs()[-1] == pytest.approx(0.5, abs=5e-3)


def test_lengths_and_walls_are_those_of_conformal_invariance(strips):
    for numbers in (strips.edge / (np.pi * strips.length), strips.edge * strips.wall / np.pi):
        assert numbers[-1] == pytest.approx(0.25, abs=1e-3)
        assert (np.diff(np.abs(numbers - 0.25)) < 0).all()
