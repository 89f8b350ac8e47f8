"""A run of the program that is stopped or killed while it is under way."""

import subprocess
import time

from program import PATIENCE, command

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
