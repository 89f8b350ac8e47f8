"""The small commands, as a newcomer meets them."""

import re
import signal
import subprocess
import time

import pytest

from program import LARMOR, larmor, write_study

COMMANDS = [
    "run", "resume", "check", "show", "export", "new", "explain", "devices", "verify", "bench"
]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command):
    shown = larmor(command, "--help")
    assert shown.returncode == 0
    assert "Usage" in shown.stdout


def test_help_has_examples_and_names_every_command():
    shown = larmor("--help")
    assert "larmor run" in shown.stdout and "Examples" in shown.stdout
    for command in COMMANDS:
        assert command in shown.stdout


def test_wrong_arguments_give_exit_code_2():
    for arguments in ([], ["fly"], ["run"], ["run", "--colour", "x"], ["bench", "nothing"],
                      ["bench", "correlations", "--L", "100:x"], ["bench", "correlations", "--M", "1"],
                      ["bench", "correlations", "--rungs", "fused,nothing"]):
        assert larmor(*arguments).returncode == 2


def test_a_benchmark_without_the_system_asked_for_names_those_that_there_are():
    refused = larmor("bench", "mc", "--backend", "cpu", "--only", "17^5")
    assert refused.returncode == 2
    assert "'17^5'" in refused.stderr and "16^3 x 8" in refused.stderr


@pytest.mark.parametrize("arguments, words", [
    (["--rungs", "fused"], "--rungs and --json are of correlations on a GPU"),
    (["--json", "measured.json"], "--rungs and --json are of correlations on a GPU"),
    (["--rungs", "nothing"], "nothing"),
    (["--L", "10:x"], "--L"),
    (["--L", "8,20:10"], "ends before it begins"),
    (["--L", "9000000000000000000"], "no number from 1 to"),
    (["--L", "8:9000000000000000000:1"], "no number from 1 to"),
    (["--precision", "single"], "double precision"),
])
def test_correlations_on_a_cpu_refuse_what_they_do_not_measure(tmp_path, arguments, words):
    refused = larmor("bench", "correlations", "--backend", "cpu", *arguments, cwd=tmp_path)
    assert refused.returncode == 2 and refused.stdout == ""
    assert refused.stderr.count("error:") == 1 and words in refused.stderr
    assert not list(tmp_path.iterdir())


def test_correlations_on_a_cpu_are_of_the_lattices_asked_for():
    shown = larmor("bench", "correlations", "--backend", "cpu", "--L", "6,8:10:1", "--M", "2",
                   "--only", "^2 x 2")
    assert shown.returncode == 0, shown.stderr
    rows = re.findall(r"^gemm-panels, C\^2, 1 q +(\d+) +(\d+) ", shown.stdout, re.M)
    assert rows == [(str(length**2), "6") for length in (6, 8, 9, 10)]
    assert re.findall(r"of the lattice, square (\d+)\^2 x 2,", shown.stdout) == ["6", "10"]


def test_every_starter_study_passes_the_check(tmp_path):
    kinds = [line.split()[0] for line in larmor("new", "list").stdout.splitlines()]
    assert len(kinds) >= 3
    for kind in kinds:
        written = larmor("new", kind, cwd=tmp_path)
        assert written.returncode == 0, written.stderr
        checked = larmor("check", f"{kind}.toml", cwd=tmp_path)
        assert checked.returncode == 0, checked.stderr
        assert "time" in checked.stdout and "memory" in checked.stdout
        assert larmor("new", kind, cwd=tmp_path).returncode == 2
    assert "did you mean" in larmor("new", "spin-wave", cwd=tmp_path).stderr


def test_every_key_of_the_starter_studies_is_explained(tmp_path):
    kinds = [line.split()[0] for line in larmor("new", "list").stdout.splitlines()]
    keys = set()
    for kind in kinds:
        larmor("new", kind, cwd=tmp_path)
        text = (tmp_path / f"{kind}.toml").read_text()
        keys |= set(re.findall(r"^(\w+) *=", text, re.M))
    assert {"seed", "J", "timestep", "temperature"} <= keys
    for key in keys:
        explained = larmor("explain", key)
        assert explained.returncode == 0 and f"{key}: " in explained.stdout


