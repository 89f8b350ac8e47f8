"""What `check` warns of, `run` tells too, once."""

import json

import pytest

from program import larmor, run_study
from ranks import needs_ranks, run_on_ranks

STUDY = """
[lattice]
type = "square"
size = [4, 4]
[[exchange]]
shell = 1
J = 1.0
[[stage]]
kind = "monte-carlo"
temperature = 1.0
sweeps = 10
[[stage]]
kind = "dynamics"
timestep = {timestep}
steps = 10
"""
WORDS = "timestep: a spin turns by at most"


def advice_of(text):
    return [line[line.index(WORDS):] for line in text.splitlines() if WORDS in line]


@pytest.mark.parametrize("timestep, warns", [(0.05, False), (0.15, True), (0.4, True)])
def test_a_run_warns_of_a_timestep_that_check_warns_of(tmp_path, timestep, warns):
    done, output = run_study(tmp_path, STUDY.format(timestep=timestep), "--progress", "quiet")
    assert done.returncode == 0, done.stderr
    checked = advice_of(larmor("check", tmp_path / "study.toml").stdout)
    assert len(checked) == 1 and ("; safe" in checked[0]) != warns
    assert advice_of(done.stderr) == (checked if warns else [])
    if warns:
        assert f"note: stage 2 dynamics: {WORDS}" in done.stderr


def test_a_warning_among_json_lines_is_one(tmp_path):
    done, _ = run_study(tmp_path, STUDY.format(timestep=0.4), "--progress", "json")
    events = [json.loads(line) for line in done.stderr.splitlines()]
    assert events[0]["event"] == "start" and events[-1]["event"] == "end"
    notes = [event["text"] for event in events if event["event"] == "note"]
    assert len(notes) == 1 and notes[0].startswith(f"stage 2 dynamics: {WORDS}")


SCAN = '\n[[scan]]\nkey = "stage.2.timestep"\nvalues = [0.05, 0.15, 0.4]\n'


def test_a_scan_warns_once_of_the_first_point_that_needs_it(tmp_path):
    done, _ = run_study(tmp_path, STUDY.format(timestep=0.05) + SCAN)
    assert done.returncode == 0, done.stderr
    told = advice_of(done.stderr)
    assert len(told) == 1 and "coarse" in told[0], done.stderr
    assert "(stage.2.timestep = 0.15): stage 2 dynamics: " in done.stderr


@needs_ranks
def test_ranks_that_share_a_scan_warn_once(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(STUDY.format(timestep=0.05) + SCAN)
    done = run_on_ranks(3, "run", study, "-o", tmp_path / "out.h5")
    assert done.returncode == 0, done.stderr
    assert len(advice_of(done.stderr)) == 1, done.stderr
