// The steps of steps.lanes.cpp for CUDA: the same text.

#define LARMOR_ONLY_ON_GPU
#include "larmor/spins/integrators/steps.lanes.cpp"
