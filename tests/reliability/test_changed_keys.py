"""Keys that the command line changes with --set."""
# Rooms: study

import signal
import subprocess
import time

import h5py
import pytest

from program import LARMOR, larmor

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
        "stage.1.measure_every=5", "device.backend=cpu", "checkpoint.every=4.5", "title=\"a = b\"", "exchange.1.J=-2e-1"), cwd=study)
    assert done.returncode == 0, done.stderr
    whole, text = completed(study / "changed.h5")
    for line in ("temperature = [0.5, 2]", "B = [0, 0, 0.25]", 'type = "triangular"', "replicas = 3",
                 "measure_every = 5", 'backend = "cpu"', "every = 4.5", 'title = "a = b"', "J = -0.2", "seed = 5", "sweeps = 20"):
        assert line in text, text
    assert "replicas = 3" in whole
    # The study in the results is complete, so a run of it needs no --set.
    (study / "text.toml").write_text(text)
    assert larmor("run", "text.toml", cwd=study).returncode == 0
    with h5py.File(study / "changed.h5") as one, h5py.File(study / "text.h5") as other:
        path = "stages/01-monte-carlo/averages/energy/value"
        assert one[path].shape == (2,) and (one[path][:] == other[path][:]).all()


def test_a_study_that_is_not_changed_is_stored_as_it_was_written(study):
    assert larmor("run", "study.toml", cwd=study).returncode == 0
    assert completed(study / "study.h5")[1] == STUDY


@pytest.mark.parametrize("title", ["a=b", "x # y", "4.5 meV", "Ünï → κ", "a\tb", "true or not"])
def test_texts_need_no_quotes(study, title):
    done = larmor("run", "study.toml", "-o", "titled.h5", *changed(f"title={title}"), cwd=study)
    assert done.returncode == 0, done.stderr
    with h5py.File(study / "titled.h5") as file:
        assert file.attrs["title"] == title
    assert "complete" in larmor("resume", "titled.h5", cwd=study).stderr


def test_texts_are_utf8(study):
    refused = subprocess.run([LARMOR.encode(), b"check", b"study.toml", b"--set", b"title=\xff\xfe"],
                             cwd=study, capture_output=True, check=False)
    assert refused.returncode == 2 and b"UTF-8" in refused.stderr


def test_a_changed_run_goes_on(study):
    long = changed("stage.1.sweeps=20000000", "title=longer")
    process = subprocess.Popen([LARMOR, "run", "study.toml", "-o", "parts.h5", *long,
                                "--checkpoint-every", "0.01"], cwd=study,
                               stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    while not (study / "parts.h5.ckpt").exists():
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 130
    resumed = subprocess.Popen([LARMOR, "resume", "parts.h5"], cwd=study,
                               stderr=subprocess.PIPE, text=True)
    time.sleep(0.3)
    assert resumed.poll() is None, resumed.stderr.read()
    resumed.kill()
    with h5py.File(study / "parts.h5") as file:
        assert "sweeps = 20000000" in file["study/text"][()].decode()


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
    ("stage.01.sweeps=5", "count its entries from 1: stage.1.sweeps"),
    ("stage.0.sweeps=5", "count its entries from 1: stage.1.sweeps"),
    ("device.bakend=cpu", "did you mean 'backend'"),
    ("colour.of.bonds=3", "unknown key 'colour'"),
    ("seed=1e400", "--set seed=1e400:1:11: error: this is not TOML"),
    ("title=\"a", "--set title=\"a:1:"),
    ("seed=7\nreplicas=9", "a --set has several lines"),
    ("sweeps", "--set sweeps gives no value"),
    ("=5", "gives no value"),
    ("seed=", "--set seed= gives no value"),
    ("replicas=true", "    1 | replicas=true\n"),
    ("lattice.type=sqare", "--set lattice.type=sqare:1:14: error:"),
])
@pytest.mark.parametrize("command", ["check", "run"])
def test_wrong_changes_are_pointed_at(study, command, change, words):
    refused = larmor(command, "study.toml", "--set", change, cwd=study)
    assert refused.returncode == 2, refused.stdout
    assert words in refused.stderr and refused.stderr.count("error:") == 1, refused.stderr
    assert [path.name for path in study.iterdir()] == ["study.toml"]
