// The kernels of energy_kernels.lanes.cpp, compiled for CUDA.

#define LARMOR_ONLY_ON_GPU
#include "larmor/spins/hamiltonian/energy_kernels.lanes.cpp"
