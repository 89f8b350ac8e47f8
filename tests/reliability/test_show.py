"""`larmor show`: tables by temperature and by point of a scan, with a note for everything left out; CSV and
JSON with the numbers of the file."""
# Rooms: io

import csv
import io
import json
import re

import h5py
import numpy as np
import pytest

from program import larmor, run_study

STUDY = """title = "shown"
seed = 3
replicas = 8
{units}
[lattice]
type = "sc"
size = [3, 3, 3]
[[exchange]]
shell = 1
J = {J}
[[stage]]
kind = "monte-carlo"
temperature = {temperature}
thermalisation = 20
sweeps = 60
measure = {measure}
"""
REDUCED = {"units": "", "J": "1.0", "measure": '["energy", "magnetisation"]'}
MAIN = ["energy", "specific_heat", "magnetisation", "susceptibility", "binder_cumulant", "acceptance"]
WITH_ERROR = re.compile(r"-?\d+(\.\d+)?\(\d+\)")


def results_of(folder, text):
    run, output = run_study(folder, text)
    assert run.returncode == 0, run.stderr
    return output


def shown(*arguments):
    run = larmor("show", *arguments)
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    return run.stdout


def table_below(text, *titles):
    """Rows of the first table whose header has these titles, by title."""
    lines = text.splitlines()
    (head,) = [n for n, line in enumerate(lines) if set(titles) <= set(line.split())]
    names = lines[head].split()
    rows = []
    for line in lines[head + 1 :]:
        if len(line.split()) != len(names) or line.lstrip().startswith("*: "):
            if rows:
                break
            continue
        rows.append(dict(zip(names, line.split())))
    return rows


def csv_of(output):
    return list(csv.DictReader(io.StringIO(shown(output, "--csv"))))


@pytest.fixture(scope="module")
def fifteen(tmp_path_factory):
    temperature = str([round(2.8 - 0.1 * n, 1) for n in range(15)])
    text = STUDY.format(temperature=temperature, **REDUCED)
    return results_of(tmp_path_factory.mktemp("fifteen"), text)


@pytest.fixture(scope="module")
def material(tmp_path_factory):
    text = STUDY.format(units='units = "material"', J='"10 meV"', temperature='["200 K", "100 K"]',
                        measure='["energy", "energy-terms", "site-energy", "topological-charge"]')
    return results_of(tmp_path_factory.mktemp("material"), text.replace('"sc"', '"square"')
                      .replace("[3, 3, 3]", "[4, 4]"))


def test_every_temperature_has_a_row_with_all_averages_and_errors(fifteen):
    rows = table_below(shown(fifteen), "temperature", *MAIN)
    assert [float(row["temperature"]) for row in rows] == pytest.approx(
        [2.8 - 0.1 * n for n in range(15)])
    for row in rows:
        for name in MAIN:
            assert WITH_ERROR.fullmatch(row[name].removesuffix("*")), row
    with h5py.File(fifteen) as file:
        energy = file["stages/01-monte-carlo/averages/energy/value"][:]
    assert [float(row["energy"].split("(")[0]) for row in rows] == pytest.approx(energy, abs=0.01)


def test_what_a_table_leaves_out_is_told_and_printed_on_request(fifteen):
    brief, whole = shown(fifteen), shown(fifteen, "--all")
    (told,) = re.findall(r"(\d+) more with --all: (.*)", brief)
    names = told[1].split(", ")
    assert int(told[0]) == len(names) and {"magnetisation_y", "magnetisation_z"} <= set(names)
    with h5py.File(fifteen) as file:
        there = set(file["stages/01-monte-carlo/averages"])
    assert set(table_below(brief, *MAIN)[0]) | set(names) == there | {"temperature"}
    assert all(name in whole.split() for name in there)
    assert "autocorrelation times: --all" in brief and "autocorrelation times, in samples" in whole
    assert "--all" not in whole


def test_of_very_many_temperatures_some_are_printed_and_the_others_counted(tmp_path):
    stage = "{ from = 3.0, to = 0.6, points = 121 }"
    text = STUDY.format(temperature=stage, **REDUCED)
    text = text[: text.index("measure")].replace("monte-carlo", "anneal")
    text = text.replace("thermalisation = 20\n", "")
    output = results_of(tmp_path, text.replace("sweeps = 60", "sweeps = 5"))
    rows = table_below(shown(output), "temperature", "energy")
    assert (rows[0]["temperature"], rows[-1]["temperature"]) == ("3", "0.6") and 50 < len(rows) <= 100
    assert f"{len(rows)} of 121 temperatures are printed; --all prints every one" in shown(output)
    assert shown(output, "--all").count("\n    ") > 121
    assert len(csv_of(output)) == 121


