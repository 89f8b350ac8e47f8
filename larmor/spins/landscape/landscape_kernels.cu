// The loops of landscape_kernels.lanes.cpp for CUDA: the same text.

#define LARMOR_ONLY_ON_GPU
#include "larmor/spins/landscape/landscape_kernels.lanes.cpp"
