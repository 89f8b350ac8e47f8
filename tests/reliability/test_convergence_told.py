"""Progress of stages that end on convergence. They show one rate, and a remaining time only if it
is reliable."""
# Rooms: study

import json
import os
import pty
import re

import h5py
import pytest

from program import command, larmor, run_study

LATTICE = """seed = 1
{head}
[lattice]
type = "square"
size = [{size}, {size}]
[[exchange]]
shell = 1
J = 1
disorder = 1
[[anisotropy]]
K = 0.1
"""
# The glass stays far from convergence for the whole test.
MINIMISE = '[[stage]]\nkind = "minimise"\nmethod = "damped"\ntolerance = 1e-14\nsteps = {steps}\n'
PATH = '[[stage]]\nkind = "minimum-energy-path"\nfinal = {{ state = "aligned" }}\nimages = 5\nsteps = {steps}\n'
LOOP = '[[stage]]\nkind = "hysteresis"\nfield = {{ from = 2, to = -2, points = 4 }}\nsteps = {steps}\n'
DYNAMICS = '[[stage]]\nkind = "dynamics"\ntimestep = 0.02\nsteps = 20\n'


@pytest.mark.parametrize("stage", [MINIMISE, PATH, LOOP])
def test_check_tries_stages_that_end_on_convergence(tmp_path, stage):
    study = tmp_path / "study.toml"
    study.write_text(LATTICE.format(head="", size=8) + stage.format(steps=50) + DYNAMICS)
    checked = larmor("check", study)
    assert checked.returncode == 0, checked.stderr
    first, second = re.findall(r"^stage .*", checked.stdout, re.M)
    assert re.search(r"at most 50 steps.*; ends on convergence, after about [\d.]+ \w+", first), first
    assert re.search(r"; about [\d.]+ s$", second) and "convergence" not in second
    time = re.search(r"^time +(.*)", checked.stdout, re.M)[1]
    assert re.match(r"about [\d.]+ s$", time)


def test_check_gives_a_bound_where_a_trial_does_not_tell(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(LATTICE.format(head="", size=128) + MINIMISE.format(steps=100000) + DYNAMICS)
    checked = larmor("check", study).stdout
    assert re.search(r"ends on convergence, after at most [\d.]+ (s|min)", checked), checked
    assert re.search(r"^time +about [\d.]+ s, and at most [^,\n]+ more until the stages that end on convergence have converged", checked, re.M)


def test_check_of_convergence_alone_and_of_a_scan(tmp_path):
    study = tmp_path / "study.toml"
    text = LATTICE.format(head="", size=128) + MINIMISE.format(steps=100000)
    study.write_text(text)
    assert re.search(r"^time +at most [^,\n]+, less if", larmor("check", study).stdout, re.M)
    study.write_text(text + '[[scan]]\nkey = "exchange.1.J"\nvalues = [1, 2]\n')
    assert re.search(r"^all +at most [^,\n]+, less if .*; if one rank runs all points",
                     larmor("check", study).stdout, re.M)


def test_the_bound_holds(tmp_path):
    study, output = tmp_path / "study.toml", tmp_path / "out.h5"
    study.write_text(LATTICE.format(head="", size=64) + MINIMISE.format(steps=1000))
    most = float(re.search(r"after (?:about|at most) ([\d.]+) s", larmor("check", study).stdout)[1])
    assert larmor("run", study, "-o", output).returncode == 0
    with h5py.File(output) as file:
        stage = file["stages/01-minimise"]
        # The time of a machine under load may differ by more than a factor of two.
        assert 0.2 * most < stage.attrs["wall_seconds"] * 1000 / stage.attrs["steps"] < 3 * most


def on_a_terminal(*arguments):
    """The lines that a terminal shows, one after another."""
    process, terminal = pty.fork()
    if process == 0:
        line = command(*arguments)
        os.execvp(line[0], line)
    text = b""
    while True:
        try:
            more = os.read(terminal, 65536)
        except OSError:
            break
        if not more:
            break
        text += more
    assert os.waitpid(process, 0)[1] == 0, text
    return [line.rstrip() for line in re.split(r"[\r\n]+", text.decode()) if line.strip()]


# The run is long enough for a progress line on any machine, and not longer.
SECONDS = 5


def steps_for(tmp_path, stage, size):
    study = tmp_path / "tried.toml"
    study.write_text(LATTICE.format(head="", size=size) + stage.format(steps=1000))
    checked = larmor("check", study).stdout
    amount, unit = re.search(r"after (?:about|at most) ([\d.]+) (s|min)", checked).groups()
    return max(20, round(1000 * SECONDS / (float(amount) * (60 if unit == "min" else 1))))


@pytest.mark.parametrize("stage, name", [(MINIMISE, "minimise"), (PATH, "minimum-energy-path")])
def test_a_terminal_shows_how_far_it_is_and_the_rate_that_show_gives(tmp_path, stage, name):
    study, output = tmp_path / "study.toml", tmp_path / "out.h5"
    steps = steps_for(tmp_path, stage, 48)
    study.write_text(LATTICE.format(head="", size=48) + stage.format(steps=steps))
    lines = on_a_terminal("run", study, "-o", output)
    shares = [int(found[1]) for line in lines if (found := re.match(rf"1/1 {name} +(\d+) % converged ", line))]
    assert shares and shares == sorted(shares) and shares[-1] < 100
    assert not any(" 0.00 s left" in line for line in lines)
    told = next(found for line in lines if (found := re.match(rf"1/1 {name}  done in (.*)  (.*/s)$", line)))
    shown = larmor("show", output).stdout
    assert f"01-{name}: done in {told[1]}, {told[2]}" in shown
    with h5py.File(output) as file:
        stage = file[f"stages/01-{name}"]
        updates = 48 * 48 * stage.attrs["steps"] * (5 if name == "minimum-energy-path" else 1)
        # The stage first relaxes the ends of the path, and these updates also count.
        assert updates <= 1.001 * stage.attrs["rate"] * stage.attrs["wall_seconds"] < 1.5 * updates


def test_json_counts_only_what_is_known_beforehand(tmp_path):
    text = LATTICE.format(head="replicas = 2", size=8) + MINIMISE.format(steps=30) + DYNAMICS
    done, output = run_study(tmp_path, text, "--progress", "json")
    events = [json.loads(line) for line in done.stderr.splitlines()]
    stages = [event for event in events if event["event"] == "stage"]
    assert [event["stage"] for event in stages] == ["1/2 minimise", "2/2 dynamics"]
    end = next(event for event in events if event["event"] == "end")
    assert end["total"] == end["done"] == 20 * 64 * 2
    with h5py.File(output) as file:
        for event, stage in zip(stages, file["stages"].values()):
            assert event["rate"] == pytest.approx(stage.attrs["rate"], rel=1e-5)
            assert event["seconds"] == pytest.approx(stage.attrs["wall_seconds"], abs=1e-3)
