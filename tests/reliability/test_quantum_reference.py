"""Quantum spins against tables of exact values: LARMOR_TEST_REFERENCE names the folder of their folder `quantum`.

tfim_clusters.json has levels and averages of small clusters, tfim_2d_ground.json two levels of each sector of tori,
tfim_free_chains.json ground states and averages of free chains.
"""
# Rooms: quantum, study

import json
import os
import pathlib

import h5py
import numpy as np
import pytest

from program import run_study

FOLDER = os.environ.get("LARMOR_TEST_REFERENCE")


def table(name):
    if FOLDER is None:
        pytest.skip("LARMOR_TEST_REFERENCE is not set")
    return json.loads((pathlib.Path(FOLDER) / "quantum" / name).read_text())


def study(sites, bonds, couplings, gamma, h, stage):
    listed = "".join(f"[[exchange]]\npairs = [{list(bond)}]\nJ = {J!r}\n"
                     for bond, J in merged(bonds, couplings).items())
    return (f'[model]\nkind = "quantum"\n[lattice]\nsites = {sites}\n{listed}[field]\nGamma_by_site = {gamma}\n'
            f"h_by_site = {h}\n{stage}")


def merged(bonds, couplings):
    """Tables of pairs have each pair once."""
    sums = {}
    for (i, j), J in zip(bonds, couplings):
        key = (min(i, j), max(i, j))
        sums[key] = sums.get(key, 0) + J
    return sums


def results_of(folder, text):
    done, path = run_study(folder, text, "--progress", "quiet", "--force")
    assert done.returncode == 0, done.stderr
    found = {}
    with h5py.File(path) as file:
        file["stages"].visititems(
            lambda name, item: found.__setitem__(name.split("/", 1)[1], item[()])
            if isinstance(item, h5py.Dataset) else None)
    return found


def report(name, deviations):
    print(f"{name}: largest deviation {max(deviations):.2e} of {len(deviations)} numbers")


def test_clusters(tmp_path):
    deviations = []
    for cluster in table("tfim_clusters.json")["clusters"]:
        n, at = cluster["n"], cluster["infinite_M"]
        stage = (f'[[stage]]\nkind = "full-spectrum"\ntemperature = {[1 / row["beta"] for row in at]}\n'
                 f"imaginary_times = 9\n")
        found = results_of(tmp_path, study(n, cluster["bonds"], cluster["J"], cluster["Gamma"], cluster["h"], stage))
        levels = cluster["lowest_levels"]
        deviations += list(abs(found["level"][0, :len(levels)] - levels))
        for t, row in enumerate(at):
            m = found["sz"][0, t].mean()
            exact = {"ln_Z": row["lnZ"], "sx": row["sx"], "sz": row["sz"], "szsz": row["zz"],
                     "magnetisation_squared": row["m2"], "magnetisation_4": row["m4"], "binder": row["binder"],
                     "energy": row["energy"] / n, "specific_heat": row["specific_heat"] / n,
                     "susceptibility": row["chi_zz"] - row["beta"] * n * m**2,
                     "time_correlation": row["G"], "local_time_correlation": row["G_local"]}
            for name, value in exact.items():
                difference = np.abs(found[name][0, t] - np.array(value)).max()
                deviations.append(difference)
                assert difference < 1e-10, (cluster["name"], name, row["beta"], difference)
    report("clusters", deviations)
    assert max(deviations) < 1e-10


def test_tori(tmp_path):
    deviations = []
    stage = '[[stage]]\nkind = "spectrum"\nlevels = 2\n'
    for torus in table("tfim_2d_ground.json")["ground_states"]:
        found = results_of(tmp_path, study(torus["n"], torus["bonds"], torus["J"], torus["Gamma"], [0.0] * torus["n"],
                                           stage))
        for sector in ("even", "odd"):
            deviations += list(abs(found[f"{sector}/energy"][0] - torus[sector]))
        assert max(deviations) < 1e-10, torus["name"]
    report("tori", deviations)


def test_free_chains(tmp_path):
    energies, averages = [], []
    stage = '[[stage]]\nkind = "spectrum"\nlevels = 2\ncorrelations = true\ntolerance = 1e-13\n'
    for chain in table("tfim_free_chains.json")["chains"]:
        L = chain["L"]
        if L > 20:
            continue
        ground = next(row for row in chain["thermal"] if row["beta"] is None)
        bonds = [[i, i + 1] for i in range(L - 1)]
        found = results_of(tmp_path, study(L, bonds, chain["J"], chain["Gamma"], [0.0] * L, stage))
        energies += [abs(found["ground_state_energy"][0] - ground["energy"]), abs(found["gap"][0] - ground["gap"])]
        averages += list(abs(found["sx"][0] - ground["sx"]))
        averages.append(abs(found["szsz"][0, 0, L - 1] - ground["zz_ends"]))
    report("energies of free chains", energies)
    report("averages of free chains", averages)
    assert max(energies) < 1e-10 and max(averages) < 1e-8
