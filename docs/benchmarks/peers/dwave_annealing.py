#!/usr/bin/env python3
"""Time to solution of `larmor solve` and of dwave-samplers' SimulatedAnnealingSampler on one core.

    python3 -m venv /tmp/dwave; /tmp/dwave/bin/pip install dwave-samplers
    /tmp/dwave/bin/python dwave_annealing.py build/release/larmor [--only "+-J"] [--seconds 20] [--seed 1]

Both search for the same energy: the least that a long search of Larmor or any search here has found.
dwave-samplers anneals with its own temperatures for several numbers of sweeps, each as often as --seconds
allows. The number of sweeps with the best time counts. The time to solution is that for a success
probability of 99 %: t ln(0.01) / ln(1 - p), if an annealing takes t and succeeds with probability p. With k
successes in n annealings, p = (k + 1/2) / (n + 1), as in Larmor. If none succeeds, the time is a lower bound.
Larmor's time includes its search for temperatures, which is made once.
"""

import argparse
import itertools
import json
import math
import os
import pathlib
import subprocess
import tempfile
import time

import dimod
import numpy as np
from dwave.samplers import SimulatedAnnealingSampler

SWEEPS = (100, 1000, 10000)
TOLERANCE = 1e-9


def torus(length, dimensions):
    """Pairs of neighbours of a periodic grid."""
    sites = np.arange(length**dimensions).reshape((length,) * dimensions)
    return [
        pair
        for axis in range(dimensions)
        for pair in zip(sites.ravel().tolist(), np.roll(sites, -1, axis).ravel().tolist())
    ]


def problems(seed):
    """Name, vartype, rows (i, j, value)."""
    draw = np.random.default_rng(seed)
    for length in (8, 10):
        pairs = torus(length, 3)
        yield f"+-J, {length}^3", "SPIN", [(i, j, int(v)) for (i, j), v in zip(pairs, draw.choice([-1, 1], len(pairs)))]
    for length in (16, 24):
        pairs = torus(length, 2)
        yield f"Gaussian, {length}^2", "SPIN", [(i, j, float(v)) for (i, j), v in zip(pairs, draw.normal(size=len(pairs)))]
    for spins in (256, 512):
        pairs = list(itertools.combinations(range(spins), 2))
        yield f"Sherrington-Kirkpatrick, {spins}", "SPIN", [
            (i, j, float(v)) for (i, j), v in zip(pairs, draw.normal(size=len(pairs)) / math.sqrt(spins))
        ]
    pairs = list(itertools.combinations_with_replacement(range(500), 2))
    yield "dense QUBO, 500", "BINARY", [(i, j, int(v)) for (i, j), v in zip(pairs, draw.integers(-100, 101, len(pairs)))]


def model_of(vartype, rows):
    model = dimod.BinaryQuadraticModel(vartype)
    for i, j, value in rows:
        if i == j:
            model.add_linear(i, value)
        else:
            model.add_quadratic(i, j, value)
    return model


def larmor(program, path, *options):
    output = path.with_suffix(".json")
    subprocess.run(
        [program, "solve", path, "--threads", "1", "--progress", "quiet", "--force", "-o", output, *map(str, options)],
        check=True, stdout=subprocess.DEVNULL,
    )
    return json.loads(output.read_text())


def restarts(successes, searches):
    p = (successes + 0.5) / (searches + 1)
    return max(1.0, math.log(0.01) / math.log(1 - p))


def annealings(model, sweeps, seconds, seed):
    """Energies of all annealings, and the time of one annealing in seconds."""
    sampler = SimulatedAnnealingSampler()
    energies, spent, reads = [], 0.0, 1
    while spent < seconds:
        begun = time.perf_counter()
        found = sampler.sample(model, num_reads=reads, num_sweeps=sweeps, seed=seed + len(energies))
        spent += time.perf_counter() - begun
        energies.extend(found.record.energy.tolist())
        # Calls of a quarter of the time, which are long compared with the sampler's preparations.
        reads = max(1, min(10000, int(len(energies) * seconds / 4 / spent)))
    return np.array(energies), spent / len(energies)


def compare(program, name, vartype, rows, seconds, seed):
    model = model_of(vartype, rows)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "problem.coo"
        path.write_text(f"# vartype={vartype}\n" + "".join(f"{i} {j} {v!r}\n" for i, j, v in rows))
        longest = larmor(program, path, "--seconds", seconds, "--repeats", 4, "--seed", seed + 100)
        peers = {sweeps: annealings(model, sweeps, seconds, seed) for sweeps in SWEEPS}
        least = min([longest["best"]["energy"], *(e.min() for e, _ in peers.values())])
        target = least + TOLERANCE * abs(least)
        ours = larmor(program, path, "--target-energy", repr(target), "--repeats", 32, "--sweeps", 100000, "--seed", seed)
    search, prepared = ours["search"], ours["timing"]["ladder_seconds"]
    ours = {key: value and value + prepared for key, value in ours["timing"]["time_to_solution"].items()}
    counted = {sweeps: (int((e <= target).sum()), len(e), t) for sweeps, (e, t) in peers.items()}
    best = min(counted, key=lambda sweeps: counted[sweeps][2] * restarts(*counted[sweeps][:2]))
    successes, searches, each = counted[best]
    theirs = each * restarts(successes, searches)
    bound = "" if any(successes for successes, _, _ in counted.values()) else "> "
    spread = f"{ours['lower']:.3g} to {ours['upper']:.3g}" if ours["upper"] is not None else "not known"
    print(f"| {name} | {least:.8g} | {bound}{theirs:.3g} ({successes} of {searches}, {best} sweeps) | "
          f"{ours['value']:.3g} ({spread}; {search['found']} of {search['repeats']}) | {bound}{theirs / ours['value']:.3g} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("larmor")
    parser.add_argument("--only", default="", help="problems whose name has this in it")
    parser.add_argument("--seconds", type=float, default=20, help="time for each number of sweeps, in seconds (20)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--core", type=int, default=0)
    options = parser.parse_args()
    os.sched_setaffinity(0, {options.core})
    print("| problem | energy | dwave-samplers, s | Larmor, s | ratio |\n|---|---|---|---|---|")
    for name, vartype, rows in problems(options.seed):
        if options.only in name:
            compare(options.larmor, name, vartype, rows, options.seconds, options.seed)


if __name__ == "__main__":
    main()
