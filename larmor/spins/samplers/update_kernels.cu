// The kernels of update_kernels.lanes.cpp, compiled for CUDA.

#define LARMOR_ONLY_ON_GPU
#include "larmor/spins/samplers/update_kernels.lanes.cpp"
