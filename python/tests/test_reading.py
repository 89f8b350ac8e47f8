"""The tool that finds datasets without a reader, on artificial results."""

import h5py
from reading import unread


def test_all_of_small_results_is_read(thermal, dynamic):
    assert unread(thermal) == set()
    assert unread(dynamic) == set()


def test_new_datasets_and_attributes_are_found(thermal):
    with h5py.File(thermal, "a") as file:
        file["stages/01-monte-carlo/novelty/value"] = [1.0]
        file["model/novelty"] = [1.0]
        file["stages/01-monte-carlo/averages/energy"].attrs["novelty"] = 1
    assert unread(thermal) == {"/stages/01-monte-carlo/novelty/value", "/model/novelty",
                               "/stages/01-monte-carlo/averages/energy@novelty"}