def test_everything_listed_is_explained():
    tables = re.findall(r"^  (\S+) ", larmor("explain").stdout, re.M)
    assert {"lattice", "exchange", "dmi", "anisotropy", "field", "dynamics"} <= set(tables)
    for table in tables:
        shown = larmor("explain", table)
        assert shown.returncode == 0
        for key in re.findall(r"^  (\w+): ", shown.stdout, re.M):
            explained = larmor("explain", f"{table}.{key}")
            assert explained.returncode == 0 and key in explained.stdout
    stages = larmor("explain", "stages").stdout
    assert all(kind in stages for kind in ("anneal", "monte-carlo", "dynamics"))
    wrong = larmor("explain", "exchange.shel")
    assert wrong.returncode == 2 and "exchange.shell" in wrong.stderr


def test_show_prints_averages_with_errors(tmp_path):
    study = write_study(tmp_path / "study.toml", sweeps=50)
    assert larmor("run", study, "-o", tmp_path / "r.h5").returncode == 0
    shown = larmor("show", tmp_path / "r.h5")
    assert shown.returncode == 0
    assert re.search(r"temperature +energy ", shown.stdout)
    assert re.search(r"\n +0\.5 +-\d+\.\d+\(\d+\)", shown.stdout)
    assert "structure-factor" in shown.stdout
    assert larmor("show", study).returncode == 2
    assert larmor("show", tmp_path / "none.h5").returncode == 2


def test_show_of_an_interrupted_run_says_how_to_go_on(tmp_path):
    study = write_study(tmp_path / "study.toml", sweeps=20000)
    output = tmp_path / "r.h5"
    run = subprocess.Popen([LARMOR, "run", study, "-o", output, "--progress", "quiet"])
    deadline = time.monotonic() + 60
    while not output.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    run.send_signal(signal.SIGTERM)
    assert run.wait(60) == 143
    shown = larmor("show", output)
    assert shown.returncode == 0, shown.stderr
    assert f"not completed: larmor resume {output}" in shown.stdout


def test_devices_are_listed():
    assert "CPU" in larmor("devices").stdout


@pytest.mark.parametrize("precision", ["double", "single"])
def test_verify_finds_what_is_known_exactly(precision):
    verified = larmor("verify", "--quick", "--precision", precision)
    assert verified.returncode == 0, verified.stdout
    assert "WRONG" not in verified.stdout and f", {precision}\n" in verified.stdout
    for what in ("Langevin (Metropolis, cone)", "Langevin (heat bath, midpoint)",
                 "open chain (heat bath, depondt)", "precession of a chain of dipoles",
                 "S(q) of an open chain", "S(q,t) of a spin wave: frequency (fft)"):
        assert what in verified.stdout


def test_verify_takes_the_backend_that_is_asked_for():
    asked = larmor("verify", "--quick", "--backend", "cuda")
    if re.search(r"^GPU 0 .* free$", larmor("devices").stdout, re.M):
        assert asked.returncode == 0 and asked.stdout.startswith("on GPU 0"), asked.stdout
    else:
        assert asked.returncode == 3 and "GPU" in asked.stderr
    wrong = larmor("verify", "--quick", "--precision", "mixed")
    assert wrong.returncode == 2 and "mixed precision is for GPUs" in wrong.stderr


def test_version_and_devices_say_for_which_gpus_there_are_kernels():
    version, devices = larmor("--version").stdout, larmor("devices").stdout
    told = re.search(r"^kernels for GPUs of compute capability (\d.*)$", version, re.M)
    assert (told is None) == (", no CUDA" in version), version
    words = f"kernels for compute capability {told[1]}" if told else "CUDA  not in this build"
    assert words in devices, devices


def test_progress_as_json_lines(tmp_path):
    import json

    study = write_study(tmp_path / "study.toml", sweeps=50)
    run = larmor("run", study, "-o", tmp_path / "r.h5", "--progress", "json")
    events = [json.loads(line) for line in run.stderr.splitlines()]
    assert events[0]["event"] == "start" and events[-1]["event"] == "end"
