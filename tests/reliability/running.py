"""Runs of the program that are stopped or killed before their end."""

import os
import pathlib
import signal
import subprocess
import time

import pytest

from program import LARMOR, PATIENCE, assert_same_bits, command, larmor

# The library that is compiled from `faults.cpp`.
FAULTS = pathlib.Path(os.environ.get("LARMOR_FAULTS", pathlib.Path(LARMOR).parent / "liblarmor_faults.so")).resolve()

# Time limit in seconds for an output that a test waits for.
SOON = 120


def start(*arguments, **options):
    """Starts the program. @param options options of subprocess.Popen"""
    return subprocess.Popen(
        command(*arguments, "--progress", "quiet"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def stop_after(process, seconds, how):
    """Sends a signal, unless the program ends before. @return exit code, stdout, stderr"""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(how)
    out, errors = process.communicate(timeout=PATIENCE)
    return process.returncode, out, errors


def wait_until_there(process, file):
    """Returns when a file exists or the program has ended. @param file path, which may be a pattern"""
    deadline = time.monotonic() + SOON
    while not list(file.parent.glob(file.name)) and process.poll() is None:
        assert time.monotonic() < deadline, f"{file} does not come"
        time.sleep(0.005)


def stop_once_there(process, file, how):
    """Sends a signal shortly after a file has appeared, when the run surely still continues.
    @return exit code, stdout, stderr"""
    wait_until_there(process, file)
    return stop_after(process, 0.1, how)


def with_faults(*arguments, fault=None, count=None, cwd=None):
    """Runs the program to its end, with `faults.cpp`. @param fault a fault of a call that changes files, in
    the syntax of that library @param count file for the number of such calls"""
    if not FAULTS.exists():
        pytest.skip("no faults: LARMOR_FAULTS names no library")
    variables = {"LD_PRELOAD": str(FAULTS), "OMP_NUM_THREADS": "1"}
    if fault:
        variables["LARMOR_FAULT"] = fault
    if count:
        variables["LARMOR_FAULT_COUNT"] = str(count)
    return larmor(*arguments, cwd=cwd, env={**os.environ, **variables})


def run_with_faults(*arguments, **faults):
    """Runs `run` or `resume` with faults and a checkpoint at every step of work."""
    return with_faults(*arguments, "--progress", "quiet", "--checkpoint-every", "1e-9", **faults)


def assert_killed_runs_go_on(study, look=None):
    """A run that is killed after a third and after two thirds of its file-changing calls has the bits of an
    uninterrupted run. @param look called with the checkpoint after each kill"""
    whole, output, count = (study.with_name(name) for name in ("whole.h5", "out.h5", "count"))
    run = run_with_faults("run", study, "-o", whole, count=count)
    assert run.returncode == 0, run.stderr
    moment = int(count.read_text()) // 3
    for arguments in (("run", study, "-o", output), ("resume", output)):
        killed = run_with_faults(*arguments, fault=f"kill@{moment}")
        assert killed.returncode == -signal.SIGKILL, killed.stderr
        if look:
            checkpoint = output.with_suffix(".h5.ckpt")
            # If the kill came between the renaming of this checkpoint and the next checkpoint, only
            # the previous one exists.
            look(checkpoint if checkpoint.exists() else output.with_suffix(".h5.ckpt.prev"))
    resumed = larmor("resume", output)
    assert resumed.returncode == 0, resumed.stderr
    assert_same_bits(whole, output)