def test_units_stand_in_the_head(material):
    lines = shown(material).splitlines()
    (head,) = [n for n, line in enumerate(lines) if "temperature" in line and "energy" in line]
    for name, unit in (("temperature", "K"), ("energy", "eV"), ("specific_heat", "k_B"),
                       ("magnetisation", "μB")):
        end = lines[head].index(f" {name} ") + len(name) + 1
        assert lines[head + 1][:end].split()[-1] == unit
        assert lines[head + 1][:end].endswith(unit)


def test_csv_has_every_number_of_the_file(material):
    rows = csv_of(material)
    assert [row["stage"] for row in rows] == ["01-monte-carlo"] * 2
    with h5py.File(material) as file:
        stage = file["stages/01-monte-carlo"]
        assert [float(row["temperature"]) for row in rows] == stage["temperature"][:].tolist()
        assert {row["temperature_unit"] for row in rows} == {"K"}
        assert len(stage["averages"]) > 10
        for name, average in stage["averages"].items():
            for column, dataset in ((name, "value"), (f"{name}_error", "error"),
                                    (f"{name}_autocorrelation_time", "autocorrelation_time"),
                                    (f"{name}_reliable", "reliable")):
                found = np.array([float(row[column] or "nan") for row in rows])
                np.testing.assert_array_equal(found, average[dataset][:], err_msg=column)
            unit = average["value"].attrs.get("unit", b"")
            unit = unit.decode() if isinstance(unit, bytes) else unit
            assert {row[f"{name}_unit"] for row in rows} == {unit}


def test_json_has_every_number_of_the_file(material):
    found = json.loads(shown(material, "--json"))
    assert found["title"] == "shown" and found["units"] == "material" and found["completed"] is True
    (table,) = found["tables"]
    assert table["stage"] == "01-monte-carlo"
    (label,) = table["labels"]
    assert label == {"name": "temperature", "unit": "K", "values": [200, 100]}
    with h5py.File(material) as file:
        averages = file["stages/01-monte-carlo/averages"]
        assert {of["name"] for of in table["quantities"]} == set(averages)
        for of in table["quantities"]:
            average = averages[of["name"]]
            known = [np.nan if error is None else error for error in of["errors"]]
            np.testing.assert_array_equal(of["values"], average["value"][:])
            np.testing.assert_array_equal(known, average["error"][:])
            assert of["reliable"] == (average["reliable"][:] == 1).tolist()


def test_csv_and_json_exclude_each_other(material):
    refused = larmor("show", material, "--csv", "--json")
    assert refused.returncode == 2 and refused.stdout == ""
    assert "excludes" in refused.stderr and "--csv" in refused.stderr


SCAN = """
[[scan]]
key = "lattice.size"
values = [[3, 3, 3], [3, 3, 5]]
"""


@pytest.fixture(scope="module")
def sizes(tmp_path_factory):
    """Two sizes by three temperatures within the stage, after an annealing stage."""
    anneal = '[[stage]]\nkind = "anneal"\ntemperature = { from = 3.0, to = 1.4, points = 2 }\nsweeps = 20\n'
    text = STUDY.format(temperature="[1.4, 1.3, 1.2]", **REDUCED).replace("[[stage]]", anneal + "[[stage]]", 1)
    return results_of(tmp_path_factory.mktemp("sizes"), text + SCAN)


def test_rows_of_a_scan_are_points_and_temperatures(sizes):
    text = shown(sizes)
    lines = text.splitlines()
    (head,) = [n for n, line in enumerate(lines) if "lattice.size" in line and "point" in line]
    assert {"temperature", "energy", "binder_cumulant"} <= set(lines[head].split())
    # A line of units lies between the header and the numbers.
    cells = [re.split(r"\s{2,}", line.strip())[:3] for line in lines[head + 2 : head + 8]]
    assert cells == [[str(n), size, T] for n, size in enumerate(("[3, 3, 3]", "[3, 3, 5]"))
                     for T in ("1.4", "1.3", "1.2")]
    # A note says how to see the results of the first stage.
    assert "01-anneal: see --all" in text and "02-monte-carlo" in text
    assert shown(sizes, "--all").count("lattice.size") > 2


def test_a_scan_shows_autocorrelation_times_of_its_points(sizes):
    assert "autocorrelation times: --all" in shown(sizes)
    of_stage = shown(sizes, "--all").split("02-monte-carlo")[1]
    head, *rows = of_stage.split("autocorrelation times, in samples:\n")[1].splitlines()[:7]
    of_points = [float(row.split()[head.split().index("energy") - len(head.split())]) for row in rows]
    with h5py.File(sizes) as file:
        written = [time for point in ("0000", "0001") for time in
                   file[f"points/{point}/stages/02-monte-carlo/averages/energy/autocorrelation_time"]]
    assert of_points == pytest.approx(written, rel=6e-3)


