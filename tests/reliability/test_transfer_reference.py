"""The transfer-matrix stage against tables of exact values, if LARMOR_TEST_REFERENCE names their folder."""
# Rooms: transfer

import csv
import json
import os
import pathlib

import h5py
import pytest

from program import run_study

TABLES = pathlib.Path(os.environ.get("LARMOR_TEST_REFERENCE", "none")) / "quantum"
pytestmark = pytest.mark.skipif(
    not TABLES.is_dir(), reason="LARMOR_TEST_REFERENCE does not name a folder with tables of strips"
)
EXACT = 1e-12
LENGTHS = [*range(3, 17), 18, 20, *([22, 24] if os.environ.get("LARMOR_TEST_DEPTH") else [])]


def pairs(bonds):
    """Tables [[exchange]] of bonds {(i, j): J}."""
    by_strength = {}
    for pair, J in bonds:
        by_strength.setdefault(J, []).append(list(pair))
    return "".join(
        f"[[exchange]]\npairs = {pairs}\nJ = {J!r}\n" for J, pairs in by_strength.items()
    )


def strip(folder, grid, exchange, temperatures, more="", periodic=(True, True), fields=()):
    text = (
        f'[model]\nkind = "ising"\n[lattice]\ngrid = {list(grid)}\n'
        f"periodic = {json.dumps(list(periodic))}\n{exchange}"
        + (f"[field]\nh_by_site = {list(fields)}\n" if fields else "")
        + f'[[stage]]\nkind = "transfer-matrix"\ntemperature = {list(temperatures)!r}\n{more}'
    )
    done, path = run_study(folder, text, "--progress", "quiet", "--force")
    assert done.returncode == 0, done.stderr
    found = {}
    with h5py.File(path) as file:
        file["stages/01-transfer-matrix"].visititems(
            lambda name, item: found.__setitem__(name, item[()])
            if isinstance(item, h5py.Dataset)
            else None
        )
    return found


