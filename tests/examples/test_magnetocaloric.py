"""The scan of field by temperature: all its points belong to one free energy."""
# Rooms: spins, study

import h5py
import numpy as np
import pytest

from running import run_example

# Weights of Simpson's rule for five and for nine points.
FIVE, NINE = np.array([1, 4, 2, 4, 1]) / 3, np.array([1, 4, 2, 4, 2, 4, 2, 4, 1]) / 3


FIELD, TEMPERATURE = "field.B.3", "stage.1.temperature"


@pytest.fixture(scope="module")
def scan(tmp_path_factory):
    """The axes, and (value, error) of averages by name."""
    with h5py.File(run_example("magnetocaloric", tmp_path_factory.mktemp("scan"))) as file:
        grids = {name: (group["value"][:], group["error"][:])
                 for name, group in file["scan/summary/01-monte-carlo"].items()}
        grids[FIELD] = file[f"scan/axes/01/{FIELD}"][:]
        grids[TEMPERATURE] = file[f"scan/axes/02/{TEMPERATURE}"][:]
    return grids


def test_points_belong_to_one_free_energy(scan):
    """The sum of d(F/T) = E d(1/T) - M/T dB around a rectangle is zero. Its sides are T = 2 and 4,
    and B = 0 and 1. The sides along B at both temperatures follow from M. The sides along T at both
    fields follow from E."""
    field, temperature = scan[FIELD], scan[TEMPERATURE]
    energy, energy_error = scan["energy"]
    moment, moment_error = scan["magnetisation_z"]
    assert energy.shape == (5, 15)
    assert np.isfinite(energy).all() and np.isfinite(moment).all()
    cold, hot = np.flatnonzero((temperature == 2.0) | (temperature == 4.0))
    along_t = slice(cold, hot + 1)
    dB, dT = field[1] - field[0], temperature[1] - temperature[0]
    terms, errors = [], []
    for place, sign in ((cold, -1), (hot, 1)):
        weight = sign * dB * FIVE / temperature[place]
        terms.append(weight @ moment[:, place])
        errors.append(weight * moment_error[:, place])
    for place, sign in ((-1, -1), (0, 1)):
        weight = sign * dT * NINE / temperature[along_t] ** 2
        terms.append(weight @ energy[place, along_t])
        errors.append(weight * energy_error[place, along_t])
    error = np.linalg.norm(np.concatenate(errors))
    assert error < 1e-3 < 0.02 * np.abs(terms).max()
    assert abs(sum(terms)) < 3.89 * error + 1e-4  # error of Simpson's rule


def test_the_entropy_falls_most_just_above_the_transition(scan):
    field, temperature = scan[FIELD], scan[TEMPERATURE]
    weight = (field[1] - field[0]) * FIVE
    moment, error = scan["magnetisation_z"]
    entropy = weight @ np.diff(moment, axis=1) / np.diff(temperature)
    errors = np.hypot(error[:, 1:], error[:, :-1]) / np.diff(temperature)
    peak = np.argmin(entropy)
    assert temperature[peak] == 1.5
    assert abs(entropy[peak] + 0.452) < 3.89 * np.hypot(0.005, np.linalg.norm(weight * errors[:, peak]))
    assert np.linalg.norm(weight * errors[:, peak]) < 0.01


def test_order_grows_with_the_field_and_melts(scan):
    temperature = scan[TEMPERATURE]
    moment = scan["magnetisation_z"][0][1:]
    # At temperatures below 1, the differences are within the error bars.
    assert (np.diff(moment[:, temperature >= 1.0], axis=1) < 0).all()
    assert (np.diff(moment[:, temperature >= 1.0], axis=0) > 0).all()
    assert moment[-1, 0] > 0.9