def test_a_scan_as_csv_and_json_has_its_keys(sizes):
    rows = [row for row in csv_of(sizes) if row["stage"] == "02-monte-carlo"]
    assert [(row["point"], row["lattice.size"], row["temperature"]) for row in rows] == [
        (str(n), size, T) for n, size in enumerate(("[3, 3, 3]", "[3, 3, 5]"))
        for T in ("1.4", "1.3", "1.2")]
    with h5py.File(sizes) as file:
        grid = file["scan/summary/02-monte-carlo/energy/value"]
        assert grid.shape == (2, 3)
        assert [float(row["energy"]) for row in rows] == grid[()].ravel().tolist()
        single = [file[f"points/{n:04}/stages/02-monte-carlo/averages/energy/value"][:] for n in (0, 1)]
        np.testing.assert_array_equal(grid, single)
        assert file["scan/axes/01/lattice.size"][()].tolist() == [[3, 3, 3], [3, 3, 5]]
        assert file["scan/stages/02-monte-carlo/temperature"][()].tolist() == [[1.4, 1.3, 1.2]] * 2
    found = json.loads(shown(sizes, "--json"))
    assert found["scan"] == {"points": 2, "points_completed": 2}
    assert [table["stage"] for table in found["tables"]] == ["01-anneal", "02-monte-carlo"]
    point, size, temperature = found["tables"][1]["labels"]
    assert point["values"] == [0, 0, 0, 1, 1, 1]
    assert size["name"] == "lattice.size" and size["values"] == 3 * [[3, 3, 3]] + 3 * [[3, 3, 5]]
    assert temperature["values"] == 2 * [1.4, 1.3, 1.2]


def test_lists_of_temperatures_may_differ_from_point_to_point(tmp_path):
    text = STUDY.format(temperature="[2.0]", **REDUCED) + (
        '[[scan]]\nkey = "stage.1.temperature"\nvalues = [[1.5], [2.0, 1.8, 1.6]]\n')
    output = results_of(tmp_path, text)
    assert [(row["point"], row["temperature"]) for row in csv_of(output)] == [
        ("0", "1.5"), ("1", "2"), ("1", "1.8"), ("1", "1.6")]


PATH = """
[lattice]
type = "chain"
size = [3]
periodic = false
[[exchange]]
shell = 1
J = 1.0
[[anisotropy]]
K = 0.1
[initial]
state = "aligned"
direction = [0, 0, 1]
[[stage]]
kind = "{kind}"
{keys}
[[scan]]
key = "anisotropy.1.K"
values = [0.1, 0.2]
"""


def test_barriers_are_in_the_table_of_a_scan(tmp_path):
    keys = 'final = { state = "aligned", direction = [0, 0, -1] }\nimages = 7\naxis = [1, 0, 0]'
    output = results_of(tmp_path, PATH.format(kind="minimum-energy-path", keys=keys))
    rows = table_below(shown(output), "anisotropy.1.K", "barrier_forward", "barrier_backward")
    # All spins turn together over a barrier of K per spin.
    for row, K in zip(rows, (0.1, 0.2)):
        assert row["anisotropy.1.K"] == str(K)
        assert float(row["barrier_forward"].split("(")[0]) == pytest.approx(3 * K, rel=1e-5)
    with h5py.File(output) as file:
        grid = file["scan/summary/01-minimum-energy-path/barrier_forward/value"][()]
        single = [file[f"points/{n:04}/stages/01-minimum-energy-path/path"].attrs["barrier_forward"]
                  for n in (0, 1)]
    assert grid.tolist() == single


def test_coercive_field_and_remanence_are_in_the_table_of_a_scan(tmp_path):
    keys = "direction = [0, 0, 1]\nfield = { from = 1.0, to = -1.0, step = 0.05 }\nloop = true"
    output = results_of(tmp_path, PATH.format(kind="hysteresis", keys=keys))
    rows = table_below(shown(output), "anisotropy.1.K", "coercive_field", "remanence")
    # As Stoner and Wohlfarth found, spins turn at 2 K along the easy axis, here between two fields.
    for row, K in zip(rows, (0.1, 0.2)):
        assert 2 * K <= float(row["coercive_field"].split("(")[0]) <= 2 * K + 0.05
        assert float(row["remanence"].split("(")[0]) == pytest.approx(1, abs=1e-6)
    single = shown(output, "--point", 1)
    for line in (r"coercive_field +0\.4", r"coercive_field_falling +-0\.4", r"coercive_field_rising +0\.4",
                 r"saturation_field +0\.4", r"remanence +1"):
        assert re.search(line, single), line
    assert "    energy_product  " not in single


