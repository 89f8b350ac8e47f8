// The loops of landscape_kernels.lanes.cpp, compiled for CUDA.

#define LARMOR_ONLY_ON_GPU
#include "larmor/spins/landscape/landscape_kernels.lanes.cpp"
