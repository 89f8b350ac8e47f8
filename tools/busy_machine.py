#!/usr/bin/env python3
"""Which fraction of its speed does `larmor run` keep while other processes are busy?

Runs small studies in turn on a quiet machine and with one busy process on each processor. Prints
the rates, and the fraction of its rate that each program keeps for each study: a half is fair. The
column `of first` compares a second program with the first program on a quiet machine. No other
program may run meanwhile.

    tools/busy_machine.py build/release/larmor
    tools/busy_machine.py old/larmor new/larmor --threads 2 --repeats 5
    tools/busy_machine.py build/release/larmor --only small --busy 1
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

CRYSTAL = """
replicas = {replicas}
[lattice]
type = "sc"
size = [{length}, {length}, {length}]
[[exchange]]
shell = 1
J = 1.0
[[stage]]
"""
SAMPLED = CRYSTAL + """
kind = "monte-carlo"
temperature = 1.5
thermalisation = 10
sweeps = {steps}
measure_every = 10
"""
INTEGRATED = CRYSTAL + """
kind = "dynamics"
integrator = "depondt"
damping = 0.1
temperature = 1.5
timestep = 0.01
steps = {steps}
"""
# name: (study, length, replicas)
CASES = {
    "large replica, Monte Carlo": (SAMPLED, 64, 1),
    "large replica, dynamics": (INTEGRATED, 64, 1),
    "50 replicas, Monte Carlo": (SAMPLED, 16, 50),
    "50 replicas, dynamics": (INTEGRATED, 16, 50),
    "50 small replicas, Monte Carlo": (SAMPLED, 10, 50),
    "small system, Monte Carlo": (SAMPLED, 12, 1),
    "small system, dynamics": (INTEGRATED, 12, 1),
    "smallest system, dynamics": (INTEGRATED, 8, 1),
}


class Neighbours:
    """Busy processes. Each of them is bound to one of the first `count` available processors."""

    def __init__(self, count):
        self.processors = sorted(os.sched_getaffinity(0))[:count]

    def __enter__(self):
        self.processes = [
            subprocess.Popen(
                [sys.executable, "-c", "while True: pass"],
                preexec_fn=lambda to=processor: os.sched_setaffinity(0, {to}),
            )
            for processor in self.processors
        ]
        time.sleep(0.3)

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.wait()


def seconds_of(program, case, steps, threads, folder):
    text, length, replicas = CASES[case]
    study = folder / "study.toml"
    study.write_text(text.format(length=length, replicas=replicas, steps=steps).lstrip())
    command = [program, "run", study, "-o", folder / "out.h5", "--force"]
    command += ["--backend", "cpu", "--threads", str(threads), "--progress", "quiet"]
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def rate_of(program, case, steps, threads, folder):
    """Millions of updates per second."""
    _, length, replicas = CASES[case]
    seconds = seconds_of(program, case, steps, threads, folder)
    return 1e-6 * length**3 * replicas * steps / seconds


def steps_for(program, case, seconds, threads, folder):
    """A number of steps for which a run takes about `seconds`."""
    steps = 20
    while (taken := seconds_of(program, case, steps, threads, folder)) < seconds / 2:
        steps *= max(2, min(20, int(seconds / taken)))
    return steps


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program", nargs="+", type=pathlib.Path, help="path of larmor, or several paths to compare")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--busy", type=int, help="number of busy processes (as many as threads)")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3.0, help="duration of a run on a quiet machine (3)")
    parser.add_argument("--only", default="", help="part of the names of the cases to run (all)")
    options = parser.parse_args()
    programs = [program.resolve() for program in options.program]
    busy = options.threads if options.busy is None else options.busy
    print(f"{options.threads} threads, {busy} busy processes; M updates/s, medians")
    print(f"{'':<32}{'alone':>10}{'of first':>10}{'busy':>10}{'kept':>8}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for case in (c for c in CASES if options.only in c):
            steps = steps_for(programs[-1], case, options.seconds, options.threads, folder)
            alone = {program: [] for program in programs}
            beside = {program: [] for program in programs}
            for _ in range(options.repeats):
                for rates in (alone, beside):
                    with Neighbours(busy if rates is beside else 0):
                        for program in programs:
                            rates[program].append(
                                rate_of(program, case, steps, options.threads, folder))
            first = statistics.median(alone[programs[0]])
            for program in programs:
                quiet, shared = statistics.median(alone[program]), statistics.median(beside[program])
                print(f"{case:<32}{quiet:>10.1f}{quiet / first:>10.2f}{shared:>10.1f}"
                      f"{100 * shared / quiet:>7.0f}%", flush=True)


if __name__ == "__main__":
    main()
