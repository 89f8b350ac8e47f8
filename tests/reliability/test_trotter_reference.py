"""The stage quantum-monte-carlo with slices against exact values at each number of slices: LARMOR_TEST_REFERENCE names
the folder of a folder `quantum` with tfim_clusters.json. Each cluster, temperature and number of slices is an independent
run, and values of one run are correlated."""
# Rooms: trotter, study

import json
import os
import pathlib
from dataclasses import dataclass

import h5py
import numpy as np
import pytest

from program import DEPTH, run_study
from test_quantum_reference import study

FOLDER = os.environ.get("LARMOR_TEST_REFERENCE")
pytestmark = pytest.mark.skipif(FOLDER is None or not DEPTH,
                                reason="LARMOR_TEST_REFERENCE or LARMOR_TEST_DEPTH is not set")
SCALARS = ("energy", "specific_heat", "magnetisation_squared", "magnetisation_4", "binder", "susceptibility")
TABLES = ("sx", "sz", "szsz", "time_correlation", "local_time_correlation")
# Errors of tables come from the scatter of 32 blocks: deviations have Student's distribution.
FREEDOM = {**dict.fromkeys(SCALARS, np.inf), **dict.fromkeys(TABLES, 31)}
TIMES = 5
PROBABILITY = 1e-3
NORMAL = 3.29  # a normal deviate is within it with the probability 1 - 1e-3


@dataclass(frozen=True)
class Deviations:
    """(value - exact) / error of all values with an error, of one quantity in one run."""

    run: tuple
    name: str
    values: np.ndarray

    def relative_squares(self):
        """Squares over their mean for correct errors."""
        freedom = FREEDOM[self.name]
        return self.values**2 * (1 if np.isinf(freedom) else (freedom - 2) / freedom)


def exact_values(cluster, row):
    """The values of a table row in the norms of the stage."""
    n, M = cluster["n"], row["M"]
    times = np.arange(TIMES) * (M // (2 * (TIMES - 1)))
    m = np.mean(row["sz"])
    exact = {"energy": row["energy"] / n, "magnetisation_squared": row["m2"], "magnetisation_4": row["m4"],
             "binder": row["binder"], "susceptibility": row["chi_zz"] - row["beta"] * n * m**2, "sx": row["sx"],
             "sz": row["sz"], "szsz": np.array(row["zz"])[np.triu_indices(n)],
             "time_correlation": np.array(row["G"])[times], "local_time_correlation": np.array(row["G_local"])[times]}
    if "specific_heat" in row:
        exact["specific_heat"] = row["specific_heat"] / n
    return {name: np.atleast_1d(value) for name, value in exact.items()}


def read(stage, name, point):
    value = stage[name][point, 0, 0]
    return np.atleast_1d(value[np.triu_indices(len(value))] if name.startswith("szsz") else value)


def deviations_of(folder, cluster, beta, rows):
    stage = (f'[[stage]]\nkind = "quantum-monte-carlo"\ntemperature = {1 / beta}\nslices = {[row["M"] for row in rows]}\n'
             f"thermalisation = 1000\nsweeps = 10000\ncorrelations = true\nimaginary_times = {TIMES}\n")
    text = "replicas = 8\n" + study(cluster["n"], cluster["bonds"], cluster["J"], cluster["Gamma"], cluster["h"], stage)
    done, path = run_study(folder, text, "--progress", "quiet", "--force")
    assert done.returncode == 0, done.stderr
    found = []
    with h5py.File(path) as file:
        stage = file["stages/01-quantum-monte-carlo"]
        for point, row in enumerate(rows):
            for name, exact in exact_values(cluster, row).items():
                value, error = read(stage, name, point), read(stage, f"{name}_error", point)
                known = error > 1e-12
                assert value[~known] == pytest.approx(exact[~known], abs=1e-10), (cluster["name"], name)
                found.append(Deviations((cluster["name"], beta, row["M"]), name,
                                        ((value - exact)[known] / error[known])))
    return found


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("clusters")
    table = json.loads((pathlib.Path(FOLDER) / "quantum" / "tfim_clusters.json").read_text())
    all_of = []
    for cluster in table["clusters"]:
        for beta in sorted({row["beta"] for row in cluster["finite_M"]}):
            rows = [row for row in cluster["finite_M"] if row["beta"] == beta]
            all_of += deviations_of(folder, cluster, beta, rows)
    return all_of


def normal_of_chi2(chi2, freedom):
    """The cube root of chi^2 is nearly normal (Wilson and Hilferty)."""
    width = 2 / (9 * freedom)
    return ((chi2 / freedom) ** (1 / 3) - 1 + width) / np.sqrt(width)


def test_few_values_deviate_by_four_errors(found):
    # The probability beyond 4: 6.3e-5 of a normal deviate, 3.7e-4 of Student's distribution of 31.
    rare = {np.inf: 6.3e-5, 31: 3.7e-4}
    expected = sum(rare[FREEDOM[one.name]] * len(one.values) for one in found)
    largest = max(found, key=lambda one: abs(one.values).max(initial=0))
    beyond = sum((abs(one.values) > 4).sum() for one in found)
    print(f"{sum(len(one.values) for one in found)} values, largest deviation {abs(largest.values).max():.2f} "
          f"({largest.name}, {largest.run}), {beyond} beyond 4, expected {expected:.1f}")
    # Values of one run deviate together, so their number has a wider distribution than that of Poisson.
    assert beyond <= expected + 4 * np.sqrt(3 * expected) + 1
    assert abs(largest.values).max() < 6


@pytest.mark.parametrize("name", SCALARS + TABLES)
def test_one_value_of_each_run_has_a_chi2_of_its_freedom(found, name):
    # The last entry of a table: independent from run to run.
    squares = np.array([one.relative_squares()[-1] for one in found if one.name == name and len(one.values)])
    normal = normal_of_chi2(squares.sum(), len(squares))
    print(f"{name}: chi^2 {squares.sum():.1f} of {len(squares)} runs, normal deviate {normal:.2f}")
    assert len(squares) > 40
    assert abs(normal) < NORMAL


def test_all_values_have_a_chi2_of_their_number(found):
    # Runs are independent: the scatter of their mean squares includes the correlations within runs.
    runs = {}
    for one in found:
        runs.setdefault(one.run, []).append(one.relative_squares())
    means = np.array([np.concatenate(squares).mean() for squares in runs.values()])
    error = means.std(ddof=1) / np.sqrt(len(means))
    number = sum(len(one.values) for one in found)
    chi2 = sum(one.relative_squares().sum() for one in found)
    print(f"chi^2 {chi2:.0f} of {number} values; mean square of {len(means)} runs {means.mean():.3f} +- {error:.3f}")
    assert abs(means.mean() - 1) < NORMAL * error
    assert error < 0.15
