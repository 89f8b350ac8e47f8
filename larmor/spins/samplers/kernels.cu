// The kernels of kernels.lanes.cpp, compiled for CUDA.

#define LARMOR_ONLY_ON_GPU
#include "larmor/spins/samplers/kernels.lanes.cpp"
