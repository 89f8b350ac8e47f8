"""A run of the program that is stopped or killed while it is under way."""

import signal
import subprocess
import time

from program import PATIENCE, assert_same_bits, command, larmor

# Seconds until a run must have written what a test waits for.
SOON = 120


def start(*arguments, **options):
    """Starts the program. @param options of subprocess.Popen"""
    return subprocess.Popen(
        command(*arguments, "--progress", "quiet"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def stop_after(process, seconds, how):
    """Sends a signal unless the program has ended by then. @return exit code, stdout, stderr"""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(how)
    out, errors = process.communicate(timeout=PATIENCE)
    return process.returncode, out, errors


def wait_until_there(process, file):
    """Returns once a file is there, or the program has ended. @param file its name may be a pattern"""
    deadline = time.monotonic() + SOON
    while not list(file.parent.glob(file.name)) and process.poll() is None:
        assert time.monotonic() < deadline, f"{file} does not come"
        time.sleep(0.005)


def stop_once_there(process, file, how):
    """Sends a signal a moment after a file has appeared, while the run is surely going on.
    @return exit code, stdout, stderr"""
    wait_until_there(process, file)
    return stop_after(process, 0.1, how)


def assert_killed_runs_go_on(study, look=None):
    """A run that is killed up to three times, each time soon after it has a checkpoint, has the bits of one that is
    not. @param look called with the checkpoint after each kill"""
    whole, output = study.with_name("whole.h5"), study.with_name("out.h5")
    checkpoint = output.with_suffix(".h5.ckpt")
    assert larmor("run", study, "-o", whole).returncode == 0
    killed = 0
    for kill in range(3):
        arguments = ("resume", output) if kill else ("run", study, "-o", output)
        process = start(*arguments, "--checkpoint-every", "0.02")
        # Before it there is one of the beginning, which holds nothing.
        wait_until_there(process, output.with_suffix(".h5.ckpt.prev"))
        returncode, _, _ = stop_after(process, 0.05, signal.SIGKILL)
        if returncode == 0:
            break
        killed += 1
        if look:
            # The one before, where the run was killed between taking its place and giving it.
            look(checkpoint if checkpoint.exists() else output.with_suffix(".h5.ckpt.prev"))
    assert killed > 0
    if returncode != 0:
        assert larmor("resume", output).returncode == 0
    assert_same_bits(whole, output)
