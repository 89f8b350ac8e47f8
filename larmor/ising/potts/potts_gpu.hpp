#pragma once
// The loops of Potts models on a GPU. Compiled only where CUDA is found.

#include <vector>

#include "larmor/core/device/device.hpp"
#include "larmor/ising/potts/potts_kernel.hpp"

namespace larmor::ising {

/// As ProbabilityOfGain. @param table (replica, entries)
void fill_table_on_gpu(const Device& device, const PottsView& view, std::uint64_t* table,
                       Index entries, Index replicas);

/// As PottsUpdate. @param view of the first sweep @param colour_begin as PottsModel has them
void sweep_on_gpu(const Device& device, PottsView view, const std::vector<Index>& colour_begin,
                  Index replicas, Index sweeps);

/// The sums of PottsEnergy and the sites in each state.
/// @param sums where kernels run (replica, 1 + states), as doubles, which hold them exactly
void sum_on_gpu(const Device& device, const PottsView& view, Index replicas, double* sums);

/// @param of of what a replica's sums make @param sums as sum_on_gpu leaves them, `width` of each
/// replica @param numbers [replica]
void of_replicas_on_gpu(const Device& device, const EnergyOfReplica& of, const double* sums,
                        Index width, Index replicas, double* numbers);
void of_replicas_on_gpu(const Device& device, const FieldFactorOfReplica& of, const double* sums,
                        Index width, Index replicas, double* numbers);

}  // namespace larmor::ising
