"""Vacancy hops in tungsten: the vacancy is at another site in each state, with equal energies."""
# Rooms: study, parsplice, atoms

import h5py
import numpy as np

from running import require_potential, run_example


def test_states_are_those_of_a_vacancy(tmp_path):
    require_potential("W_2940_2017_2.snap")
    output = run_example("tungsten-vacancy-parsplice", tmp_path, "stage.1.time='6 ps'", "stage.1.temperature='4200 K'",
                         "stage.1.segment_time='0.5 ps'")
    with h5py.File(output) as file:
        states = file["stages/01-parsplice/states"]
        energies = states["energy"][()]
        known = energies[np.isfinite(energies)]
        assert len(states["label"]) == len(set(states["label"])) > 1
        np.testing.assert_allclose(known, energies[0], atol=1e-7)
        edge = file["model/cell"][0, 0]
        sites = np.stack(np.meshgrid(*3 * [np.arange(3)], indexing="ij"), -1).reshape(-1, 3)
        sites = np.concatenate([sites, sites + 0.5]) * edge / 3
        for places in states["places"][np.isfinite(energies)]:
            distance = np.abs(places[:, None] - sites) % edge
            distance = np.sqrt((np.minimum(distance, edge - distance) ** 2).sum(-1)).min(0)
            assert (distance > 0.8).sum() == 1
