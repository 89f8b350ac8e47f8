#pragma once
// Loops over states of sites on a GPU. Compiled only if CUDA is found.

#include "larmor/core/device/pending.hpp"
#include "larmor/ising/measures/grid_sums_kernel.hpp"
#include "larmor/ising/measures/site_states_kernel.hpp"

namespace larmor::ising {

void write_on_gpu(const Device& device, const StateOfPosition& write, Index positions,
                  Index replicas);
void write_on_gpu(const Device& device, const StatesOfWord& write, Index words, Index replicas);

/// As in GridSums. @param states on the device (replica, site)
Pending planes_on_gpu(const Device& device, const SummedAxes& axes, const std::uint8_t* states,
                      Index replicas);
Pending equal_pairs_on_gpu(const Device& device, const SummedAxes& axes, const std::uint8_t* states,
                           Index replicas);

}  // namespace larmor::ising
