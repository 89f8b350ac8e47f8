#!/usr/bin/env python3
"""Times UppASD, Vampire and Larmor on the same iron, one after the other, and prints a table.

    measure.py FOLDER LARMOR [--rounds 5] [--cpu-time] [--gpu]

FOLDER is the folder of build.sh, LARMOR the program. A rate is the slope between a short and a long run, so
that costs at the start (reading, tables, compiling kernels) do not count. Programs take turns; the table has
the best round of each, with the worst in brackets. No other work may run on the machine. With --cpu-time a
little other work may run, since then the processor time of one core counts. With --gpu the script times dynamics by
UppASD's CUDA build and by Larmor on a GPU.
"""

import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
# (kind of work, cells along each edge, replicas, steps of the short run, steps of the long run)
ON_CPU = [("dynamics", 16, 1, 200, 2200), ("dynamics", 16, 8, 100, 400),
          ("metropolis", 16, 1, 200, 2200), ("metropolis", 16, 8, 100, 400)]
ON_GPU = [("dynamics", 16, 1, 10000, 60000), ("dynamics", 16, 8, 5000, 25000),
          ("dynamics", 64, 1, 2000, 12000), ("dynamics", 64, 8, 1000, 5000)]


def filled(source, target, **values):
    text = source.read_text(encoding="utf-8")
    for name, value in values.items():
        text = text.replace(f"@{name.upper()}@", str(value))
    target.write_text(text, encoding="utf-8")


class Uppasd:
    def __init__(self, arguments):
        build = "UppASD-cuda" if arguments.gpu else "UppASD"
        self.program = (arguments.folder / build / "bin/uppasd").resolve()
        self.gpu_mode = int(arguments.gpu)

    def names(self, what, replicas):
        return ["UppASD, Depondt" if what == "dynamics" else "UppASD"]

    def prepare(self, folder, name, what, cores, **values):
        for file in ("posfile", "momfile", "jfile"):
            shutil.copy(HERE / "uppasd" / file, folder)
        filled(HERE / "uppasd" / f"{what}.dat", folder / "inpsd.dat", gpu=self.gpu_mode, **values)
        return [self.program]


class Vampire:
    def __init__(self, arguments):
        self.gpu = arguments.gpu
        self.serial = (arguments.folder / "vampire/vampire-serial").resolve()
        self.parallel = (arguments.folder / "vampire/vampire-parallel").resolve()

    def names(self, what, replicas):
        if replicas > 1 or self.gpu:
            return []  # Vampire runs one system at a time
        return ["Vampire, Heun" if what == "dynamics" else "Vampire"]

    def prepare(self, folder, name, what, cores, length, **values):
        shutil.copy(HERE / "vampire" / "iron.mat", folder)
        subprocess.run([sys.executable, HERE / "vampire" / "write_unit_cell.py"], cwd=folder, check=True)
        filled(HERE / "vampire" / f"{what}.input", folder / "input", edge=f"{2.87 * length:.2f}", **values)
        if cores == 1:
            return [self.serial]
        return ["mpirun", "--allow-run-as-root", "-n", cores, self.parallel]


class Larmor:
    def __init__(self, arguments):
        self.program = arguments.larmor.resolve()
        self.backend = "cuda" if arguments.gpu else "cpu"

    def names(self, what, replicas):
        return ["Larmor, Depondt", "Larmor, Heun"] if what == "dynamics" else ["Larmor"]

    def prepare(self, folder, name, what, cores, **values):
        filled(HERE / "larmor" / f"{what}.toml", folder / "study.toml",
               integrator=name.split()[-1].lower(), **values)
        return [self.program, "run", "study.toml", "--backend", self.backend, "--progress", "quiet",
                "--threads", cores]


def spent_by_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds(clock, program, name, what, cores, **values):
    with tempfile.TemporaryDirectory() as folder:
        command = program.prepare(pathlib.Path(folder), name, what, cores, **values)
        command = ["taskset", "-c", f"0-{cores - 1}", *command]
        environment = {**os.environ, "OMP_NUM_THREADS": str(cores)}
        start = clock()
        done = subprocess.run([str(word) for word in command], cwd=folder, env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        took = clock() - start
    if done.returncode != 0:
        sys.exit(f"{name} fails:\n{done.stdout[-2000:]}")
    return took


def rate(clock, program, name, what, cores, length, replicas, short, long):
    """Million spin-steps a second."""
    took = [seconds(clock, program, name, what, cores, length=length, replicas=replicas, steps=steps)
            for steps in (short, long)]
    return (long - short) * replicas * 2 * length**3 / (took[1] - took[0]) / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("larmor", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cpu-time", action="store_true")
    parser.add_argument("--gpu", action="store_true")
    arguments = parser.parse_args()
    programs = [kind(arguments) for kind in (Uppasd, Vampire, Larmor)]
    clock = spent_by_children if arguments.cpu_time else time.monotonic
    one_column = arguments.gpu or arguments.cpu_time
    rates = {}
    for _ in range(arguments.rounds):
        for cores in (1,) if one_column else (1, 2):
            for what, length, replicas, short, long in ON_GPU if arguments.gpu else ON_CPU:
                for program in programs:
                    for name in program.names(what, replicas):
                        found = rate(clock, program, name, what, cores, length, replicas, short, long)
                        entry = rates.setdefault((what, length, replicas, name), {})
                        entry.setdefault(cores, []).append(found)
                        print(what, length, replicas, name, cores, f"{found:.2f}", file=sys.stderr)
    print("| work | replicas | program |", "GPU |" if arguments.gpu else "one core |" if one_column else "one core | two cores |")
    print("|---|---|---|---|" + ("" if one_column else "---|"))
    for (what, length, replicas, name), found in rates.items():
        cells = (f"{max(of):.1f} ({min(of):.1f})" for of in found.values())
        print(f"| {what}, {length}^3 cells | {replicas} | {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
