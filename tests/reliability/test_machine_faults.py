"""If the disk is full or memory too small, the run ends with one message, and the last checkpoint
remains valid."""
# Rooms: io, study

import os
import resource
import signal
import subprocess
import threading
import time

import pytest

from program import LARMOR, PATIENCE, assert_same_bits, command, larmor, write_study


def limited_to(megabytes):
    """A function for Popen that limits the size of files, as a full disk would."""

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        size = int(megabytes * 1048576)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


def test_a_full_disk_stops_the_run_and_the_checkpoint_can_be_resumed(tmp_path):
    study = write_study(tmp_path / "study.toml")
    assert larmor("run", study, "-o", tmp_path / "whole.h5").returncode == 0
    size = (tmp_path / "whole.h5").stat().st_size / 1048576
    output = tmp_path / "full.h5"
    run = subprocess.run(
        [LARMOR, "run", study, "-o", output, "--checkpoint-every", "0.05", "--progress", "quiet"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        preexec_fn=limited_to(0.6 * size),
    )
    assert run.returncode == 3, run.stderr
    assert len(run.stderr.strip().splitlines()) <= 3
    assert str(output.stem) in run.stderr
    assert not list(tmp_path.glob("*.tmp*"))
    resumed = larmor("resume", output)
    assert resumed.returncode == 0, resumed.stderr
    assert_same_bits(tmp_path / "whole.h5", output)


def test_too_large_a_system_is_refused_before_it_starts(tmp_path):
    study = tmp_path / "huge.toml"
    study.write_text(
        "replicas = 4000\n[lattice]\ntype = 'sc'\nsize = [400, 400, 400]\n"
        "[[exchange]]\nshell = 1\nJ = 1\n"
        "[[stage]]\nkind = 'dynamics'\ntimestep = 0.1\nsteps = 10\n"
    )
    run = larmor("run", study, cwd=tmp_path)
    assert run.returncode == 3
    assert "GiB" in run.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["huge.toml"]


def test_numbers_that_overflow_end_the_run_as_unphysical(tmp_path):
    study = tmp_path / "wild.toml"
    study.write_text(
        "replicas = 2\n[lattice]\ntype = 'chain'\nsize = [8]\n[[exchange]]\nshell = 1\nJ = 1e300\n"
        "[[stage]]\nkind = 'dynamics'\ntimestep = 1e10\nsteps = 100\n"
    )
    run = larmor("run", study, cwd=tmp_path)
    assert run.returncode == 4, run.stderr
    assert "not a number" in run.stderr


def test_couplings_that_overflow_the_energy_end_the_run_as_unphysical(tmp_path):
    study = tmp_path / "strong.toml"
    study.write_text(
        "replicas = 9\n[lattice]\ntype = 'square'\nsize = [8, 8]\n"
        "[[exchange]]\nshell = 1\nJ = 1e308\n"
        "[[stage]]\nkind = 'monte-carlo'\ntemperature = 1\nthermalisation = 10\nsweeps = 20\n"
    )
    run = larmor("run", study, cwd=tmp_path)
    assert run.returncode == 4, run.stderr


def with_address_space(megabytes, *arguments, **options):
    """Runs the program with limited address space, as under `ulimit -v`, and one thread."""

    def limit():
        size = megabytes * 1048576
        resource.setrlimit(resource.RLIMIT_AS, (size, size))

    return larmor(
        *arguments,
        preexec_fn=limit,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        **options,
    )


@pytest.mark.parametrize("arguments", [("show", "x.h5"), ("check", "study.toml"), ("solve", "x.txt")])
def test_too_little_address_space_to_start_is_told(tmp_path, arguments):
    run = with_address_space(150, *arguments, cwd=tmp_path)
    assert run.returncode == 3
    assert len(run.stderr.splitlines()) == 1
    assert "ulimit -v" in run.stderr


def test_rows_that_do_not_fit_into_memory_are_told_before_the_fit(tmp_path):
    # Quadratic potentials have thousands of columns.
    atoms = "".join(f"W {x} {y} {z}.1\n" for x in range(0, 27, 3) for y in range(0, 27, 3) for z in range(0, 27, 3))
    frame = ('729\nLattice="27 0 0 0 27 0 0 0 27" Properties=species:S:1:pos:R:3:forces:R:3 pbc="T T T"\n'
             + atoms.replace("\n", " 0.1 0 0\n"))
    (tmp_path / "set.extxyz").write_text(frame * 8)
    (tmp_path / "fit.toml").write_text('[snap]\nrcutfac = 4.7\ntwojmax = 8\nquadraticflag = 1\n[[element]]\n'
                                       'name = "W"\n[[group]]\nname = "all"\nfiles = ["set.extxyz"]\n'
                                       'energy_weight = 0\nforce_weight = 1\nstress_weight = 0\n[solver]\n'
                                       'method = "normal-equations"\n')
    run = with_address_space(400, "fit", "fit.toml", "-o", "w", cwd=tmp_path)
    assert run.returncode == 3 and len(run.stderr.splitlines()) == 1, run.stderr
    assert "17496 rows of 1597 numbers, which need 213 MiB of memory" in run.stderr, run.stderr
    assert 'write method = "qr"' in run.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fit.toml", "set.extxyz"]


LARGE = """
replicas = 8
[lattice]
type = "sc"
size = [64, 64, 64]
[[exchange]]
shell = 1
J = 1
[[stage]]
kind = "dynamics"
timestep = 0.02
steps = 1
"""


@pytest.mark.parametrize("what", ["check", "run"])
def test_the_limit_of_address_space_is_named(tmp_path, what):
    study = tmp_path / "study.toml"
    study.write_text(LARGE)
    run = with_address_space(350, what, study, "--backend", "cpu", cwd=tmp_path)
    assert run.returncode == 3, run.stderr
    assert "the study needs" in run.stderr
    assert "MiB are free under the limit of address space (ulimit -v)" in run.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["study.toml"]


def test_a_search_names_the_limit_of_address_space(tmp_path):
    problem = tmp_path / "problem.txt"
    problem.write_text("".join(f"{i} {i + 1} 1\n" for i in range(20000)))
    run = with_address_space(600, "solve", problem, "--rungs", "1000", "--sweeps", "1",
                             "--seconds", "100", "--threads", "1", "--progress", "quiet")
    assert run.returncode == 3, run.stderr
    assert "the limit of address space (ulimit -v)" in run.stderr or "out of memory" in run.stderr
    assert len(run.stderr.splitlines()) == 1


def test_a_pipe_that_nobody_writes_to_is_told(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    runs = [
        subprocess.Popen(command(*arguments), stderr=subprocess.PIPE, text=True, cwd=tmp_path)
        for arguments in (("check", "pipe"), ("run", "pipe", "-o", "out.h5"), ("solve", "pipe", "--format", "coo"))
    ]
    for run in runs:
        _, errors = run.communicate(timeout=60)
        assert run.returncode == 2, errors
        assert "no program writes to the pipe" in errors


def test_a_study_comes_through_a_pipe_however_late(tmp_path):
    text = LARGE.replace("64, 64, 64", "4, 4, 4")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write_late():
        time.sleep(0.3)
        with open(pipe, "w") as file:
            time.sleep(0.3)
            file.write(text)

    writer = threading.Thread(target=write_late)
    writer.start()
    run = larmor("check", pipe)
    writer.join()
    assert run.returncode == 0, run.stderr
    run = larmor("check", "/dev/stdin", input=text)
    assert run.returncode == 0, run.stderr
