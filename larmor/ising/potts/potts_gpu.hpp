#pragma once
// Loops of Potts models on a GPU. Compiled only if CUDA is found.

#include <vector>

#include "larmor/core/device/device.hpp"
#include "larmor/ising/potts/potts_kernel.hpp"

namespace larmor::ising {

/// Fills a table by ProbabilityOfGain. @param table (replica, entries)
void fill_table_on_gpu(const Device& device, const PottsView& view, std::uint64_t* table,
                       Index entries, Index replicas);

/// Does sweeps by PottsUpdate. @param view for the first sweep @param colour_begin as in PottsModel
void sweep_on_gpu(const Device& device, PottsView view, const std::vector<Index>& colour_begin,
                  Index replicas, Index sweeps);

/// Computes the sums of PottsEnergy and the numbers of sites in each state.
/// @param sums on the device (replica, 1 + states), as doubles, which hold them exactly
void sum_on_gpu(const Device& device, const PottsView& view, Index replicas, double* sums);

/// Applies a function to the sums of each replica. Does not wait for the GPU.
/// @param sums results of sum_on_gpu, `width` per replica @param numbers on the device [replica]
void apply_to_replicas_on_gpu(const Device& device, const EnergyOfReplica& function,
                              const double* sums, Index width, Index replicas, double* numbers);
void apply_to_replicas_on_gpu(const Device& device, const FieldFactorOfReplica& function,
                              const double* sums, Index width, Index replicas, double* numbers);

}  // namespace larmor::ising
