#pragma once
// Makes each kind of sum over pairs on a GPU, for a given arithmetic.

#include <variant>

#include "larmor/correlations/pairs/gpu/bin_sums.cuh"
#include "larmor/correlations/pairs/gpu/fourier_sums.cuh"
#include "larmor/correlations/pairs/gpu/value_sums.cuh"

namespace larmor::correlations::real_space {

template <class Arithmetic>
std::unique_ptr<FusedSums> all_sums_by(const Device& device, const PairSettings& settings,
                                       const PairReduction& reduction, const RowShare& share) {
  return std::visit(
      [&](const auto& kind) { return sums_by<Arithmetic>(device, settings, kind, share); },
      reduction);
}

}  // namespace larmor::correlations::real_space
