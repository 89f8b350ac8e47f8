"""A full disk or too little memory ends the run with one message; the last checkpoint stays
good."""

import resource
import signal
import subprocess

from program import LARMOR, PATIENCE, assert_same_bits, larmor, write_study


def limited_to(megabytes):
    """For Popen: no file may grow beyond this, as on a full disk."""

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
