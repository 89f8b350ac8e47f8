"""Speed of mcising (PyPI) on one thread: Metropolis and Swendsen-Wang at the transition of the square lattice.

    pip install mcising; python mcising_speed.py"""

import math
import time

import mcising

T_C = 2 / math.log(1 + math.sqrt(2))


def best_rate(algorithm, size):
    simulation = mcising.IsingSimulation(size, 1.0, 0.0, 0.0, 0.0, 1, algorithm=algorithm)
    simulation.sweep(20, temperature=T_C)
    sweeps, best = 1, 0.0
    for _ in range(8):
        start = time.perf_counter()
        simulation.sweep(sweeps, temperature=T_C)
        seconds = time.perf_counter() - start
        best = max(best, sweeps * size * size / seconds)
        if seconds < 0.5:
            sweeps *= 2
    return best


for algorithm in ("metropolis", "swendsen_wang"):
    for size in (64, 1024, 2048):
        print(f"{algorithm:<14} {size:>5}^2 {best_rate(algorithm, size) / 1e9:8.4f} updates/ns")
