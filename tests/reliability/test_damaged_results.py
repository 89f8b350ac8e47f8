"""Results files in which an object is missing, has another type or shape, or lies in another file.
The program gives one message that names the file, and no internal error."""
# Rooms: io

import shutil
import signal
import subprocess

import h5py
import numpy as np
import pytest

from program import larmor
from running import start, stop_after, stop_once_there

STUDY = """title = "whole"
seed = 3
replicas = 2
[lattice]
type = "square"
size = [4, 4]
[[exchange]]
shell = 1
J = 1.0
{scan}[[stage]]
kind = "monte-carlo"
temperature = [1.0, 0.8]
sweeps = {sweeps}
measure_every = 5
trajectory_every = 20
"""
STAGE = "/stages/01-monte-carlo"
ENERGY = STAGE + "/averages/energy"
SHOW = [["show"], ["show", "--json"], ["show", "--csv"]]
EXPORT = [["export", "--force", "-o", "x.extxyz"]]
REWEIGHT = [["reweight", "--force", "-o", "x.h5"]]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Results of a study and of a scan."""
    folder = tmp_path_factory.mktemp("whole")
    for name, scan in (("study", ""), ("scan", '[[scan]]\nkey = "exchange.1.J"\nvalues = [1.0, 1.1]\n')):
        (folder / f"{name}.toml").write_text(STUDY.format(scan=scan, sweeps=40))
        assert larmor("run", folder / f"{name}.toml", cwd=folder).returncode == 0
    return folder


def attribute(place, name, value=None):
    def change(file):
        if value is None:
            del file[place].attrs[name]
        else:
            file[place].attrs[name] = value

    return change


def dataset(place, values=None):
    def change(file):
        del file[place]
        if values is not None:
            file[place] = values

    return change


def renamed_stages(file):
    for group in ("summary", "stages"):
        file["/scan"][group].move("01-monte-carlo", "word")


# Changes, and the commands that need the changed object.
STUDY_CHANGES = {
    "completed-text": (attribute("/", "completed", "yes"), SHOW[:2]),
    "completed-gone": (attribute("/", "completed"), SHOW[:2]),
    "title-number": (attribute("/", "title", 5), SHOW[:2]),
    "version-real": (attribute("/", "format_version", 9.5), SHOW + EXPORT),
    "version-of-none": (attribute("/", "format_version", np.zeros(0, int)), SHOW),
    "format-list": (attribute("/", "format", ["larmor-results", "x"]), SHOW),
    "seed-of-none": (attribute("/provenance", "seed", np.zeros(0, np.uint64)), SHOW[:1] + REWEIGHT),
    "legs-of-none": (lambda file: file["/provenance/legs"].clear(), SHOW[:1]),
    "kind-number": (attribute(STAGE, "kind", 1), SHOW[1:]),
    "kind-of-matter-unknown": (attribute("/model", "kind", "word"), SHOW[1:]),
    "wall-text": (attribute(STAGE, "wall_seconds", "long"), SHOW[:1]),
    "rate-null": (attribute(STAGE, "rate", h5py.Empty("f8")), SHOW[:1]),
    "unit-number": (attribute(ENERGY + "/value", "unit", 1), SHOW),
    "error-short": (dataset(ENERGY + "/error", np.zeros(1)), SHOW),
    "error-gone": (dataset(ENERGY + "/error"), SHOW),
    "error-a-group": (lambda file: (file.pop(ENERGY + "/error"), file.create_group(ENERGY + "/error")), SHOW),
    "value-text": (dataset(ENERGY + "/value", ["a", "b"]), SHOW),
    "temperature-text": (dataset(STAGE + "/temperature", ["a", "b"]), SHOW + REWEIGHT),
    "configuration-flat": (dataset(STAGE + "/configuration", np.zeros(7)), EXPORT),
    "configuration-wide": (dataset(STAGE + "/configuration", np.zeros((1, 16, 4))), EXPORT),
    "size-negative": (dataset("/model/size", [-4, -4, 1]), EXPORT),
    "cell-short": (dataset("/model/cell", np.zeros(3)), EXPORT),
    "lattice-number": (attribute("/model", "lattice", 2), EXPORT),
    "series-of-one-axis": (dataset(STAGE + "/series/energy/value", np.zeros(16)), REWEIGHT),
    "series-of-no-components": (dataset(STAGE + "/series/magnetisation/value", np.zeros((16, 2, 0))), REWEIGHT),
    "study-number": (dataset("/study/completed", 7), REWEIGHT),
}
SCAN_CHANGES = {
    "points-text": (attribute("/scan", "points", "two"), SHOW[:2]),
    "keys-number": (dataset("/scan/keys", [1.0]), SHOW),
    "index-out-of-range": (dataset("/scan/points/index", [[0], [7]]), SHOW),
    "index-short": (dataset("/scan/points/index", [[0]]), SHOW),
    "completed-of-none": (dataset("/scan/points/completed", np.zeros(0, np.uint8)), SHOW),
    "summary-odd": (dataset("/scan/summary/01-monte-carlo/energy/value", np.zeros(3)), SHOW),
    "stages-without-number": (renamed_stages, SHOW),
    "axis-of-no-width": (dataset("/scan/axes/01/exchange.1.J", np.zeros((2, 0))), SHOW),
}
CASES = [("study", name) for name in STUDY_CHANGES] + [("scan", name) for name in SCAN_CHANGES]


def assert_told(done, name):
    assert done.returncode in (2, 3), (done.returncode, done.stderr)
    assert name in done.stderr and "defect" not in done.stderr
    assert done.stderr.count("error:") == 1, done.stderr


@pytest.mark.parametrize("kind, case", CASES, ids=[name for _, name in CASES])
def test_a_changed_object_is_told_with_its_file(whole, tmp_path, kind, case):
    results = tmp_path / f"{kind}.h5"
    shutil.copy(whole / results.name, results)
    change, commands = (STUDY_CHANGES if kind == "study" else SCAN_CHANGES)[case]
    with h5py.File(results, "r+") as file:
        change(file)
    for command, *options in commands:
        assert_told(larmor(command, results, *options, cwd=tmp_path), results.name)


def external_storage(file, folder):
    (folder / "raw.bin").write_bytes(np.arange(2.0).tobytes())
    del file[ENERGY + "/value"]
    file.create_dataset(ENERGY + "/value", (2,), "f8", external=[(str(folder / "raw.bin"), 0, 16)])


def virtual(file, folder):
    layout = h5py.VirtualLayout((2,), "f8")
    layout[:] = h5py.VirtualSource(folder / "other.h5", "values", (2,))
    del file[ENERGY + "/value"]
    file.create_virtual_dataset(ENERGY + "/value", layout)


def external_link(file, folder):
    del file[ENERGY + "/value"]
    file[ENERGY + "/value"] = h5py.ExternalLink(folder / "other.h5", "/values")


def soft_link_on_the_way(file, folder):
    file["/elsewhere"] = h5py.ExternalLink(folder / "other.h5", "/")
    del file[ENERGY + "/value"]
    file[ENERGY + "/value"] = h5py.SoftLink("/elsewhere/values")


@pytest.mark.parametrize("place", [external_storage, virtual, external_link, soft_link_on_the_way])
def test_what_lies_in_another_file_is_not_read(whole, tmp_path, place):
    results = shutil.copy(whole / "study.h5", tmp_path / "study.h5")
    with h5py.File(tmp_path / "other.h5", "w") as other:
        other["values"] = [0.0, 1.0]
    with h5py.File(results, "r+") as file:
        place(file, tmp_path)
        assert list(file[ENERGY + "/value"]) == [0, 1]
    done = larmor("show", results, "--csv")
    assert done.returncode == 3
    assert f"'{ENERGY}/value' of '{results}'" in done.stderr


def test_a_link_inside_a_file_is_read(whole, tmp_path):
    results = shutil.copy(whole / "study.h5", tmp_path / "study.h5")
    with h5py.File(results, "r+") as file:
        file.move(ENERGY + "/value", "/elsewhere")
        file[ENERGY + "/value"] = h5py.SoftLink("/elsewhere")
    expected = larmor("show", whole / "study.h5", "--csv")
    assert larmor("show", results, "--csv").stdout == expected.stdout


def test_a_group_in_itself_is_told(whole, tmp_path):
    results = shutil.copy(whole / "scan.h5", tmp_path / "scan.h5")
    with h5py.File(results, "r+") as file:
        file.attrs["completed"] = 0
        file["/points/0000/again"] = file["/points"]
    assert_told(larmor("resume", results), "scan.h5")


def retyped(place):
    def change(file):
        rows = file[place][:]
        del file[place]
        file.create_dataset(place, data=np.int64(rows), maxshape=(None, *rows.shape[1:]), chunks=True)

    return change


RESUMED = {
    "completed-text": attribute("/", "completed", "no"),
    "file-number": attribute("/study", "file", 7),
    "folder-gone": attribute("/study", "folder"),
    "run-of-none": attribute("/provenance", "run", np.zeros(0, np.uint64)),
    "precision-number": attribute("/provenance/legs/01", "precision", 64),
    "legs-gone": lambda file: file["/provenance/legs"].clear(),
    "text-number": dataset("/study/text", 3),
    "series-of-whole-numbers": retyped(STAGE + "/series/energy/value"),
}


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stopped")
    (folder / "study.toml").write_text(STUDY.format(scan="", sweeps=30000000))
    process = start("run", folder / "study.toml", "-o", folder / "study.h5", "--checkpoint-every", "0.02")
    code, _, errors = stop_once_there(process, folder / "study.h5.ckpt", signal.SIGTERM)
    assert code == 143, errors
    return folder


@pytest.mark.parametrize("case", RESUMED)
def test_a_run_does_not_go_on_with_a_changed_object(stopped, tmp_path, case):
    for name in ("study.h5", "study.h5.ckpt"):
        shutil.copy(stopped / name, tmp_path / name)
    with h5py.File(tmp_path / "study.h5", "r+") as file:
        RESUMED[case](file)
    process = start("resume", tmp_path / "study.h5", "--checkpoint-every", "0.02")
    code, out, errors = stop_after(process, 20, signal.SIGTERM)
    assert_told(subprocess.CompletedProcess((), code, out, errors), "study.h5")


def test_texts_of_a_file_do_not_act_on_the_terminal(whole, tmp_path):
    results = shutil.copy(whole / "study.h5", tmp_path / "study.h5")
    with h5py.File(results, "r+") as file:
        file.attrs["title"] = "\x1b[2Jgone\x07"
        file[ENERGY + "/value"].attrs["unit"] = "\x9bK"
        del file[ENERGY + "/error"]
    shown = larmor("show", results)
    assert shown.returncode == 3
    with h5py.File(results, "r+") as file:
        file[ENERGY + "/error"] = [0.1, 0.1]
    shown = larmor("show", results)
    assert shown.returncode == 0 and "\\x1b[2Jgone\\x07" in shown.stdout
    assert not {"\x1b", "\x07", "\x9b"} & set(shown.stdout + shown.stderr)
