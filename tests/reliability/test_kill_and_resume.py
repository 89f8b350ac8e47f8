"""A run that is killed or stopped at any moment continues with equal bits."""
# Rooms: study

import random
import shutil
import signal
import time

import pytest

from program import (
    DEPTH,
    PATIENCE,
    assert_same_bits,
    is_complete,
    larmor,
    write_alloy_study,
    write_study,
)
from running import start, stop_after, stop_once_there, wait_until_there


def uninterrupted(folder, write):
    """The study, its results and the seconds of the run."""
    study = write(folder / "study.toml")
    start = time.monotonic()
    run = larmor("run", study, "-o", folder / "reference.h5")
    assert run.returncode == 0, run.stderr
    return study, folder / "reference.h5", time.monotonic() - start


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    return uninterrupted(tmp_path_factory.mktemp("reference"), write_study)


@pytest.fixture(scope="module")
def alloy_reference(tmp_path_factory):
    return uninterrupted(tmp_path_factory.mktemp("alloy"), write_alloy_study)


def run_while_killed_at_random(reference, tmp_path, case):
    """Makes at most three attempts. If the machine is now slower than for the reference, the run
    would not finish."""
    study, expected, seconds = reference
    moment = random.Random(case)
    output = tmp_path / "killed.h5"
    moments = [moment.uniform(0.02, 1.0), moment.uniform(0.2, 1.5), moment.uniform(0.2, 1.5), None]
    for after in moments:
        if is_complete(output):  # killed during its exit
            break
        # If the kill comes very early, there are no results to resume.
        arguments = ["resume", output] if output.exists() else ["run", study, "-o", output]
        process = start(*arguments, "--checkpoint-every", "0.05")
        code, *_ = stop_after(process, PATIENCE if after is None else after * seconds, signal.SIGKILL)
        assert code in (0, -signal.SIGKILL)
        if code == 0:
            break
    assert is_complete(output)
    assert_same_bits(expected, output)


@pytest.mark.parametrize("case", range(20 if DEPTH else 3))
def test_killed_at_a_random_moment(reference, tmp_path, case):
    run_while_killed_at_random(reference, tmp_path, case)


@pytest.mark.parametrize("case", range(6 if DEPTH else 1))
def test_an_alloy_killed_at_a_random_moment(alloy_reference, tmp_path, case):
    run_while_killed_at_random(alloy_reference, tmp_path, case)


@pytest.mark.parametrize("how, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_polite_stop_is_resumable_and_says_so(reference, tmp_path, how, code):
    study, expected, _ = reference
    output = tmp_path / "stopped.h5"
    returned, out, _ = stop_once_there(start("run", study, "-o", output), output, how)
    assert returned == code
    assert f"larmor resume {output}" in out
    resumed = larmor("resume", output)
    assert resumed.returncode == 0, resumed.stderr
    assert_same_bits(expected, output)


def test_a_damaged_checkpoint_falls_back_to_the_one_before(reference, tmp_path):
    study, expected, _ = reference
    output = tmp_path / "damaged.h5"
    process = start("run", study, "-o", output, "--checkpoint-every", "0.02")
    stop_once_there(process, tmp_path / "damaged.h5.ckpt.prev", signal.SIGINT)
    checkpoint = tmp_path / "damaged.h5.ckpt"
    assert checkpoint.exists() and (tmp_path / "damaged.h5.ckpt.prev").exists()
    contents = bytearray(checkpoint.read_bytes())
    contents[len(contents) // 2] ^= 0xFF
    checkpoint.write_bytes(contents)
    resumed = larmor("resume", output)
    assert resumed.returncode == 0, resumed.stderr
    assert_same_bits(expected, output)


def test_a_lost_checkpoint_is_told_and_the_study_begins_anew_only_if_asked(reference, tmp_path):
    study, expected, _ = reference
    output = tmp_path / "bare.h5"
    process = start("run", study, "-o", output, "--checkpoint-every", "0.02")
    stop_once_there(process, tmp_path / "bare.h5.ckpt", signal.SIGINT)
    for leftover in tmp_path.glob("bare.h5.ckpt*"):
        leftover.unlink()
    before = output.read_bytes()
    refused = larmor("resume", output)
    assert refused.returncode == 2
    assert "bare.h5.ckpt" in refused.stderr and "--from-start" in refused.stderr
    assert output.read_bytes() == before
    resumed = larmor("resume", output, "--from-start")
    assert resumed.returncode == 0, resumed.stderr
    assert "note: there is no checkpoint" in resumed.stderr
    assert_same_bits(expected, output)


def test_the_checkpoint_of_another_study_is_refused(reference, tmp_path):
    study, _, _ = reference
    output = tmp_path / "one.h5"
    stop_once_there(start("run", study, "-o", output), output, signal.SIGINT)
    other, results = write_study(tmp_path / "other.toml", replicas=5), tmp_path / "other.h5"
    stop_once_there(start("run", other, "-o", results), results, signal.SIGINT)
    shutil.copy(tmp_path / "other.h5.ckpt", tmp_path / "one.h5.ckpt")
    resumed = larmor("resume", output)
    assert resumed.returncode == 2
    assert "not a checkpoint of this run" in resumed.stderr


def test_complete_results_are_neither_resumed_nor_overwritten(reference, tmp_path):
    study, expected, _ = reference
    output = tmp_path / "complete.h5"
    shutil.copy(expected, output)
    before = output.read_bytes()
    assert larmor("resume", output).returncode == 2
    again = larmor("run", study, "-o", output)
    assert again.returncode == 2 and "--force" in again.stderr
    assert output.read_bytes() == before
    forced = larmor("run", study, "-o", output, "--force")
    assert forced.returncode == 0
    assert_same_bits(expected, output)


def test_two_processes_never_mix_their_results(reference, tmp_path):
    """A user resumes a run that still runs. One of the two processes gives up, and the other gives
    correct results."""
    study, expected, seconds = reference
    output = tmp_path / "shared.h5"
    first = start("run", study, "-o", output, "--checkpoint-every", "0.02")
    wait_until_there(first, tmp_path / "shared.h5.ckpt")
    second = larmor("resume", output, "--checkpoint-every", "0.02", "--progress", "quiet")
    _, errors = first.communicate(timeout=PATIENCE)
    codes = sorted((first.returncode, second.returncode))
    assert codes in ([0, 3], [0, 2]), errors + second.stderr
    assert "another process" in errors + second.stderr or "complete" in second.stderr
    assert_same_bits(expected, output)


def test_changed_couplings_are_noticed(tmp_path):
    """The files that a study names count as parts of the study."""
    jfile = tmp_path / "jfile"
    jfile.write_text("1 1 0.5 0.5 0.5 1.0\n")
    study = tmp_path / "study.toml"
    study.write_text(
        'units = "material"\n[lattice]\ntype = "bcc"\nsize = [4, 4, 4]\nconstant = "2.87 Å"\n'
        '[[exchange]]\nfile = "jfile"\nsymmetry = "cubic"\n'
        '[[stage]]\nkind = "monte-carlo"\ntemperature = "300 K"\nsweeps = 100000000\n'
    )
    output = tmp_path / "study.h5"
    process = start("run", study, "-o", output, "--checkpoint-every", "0.02")
    code, _, errors = stop_once_there(process, tmp_path / "study.h5.ckpt", signal.SIGTERM)
    assert code == 143, errors
    jfile.write_text("1 1 0.5 0.5 0.5 1.1\n")
    refused = larmor("resume", output)
    assert refused.returncode == 2 and "changed" in refused.stderr
