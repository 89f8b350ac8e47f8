#!/usr/bin/env python3
"""Transverse-field Ising chain in QuSpin: time of building, of H v and of the ground state."""
import sys, time
import numpy as np
from quspin.basis import spin_basis_1d
from quspin.operators import hamiltonian, quantum_LinearOperator

L = int(sys.argv[1])
J = [[-1.0, i, (i + 1) % L] for i in range(L)]
h = [[-1.0, i] for i in range(L)]
static = [["zz", J], ["x", h]]
t = time.perf_counter()
basis = spin_basis_1d(L, pauli=True, zblock=1) if len(sys.argv) > 2 else spin_basis_1d(L, pauli=True)
t_basis = time.perf_counter() - t
t = time.perf_counter()
H = hamiltonian(static, [], basis=basis, dtype=np.float64, check_herm=False, check_symm=False, check_pcon=False)
t_build = time.perf_counter() - t
v = np.random.default_rng(1).normal(size=basis.Ns)
H.dot(v)
t = time.perf_counter(); n = 5
for _ in range(n): w = H.dot(v)
t_dot = (time.perf_counter() - t) / n
A = quantum_LinearOperator(static, basis=basis, dtype=np.float64, check_herm=False, check_symm=False, check_pcon=False)
t = time.perf_counter(); u = A.dot(v); t_free = time.perf_counter() - t
assert np.allclose(u, w)
t = time.perf_counter(); E = H.eigsh(k=1, which="SA", return_eigenvectors=False); t_eig = time.perf_counter() - t
print(f"L {L} states {basis.Ns} basis {t_basis:.2f} s build {t_build:.2f} s H v {1e3*t_dot:.2f} ms matrix-free {1e3*t_free:.1f} ms eigsh {t_eig:.2f} s E0 {E[0]:.12f}")
