"""Switching fields of the example lie on the astroid."""
# Rooms: spins

import h5py
import numpy as np
import pytest

from running import run_example


@pytest.fixture(scope="module")
def stages(tmp_path_factory):
    path = run_example("stoner-wohlfarth", tmp_path_factory.mktemp("example"))
    with h5py.File(path) as file:
        return [(group["field"][:], group["averages/magnetisation_along/value"][:],
                 group.attrs["converged"],
                 {name: of["value"][0] for name, of in group["loop"].items()})
                for group in file["stages"].values()]


@pytest.mark.parametrize("number, degrees", [(0, 15), (1, 45), (2, 75)])
def test_switches_both_ways_where_the_astroid_says(stages, number, degrees):
    field, moment, converged, loop = stages[number]
    assert converged and len(field) == 601
    psi = np.radians(degrees)
    exact = (np.cos(psi) ** (2 / 3) + np.sin(psi) ** (2 / 3)) ** -1.5
    jumps = np.sort(np.argsort(np.abs(np.diff(moment)))[-2:])
    for jump, sign in zip(jumps, (-1, 1)):
        assert abs(sign * field[jump] - exact) < 0.0101
        assert abs(sign * field[jump + 1] - exact) < 0.0101
    # At remanence, the moment lies on the axis. It points up after the positive field and down
    # after the negative field.
    remanent = moment[np.isclose(field, 0, atol=1e-9)]
    np.testing.assert_allclose(remanent, [np.cos(psi), -np.cos(psi)], atol=1e-7)
    assert abs(loop["remanence"] - np.cos(psi)) < 1e-7
    # If psi is above 45 degrees, the moment turns through zero before it jumps.
    coercive = np.sin(2 * psi) / 2 if degrees > 45 else exact
    assert abs(loop["coercive_field"] - coercive) < 0.0101
    assert abs(loop["coercive_field_falling"] + loop["coercive_field_rising"]) < 0.0101


def test_between_the_jumps_the_torques_balance(stages):
    """Solves sin(2 (theta - psi)) / 2 = - h sin(theta), with theta measured from the field."""
    for (field, moment, *_), degrees in zip(stages, (15, 45, 75)):
        psi = np.radians(degrees)
        theta = np.arccos(np.clip(moment, -1, 1))
        unsettled = [np.abs(np.sin(2 * (sign * theta - psi)) / 2 + field * np.sin(sign * theta))
                     for sign in (-1, 1)]
        assert np.max(np.minimum(*unsettled)) < 1e-6
