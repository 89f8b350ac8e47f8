#!/usr/bin/env python3
"""Path-integral sampler of dwave-samplers: us per world line of a site and sweep, 32^2 torus."""
import time
import numpy as np, dimod
from dwave.samplers import PathIntegralAnnealingSampler
L, beta, Gamma = 32, 4.0, 2.0
J = {}
for y in range(L):
    for x in range(L):
        i = x + L * y
        J[(i, (x + 1) % L + L * y)] = -1.0
        J[(i, x + L * ((y + 1) % L))] = -1.0
bqm = dimod.BinaryQuadraticModel({}, J, 0.0, "SPIN")
s = PathIntegralAnnealingSampler()
for sweeps in (200, 400):
    t = time.perf_counter()
    s.sample(bqm, num_reads=4, num_sweeps_per_beta=1, seed=1, beta_schedule_type="custom",
             Hp_field=[beta] * sweeps, Hd_field=[beta * Gamma] * sweeps)
    dt = time.perf_counter() - t
    print(f"dwave {sweeps} sweeps: {1e6 * dt / (4 * sweeps * L * L):.3f} us a line and sweep")
