"""Minimum-energy paths find the barrier for any number of images, any springs and any random
numbers. path_sweep.py runs all combinations."""
# Rooms: spins

import pytest

from path_systems import SYSTEMS, find_path
from program import DEPTH

# Number of steps within which all paths converge.
STEPS = 8000

# Some systems are left out. The skyrmion is slower and has its own test. A chain whose first path
# turns all spins at once may reverse from both ends, and the nearest saddle depends on the number
# of images. If the top is flat to 1e-7 and spins may turn about the axis, a few images are too far
# apart.
ELSEWHERE = ("skyrmion", "nucleation-unguided", "reversal")


# The weakly coupled pair has two saddles and a minimum between them. Three images between its ends
# are too few.
CASES = [(name, images) for name in SYSTEMS if name not in ELSEWHERE for images in (5, 8, 21)
         if (name, images) != ("weak-pair", 5)]


@pytest.mark.parametrize("keys", [{"spring_ratio": 1}, {"spring_ratio": 10}], ids=["even-springs", "uneven-springs"])
@pytest.mark.parametrize("name, images", CASES)
def test_barriers_are_those_in_closed_form(tmp_path, name, images, keys):
    found = find_path(tmp_path, SYSTEMS[name], images=images, steps=STEPS, seed=images, **keys)
    assert found.is_right_for(SYSTEMS[name]), found


@pytest.mark.parametrize("name, images", CASES)
def test_barriers_by_velocity_projection_are_those_in_closed_form(tmp_path, name, images):
    found = find_path(tmp_path, SYSTEMS[name], images=images, steps=STEPS, seed=images,
                      method='"velocity-projection"')
    assert found.is_right_for(SYSTEMS[name]), found


@pytest.mark.parametrize("keys", [{"spring_ratio": 1}, {"spring_ratio": 10}], ids=["even-springs", "uneven-springs"])
@pytest.mark.parametrize("seed", range(1, 6 if DEPTH else 3))
def test_too_few_images_find_the_barrier_or_say_that_they_do_not(tmp_path, seed, keys):
    pair = SYSTEMS["weak-pair"]
    found = find_path(tmp_path, pair, images=5, steps=2000, seed=seed, **keys)
    assert found.is_right_for(pair) or not found.converged, found


@pytest.mark.parametrize("method", ["velocity-projection", "lbfgs"])
def test_a_minimum_between_two_saddles_is_no_barrier(tmp_path, method):
    # The only image between the ends converges to the minimum there.
    found = find_path(tmp_path, SYSTEMS["weak-pair"], images=3, steps=STEPS, seed=29, method=f'"{method}"')
    assert not found.converged and found.steps < STEPS, found


def test_a_long_chain_reverses_by_a_wall(tmp_path):
    found = find_path(tmp_path, SYSTEMS["reversal"], images=21, steps=STEPS)
    assert found.is_right_for(SYSTEMS["reversal"]), found


@pytest.mark.parametrize("images, keys", [(7, {}), (19, {"spring_ratio": 100}), (31, {})])
def test_a_skyrmion_collapses_over_one_barrier(tmp_path, images, keys):
    found = find_path(tmp_path, SYSTEMS["skyrmion"], images=images, steps=STEPS, **keys)
    assert found.is_right_for(SYSTEMS["skyrmion"]), found
