"""Damaged results, and contents that the format does not allow: one message, no traceback, no picture."""

import h5py
import numpy as np
import pytest
import results_file as synthetic
from larmor import pictures
from larmor.cli import main
from larmor.errors import DamagedResults, reported_as_damage

STAGE = "stages/01-monte-carlo"
TEXT, CUBE, HUGE = "abc", np.full((2, 2, 2), 3.5), np.array([10**15])
# An object, perhaps one of its attributes, and the replacement. None: the object or attribute is
# removed.
CHANGES = [
    ("/", "format_version", TEXT),
    ("/", "title", CUBE),
    ("stages", None, 7),
    (STAGE, None, CUBE),
    (STAGE, "completed", CUBE),
    (f"{STAGE}/temperature", None, TEXT),
    (f"{STAGE}/temperature", None, {}),
    (f"{STAGE}/averages", None, 7),
    (f"{STAGE}/averages/energy/value", None, CUBE),
    (f"{STAGE}/averages/energy/error", None, h5py.Empty("f8")),
    (f"{STAGE}/series/energy/point", None, CUBE),
    (f"{STAGE}/configuration", None, TEXT),
    ("model", None, CUBE),
    ("model/positions", None, None),
    ("model/size", None, HUGE),
]


def assert_one_message(capsys, code, path, folder):
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith(f"larmor: {path}") and output.err.count("\n") == 1
    assert code in (2, 3)
    assert [entry.name for entry in folder.iterdir()] == [path.name]


@pytest.mark.parametrize(("name", "attribute", "instead"), CHANGES)
def test_a_changed_object_ends_in_one_message(thermal, unsaved, capsys, name, attribute, instead):
    with h5py.File(thermal, "a") as file:
        if attribute is not None:
            file[name].attrs[attribute] = instead
        else:
            del file[name]
            if isinstance(instead, dict):
                file.create_group(name)
            elif instead is not None:
                file[name] = instead
    code = main(["plot", str(thermal)])
    if code != 0:
        assert_one_message(capsys, code, thermal, thermal.parent)


def test_damage_names_the_picture(thermal, capsys):
    with h5py.File(thermal, "a") as file:
        del file[f"{STAGE}/averages/energy/value"]
        file[f"{STAGE}/averages/energy/value"] = CUBE
    assert main(["plot", str(thermal)]) == 3
    assert "averages of stage 01-monte-carlo: damaged, or not in the results format" in capsys.readouterr().err


def test_truncated_files_are_damaged(thermal, capsys):
    whole = thermal.read_bytes()
    for length in (len(whole) // 2, 600, 96):
        thermal.write_bytes(whole[:length])
        assert_one_message(capsys, main(["plot", str(thermal)]), thermal, thermal.parent)


@pytest.mark.parametrize("contents", [b"", b"text", b"\x89HDF\r\n\x1a\n", b"\x89HDF\r\n\x1a\n" + bytes(2000)])
def test_what_is_no_results_file_is_told(tmp_path, capsys, contents):
    path = tmp_path / "a.h5"
    path.write_bytes(contents)
    assert_one_message(capsys, main(["plot", str(path)]), path, tmp_path)


def test_hdf5_of_another_program_is_told(tmp_path, capsys):
    path = tmp_path / "a.h5"
    for known in (None, 7, CUBE, "other"):
        with h5py.File(path, "w") as file:
            if known is not None:
                file.attrs["format"] = known
        assert main(["plot", str(path)]) == 2
        assert "not results of Larmor" in capsys.readouterr().err


def test_a_folder_is_no_file(tmp_path, capsys):
    for command in ("plot", "scaling", "plot-bench"):
        assert main([command, str(tmp_path)]) == 2
        assert capsys.readouterr().err == f"larmor: {tmp_path}: a folder, not a file\n"


@pytest.mark.parametrize("contents", ["[]", "[" * 100000, '{"format": "larmor-bench-snap"}', '{"format": ["a"]}',
                                      '{"format": "larmor-bench-correlations", "lattices": 3}', "1" * 5000])
def test_damaged_benchmarks_end_in_one_message(tmp_path, capsys, contents):
    path = tmp_path / "a.json"
    path.write_text(contents)
    assert_one_message(capsys, main(["plot-bench", str(path)]), path, tmp_path)


def test_a_title_is_no_mathematics(tmp_path, capsys):
    path = tmp_path / "a.h5"
    with synthetic.create(path, title=r"$\frac{1 costs 5$ and {") as file:
        stage = synthetic.add_stage(file, "01-monte-carlo")
        synthetic.add_temperature(stage, np.array([1.0, 2.0]))
        synthetic.add_average(stage, "energy", np.array([1.0, 2.0]), np.array([0.1, 0.1]))
    assert main(["plot", str(path), "--what", "averages"]) == 0, capsys.readouterr().err


def test_errors_of_drawing_are_told(thermal, capsys, monkeypatch):
    monkeypatch.setitem(pictures.KINDS, "averages", lambda *_: [][0])
    assert main(["plot", str(thermal)]) == 3
    assert "(IndexError: list index out of range; pictures.py, line" in capsys.readouterr().err


def test_words_of_hdf5_are_not_told(tmp_path):
    path = tmp_path / "a.h5"
    h5py.File(path, "w").close()
    with pytest.raises(DamagedResults) as caught, h5py.File(path) as file, reported_as_damage(str(path)):
        file["none"]
    assert "(KeyError: HDF5 cannot read it; " in str(caught.value) and "object" not in str(caught.value)
