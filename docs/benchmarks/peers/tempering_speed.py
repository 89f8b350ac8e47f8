#!/usr/bin/env python3
"""Parallel tempering of spin glasses by peapods and Larmor on one core: speed, and time for an equal error.

    python3 -m venv /tmp/peapods; /tmp/peapods/bin/pip install peapods h5py
    /tmp/peapods/bin/python tempering_speed.py build/release/larmor [--only "+-J"] [--runs 16] [--seed 1]

Both have the same temperatures and sweeps (Metropolis, a proposal of exchanges after each), begin at random
states, and do not count a quarter of the sweeps. Single samples have the same couplings in both programs; many
samples are drawn by each program itself. The programs take turns, with new random numbers in each run. The
processor time is that of the shortest run, since other work on the machine can only lengthen it.

peapods proposes one random pair of neighbouring rungs at a time; Larmor proposes every second pair. The
comparison therefore uses the energy at the coldest rung. Its mean square deviation from the mean over all runs of
Larmor, times the time of a run, is the time for an equal error. The mean energies of both are compared rung by
rung.
"""

import argparse
import math
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

os.environ["RAYON_NUM_THREADS"] = "1"  # before peapods creates its threads

import h5py  # noqa: E402
import numpy as np  # noqa: E402
import peapods  # noqa: E402

STUDY = """
title = "Beside peapods"
seed = {seed}
replicas = {replicas}
{samples}
[model]
kind = "ising"
[lattice]
grid = {shape}
{exchange}
[[stage]]
kind = "tempering"
temperature = {temperatures}
sampler = "metropolis"
exchange_every = 1
thermalisation = {thermalisation}
sweeps = {sweeps}
measure_every = 10
keep_series = false
keep_configurations = 0
"""
GIVEN_COUPLINGS = """
[[exchange]]
file = "bonds.txt"
"""
COUPLINGS_OF_SAMPLES = """
[[exchange]]
shell = 1
J = 0.0
disorder = 1.0
disorder_distribution = "bimodal"
disorder_by_replica = true
disorder_seed = {seed}
"""


class Problem:
    """One sample of given couplings, or many of +-J that each program draws for itself."""

    def __init__(self, name, length, dimensions, temperatures, sweeps, couplings=None, samples=1):
        self.name, self.sweeps, self.samples = name, sweeps, samples
        self.shape = (length,) * dimensions
        # peapods computes in single precision.
        self.couplings = None if couplings is None else couplings(self.shape + (dimensions,)).astype(np.float32)
        self.temperatures = np.geomspace(*temperatures).astype(np.float32)

    def updates(self):
        return self.sweeps * len(self.temperatures) * self.samples * math.prod(self.shape)

    def bonds(self):
        """Rows (i, j, J) of the bond from each site to the next along each axis."""
        sites = np.arange(math.prod(self.shape)).reshape(self.shape)
        for axis in range(len(self.shape)):
            yield from zip(sites.ravel(), np.roll(sites, -1, axis).ravel(), self.couplings[..., axis].ravel())


def problems(seed):
    draw = np.random.default_rng(seed)
    yield Problem("+-J, 8^3", 8, 3, (0.8, 2.0, 24), 20000, lambda shape: draw.choice([-1.0, 1.0], shape))
    yield Problem("Gaussian, 24^2", 24, 2, (0.4, 2.0, 16), 20000, lambda shape: draw.normal(size=shape))
    yield Problem("64 samples of +-J, 8^3", 8, 3, (0.8, 2.0, 24), 1500, samples=64)


