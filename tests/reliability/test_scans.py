"""Every point of a scan has the bits of an equivalent study without a scan. This holds on any
number of ranks, and after kills and stops. Mistakes are reported before anything runs."""
# Rooms: study

import os
import pathlib
import shutil
import signal
import subprocess
import time

import h5py
import numpy as np
import pytest

from program import DEPTH, PATIENCE, assert_same_bits, larmor
from ranks import (
    assert_one_killed_ends_all,
    kill_all,
    needs_ranks,
    rank_processes,
    run_on_ranks,
    start_on_ranks,
    wait_until_none_is_alive,
)
from running import start, wait_until_there

STUDY = """title = "magnetisation against temperature and field"
seed = 11
replicas = 3

[lattice]
type = "square"
size = [8, 8]

[[exchange]]
shell = 1
J = 1.0

[field]
B = [0, 0, 0]

[[stage]]
kind = "monte-carlo"
sampler = "heat-bath"
thermalisation = {sweeps}
sweeps = {sweeps}
measure_every = 5
temperature = 1.0

[[stage]]
kind = "dynamics"
timestep = 0.05
steps = {sweeps}
damping = 0.1
temperature = 1.0
measure = [
  {{ what = "structure-factor", path = ["G", "X", "M"], every = 5 }},
  {{ what = "energy", every = 5 }},
]

[[scan]]
key = "field.B.3"
values = [0.0, 0.5]

[[scan]]
key = "stage.1.temperature"
values = [0.5, 1.0, 2.0]
with = [{{ key = "stage.2.temperature" }}]
"""
POINTS = 6


def write_scan(path, sweeps=60):
    path.write_text(STUDY.format(sweeps=sweeps))
    return path


def point_as_file(results, point, path):
    """One point of a scan as a separate results file."""
    with h5py.File(results) as file, h5py.File(path, "w") as alone:
        group = file[f"points/{point:04}"]
        for name in ("stages", "model"):
            file.copy(group[name], alone, name, expand_refs=True)
    return path


def assert_same_scans(one, other, folder):
    with h5py.File(one) as first, h5py.File(other) as second:
        assert first.attrs["completed"] == second.attrs["completed"] == 1
        assert list(first["points"]) == list(second["points"])
        points = len(first["points"])
        assert points == np.prod(first["scan/shape"][()])
        def same(name, item):
            if isinstance(item, h5py.Dataset):
                mine, other = item[()], second[f"scan/{name}"][()]
                if item.dtype.kind == "f":  # NaNs also count as equal.
                    mine, other = mine.tobytes(), other.tobytes()
                assert np.array_equal(mine, other), name

        # The rank of a point and its duration are provenance.
        first["scan"].visititems(same)
    for point in range(points):
        assert_same_bits(
            point_as_file(one, point, folder / "one-point.h5"),
            point_as_file(other, point, folder / "other-point.h5"),
        )


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """The study, and its results from one process."""
    folder = tmp_path_factory.mktemp("scan")
    study = write_scan(folder / "study.toml")
    run = larmor("run", study, "-o", folder / "reference.h5")
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("results:") == 1
    assert sorted(path.name for path in folder.iterdir()) == ["reference.h5", "study.toml"]
    return study, folder / "reference.h5"


