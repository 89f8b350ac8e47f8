// The steps of steps.lanes.cpp, compiled for CUDA.

#define LARMOR_ONLY_ON_GPU
#include "larmor/spins/integrators/steps.lanes.cpp"