def spent_by_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_larmor(program, problem, seed):
    """Energies a spin [rung], and the time."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if problem.couplings is not None:
            (folder / "bonds.txt").write_text("".join(f"{i} {j} {float(J)!r}\n" for i, j, J in problem.bonds()))
        (folder / "study.toml").write_text(STUDY.format(
            seed=seed, replicas=len(problem.temperatures) * problem.samples, shape=list(problem.shape),
            samples=f"samples = {problem.samples}" if problem.couplings is None else "",
            exchange=COUPLINGS_OF_SAMPLES.format(seed=seed) if problem.couplings is None else GIVEN_COUPLINGS,
            temperatures=[float(T) for T in problem.temperatures],
            thermalisation=problem.sweeps // 4, sweeps=problem.sweeps - problem.sweeps // 4))
        begun = spent_by_children()
        done = subprocess.run([program, "run", "study.toml", "--backend", "cpu", "--threads", "1", "--progress", "quiet", "-o", "study.h5"],
                              cwd=folder, capture_output=True, text=True)
        spent = spent_by_children() - begun
        if done.returncode != 0:
            sys.exit(done.stderr)
        with h5py.File(folder / "study.h5") as file:
            return file["stages/01-tempering/averages/energy/value"][:], spent


def run_peapods(problem, seed):
    """Energies a spin [rung], and the time."""
    np.random.seed(seed % 2**32)  # for couplings that peapods draws
    model = peapods.Ising(problem.shape, couplings="bimodal" if problem.couplings is None else problem.couplings,
                          temperatures=problem.temperatures, n_disorder=problem.samples)
    model._sim.reset(seed)  # without this call all models would have the same seed
    begun = time.process_time()
    model.sample(problem.sweeps, sweep_mode="metropolis", pt_interval=1, warmup_ratio=0.25, sequential=True)
    # The energies of peapods have the opposite sign.
    return -np.asarray(model.energies_avg).ravel(), time.process_time() - begun


def compare(program, problem, runs, seed):
    found = {"Larmor": [], "peapods": []}
    for run in range(runs):
        found["Larmor"].append(run_larmor(program, problem, seed + run))
        # A replica of peapods has the seed of the one before it, plus one.
        found["peapods"].append(run_peapods(problem, seed + 100000 * (run + 1)))
    energies = {name: np.array([energy for energy, _ in of]) for name, of in found.items()}
    mean = {name: of.mean(axis=0) for name, of in energies.items()}
    variance = {name: of.var(axis=0, ddof=1) for name, of in energies.items()}
    bias = mean["peapods"] - mean["Larmor"]
    error = np.sqrt((variance["peapods"] + variance["Larmor"]) / runs)
    square = {"Larmor": variance["Larmor"][0], "peapods": variance["peapods"][0] + bias[0] ** 2}
    times = {name: [time for _, time in of] for name, of in found.items()}
    cost = {name: min(times[name]) * square[name] for name in found}
    for name in found:
        print(f"| {problem.name} | {name} | {problem.updates() / min(times[name]) / 1e6:.4g} | {min(times[name]):.2f} ({max(times[name]):.2f}) | "
              f"{mean[name][0]:.5f} | {math.sqrt(square[name]):.2g} | {cost[name] / cost['Larmor']:.2g} |", flush=True)
    worst = np.argmax(np.abs(bias / error))
    print(f"energies differ by {bias[0] / error[0]:.1f} errors at the coldest rung, and by {bias[worst] / error[worst]:.1f} at most, at "
          f"T = {problem.temperatures[worst]:.2f}\n", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("larmor", type=pathlib.Path)
    parser.add_argument("--only", default="", help="problems whose name has this in it")
    parser.add_argument("--runs", type=int, default=16, help="number of runs of each program (16)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--core", type=int, default=0)
    options = parser.parse_args()
    os.sched_setaffinity(0, {options.core})
    program = options.larmor.resolve()
    print(f"load {os.getloadavg()[0]:.1f}\n")
    print("| problem | program | M updates/s | s a run (longest) | energy | its error in a run | time for an equal error |\n"
          "|---|---|---|---|---|---|---|")
    for problem in problems(options.seed):
        if options.only in problem.name:
            compare(program, problem, options.runs, options.seed)
    print(f"\nload {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