def test_every_point_is_the_study_written_by_hand(reference, tmp_path):
    study, results = reference
    text = study.read_text()
    text = text[: text.index("[[scan]]")]
    with h5py.File(results) as file:
        seeds = file["scan/points/seed"][()]
    assert len(set(seeds)) == POINTS
    for point in (0, 4):
        field, temperature = (0.0, 0.5)[point // 3], (0.5, 1.0, 2.0)[point % 3]
        by_hand = tmp_path / f"{point}.toml"
        by_hand.write_text(
            text.replace("seed = 11", f'seed = "{seeds[point]}"')
            .replace("B = [0, 0, 0]", f"B = [0, 0, {field}]")
            .replace("temperature = 1.0", f"temperature = {temperature}")
        )
        run = larmor("run", by_hand, "-o", tmp_path / f"{point}.h5")
        assert run.returncode == 0, run.stderr
        assert_same_bits(
            tmp_path / f"{point}.h5", point_as_file(results, point, tmp_path / "point.h5")
        )


def test_the_text_of_a_point_runs_alone(reference, tmp_path):
    _, results = reference
    with h5py.File(results) as file:
        (tmp_path / "point.toml").write_text(file["points/0005/study/text"].asstr()[()])
    run = larmor("run", tmp_path / "point.toml", "-o", tmp_path / "alone.h5")
    assert run.returncode == 0, run.stderr
    assert_same_bits(tmp_path / "alone.h5", point_as_file(results, 5, tmp_path / "point.h5"))


def test_the_summary_has_what_the_points_ended_with(reference):
    _, results = reference
    with h5py.File(results) as file:
        scan = file["scan"]
        assert [key.decode() for key in scan["keys"]] == ["field.B.3", "stage.1.temperature"]
        assert scan["shape"][()].tolist() == [2, 3]
        assert scan["axes/01/field.B.3"][()].tolist() == [0.0, 0.5]
        assert scan["axes/02/stage.2.temperature"][()].tolist() == [0.5, 1.0, 2.0]
        assert scan["points/index"][()].tolist()[4] == [1, 1]
        assert scan["points/completed"][()].all()
        for what in ("value", "error"):
            grid = scan[f"summary/01-monte-carlo/magnetisation/{what}"][()]
            averages = "stages/01-monte-carlo/averages/magnetisation"
            single = [file[f"points/{p:04}/{averages}/{what}"][-1] for p in range(POINTS)]
            assert grid.ravel().tolist() == single
        magnetisation = scan["summary/01-monte-carlo/magnetisation/value"][()]
        # At high temperature, the moment is small and follows the field.
        assert (np.diff(magnetisation, axis=1) < 0).all() and magnetisation[1, 2] > 0.05
        point = file["points/0002"]
        assert point.attrs["completed"] == 1 and point["provenance/legs/01"].attrs["ranks"] == 1
        # Points that differ only in temperature share the stored lattice.
        assert point["model"] == file["points/0000/model"] != file["points/0003/model"]
        spectrum = point["stages/02-dynamics/structure-factor/intensity"]
        assert spectrum.dims[1][0].name.startswith("/points/0002/")


def test_show_prints_a_line_a_point(reference):
    _, results = reference
    shown = larmor("show", results)
    assert shown.returncode == 0, shown.stderr
    lines = [line for line in shown.stdout.splitlines() if line.strip()]
    (head,) = [n for n, line in enumerate(lines) if "field.B.3" in line]
    assert "stage.1.temperature" in lines[head]
    assert [line.split()[:3] for line in lines[head + 1 : head + 7]] == [
        [str(n), field, temperature]
        for n, (field, temperature) in enumerate(
            (f, t) for f in ("0", "0.5") for t in ("0.5", "1", "2")
        )
    ]
    one = larmor("show", results, "--point", 3)
    assert one.returncode == 0 and "magnetisation" in one.stdout and "64 sites" in one.stdout
    missing = larmor("show", results, "--point", 6)
    assert missing.returncode == 2 and "0 to 5" in missing.stderr


def test_spins_of_a_point_are_exported(reference, tmp_path):
    _, results = reference
    refused = larmor("export", results, "-o", tmp_path / "spins.extxyz")
    assert refused.returncode == 2 and "--point" in refused.stderr
    done = larmor("export", results, "--point", 2, "-o", tmp_path / "spins.extxyz")
    assert done.returncode == 0, done.stderr
    rows = np.loadtxt(tmp_path / "spins.extxyz", skiprows=2, usecols=(-3, -2, -1))
    with h5py.File(results) as file:
        spins = file["points/0002/stages/02-dynamics/configuration"][0]
    assert rows.shape == spins.shape


def test_check_says_how_many_points_and_what_one_needs(tmp_path):
    study = write_scan(tmp_path / "study.toml")
    shown = larmor("check", study)
    assert shown.returncode == 0, shown.stderr
    assert "6, each is a separate study" in shown.stdout
    assert "field.B.3: 2 value(s), 0.0 to 0.5" in shown.stdout
    assert "(with stage.2.temperature)" in shown.stdout
    assert "memory" in shown.stdout and "time" in shown.stdout and "all  " in shown.stdout
    assert "key: string" in larmor("explain", "scan").stdout
    assert os.listdir(tmp_path) == ["study.toml"]


@pytest.mark.parametrize(
    "change, words",
    [
        (("stage.1.temperature", "stage.1.temperatur"), "did you mean 'temperature'"),
        (("stage.1.temperature", "stage.3.temperature"), "list of 2"),
        (("[0.5, 1.0, 2.0]", "[0.5, 1.0, -2.0]"), "study.toml:41"),
        (("[0.5, 1.0, 2.0]", "[0.5, 1.0, 'hot']"), "study.toml:41"),
        (("[0.5, 1.0, 2.0]", "[]"), "must not be empty"),
        (('key = "field.B.3"\nvalues = [0.0, 0.5]', 'key = "lattice.size"\nvalues = [[8, 8], [8, 8, 8]]'),
         "size"),
        (('key = "field.B.3"\nvalues = [0.0, 0.5]', 'key = "exchange.1.shell"\nvalues = [1, 900]'),
         "shell"),
        (("[[scan]]", "[[scna]]"), "did you mean 'scan'"),
    ],
)
def test_a_point_that_cannot_run_is_told_before_any_does(tmp_path, change, words):
    study = write_scan(tmp_path / "study.toml")
    assert study.read_text().count(change[0]) >= 1
    study.write_text(study.read_text().replace(*change))
    for what in ("run", "check"):
        refused = larmor(what, "study.toml", cwd=tmp_path)
        assert refused.returncode == 2, refused.stdout
        assert words in refused.stderr, refused.stderr
        assert refused.stderr.count("error:") == 1 and refused.stdout == ""
        assert "study.toml:" in refused.stderr or "point " in refused.stderr
        assert os.listdir(tmp_path) == ["study.toml"]


SIZES = """[lattice]
type = "sc"
size = [4, 4, 4]
[[exchange]]
shell = 1
J = 1.0
[[stage]]
kind = "monte-carlo"
temperature = [1.5]
sweeps = 10
[[scan]]
key = "{key}"
values = [{first}, {wrong}]
"""


@pytest.mark.parametrize(
    "key, first, wrong, words",
    [
        ("lattice.size", "[4, 4, 4]", "[6, 6]", "size has 2 numbers, but sc has 3 dimensions"),
        ("lattice.size", "[4, 4, 4]", "[6, 6, 6, 6]", "more than three numbers"),
        ("lattice.size", "[4, 4, 4]", "[2000000, 2000000, 2]", "more than 2^31 - 1 sites"),
        ("lattice.size.2", "4", "2000000000", "more than 2^31 - 1 sites"),
        ("lattice.size", "[4, 4, 4]", "[6, 6, 1]", "exchange: a bond leads around"),
        ("lattice.periodic", "[true]", "[true, false]", "periodic has 2 values for 3 dimensions"),
    ],
)
def test_a_wrong_value_of_the_lattice_is_told_where_it_stands(tmp_path, key, first, wrong, words):
    """The message points at the value, not at the text of [lattice] or [[exchange]], which is right."""
    (tmp_path / "study.toml").write_text(SIZES.format(key=key, first=first, wrong=wrong))
    for what in ("run", "check"):
        refused = larmor(what, "study.toml", cwd=tmp_path)
        assert refused.returncode == 2, refused.stdout
        column = len(f"values = [{first}, ") + 1
        assert refused.stderr.startswith(f"study.toml:13:{column}: error: "), refused.stderr
        assert words in refused.stderr and refused.stderr.count("error:") == 1
        assert os.listdir(tmp_path) == ["study.toml"]


def test_a_wrong_size_of_a_study_alone_is_told_at_its_value(tmp_path):
    text = SIZES[: SIZES.index("[[scan]]")].replace("[4, 4, 4]", "[4, 4]")
    (tmp_path / "study.toml").write_text(text)
    refused = larmor("check", "study.toml", cwd=tmp_path)
    assert refused.returncode == 2
    assert refused.stderr.startswith("study.toml:3:8: error: size has 2 numbers"), refused.stderr


@pytest.mark.parametrize("kind, lattice", [("spins", "sc"), ("ising", "sc"), ("ising", "honeycomb"),
                                           ("spins", "kagome")])
def test_one_number_is_the_size_along_every_vector(tmp_path, kind, lattice):
    for name, sizes in (("one", "4, 6"), ("each", "[4, 4, 4], [6, 6, 6]")):
        if lattice != "sc":
            sizes = sizes.replace("4, 4, 4", "4, 4").replace("6, 6, 6", "6, 6")
        text = SIZES.format(key="lattice.size", first="", wrong="")
        text = text[: text.index("values = ")] + f"values = [{sizes}]\n"
        (tmp_path / f"{name}.toml").write_text(
            f'[model]\nkind = "{kind}"\n' + text.replace('"sc"', f'"{lattice}"'))
        ran = larmor("run", f"{name}.toml", cwd=tmp_path)
        assert ran.returncode == 0, ran.stderr
    with h5py.File(tmp_path / "one.h5") as one, h5py.File(tmp_path / "each.h5") as each:
        for point in ("0000", "0001"):
            found = [file[f"points/{point}/stages/01-monte-carlo/averages/energy/value"][()] for file in (one, each)]
            np.testing.assert_array_equal(*found)


REPLACED = """[lattice]
type = "chain"
size = [4]
periodic = false
[[exchange]]
shell = 1
{J}
[[scan]]
key = "exchange.1.J"
values = [1.0, 2.0]
[[stage]]
kind = "monte-carlo"
temperature = 1.0
{sweeps}
[[scan]]
key = "stage.1.sweeps"
values = [10, 20]
"""


@pytest.mark.parametrize("J, sweeps, words", [
    ('J = "strong"', "sweeps = 5", "study.toml:7:5: error: J: 'strong' is text"),
    ("J = [1, 2]", "sweeps = 5", "study.toml:7:5: error: J must be a number"),
    ("J = 1", "sweeps = -5", "study.toml:14:10: error: sweeps must be at least"),
    ("J = 1", "sweeps = 2.5", "study.toml:14:10: error: sweeps must be a whole number"),
    ("", 'sweeps = "ten"', "study.toml:14:10: error: sweeps must be a whole number"),
])
def test_a_value_that_is_scanned_has_to_be_right_too(tmp_path, J, sweeps, words):
    (tmp_path / "study.toml").write_text(REPLACED.format(J=J, sweeps=sweeps))
    for what in ("check", "run"):
        refused = larmor(what, "study.toml", cwd=tmp_path)
        assert refused.returncode == 2 and words in refused.stderr, refused.stderr
    assert os.listdir(tmp_path) == ["study.toml"]


@pytest.mark.parametrize("J, sweeps", [("J = 1", "sweeps = 5"), ("", "sweeps = 50"), ("", "")])
def test_a_key_that_is_scanned_may_be_left_out_or_fit_no_other(tmp_path, J, sweeps):
    (tmp_path / "study.toml").write_text(REPLACED.format(J=J, sweeps=sweeps))
    assert larmor("check", "study.toml", cwd=tmp_path).returncode == 0


def test_results_are_not_overwritten(reference, tmp_path):
    study, results = reference
    there = tmp_path / "there.h5"
    shutil.copy(results, there)
    before = there.read_bytes()
    refused = larmor("run", study, "-o", there)
    assert refused.returncode == 2 and "--force" in refused.stderr
    complete = larmor("resume", there)
    assert complete.returncode == 2 and "complete" in complete.stderr
    assert there.read_bytes() == before
    forced = larmor("run", study, "-o", there, "--force")
    assert forced.returncode == 0, forced.stderr
    assert_same_scans(results, there, tmp_path)


def ran_whole(folder, sweeps):
    """The study, and its results."""
    study, whole = write_scan(folder / "study.toml", sweeps), folder / "whole.h5"
    assert larmor("run", study, "-o", whole).returncode == 0
    return study, whole


@pytest.fixture(scope="module")
def long_scan(tmp_path_factory):
    """The study, and its results from a run that is long enough for one stop."""
    return ran_whole(tmp_path_factory.mktemp("long"), 1500)


@pytest.fixture(scope="module")
def longest_scan(tmp_path_factory):
    """The study, and its results from a run that is long enough for several kills."""
    return ran_whole(tmp_path_factory.mktemp("longest"), 10000)


@pytest.mark.parametrize("how, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_polite_stop_is_resumable(long_scan, tmp_path, how, code):
    study, whole = long_scan
    output = tmp_path / "stopped.h5"
    process = start("run", study, "-o", output)
    wait_until_there(process, tmp_path / "stopped.h5.points/0001.h5")
    process.send_signal(how)
    out, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == code, errors
    assert f"larmor resume {output}" in out
    shown = larmor("show", output)
    assert shown.returncode == 0 and "not done" in shown.stdout
    resumed = larmor("resume", output)
    assert resumed.returncode == 0, resumed.stderr
    assert_same_scans(whole, output, tmp_path)
    assert not (tmp_path / "stopped.h5.points").exists()


def test_points_of_another_scan_are_left_alone(tmp_path):
    study = write_scan(tmp_path / "study.toml", sweeps=3000)
    output = tmp_path / "r.h5"
    process = start("run", study, "-o", output)
    wait_until_there(process, tmp_path / "r.h5.points/0001.h5")
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    output.unlink()
    write_scan(study, sweeps=60)
    before = sorted((tmp_path / "r.h5.points").iterdir())
    for options in ((), ("--force",)):
        refused = larmor("run", study, "-o", output, *options)
        assert refused.returncode == 2 and "r.h5.points" in refused.stderr
        assert sorted((tmp_path / "r.h5.points").iterdir()) == before and not output.exists()


def test_changed_couplings_are_noticed(tmp_path):
    """If the couplings change, points that have not started would silently use the new ones."""
    jfile = tmp_path / "jfile"
    jfile.write_text("1 1 0.5 0.5 0.5 1.0\n")
    study = tmp_path / "study.toml"
    study.write_text(
        'units = "material"\n[lattice]\ntype = "bcc"\nsize = [4, 4, 4]\nconstant = "2.87 Å"\n'
        '[[exchange]]\nfile = "jfile"\nsymmetry = "cubic"\n'
        '[[stage]]\nkind = "monte-carlo"\nsweeps = 100000\n'
        '[[scan]]\nkey = "stage.1.temperature"\nvalues = ["300 K", "600 K"]\n'
    )
    output = tmp_path / "study.h5"
    process = start("run", study, "-o", output)
    wait_until_there(process, tmp_path / "study.h5.points/*.h5")
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 143
    with h5py.File(output) as file:
        assert file["scan/axes/01/stage.1.temperature"].attrs["unit"] == "K"
    jfile.write_text("1 1 0.5 0.5 0.5 1.1\n")
    refused = larmor("resume", output)
    assert refused.returncode == 2 and "changed" in refused.stderr


def test_progress_counts_points(tmp_path):
    import json

    study = write_scan(tmp_path / "study.toml", sweeps=4000)
    run = larmor("run", study, "-o", tmp_path / "r.h5", "--progress", "json")
    told = [json.loads(line) for line in run.stderr.splitlines()]
    events = [event for event in told if event["event"] != "note"]
    assert events[0]["event"] == "start" and events[-1]["event"] == "end"
    assert events[-1]["stage"] == "6/6 points"
    assert events[-1]["done"] == events[-1]["total"]
    assert any("left" in event for event in events)


NOT_A_NUMBER = """replicas = 2
[lattice]
type = "square"
size = [8, 8]
[[exchange]]
shell = 1
J = 1.0
[initial]
state = "random"
[[stage]]
kind = "dynamics"
timestep = 0.02
steps = 2000
[[scan]]
key = "exchange.1.J"
values = [1.0, 1e200, 2.0]
with = [{ key = "stage.1.timestep", values = [0.02, 1e150, 0.02] }]
"""


def assert_failure_names_the_point(run):
    assert run.returncode == 4, run.stderr
    assert run.stderr.count("is not a number") == 1
    assert "point 1 (exchange.1.J = " in run.stderr


def test_a_point_that_fails_is_named(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(NOT_A_NUMBER)
    assert_failure_names_the_point(larmor("run", study, "-o", tmp_path / "nan.h5"))


# ---------------------------------------------------------------------------- several points at once


@pytest.mark.parametrize("points", [2, 5, 9])
def test_points_at_once_change_no_bit(reference, tmp_path, points):
    study, results = reference
    output = tmp_path / "side.h5"
    run = larmor("run", study, "-o", output, "--points-at-once", points)
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("results:") == 1
    assert_same_scans(results, output, tmp_path)
    with h5py.File(output) as file:
        assert len(set(file["provenance/points/rank"][()])) > 1, "threads share the points"
    assert sorted(path.suffix for path in tmp_path.glob("side*")) == [".h5"]


def test_points_at_once_are_killed_stopped_and_resumed(longest_scan, tmp_path):
    study, whole = longest_scan
    output = tmp_path / "parts.h5"
    interrupted = 0
    for part, (points, how) in enumerate([(3, signal.SIGKILL), (2, signal.SIGTERM), (1, signal.SIGKILL), (4, None)]):
        arguments = ["resume", output] if output.exists() else ["run", study, "-o", output]
        process = start(*arguments, "--checkpoint-every", "0.05", "--points-at-once", str(points))
        if how is not None:
            wait_until_there(process, tmp_path / "parts.h5.points/*.ckpt")
            time.sleep(0.15)
            process.send_signal(how)
        _, errors = process.communicate(timeout=PATIENCE)
        if process.returncode == 0:
            break
        assert how is not None, errors
        if how == signal.SIGTERM:
            assert process.returncode == 143, errors
            assert len(list((tmp_path / "parts.h5.points").glob("*.ckpt"))) >= 2, "each has saved where it was"
        interrupted += 1
    assert interrupted >= 2
    assert process.returncode == 0
    assert_same_scans(whole, output, tmp_path)


def test_a_point_that_fails_beside_others_ends_all_with_one_message(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(NOT_A_NUMBER.replace(
        "with = [", "with = [{ key = 'stage.1.steps', values = [5000000, 100, 5000000] }, "))
    assert_failure_names_the_point(larmor("run", study, "-o", tmp_path / "nan.h5", "--points-at-once", 3))
    assert len(list((tmp_path / "nan.h5.points").glob("*.ckpt"))) == 2, "the others have saved what they did"


def test_a_study_without_points_runs_none_at_once(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(STUDY.format(sweeps=10).split("[[scan]]")[0])
    refused = larmor("run", study, "-o", tmp_path / "one.h5", "--points-at-once", 2)
    assert refused.returncode == 2 and "no [[scan]] table" in refused.stderr
    assert os.listdir(tmp_path) == ["study.toml"]
    assert larmor("run", study, "-o", tmp_path / "one.h5").returncode == 0


# ---------------------------------------------------------------------------- several ranks


@needs_ranks
@pytest.mark.parametrize("ranks", [2, 3])
def test_ranks_change_no_bit(reference, tmp_path, ranks):
    study, results = reference
    output = tmp_path / "ranks.h5"
    run = run_on_ranks(ranks, "run", study, "-o", output)
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("results:") == 1
    assert_same_scans(results, output, tmp_path)
    assert sorted(path.suffix for path in tmp_path.glob("ranks*")) == [".h5"]


@needs_ranks
def test_ranks_run_one_point_each(reference, tmp_path):
    study, _ = reference
    refused = run_on_ranks(2, "run", study, "-o", tmp_path / "r.h5", "--points-at-once", "2")
    assert refused.returncode == 2 and refused.stderr.count("for one rank, not for 2") == 1


@needs_ranks
def test_ranks_beyond_the_points_say_so(tmp_path):
    study = write_scan(tmp_path / "study.toml")
    study.write_text(study.read_text().replace("values = [0.0, 0.5]", "values = [0.5]")
                     .replace("[0.5, 1.0, 2.0]", "[0.5, 1.0]"))
    run = run_on_ranks(3, "run", study, "-o", tmp_path / "r.h5")
    assert run.returncode == 0, run.stderr
    assert run.stderr.count("1 of 3 ranks had no point to run") == 1


@needs_ranks
def test_a_free_rank_takes_the_next_point(tmp_path):
    """One point takes longer than all other points. Its rank runs only this point, and the other
    rank runs the rest. No division that is made before the run would do this."""
    study = tmp_path / "study.toml"
    study.write_text(
        "[lattice]\ntype = 'square'\nsize = [16, 16]\n[[exchange]]\nshell = 1\nJ = 1\n"
        "[[stage]]\nkind = 'monte-carlo'\ntemperature = 1\nthermalisation = 10\nsweeps = 10\n"
        "[[scan]]\nkey = 'stage.1.sweeps'\nvalues = [10, 10, 10, 100000, 10, 10, 10, 10]\n"
    )
    output = tmp_path / "r.h5"
    run = run_on_ranks(2, "run", study, "-o", output)
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as file:
        ranks = file["provenance/points/rank"][()]
        work = file["scan/points/work"][()]
        assert [file[f"points/{n:04}/provenance"].attrs["rank"] for n in range(8)] == list(ranks)
    dear = ranks[3]
    assert work[3] > 1000 * work[0]
    assert (np.delete(ranks, 3) == 1 - dear).all(), ranks


@needs_ranks
def test_kills_and_other_numbers_of_ranks_change_no_bit(longest_scan, tmp_path):
    study, whole = longest_scan
    output = tmp_path / "parts.h5"
    every = ("--checkpoint-every", "0.05")
    killed = 0
    for part, ranks in enumerate((3, 1, 2, 2, 1)):
        last = part == 4
        arguments = ["resume", output] if output.exists() else ["run", study, "-o", output]
        process = (
            start(*arguments, *every, start_new_session=True)
            if ranks == 1
            else start_on_ranks(ranks, *arguments, *every)
        )
        wait_until_there(process, tmp_path / "parts.h5.points/*.ckpt")
        try:
            process.wait(300 if last else 0.15)
        except subprocess.TimeoutExpired:
            ranks_alive = rank_processes(process)
            kill_all(process)
            wait_until_none_is_alive(ranks_alive)
            killed += 1
        _, errors = process.communicate(timeout=PATIENCE)
        if process.returncode == 0:
            break
        assert not last, errors
    assert killed >= 2
    assert process.returncode == 0
    assert_same_scans(whole, output, tmp_path)


@needs_ranks
@pytest.mark.parametrize("victim", [0, *([2] if DEPTH else [])])
def test_a_killed_rank_ends_all_and_the_scan_can_be_resumed(long_scan, tmp_path, victim):
    study, whole = long_scan
    output = tmp_path / "killed.h5"
    process = start_on_ranks(3, "run", study, "-o", output, "--checkpoint-every", "0.05")
    wait_until_there(process, tmp_path / "killed.h5.points/*.ckpt")
    assert_one_killed_ends_all(process, victim)
    resumed = run_on_ranks(2, "resume", output)
    assert resumed.returncode == 0, resumed.stderr
    assert_same_scans(whole, output, tmp_path)


@needs_ranks
def test_a_polite_stop_of_one_rank_stops_all(tmp_path):
    study = write_scan(tmp_path / "study.toml", sweeps=20000)
    output = tmp_path / "stopped.h5"
    process = start_on_ranks(3, "run", study, "-o", output)
    wait_until_there(process, tmp_path / "stopped.h5.points/*.h5")
    time.sleep(0.3)
    os.kill(rank_processes(process)[1], signal.SIGTERM)
    out, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 143, errors
    assert out.count("larmor resume") == 1
    begun = sorted(path.name for path in (tmp_path / "stopped.h5.points").glob("*.ckpt"))
    assert len(begun) == 3, "each rank has saved where it was"


@needs_ranks
def test_an_idle_rank_passes_a_stop_on(tmp_path):
    study = write_scan(tmp_path / "study.toml", sweeps=100000)
    study.write_text(study.read_text().replace("values = [0.0, 0.5]", "values = [0.5]")
                     .replace("[0.5, 1.0, 2.0]", "[0.5]"))
    process = start_on_ranks(2, "run", study, "-o", tmp_path / "r.h5")
    wait_until_there(process, tmp_path / "r.h5.points/*.h5")
    time.sleep(0.3)
    for pid in rank_processes(process):
        statement = pathlib.Path(f"/proc/{pid}/environ").read_bytes()
        if b"OMPI_COMM_WORLD_RANK=1" in statement.split(b"\0"):
            os.kill(pid, signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, errors


@needs_ranks
def test_a_point_that_fails_on_a_rank_ends_all_with_one_message(tmp_path):
    study = tmp_path / "study.toml"
    # The point that fails is the shortest and starts last.
    study.write_text(NOT_A_NUMBER.replace(
        "with = [", "with = [{ key = 'stage.1.steps', values = [5000000, 100, 5000000] }, "))
    output = tmp_path / "nan.h5"
    assert_failure_names_the_point(run_on_ranks(3, "run", study, "-o", output))
    # All other points have saved their progress.
    assert len(list((tmp_path / "nan.h5.points").glob("*.ckpt"))) == 2


@needs_ranks
def test_a_mistake_is_told_once(tmp_path):
    study = write_scan(tmp_path / "study.toml")
    study.write_text(study.read_text().replace("[0.5, 1.0, 2.0]", "[0.5, 1.0, 'hot']"))
    run = run_on_ranks(3, "run", study, "-o", tmp_path / "wrong.h5")
    assert run.returncode == 2
    assert run.stderr.count("error:") == 1 and "study.toml:41" in run.stderr
    assert os.listdir(tmp_path) == ["study.toml"]


@needs_ranks
def test_stages_of_one_rank_are_scanned_on_many(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(
        "[lattice]\ntype = 'square'\nsize = [4, 4]\n[[exchange]]\nshell = 1\nJ = 1\n"
        "[[stage]]\nkind = 'minimise'\n[[scan]]\nkey = 'exchange.1.J'\nvalues = [1, 2, 3]\n"
    )
    run = run_on_ranks(2, "run", study, "-o", tmp_path / "minima.h5", "--backend", "cpu")
    assert run.returncode == 0, run.stderr
    with h5py.File(tmp_path / "minima.h5") as file:
        assert len(file["points"]) == 3