def rows_of(name, L):
    with open(TABLES / name, encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return [row for row in rows if int(row["L"]) == L]


@pytest.mark.parametrize("L", LENGTHS)
def test_periodic_strips(tmp_path, L):
    rows = rows_of("strip_periodic_uniform.csv", L)
    found = strip(
        tmp_path, (L, 2), "[[exchange]]\nshell = 1\nJ = 1\n", [float(r["T"]) for r in rows],
        "domain_wall = true\n",
    )
    for t, row in enumerate(rows):
        scale = float(row["ln_even0"])
        for sector in ("even", "odd"):
            levels = found[f"{sector}/ln_eigenvalue"][t]
            of_table = [float(row[f"ln_{sector}{n}"]) for n in range(len(levels))]
            expected = sorted(of_table, reverse=True)
            for value, exact in zip(levels, expected):
                assert value == pytest.approx(exact, abs=EXACT * scale), (row["T"], sector)
        assert found["energy"][t] == pytest.approx(float(row["energy_per_site"]), rel=1e-10)
        wall = float(row["T"]) * (
            scale - max(float(row[f"ln_{sector}0_antiperiodic"]) for sector in ("even", "odd"))
        )
        assert found["domain_wall"][t] == pytest.approx(wall, abs=4 * EXACT * scale * float(row["T"]))


@pytest.mark.parametrize("L", LENGTHS)
def test_free_strips(tmp_path, L):
    rows = rows_of("strip_free_uniform.csv", L)
    found = strip(
        tmp_path, (L, 2), "[[exchange]]\nshell = 1\nJ = 1\n", [float(r["T"]) for r in rows],
        periodic=(False, True),
    )
    for t, row in enumerate(rows):
        scale = float(row["ln_lambda0_even"])
        assert found["even/ln_eigenvalue"][t, 0] == pytest.approx(scale, rel=EXACT)
        assert found["odd/ln_eigenvalue"][t, 0] == pytest.approx(
            float(row["ln_lambda1_odd"]), abs=EXACT * scale
        )
        assert found["energy"][t] == pytest.approx(float(row["energy_per_site"]), rel=1e-10)
        listed = [value.split(":") for value in row[next(k for k in row if k.startswith("six"))].split()]
        for sign, sector in (("+", "even"), ("-", "odd")):
            expected = [float(value) for value, parity in listed if parity == sign]
            levels = found[f"{sector}/ln_eigenvalue"][t]
            for n in range(min(len(expected), len(levels))):
                assert levels[n] == pytest.approx(expected[n], abs=EXACT * scale)


def strips_and_bars():
    return json.loads((TABLES / "strips_and_bars.json").read_text()) if TABLES.is_dir() else {"strips": [], "bars": []}


@pytest.mark.parametrize("case", strips_and_bars()["strips"], ids=lambda case: case["name"])
def test_strips_of_all_couplings(tmp_path, case):
    L, rows = case["L"], 3
    bonds = []
    for r in range(rows):
        for i in range(L if case["periodic"] else L - 1):
            bonds.append(((r * L + i, r * L + (i + 1) % L), case["K_x"][i]))
        for i in range(L):
            bonds.append(((r * L + i, (r + 1) % rows * L + i), case["K_t"][i]))
    fields = rows * (case["h"] or [])
    found = strip(tmp_path, (L, rows), pairs(bonds), [1.0], "levels = 4\n", (case["periodic"], True), fields)
    sectors = [name for name in ("all", "even", "odd") if f"{name}/ln_eigenvalue" in found]
    levels = sorted(
        (
            (float(value), -1 if negative else 1)
            for name in sectors
            for value, negative in zip(
                found[f"{name}/ln_eigenvalue"][0], found[f"{name}/is_negative"][0]
            )
        ),
        reverse=True,
    )
    expected = sorted(zip(case["ln_abs"], case["sign"]), reverse=True)
    if case["order"] == "largest value":
        # The table leaves out negative ones.
        levels = [level for level in levels if level[1] > 0]
    for (value, sign), (exact, exact_sign) in zip(levels, expected):
        assert value == pytest.approx(exact, abs=2 * EXACT * max(abs(expected[0][0]), 1))
    assert sorted(sign for _, sign in levels[: len(expected)]) == sorted(sign for _, sign in expected)


@pytest.mark.parametrize("case", strips_and_bars()["bars"], ids=lambda case: str((case["cross_section"], case["T"], case["periodic"])))
def test_bars(tmp_path, case):
    found = strip(
        tmp_path, (*case["cross_section"], 2), "[[exchange]]\nshell = 1\nJ = 1\n", [case["T"]],
        periodic=(case["periodic"], case["periodic"], True),
    )
    for sector, expected in case["ln_lambda"].items():
        for n, value in enumerate(expected):
            assert found[f"{sector}/ln_eigenvalue"][0, n] == pytest.approx(value, abs=EXACT * expected[0])


def test_moments_of_rows(tmp_path):
    for case in json.loads((TABLES / "strip_correlations.json").read_text())["rows"]:
        found = strip(
            tmp_path, (case["L"], 2), "[[exchange]]\nshell = 1\nJ = 1\n", [case["T"]],
            "tolerance = 1e-13\n", (case["periodic"], True),
        )
        assert found["magnetisation_squared"][0] == pytest.approx(case["row_m2"], rel=1e-11)
        assert found["magnetisation_4"][0] == pytest.approx(case["row_m4"], rel=1e-11)
        assert found["absolute_magnetisation"][0] == pytest.approx(case["row_abs_m"], rel=1e-11)


def random_strips():
    if not TABLES.is_dir():
        return []
    return json.loads((TABLES / "random_strips.json").read_text())["strips"]


@pytest.mark.parametrize("case", random_strips(), ids=lambda case: case["name"])
def test_random_strips(tmp_path, case):
    L, N = case["L"], case["N"]
    bonds = []
    for r in range(N):
        for i in range(L if case["periodic_rows"] else L - 1):
            bonds.append(((r * L + i, r * L + (i + 1) % L), case["J_x"][r][i]))
        for i in range(L if r + 1 < N else 0):
            bonds.append(((r * L + i, (r + 1) * L + i), case["J_t"][r][i]))
    temperatures = [result["T"] for result in case["results"]]
    fields = [h for row in case["h"] or [] for h in row]
    found = strip(tmp_path, (L, N), pairs(bonds), temperatures, periodic=(case["periodic_rows"], False), fields=fields)
    for t, result in enumerate(case["results"]):
        assert found["ln_Z"][t, 0] == pytest.approx(result["lnZ_free_ends"], rel=EXACT)
