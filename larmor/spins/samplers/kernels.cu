// The kernels of kernels.lanes.cpp for CUDA: the same text.

#define LARMOR_ONLY_ON_GPU
#include "larmor/spins/samplers/kernels.lanes.cpp"