def test_a_loop_that_was_not_closed_says_what_it_did_not_reach(tmp_path):
    keys = "direction = [0, 0, 1]\nfield = [1.0, 0.9, 0.8]"
    output = results_of(tmp_path, PATH.format(kind="hysteresis", keys=keys).split("[[scan]]")[0])
    assert shown(output).count("not found within the fields of the sweep") == 5


MAGNET = """
units = "material"
replicas = 3
[lattice]
type = "{lattice}"
size = {size}
constant = "3 Å"
moment = "2 μB"
periodic = {periodic}
[[anisotropy]]
K = "1 meV"
[initial]
state = "aligned"
[[stage]]
kind = "hysteresis"
field = {{ from = "20 T", to = "-20 T", step = "0.5 T" }}
loop = true
"""


@pytest.mark.parametrize("lattice, size, periodic, has_a_volume", [
    ("bcc", [2, 2, 2], "true", True),
    ("bcc", [2, 2, 2], "false", True),
    ("bcc", [2, 2, 1], "[true, true, false]", False),
    ("square", [2, 2], "true", False),
])
def test_the_energy_product_needs_a_volume(tmp_path, lattice, size, periodic, has_a_volume):
    output = results_of(tmp_path, MAGNET.format(lattice=lattice, size=size, periodic=periodic))
    words = shown(output)
    assert ("    energy_product  " in words) == has_a_volume
    if not has_a_volume:
        return
    with h5py.File(output) as file:
        loop = file["stages/01-hysteresis/loop"]
        product = loop["energy_product/value"]
        assert product.attrs["unit"] == "kJ/m^3" and loop["remanence/value"].attrs["unit"] == "μB"
        # There are two atoms of 2 Bohr magnetons in (3 Å)^3, so mu_0 M is 1.73 T. The moment stays
        # up to 2 K / mu, 17 T.
        polarisation = 4e-7 * np.pi * 4 * 9.2740100783e-24 / 27e-30
        assert product[0] == pytest.approx(polarisation**2 / 4 / (4e-7 * np.pi) / 1e3, rel=1e-6)
        assert loop["coercive_field/value"][0] == pytest.approx(2e-3 / (2 * 5.7883818060e-5), abs=0.5)
        assert loop["coercive_field/error"][0] < 1e-6


def test_lifetimes_are_shown_by_temperature_and_in_the_table_of_a_scan(tmp_path):
    keys = "final = { direction = [0, 0, -1] }\nimages = 5\nlifetime = { temperature = 0.02, damping = 0.5 }"
    text = PATH.format(kind="minimum-energy-path", keys=keys)
    rows = table_below(shown(results_of(tmp_path, text)), "lifetime_forward", "lifetime_backward")
    # The harder grain lives longer. Each grain lives equally long up and down.
    forward, backward = ([float(row[name].split("(")[0]) for row in rows]
                         for name in ("lifetime_forward", "lifetime_backward"))
    assert forward == pytest.approx(backward, rel=1e-3) and forward[1] > 100 * forward[0] > 0
    (tmp_path / "several").mkdir()
    several = text.split("[[scan]]")[0].replace("temperature = 0.02", "temperature = [0.02, 0.03]")
    lines = re.findall(r"lifetime +(\S+) of the first state, .* of the last, at (\S+)",
                       shown(results_of(tmp_path / "several", several)))
    assert [at for _, at in lines] == ["0.02", "0.03"]
    assert float(lines[0][0]) == pytest.approx(forward[0], rel=1e-3)
    (tmp_path / "scan").mkdir()
    scan = results_of(tmp_path / "scan", text.replace("temperature = 0.02", "temperature = [0.02, 0.03]"))
    rows = table_below(shown(scan), "lifetime_forward_at_0.02", "lifetime_forward_at_0.03")
    at_both = [[float(row[f"lifetime_forward_at_{T}"].split("(")[0]) for T in ("0.02", "0.03")] for row in rows]
    assert [cold for cold, _ in at_both] == pytest.approx(forward, rel=1e-3)
    assert all(cold > warm > 0 for cold, warm in at_both)


def test_a_lifetime_beyond_all_numbers_is_shown(tmp_path):
    keys = "final = { direction = [0, 0, -1] }\nimages = 5\nlifetime = { temperature = 0.0002, damping = 0.5 }"
    text = PATH.format(kind="minimum-energy-path", keys=keys).split("[[scan]]")[0]
    ((lifetime, _),) = re.findall(r"lifetime +(\S+) of the first state, .* of the last, at (\S+)",
                                  shown(results_of(tmp_path, text)))
    mantissa, exponent = (float(part) for part in lifetime.split("e+"))
    # Three spins turn together over a barrier of 3 K.
    assert 1 <= mantissa < 10 and exponent == pytest.approx(0.3 / 0.0002 / np.log(10), abs=3)
