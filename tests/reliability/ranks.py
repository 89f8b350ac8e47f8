"""Starts the program on several ranks and ends them."""

import os
import pathlib
import shutil
import signal
import subprocess
import time

import pytest

from program import LARMOR, PATIENCE, assert_same_bits, command, larmor

MODULE = pathlib.Path(LARMOR).parent / "liblarmor_mpi.so"
needs_ranks = pytest.mark.skipif(
    shutil.which("mpirun") is None or not MODULE.exists(), reason="no MPI here"
)

ENVIRONMENT = {
    **os.environ,
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    # All ranks run on this machine: no ssh, and no access to memory of other processes, which
    # containers forbid.
    "OMPI_MCA_plm_rsh_agent": "sh",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    # A search for other networks would take half of the time of a start.
    "OMPI_MCA_pml": "ob1",
    "OMPI_MCA_btl": "self,vader",
    # By default, Open MPI would bind the ranks of every test to the first cores.
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMP_NUM_THREADS": "1",
}


def on_ranks(ranks, *arguments):
    return ["mpirun", "--oversubscribe", "-n", str(ranks), *command(*arguments)]


def run_on_ranks(ranks, *arguments):
    return subprocess.run(
        on_ranks(ranks, *arguments), env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE
    )


def assert_ranks_change_no_bit(study, ranks=2):
    one, several = study.with_name("1.h5"), study.with_name(f"{ranks}.h5")
    run = larmor("run", study, "-o", one)
    assert run.returncode == 0, run.stderr
    run = run_on_ranks(ranks, "run", study, "-o", several)
    assert run.returncode == 0, run.stderr
    assert_same_bits(one, several)


def start_on_ranks(ranks, *arguments):
    return subprocess.Popen(
        on_ranks(ranks, *arguments, "--progress", "quiet"),
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def stat_of(pid):
    """Fields of /proc/PID/stat after the name of the process: state, parent, ..."""
    return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def rank_processes(starter):
    """Process numbers of the ranks, in the order of their start."""
    children = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if stat_of(folder.name)[1] == str(starter.pid):
                children.append(int(folder.name))
        except (FileNotFoundError, ProcessLookupError):
            pass
    return sorted(children)


def is_alive(pid):
    try:
        return stat_of(pid)[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until_none_is_alive(pids, deadline=None):
    deadline = deadline or time.monotonic() + 30
    while any(map(is_alive, pids)):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def assert_one_killed_ends_all(starter, victim):
    """Kills one rank; all others must end within half a minute."""
    ranks = rank_processes(starter)
    deadline = time.monotonic() + 30
    os.kill(ranks[victim], signal.SIGKILL)
    _, errors = starter.communicate(timeout=30)
    assert starter.returncode != 0
    assert "signal 9" in errors
    wait_until_none_is_alive(ranks, deadline)


def kill_all(starter):
    """Imitates a power cut. It kills the ranks first, since they run on for a while without mpirun."""
    for pid in [*rank_processes(starter), starter.pid]:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def modified(file):
    """Time of the last change, in nanoseconds; 0 if the file does not exist."""
    try:
        return file.stat().st_mtime_ns
    except FileNotFoundError:
        return 0


def assert_killed_ranks_go_on(study):
    """A run is killed twice at a checkpoint, once on three ranks and once on two. One rank
    completes the run."""
    whole, output = study.with_name("whole.h5"), study.with_name("parts.h5")
    checkpoint = output.with_suffix(".h5.ckpt")
    assert larmor("run", study, "-o", whole).returncode == 0
    for ranks in (3, 2):
        arguments = ["run", study, "-o", output] if ranks == 3 else ["resume", output]
        before = modified(checkpoint)
        process = start_on_ranks(ranks, *arguments, "--checkpoint-every", "0.01")
        while modified(checkpoint) == before and process.poll() is None:
            time.sleep(0.005)
        assert process.poll() is None, process.communicate()
        kill_all(process)
        process.communicate(timeout=PATIENCE)
    resumed = larmor("resume", output)
    assert resumed.returncode == 0, resumed.stderr
    assert_same_bits(whole, output)
