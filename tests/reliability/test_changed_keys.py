"""Keys that the command line changes with --set."""

import h5py
import pytest

from program import larmor

STUDY = """\
seed = 5
replicas = 2

[lattice]
type = "square"
size = [4, 4]

[[exchange]]
shell = 1
J = 1.0

[field]
B = [0, 0, 0.5]

[[stage]]
kind = "monte-carlo"
temperature = 1.0
thermalisation = 10
sweeps = 20
"""


def changed(*changes):
    return [word for change in changes for word in ("--set", change)]


@pytest.fixture
def study(tmp_path):
    (tmp_path / "study.toml").write_text(STUDY)
    return tmp_path


def completed(output):
    with h5py.File(output) as file:
        return file["study/completed"][()].decode(), file["study/text"][()].decode()


def test_keys_are_changed_and_added(study):
    done = larmor("run", "study.toml", "-o", "changed.h5", *changed(
        "stage.1.temperature=[0.5, 2]", "field.B.3 = 0.25", "lattice.type=triangular", "replicas=3",
        "stage.1.measure_every=5", "title=\"a = b\"", "exchange.1.J=-2e-1"), cwd=study)
    assert done.returncode == 0, done.stderr
    whole, text = completed(study / "changed.h5")
    for line in ("temperature = [0.5, 2]", "B = [0, 0, 0.25]", 'type = "triangular"', "replicas = 3",
                 "measure_every = 5", 'title = "a = b"', "J = -0.2", "seed = 5", "sweeps = 20"):
        assert line in text, text
    assert "replicas = 3" in whole
    # What the results hold is a study of its own.
    (study / "text.toml").write_text(text)
    assert larmor("run", "text.toml", cwd=study).returncode == 0
    with h5py.File(study / "changed.h5") as one, h5py.File(study / "text.h5") as other:
        path = "stages/01-monte-carlo/averages/energy/value"
        assert one[path].shape == (2,) and (one[path][:] == other[path][:]).all()


def test_a_study_that_is_not_changed_is_stored_as_it_was_written(study):
    assert larmor("run", "study.toml", cwd=study).returncode == 0
    assert completed(study / "study.h5")[1] == STUDY


def test_a_scan_may_be_changed(study):
    (study / "study.toml").write_text(
        STUDY + '[[scan]]\nkey = "stage.1.temperature"\nvalues = [0.5, 1.0]\n')
    checked = larmor("check", "study.toml", *changed("scan.1.values=[1, 2, 3]", "replicas=5"),
                     cwd=study)
    assert checked.returncode == 0, checked.stderr
    assert "3 value(s), 1 to 3" in checked.stdout and "replicas  5" in checked.stdout


@pytest.mark.parametrize(("change", "words"), [
    ("stage.1.sweps=100", "--set stage.1.sweps=100:1:1: error: unknown key 'sweps'"),
    ("stage.1.sweeps=0", "--set stage.1.sweeps=0:1:16: error:"),
    ("stage.1.sweeps = many", "--set stage.1.sweeps = many:1:17: error:"),
    ("stage.2.sweeps=5", "'stage' is a list of 1, which has no entry '2'"),
    ("stages.1.sweeps=5", "did you mean 'stage'"),
    ("stage.1.temperature=[1,", "--set stage.1.temperature=[1,:1:"),
    ("stage..sweeps=5", "'stage..sweeps' names no key"),
    ("sweeps", "--set sweeps gives no value"),
    ("=5", "gives no value"),
    ("seed=", "--set seed=:1:"),
    ("lattice.type=sqare", "--set lattice.type=sqare:1:14: error:"),
])
@pytest.mark.parametrize("command", ["check", "run"])
def test_wrong_changes_are_pointed_at(study, command, change, words):
    refused = larmor(command, "study.toml", "--set", change, cwd=study)
    assert refused.returncode == 2, refused.stdout
    assert words in refused.stderr and refused.stderr.count("error:") == 1, refused.stderr
    assert [path.name for path in study.iterdir()] == ["study.toml"]
